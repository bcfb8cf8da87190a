"""Points of rigid contacts of a system, and the events that end their modes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from gyrostat.analysis.events import Event
from gyrostat.analysis.events.action import ContactMargin
from gyrostat.analysis.integrators.integrator import Integrator
from gyrostat.analysis.simulation.state_switches import StateSwitches
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.forces.rigid_element import INPUTS, RigidElement
from gyrostat.model.formula import Formula
from gyrostat.system import System

_NO_FORMULAS: Mapping[str, Formula] = {}


class ContactPoint(NamedTuple):
    """A point of a rigid contact."""

    name: str
    contact: RigidElement


def contact_points(system: System) -> tuple[ContactPoint, ...]:
    """Return the points of all rigid contacts of a system."""
    return _of(system).points


def contact_places(system: System) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return where in a row the inputs of each contact begin."""
    return _of(system).places


class _Contacts(NamedTuple):
    """What does not change from run to run."""

    points: tuple[ContactPoint, ...]
    places: np.ndarray[tuple[int], np.dtype[np.int64]]


_KNOWN: WeakKeyDictionary[System, _Contacts] = WeakKeyDictionary()
"""By systems; `_of` alone uses it."""


def _of(system: System) -> _Contacts:
    """Return the contacts of a system, found once for each."""
    known = _KNOWN.get(system)
    if known is None:
        points = tuple([ContactPoint(label, one) for one in system.rigid_contacts for label in one.labels])
        first, order = system.row.inputs.start, {name: i for i, name in enumerate(system.inputs)}
        places = np.array([first + order[f"{one.name}.{INPUTS[0]}"] for one in points], dtype=np.int64)
        places.flags.writeable = False
        known = _KNOWN[system] = _Contacts(points, places)
    return known


def friction_of(system: System, parameters: Mapping[str, float]) -> Floats:
    """Return the coefficients of friction of sliding and of rest, shape (n, 2)."""
    values = dict(parameters)
    contacts = [point.contact for point in contact_points(system)]
    found = [[mu.value(values) for mu in one.frictions] for one in contacts]
    return np.array(found, dtype=float).reshape(-1, 2)


def with_margins(
    events: Iterable[Event], system: System, integrator: Integrator, formulas: Mapping[str, Formula] = _NO_FORMULAS
) -> tuple[Event, ...]:
    """Return events with those that end modes of rigid contacts: for each, the normal and the tangential margin.

    Integrators and events that cannot be combined with rigid contacts are refused.
    """
    given = tuple(events)
    if not system.rigid_contacts:
        return given
    contacts = contact_points(system)
    first = f"{contacts[0].contact.noun} {contacts[0].name!r} is rigid"
    if not integrator.contacts:
        raise StateError(
            f"{first}: its loads follow from the accelerations, which {type(integrator).__name__} does not solve. "
            "Use a Runge-Kutta method such as gs.DOP853(), or gs.Rodas5P()."
        )
    impact = next((event.name for event in given if event.has_contact), None)
    if impact is not None:
        raise StateError(
            f"{first}, and event {impact!r} has the action Restitution: impacts of both kinds cannot act together. "
            "Describe the obstacle of the event by a RigidContact as well."
        )
    if (law := next(iter(_switching_laws(system, formulas)), None)) is not None:
        raise StateError(
            f"{first}, and the law of {law!r} has conditions of the state (where, min, max, abs, sign, comparisons). "
            "Their sliding modes and contact loads cannot be solved together. Write the law without conditions."
        )
    names = [f"{contact.name}.{label}" for contact in contact_points(system) for label in INPUTS[4:]]
    return (*given, *(Event(name, name, "falling", ContactMargin()) for name in names))


def _switching_laws(system: System, formulas: Mapping[str, Formula]) -> tuple[str, ...]:
    """Return the laws of the model, and inputs given by formulas, with conditions of the state."""
    found = StateSwitches.of(system, formulas, momenta=False)
    return () if found is None else found.owners
