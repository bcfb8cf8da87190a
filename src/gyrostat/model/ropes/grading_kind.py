"""Grading of the segments of a rope."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gyrostat.model.kinds import Naming, Path, Plain, Schema
from gyrostat.model.place import Place

Grading: TypeAlias = tuple[tuple[float, int], ...]
"""Runs of equal segments from the start of a rope: relative length of a segment, and number of segments."""


@dataclass(frozen=True)
class GradingKind:
    """A list of pairs: relative length of a segment, number of such segments."""

    def read(self, value: object, place: Place) -> Grading:
        """Read the runs."""
        runs = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
        found = tuple(tuple(run) for run in runs if isinstance(run, Sequence) and not isinstance(run, str))
        if not found or len(found) != len(runs) or not all(_is_run(run) for run in found):
            place.report(
                f"{value!r:.60} is not a grading of segments.",
                "Give pairs of a relative length above zero and a number of segments, as [[1, 40], [8, 5]].",
            )
            return ()
        return tuple((float(size), int(count)) for size, count in found)

    def write(self, value: Grading) -> Plain:
        """Return the pairs as lists."""
        return [[size, count] for size, count in value]

    def schema(self) -> Schema:
        """Return the JSON Schema of a list of pairs."""
        pair = [{"type": "number", "exclusiveMinimum": 0}, {"type": "integer", "minimum": 1}]
        return {
            "type": "array",
            "minItems": 1,
            "items": {"type": "array", "prefixItems": pair, "minItems": 2, "maxItems": 2},
        }

    def uses(self, value: Grading, path: Path = ()) -> tuple[()]:
        """Return an empty tuple: the value has no formulas or references."""
        return ()

    def renamed(self, value: Grading, naming: Naming) -> Grading:
        """Return the grading, which has no names."""
        return value


def _is_run(run: tuple[object, ...]) -> bool:
    """Return whether a pair is a relative length above zero and a number of segments."""
    if len(run) != 2 or any(isinstance(one, bool) for one in run):
        return False
    size, count = run
    return (
        isinstance(size, numbers.Real)
        and math.isfinite(float(size))
        and float(size) > 0
        and isinstance(count, numbers.Integral)
        and int(count) > 0
    )
