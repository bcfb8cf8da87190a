"""Check of constraints: admissible lengths and radii."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.place import Place


def limit_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each dimension of a constraint that violates its limit once its formulas are evaluated."""
    for constraint in subject.constraints.values():
        place = Place(constraint.describe())
        constraint.check_limits(subject.number, place)
        yield from (subject.fault(constraint, fault.path, fault.fact, fault.remedy) for fault in place.faults)
