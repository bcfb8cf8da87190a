"""Check of the laws of contacts, friction and tyres: coefficients that are formulas of parameters have limits, too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.contacts import NormalLaw, RollingResistance
from gyrostat.model.forces import ForceElement
from gyrostat.model.friction import FrictionLaw
from gyrostat.model.place import Place
from gyrostat.model.shapes.dimensioned import Dimensioned, Known
from gyrostat.model.tyres import MagicCurve, TyreLaw

_LAWS = (NormalLaw, FrictionLaw, TyreLaw)


def coefficient_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each coefficient of a law that violates its limit once formulas are evaluated."""
    for force in subject.forces.values():
        place = limits_place(force, subject.number)
        yield from (subject.fault(force, fault.path, fault.fact, fault.remedy) for fault in place.faults)


def limits_place(force: ForceElement, known: Known) -> Place:
    """Return the place of a force element with the faults of its laws, by known values of formulas."""
    place = Place(force.describe())
    _check(force, known, place)
    return place


def _check(record: ForceElement | Dimensioned, known: Known, place: Place) -> None:
    for field in fields(record):
        held = getattr(record, field.name)
        if isinstance(held, (*_LAWS, RollingResistance, MagicCurve)):
            inside = place.inside(field.name)
            inside = inside.inside(type(held).__name__) if isinstance(held, _LAWS) else inside
            held.check_limits(known, inside)
            _check(held, known, inside)
