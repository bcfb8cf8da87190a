"""Limits of a coordinate of a joint, its rate and the load of its drive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar

from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import Record, value

_BOUND = OptionalKind(QuantityKind())


@dataclass(frozen=True)
class Limits(Record):
    """Bounds of a coordinate, of its rate and of the load of its drive: recorded, and enforced by no analysis."""

    tag: ClassVar[str] = "limits"
    lower: Quantity | None = value(_BOUND, None, doc="lowest value of the coordinate (m or rad)")
    upper: Quantity | None = value(_BOUND, None, doc="highest value of the coordinate (m or rad)")
    velocity: Quantity | None = value(_BOUND, None, doc="highest rate, in both directions (m/s or rad/s)")
    effort: Quantity | None = value(_BOUND, None, doc="highest load of a drive, in both directions (N or N·m)")

    def validate(self, place: Place) -> None:
        """Require that the lower bound is not above the upper one."""
        if self.lower is None or self.upper is None or self.lower.number is None or self.upper.number is None:
            return
        if self.lower.number > self.upper.number:
            fact = f"the lower bound {self.lower} is above the upper bound {self.upper}."
            place.inside("lower").report(fact, "Exchange them.")


def describes_limits(value: object) -> bool:
    """Tell whether a mapping describes the limits of one coordinate, rather than limits by label."""
    return isinstance(value, Mapping) and bool(value) and all(key in _FIELDS for key in value)


_FIELDS = tuple(field.name for field in fields(Limits))
