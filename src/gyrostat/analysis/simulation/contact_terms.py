"""Terms of the equations of rigid contacts at states, and the loads that hold them in their modes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.integrators.run import NO_CONTACTS
from gyrostat.analysis.kernels.problem import SLIPPING, HeldContacts
from gyrostat.analysis.simulation.contact_modes import ContactModes
from gyrostat.analysis.simulation.contact_points import contact_places, friction_of
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.coordinates.arguments import Floats
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.system import System

_COMPLIANCE, _REFINEMENTS = 1e-8, 8
"""As in the native equations of loads."""


@dataclass(frozen=True, eq=False)
class ContactTerms:
    """Gaps (n), speeds and free accelerations (4 n), their directions A (4 n, n_u), M⁻¹Aᵀ, displacements (n_q, n).

    Contact points and normals (n, 3) are in world axes.
    """

    gaps: Floats
    speeds: Floats
    free: Floats
    directions: Floats
    mobility: Floats
    displacements: Floats
    points: Floats
    normals: Floats

    @cached_property
    def D(self) -> Floats:
        """The Delassus matrix."""
        return np.asarray(self.directions @ self.mobility)


def terms_program(system: System, plan: InputPlan) -> Program:
    """Return the program of gaps, speeds and accelerations of contacts."""
    return system.program("contact_terms", inputs=plan.formulas or None)


def kernel_contacts(
    system: System, plan: InputPlan, parameters: Mapping[str, float], modes: ContactModes | None, pivots: int
) -> HeldContacts:
    """Return the contacts as kernels take them, where so many pivots of constraints follow the rates."""
    if not system.rigid_contacts:
        return NO_CONTACTS
    program, coordinates = terms_program(system, plan), system.coordinates
    size = system.row.state_size
    sizes = coordinates.n_q, coordinates.n_u, program.output_size, size, size + pivots
    found = HeldContacts.of(program.address, contact_places(system), friction_of(system, parameters), sizes)
    if modes is not None:
        found.modes[:], found.directions[:], found.offsets[:] = modes.modes, modes.directions, modes.offsets
        found.weights[:], found.preload[:] = modes.weights, modes.preload
        found.closed[0] = len(modes.closed)
    return found


def contact_terms(system: System, plan: InputPlan, row: Floats) -> ContactTerms:
    """Return the terms at a row of x, whose contact loads are zero."""
    program = terms_program(system, plan)
    found = program.loop(row[None, :])[0]
    ports = {port.name: port.full(found[program.output_slice(port.name)]) for port in program.outputs}
    n_q, n_u = system.coordinates.n_q, system.coordinates.n_u
    return ContactTerms(
        ports["gaps"].reshape(-1),
        ports["speeds"].reshape(-1),
        ports["accelerations"].reshape(-1),
        ports["directions"].reshape(n_u, -1).T,
        ports["mobility"].reshape(n_u, -1),
        ports["displacements"].reshape(n_q, -1),
        ports["points"].reshape(-1, 3),
        ports["normals"].reshape(-1, 3),
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
    preload = modes.preload.reshape(-1)[held]
    return np.asarray(columns @ (preload + least_loads(matrix, right - matrix @ preload, np.array(weights))))


def _sliding(terms: ContactTerms, modes: ContactModes, i: int) -> Floats:
    """Return the direction of sliding of a contact."""
    velocity = terms.speeds[4 * i + 1 : 4 * i + 4]
    first = modes.directions[i]
    whole = (velocity if velocity @ first >= 0.0 else -velocity) + modes.offsets[i, 2] * first
    size = float(np.linalg.norm(whole))
    return np.asarray(whole / size if size > 0.0 else first)


def least_loads(matrix: Floats, right: Floats, weights: Floats | None = None) -> Floats:
    """Return a solution of linear equations that may be singular; among several, one of least weighted squares."""
    if not len(right):
        return right
    found, largest = np.zeros(len(right)), float(np.abs(right).max())
    if largest == 0.0:  # closed gaps and contacts at rest have nothing to be corrected
        return found
    soft = matrix.copy()
    soft.flat[:: len(right) + 1] += (
        _COMPLIANCE * np.abs(matrix.diagonal()).max() * (1.0 if weights is None else weights)
    )
    for _ in range(_REFINEMENTS):
        left = right - matrix @ found
        if np.abs(left).max() <= 1e-15 * largest:
            break
        found = found + np.linalg.solve(soft, left)
    return found
