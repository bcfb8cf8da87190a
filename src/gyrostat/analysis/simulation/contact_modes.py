"""Modes of rigid contacts in a segment of a motion, and the terms of their equations at states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from gyrostat.analysis.events import Event
from gyrostat.analysis.events.action import ContactMargin
from gyrostat.analysis.integrators.integrator import Integrator
from gyrostat.analysis.integrators.run import NO_CONTACTS
from gyrostat.analysis.kernels.problem import OPEN_CONTACT, SLIPPING, STICKING, Contacts
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.state_switches import StateSwitches
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.formula import Formula
from gyrostat.model.forces.rigid_contact import INPUTS, RigidContact
from gyrostat.program import Program
from gyrostat.system import System

_COMPLIANCE, _REFINEMENTS = 1e-8, 8
"""As in the native equations of loads."""
_NO_FORMULAS: Mapping[str, Formula] = {}


@dataclass(frozen=True, eq=False)
class ContactModes:
    """The modes of all rigid contacts of a system during a segment."""

    modes: tuple[int, ...]
    """OPEN_CONTACT, STICKING or SLIPPING."""
    directions: Floats
    """Shape (n, 3): direction of sliding at the start of the segment; zero where a contact does not slide."""
    offsets: Floats
    """Shape (n, 2): additions to gap and sliding speed of contacts that open or begin to slide from rest."""

    weights: Floats
    """Shape (n,): compliance of the tangential directions, by which statically indeterminate friction is shared."""

    @staticmethod
    def open(count: int) -> ContactModes:
        """Return open contacts."""
        return ContactModes((OPEN_CONTACT,) * count, np.zeros((count, 3)), np.zeros((count, 2)), np.ones(count))

    @property
    def closed(self) -> list[int]:
        """The numbers of closed contacts."""
        return [i for i, mode in enumerate(self.modes) if mode != OPEN_CONTACT]

    @property
    def held(self) -> list[int]:
        """The directions in which speeds stay zero: normals of closed contacts, tangents of sticking ones."""
        return [4 * i + k for i in self.closed for k in range(4 if self.modes[i] == STICKING else 1)]


def contacts_to_plain(contacts: ContactModes | None) -> Floats:
    """Return modes, directions, offsets and weights as columns, a row for each contact; no row for None."""
    if contacts is None:
        return np.zeros((0, 7))
    return np.column_stack((contacts.modes, contacts.directions, contacts.offsets, contacts.weights))


def contacts_from_plain(rows: Floats) -> ContactModes | None:
    """Return the modes of columns."""
    if not len(rows):
        return None
    return ContactModes(tuple(rows[:, 0].astype(int).tolist()), rows[:, 1:4], rows[:, 4:6], rows[:, 6])


@dataclass(frozen=True, eq=False)
class ContactTerms:
    """Gaps (n), speeds and free accelerations (4 n), their directions A (4 n, n_u), M⁻¹Aᵀ, displacements (n_q, n)."""

    gaps: Floats
    speeds: Floats
    free: Floats
    directions: Floats
    mobility: Floats
    displacements: Floats

    @property
    def D(self) -> Floats:
        """The Delassus matrix."""
        return np.asarray(self.directions @ self.mobility)


class ContactPoint(NamedTuple):
    """A point of a rigid contact."""

    name: str
    contact: RigidContact


_KNOWN: WeakKeyDictionary[System, tuple[ContactPoint, ...]] = WeakKeyDictionary()
"""Points of rigid contacts of systems; `rigid_contacts` alone uses it."""


def rigid_contacts(system: System) -> tuple[ContactPoint, ...]:
    """Return the points of all rigid contacts of a system."""
    if system not in _KNOWN:
        contacts = (force for force in system.model.forces.values() if isinstance(force, RigidContact))
        _KNOWN[system] = tuple(ContactPoint(label, one) for one in contacts for label in one.labels)
    return _KNOWN[system]


def with_margins(
    events: Iterable[Event], system: System, integrator: Integrator, formulas: Mapping[str, Formula] = _NO_FORMULAS
) -> tuple[Event, ...]:
    """Return events with those that end modes of rigid contacts: for each, the normal and the tangential margin.

    Integrators and events that cannot be combined with rigid contacts are refused.
    """
    given, contacts = tuple(events), rigid_contacts(system)
    if not contacts:
        return given
    first = f"Contact {contacts[0].name!r} is rigid"
    if not integrator.contacts:
        raise StateError(
            f"{first}: its loads follow from the accelerations, which {type(integrator).__name__} does not provide for. "
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
    names = [f"{contact.name}.{label}" for contact in rigid_contacts(system) for label in INPUTS[4:]]
    return (*given, *(Event(name, name, "falling", ContactMargin()) for name in names))


def _switching_laws(system: System, formulas: Mapping[str, Formula]) -> tuple[str, ...]:
    """Return the laws of the model, and inputs given by formulas, with conditions of the state."""
    found = StateSwitches.of(system, formulas, momenta=False)
    return () if found is None else found.owners


def contact_places(system: System) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return where in a row the inputs of each contact begin."""
    first = system.row.inputs.start
    names = [f"{contact.name}.{INPUTS[0]}" for contact in rigid_contacts(system)]
    return np.array([first + system.inputs.index(name) for name in names], dtype=np.int64)


def friction_of(system: System, parameters: Mapping[str, float]) -> Floats:
    """Return the coefficients of friction of sliding and of rest, shape (n, 2)."""
    values = dict(parameters)
    contacts = [point.contact for point in rigid_contacts(system)]
    found = [[one.mu.value(values), one.static_friction.value(values)] for one in contacts]
    return np.array(found, dtype=float).reshape(-1, 2)


def terms_program(system: System, plan: InputPlan) -> Program:
    """Return the program of gaps, speeds and accelerations of contacts."""
    return system.program("contact_terms", inputs=plan.formulas or None)


def kernel_contacts(
    system: System, plan: InputPlan, parameters: Mapping[str, float], modes: ContactModes | None
) -> Contacts:
    """Return the contacts as kernels take them."""
    if not rigid_contacts(system):
        return NO_CONTACTS
    program, coordinates = terms_program(system, plan), system.coordinates
    sizes = coordinates.n_q, coordinates.n_u, program.output_size
    found = Contacts.of(program.address, contact_places(system), friction_of(system, parameters), sizes)
    if modes is not None:
        found.modes[:], found.directions[:], found.offsets[:] = modes.modes, modes.directions, modes.offsets
        found.weights[:] = modes.weights
        found.closed[0] = len(modes.closed)
    return found


def contact_terms(system: System, plan: InputPlan, row: Floats) -> ContactTerms:
    """Return the terms at a row of x, whose contact loads are zero."""
    program = terms_program(system, plan)
    found = program.loop(row[None, :])[0]
    ports = {port.name: port.full(found[program.output_slice(port.name)]) for port in program.outputs}
    shape = lambda name, rows: ports[name].reshape(rows, -1)  # noqa: E731
    return ContactTerms(
        ports["gaps"].reshape(-1),
        ports["speeds"].reshape(-1),
        ports["accelerations"].reshape(-1),
        shape("directions", system.coordinates.n_u).T,
        shape("mobility", system.coordinates.n_u),
        shape("displacements", system.coordinates.n_q),
    )


def set_loads(
    system: System, plan: InputPlan, parameters: Mapping[str, float], modes: ContactModes | None, rows: Floats
) -> None:
    """Write the loads of closed contacts into rows of x, shape (N, size); those of open ones are zero."""
    if modes is None or not modes.closed:
        return
    friction, first = friction_of(system, parameters), contact_places(system)
    for row in rows:
        row[(first[:, None] + np.arange(4)).reshape(-1)] = 0.0
        loads = contact_loads(contact_terms(system, plan, row), modes, friction)
        for i in modes.closed:
            row[first[i] : first[i] + 4] = loads[4 * i : 4 * i + 4]


def hold_contacts(
    system: System, terms: ContactTerms, q: Floats, u: Floats, closed: Sequence[int], held: Sequence[int]
) -> tuple[Floats, Floats]:
    """Return coordinates and speeds with the gaps of some contacts closed and speeds in some directions zero.

    Changes are those by small impulses along these directions.
    """
    normals, D = [4 * i for i in closed], terms.D
    shift = least_loads(D[np.ix_(normals, normals)], -terms.gaps[list(closed)])
    q = q + terms.displacements[:, list(closed)] @ shift
    for first in system.coordinates.euler_parameters.values():
        q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
    change = least_loads(D[np.ix_(list(held), list(held))], -terms.speeds[list(held)])
    return q, u + terms.mobility[:, list(held)] @ change


def contact_loads(terms: ContactTerms, modes: ContactModes, friction: Floats) -> Floats:
    """Return the loads of all contacts, shape (4 n,), which hold the closed ones in their modes."""
    held = modes.held
    columns = np.zeros((len(terms.speeds), len(held)))
    for column, row in enumerate(held):
        columns[row, column] = 1.0
        i = row // 4
        if modes.modes[i] == SLIPPING:
            columns[row + 1 : row + 4, column] = -friction[i, 0] * _sliding(terms, modes, i)
    matrix, right = terms.D[held] @ columns, -terms.free[held]
    weights = [1.0 if row % 4 == 0 else float(modes.weights[row // 4]) for row in held]
    return np.asarray(columns @ least_loads(matrix, right, np.array(weights)))


def _sliding(terms: ContactTerms, modes: ContactModes, i: int) -> Floats:
    """Return the direction of sliding of a contact."""
    velocity = terms.speeds[4 * i + 1 : 4 * i + 4]
    size = float(np.linalg.norm(velocity))
    if size == 0.0:
        return np.asarray(modes.directions[i])
    return np.asarray(velocity / size if velocity @ modes.directions[i] >= 0.0 else -velocity / size)


def least_loads(matrix: Floats, right: Floats, weights: Floats | None = None) -> Floats:
    """Return a solution of linear equations that may be singular; among several, one of least weighted squares."""
    if not len(right):
        return right
    size = np.ones(len(right)) if weights is None else weights
    soft = matrix + _COMPLIANCE * np.abs(np.diag(matrix)).max() * np.diag(size)
    found = np.zeros(len(right))
    for _ in range(_REFINEMENTS):
        left = right - matrix @ found
        if np.abs(left).max() <= 1e-15 * np.abs(right).max():
            break
        found = found + np.linalg.solve(soft, left)
    return found
