"""Checks of flexible bodies: dimensions, stations and sections with the values of parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.flexible.station_arm import StationArm
from gyrostat.model.place import Place

_PLACES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Places along a beam where its section is examined, as fractions of the length."""


def flexible_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults of beams whose dimensions are impossible with the values of the parameters."""
    seen: set[str] = set()
    for arm in subject.joints.values():
        if not isinstance(arm, StationArm):
            continue
        name = arm.parent.body
        place = Place(f"compound {name!r}")
        if name not in seen:
            seen.add(name)
            arm.beam.check_limits(subject.number, place)
            if not place.faults and not _unknown(subject, arm):
                _check_sections(subject, arm, place)
        distance, length = subject.number(arm.at), subject.number(arm.beam.length)
        if distance is not None and length is not None and not 0 <= distance <= length:
            station = arm.child.body[len(name) + 1 :]
            fact = f"{distance:.6g} m from the root is outside the beam, which is {length:.6g} m long."
            place.inside("stations").inside(station).report(fact, "Give a distance between 0 and the length.")
        for fault in place.faults:
            position = subject.model.position(arm, fault.path)
            yield Fault(fault.item, fault.fact, fault.remedy, fault.path, position)


def _unknown(subject: Subject, arm: StationArm) -> bool:
    """Return whether a formula of the beam has no value."""
    return arm.name in subject.indefinite or len(subject.values) < len(subject.parameters)


def _check_sections(subject: Subject, arm: StationArm, place: Place) -> None:
    """Report a tapered section that vanishes somewhere along the beam."""
    if not arm.beam.tapered:
        return
    for xi in _PLACES:
        found = arm.beam.section_at(xi, subject.evaluator)
        for label, size in found._asdict().items():
            given = arm.beam.section is not None or getattr(arm.beam, label) is not None
            if given and not size > 0:
                x = xi * (subject.number(arm.beam.length) or 0.0)
                place.report(f"its {label} is {size:.6g} at x = {x:.6g} m.", "A section is positive along the beam.")
                return
