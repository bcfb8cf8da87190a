"""Arrays in a folder, in the second version of the Zarr format: raw chunks that any tool for it reads.

A chunk is one file, written atomically. See https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[Any]


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically and durably."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def write_json(path: Path, content: Any) -> None:
    """Write a file of JSON."""
    write_whole(path, json.dumps(content, indent=1, ensure_ascii=False).encode())


@dataclass(frozen=True)
class ZarrArray:
    """An array in a folder: chunks of equal shape, padded at the upper ends."""

    folder: Path
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    chunks: tuple[int, ...]
    dims: tuple[str, ...]
    fill: float | None = None
    """The value of missing chunks; None stands for zeros and empty texts."""
    attributes: dict[str, Any] = field(default_factory=dict)

    def metadata(self) -> dict[str, Any]:
        """Return the content of the file `.zarray`."""
        return {
            "zarr_format": 2,
            "shape": list(self.shape),
            "chunks": list(self.chunks),
            "dtype": self.dtype.str,
            "compressor": None,
            "fill_value": "NaN" if self.fill is not None and math.isnan(self.fill) else self.fill,
            "order": "C",
            "filters": None,
            "dimension_separator": ".",
        }

    def labels(self) -> dict[str, Any]:
        """Return the content of the file `.zattrs`, with the names of the dimensions for xarray."""
        return {"_ARRAY_DIMENSIONS": list(self.dims), **self.attributes}

    def create(self) -> None:
        """Create the folder of an array without chunks."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_json(self.folder / ".zarray", self.metadata())
        write_json(self.folder / ".zattrs", self.labels())

    def _path(self, place: tuple[int, ...]) -> Path:
        return self.folder / (".".join(map(str, place)) or "0")

    @property
    def _chunk_bytes(self) -> int:
        return math.prod(self.chunks) * self.dtype.itemsize

    def has(self, place: tuple[int, ...]) -> bool:
        """Tell whether a chunk exists in full size."""
        try:
            return self._path(place).stat().st_size == self._chunk_bytes
        except OSError:
            return False

    def write(self, place: tuple[int, ...], values: Values) -> None:
        """Write a chunk; values of smaller shape are padded."""
        data = np.ascontiguousarray(values, dtype=self.dtype)
        if data.shape != self.chunks:
            whole = self._empty()
            whole[tuple(slice(0, size) for size in data.shape)] = data
            data = whole
        write_whole(self._path(place), data.tobytes())

    def chunk(self, place: tuple[int, ...]) -> Values:
        """Return a chunk, filled if it is missing."""
        try:
            data = np.fromfile(self._path(place), dtype=self.dtype)
            return data.reshape(self.chunks)
        except (OSError, ValueError):
            return self._empty()

    def _empty(self) -> Values:
        empty = np.zeros(self.chunks, dtype=self.dtype)
        if self.fill is not None:
            empty[...] = self.fill
        return empty

    def read(self, extent: tuple[slice, ...]) -> Values:
        """Return part of the array; only the chunks concerned are read."""
        found = np.empty([one.stop - one.start for one in extent], dtype=self.dtype)
        ranges = [range(one.start // c, -(-one.stop // c)) for one, c in zip(extent, self.chunks, strict=True)]
        for place in _product(ranges):
            source, target = [], []
            for i, one, c in zip(place, extent, self.chunks, strict=True):
                low, high = max(one.start, i * c), min(one.stop, (i + 1) * c)
                source.append(slice(low - i * c, high - i * c))
                target.append(slice(low - one.start, high - one.start))
            found[tuple(target)] = self.chunk(place)[tuple(source)]
        return found


def read_array(folder: Path) -> ZarrArray:
    """Return the array of a folder, without its values."""
    metadata = json.loads((folder / ".zarray").read_text(encoding="utf-8"))
    attributes = json.loads((folder / ".zattrs").read_text(encoding="utf-8"))
    fill = metadata["fill_value"]
    dtype = np.dtype(metadata["dtype"])
    return ZarrArray(
        folder,
        dtype,
        tuple(metadata["shape"]),
        tuple(metadata["chunks"]),
        tuple(attributes.pop("_ARRAY_DIMENSIONS")),
        math.nan if fill == "NaN" else fill,
        attributes,
    )


def _product(ranges: list[range]) -> Iterator[tuple[int, ...]]:
    if not ranges:
        yield ()
        return
    for first in ranges[0]:
        for rest in _product(ranges[1:]):
            yield (first, *rest)
