"""Check of bonds: strengths and stiffnesses that follow from parameters."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.forces import Bond
from gyrostat.model.place import Place


def bond_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults of bonds without strength or stiffness."""
    for force in subject.forces.values():
        if isinstance(force, Bond):
            place = Place(force.describe())
            force.check_limits(subject.number, place)
            yield from (subject.fault(force, fault.path, fault.fact, fault.remedy) for fault in place.faults)
