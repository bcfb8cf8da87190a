"""Columns of CSV files, by the names in the first line after comments."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Sequence
from pathlib import Path

from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean

_DELIMITERS = ",;\t"


def read_columns(path: str | os.PathLike[str], names: Sequence[str]) -> list[list[float]]:
    """Return columns of a CSV file as numbers; the first line has their names, separated by commas, ; or tabs.

    Lines before it that begin with # are comments.
    """
    file = Path(path)
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise StateError(f"The table {str(path)!r} cannot be read: {error.strerror}. Check the path.") from None
    except UnicodeDecodeError:
        raise StateError(f"The table {str(path)!r} is not UTF-8 text. Save it as CSV in UTF-8.") from None
    comments = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    lines = lines[comments:]
    if not lines:
        raise StateError(f"The table {str(path)!r} is empty. Its first line has the names of the columns.")
    delimiter = max(_DELIMITERS, key=lines[0].count)
    rows = csv.reader(lines, delimiter=delimiter)
    header = [name.strip() for name in next(rows)]
    for name in names:
        if name not in header:
            raise StateError(f"The table {str(path)!r} has no column {name!r}. {did_you_mean(name, header)}")
    places = [header.index(name) for name in names]
    columns: list[list[float]] = [[] for _ in names]
    for number, row in enumerate(rows, start=comments + 2):
        if not any(cell.strip() for cell in row):
            continue
        for name, place, column in zip(names, places, columns, strict=True):
            column.append(_number(row[place] if place < len(row) else "", f"{str(path)!r}, line {number}", name))
    return columns


def _number(cell: str, where: str, column: str) -> float:
    try:
        found = float(cell)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise StateError(f"The table {where}, has {cell.strip()!r:.40} in column {column!r}. Give a finite number.")
    return found
