"""Ropes of nodes at rest on their pulleys: implicit steps that grow, with limited moves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gyrostat.analysis.assembly.initial_state import initial_state
from gyrostat.analysis.kernels.library import differentiate_ropes, factorise_ropes, rope_rates, solve_ropes
from gyrostat.analysis.kernels.rope_tables import Ropes, RopeTables
from gyrostat.analysis.simulation.rope_rest import rest_of
from gyrostat.analysis.simulation.ropes import frictionless_tables
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import FIRST
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.system import System, system_of

_FIRST_STEP, _LONGEST_STEP, _GROWTH, _STEP_REDUCTION = 1e-3, 1e3, 1.5, 0.3
_LARGEST_MOVE = 0.1
"""The largest move of a node in one step, in terms of a segment."""
_REST_MOVE = 1e-12
"""The move, in terms of the length of the ropes, with which they are at rest in the longest step."""
_STEP_LIMIT = 2000
_SHORTEST_STEP = 1e-9


def settle_ropes(
    system: System | Model,
    initial: Mapping[str, object] | None = None,
    *,
    parameters: Mapping[str, object] | None = None,
) -> dict[str, float]:
    """Return the coordinates at which ropes of nodes are at rest, without friction on their pulleys.

    `initial` are coordinates to begin with, such as those of `lay_rope`; all other bodies move along. Steps of the
    implicit Euler method begin anew from rest and grow; no node moves by more than a tenth of a segment in a step, so
    that a rope does not pass through a pulley, and its angle about each pulley is compared afterwards.

    >>> import gyrostat as gs
    >>> model = gs.Model("hanging", gravity=(0, -9.81, 0))
    >>> rope = model.add(gs.Rope("rope", ["ground", None], segments=4, length=1, density=0.5, EA=1e3))
    >>> settled = gs.settle_ropes(model, gs.lay_rope(model, "rope", "straight"))
    >>> round(settled["rope.m4.y"], 5)
    -1.00245
    """
    system = system_of(system)
    values = system.parameter_values(parameters)
    known = dict(zip(system.model.parameters, values, strict=True))
    ropes = frictionless_tables(system, known)
    if ropes is None:
        raise StateError(_refusal(system))
    state = initial_state(system, initial, parameters)
    row = system.row.of(0.0, state._replace(u=np.zeros_like(state.u)), values)
    moved = settled_row(system, ropes, row)
    if isinstance(moved, str):
        raise StateError(moved)
    return dict(zip(system.coordinate_names, moved[system.row.q].tolist(), strict=True))


def _refusal(system: System) -> str:
    if rest_of(system) is None and not any("Translation" in type(j).__name__ for j in system.model.joints.values()):
        return f"Model {system.model.name!r} has no rope of nodes that could settle."
    return (
        f"The ropes of {system.model.name!r} are part of loops, rigid contacts, contacts of many pairs or formulas, "
        "with which they do not settle by themselves. Use gs.equilibrium, with coordinates of gs.lay_rope as a guess."
    )


def settled_row(system: System, ropes: Ropes, row: Floats) -> Floats | str:
    """Return a row in which ropes are at rest, or the reason why there is none."""
    tables: RopeTables = ropes.tables
    layout, n_q, size = system.row, system.coordinates.n_q, system.row.state_size
    x, found, by_time = row.copy(), np.zeros(size), np.zeros(size)
    segment = float(tables.nodes.lengths[tables.nodes.linked != 0].min())
    before, state = _windings(tables, x, layout.state), x[layout.state]
    length, step, moved = segment * len(tables.nodes.linked), _FIRST_STEP, np.inf
    for _ in range(_STEP_LIMIT):
        rope_rates(tables, x, x[layout.state].copy(), found)
        differentiate_ropes(tables, x, x[layout.state].copy(), False, by_time)
        if not factorise_ropes(tables, step, ropes.kernels.width):
            return f"The ropes of {system.model.name!r} have singular equations at rest: a node has no mass."
        change = found.copy()
        solve_ropes(tables, ropes.kernels.width, change)
        moved = _largest_move(tables, change)
        if not moved <= _LARGEST_MOVE * segment:
            step *= _STEP_REDUCTION
            if step < _SHORTEST_STEP:
                break
            continue
        state = x[layout.state]
        state[:n_q] += change[:n_q]
        for first in system.coordinates.euler_parameters.values():
            state[first : first + 4] /= np.linalg.norm(state[first : first + 4])
        if moved <= _REST_MOVE * length and step >= _LONGEST_STEP:
            return _checked(system, tables, x, before)
        step = min(step * _GROWTH, _LONGEST_STEP)
    return (
        f"The ropes of {system.model.name!r} do not come to rest: a node still moves by {moved:.3g} m. Without "
        "friction nothing may hold them: fix an end, or add a force that does while they settle."
    )


def _largest_move(tables: RopeTables, change: Floats) -> float:
    """Return the largest displacement of a node in a change of the state; infinite where it is not finite."""
    free = tables.nodes.positions[tables.nodes.positions >= 0]
    places = np.concatenate([free, free + 1, free + 2])
    size = float(np.abs(change[places]).max(initial=0.0))
    return size if np.isfinite(change).all() else np.inf


def _windings(tables: RopeTables, x: Floats, state: slice) -> Floats:
    """Return the angles by which ropes turn about their pulleys, from end to end, shape (pulleys,)."""
    rope_rates(tables, x, x[state].copy(), np.zeros(state.stop - FIRST))
    points, memory = tables.points, tables.memory
    found = np.zeros(len(memory.frames))
    for pulley, frame in enumerate(memory.frames):
        own = points.pulleys == pulley
        arms = memory.places[points.nodes[own]] - frame[:3]
        axis = frame[3:6]
        flat = arms - np.outer(arms @ axis, axis)
        sines, cosines = np.cross(flat[:-1], flat[1:]) @ axis, (flat[:-1] * flat[1:]).sum(axis=1)
        found[pulley] = np.arctan2(sines, cosines).sum()
    return found


def _checked(system: System, tables: RopeTables, x: Floats, before: Floats) -> Floats | str:
    """Return the row of a rope that lies on its pulleys as before, or how it does not."""
    changes = np.abs(_windings(tables, x, system.row.state) - before)
    if not changes.size or changes.max() < np.pi:
        return x
    return (
        f"A rope of {system.model.name!r} passed through a pulley or left it while it settled: its angle about the "
        f"pulley changed by {np.degrees(changes.max()):.0f}°. Begin with gs.lay_rope(…, depth=…), or use stiffer "
        "contacts."
    )
