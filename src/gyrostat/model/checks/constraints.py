"""Constraints: lengths and radii that are possible."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.place import Place


def limit_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults of dimensions of constraints that are beyond their limits once their formulas have numbers."""
    for constraint in subject.constraints.values():
        place = Place(constraint.describe())
        constraint.check_limits(subject.number, place)
        yield from (subject.fault(constraint, fault.path, fault.fact, fault.remedy) for fault in place.faults)
