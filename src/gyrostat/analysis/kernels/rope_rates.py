"""Rates of ropes of nodes and of the rest of the system: one loop over nodes, one over points on pulleys."""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.local_coordinates import clear, copy
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.rope_tables import ARGUMENTS, STRAIGHTENING, RopeTables
from gyrostat.program.translation import call, kernel, rare_kernel

BEND_ROUNDING = 1e-24
"""Added to the square of a bend (m²), as `BendingSpring` does."""


@rare_kernel
def rope_rates(tables: RopeTables, x: Floats, state: Floats, found: Floats) -> None:
    """Write ẏ at a row and its state."""
    memory, nodes = tables.memory, tables.nodes
    place_all(tables, x, state)
    _add_weights(tables)
    for i in range(nodes.linked.size):
        if nodes.linked[i] != 0:
            _pull(tables, i)
        if nodes.bending[i] != 0.0:
            _bend(tables, i)
    clear(memory.loads)
    for c in range(tables.points.nodes.size):
        _press(tables, state, c, found)
    forces, velocities = memory.forces, memory.velocities
    for i in range(nodes.masses.size):
        if nodes.ports[i] < 0:
            at, to = nodes.positions[i], nodes.speeds[i]
            over = 1.0 / nodes.masses[i]
            for k in range(3):
                found[at + k] = velocities[i, k]
                found[to + k] = forces[i, k] * over
        elif tables.carriers.node_loads[nodes.ports[i]] >= 0:
            for k in range(3):
                memory.loads[tables.carriers.node_loads[nodes.ports[i]] + k] += forces[i, k]
    _move_rest(tables, found)


@kernel
def place_all(tables: RopeTables, x: Floats, state: Floats) -> None:
    """Write places and velocities of all nodes, and the motion of pulleys."""
    nodes, rest, memory = tables.nodes, tables.rest, tables.memory
    for j in range(rest.sources.size):
        if rest.sources[j] >= 0:
            rest.x[j] = x[rest.sources[j]]
    if rest.motion != 0:
        call(rest.motion, rest.x.ctypes.data, rest.moved.ctypes.data)
    for p in range(tables.carriers.pulley_bodies.size):
        _place_pulley(tables, p)
    for i in range(nodes.masses.size):
        port = nodes.ports[i]
        if port < 0:
            at, to = nodes.positions[i], nodes.speeds[i]
            for k in range(3):
                memory.places[i, k], memory.velocities[i, k] = state[at + k], state[to + k]
        else:
            body = tables.carriers.node_bodies[port]
            for k in range(3):
                if body < 0:
                    memory.places[i, k], memory.velocities[i, k] = tables.carriers.node_places[port, k], 0.0
                else:
                    memory.places[i, k] = rest.moved[3 * body + k]
                    memory.velocities[i, k] = rest.moved[12 * rest.bodies + 3 * body + k]


@kernel
def _place_pulley(tables: RopeTables, p: int) -> None:
    """Write centre, axis, velocity and angular velocity of a pulley."""
    carriers, rest, frame = tables.carriers, tables.rest, tables.memory.frames[p]
    body, place = carriers.pulley_bodies[p], carriers.pulley_places[p]
    if body < 0:
        for k in range(6):
            frame[k], frame[6 + k] = place[k], 0.0
        return
    moved, n = rest.moved, rest.bodies
    at, turned, velocity, omega = 3 * body, 3 * n + 9 * body, 12 * n + 3 * body, 15 * n + 3 * body
    for k in range(3):
        row = turned + 3 * k
        frame[k] = moved[row] * place[0] + moved[row + 1] * place[1] + moved[row + 2] * place[2]
        frame[3 + k] = moved[row] * place[3] + moved[row + 1] * place[4] + moved[row + 2] * place[5]
        frame[9 + k] = moved[omega + k]
    w1, w2, w3 = frame[9], frame[10], frame[11]
    r1, r2, r3 = frame[0], frame[1], frame[2]
    frame[6] = moved[velocity] + w2 * r3 - w3 * r2
    frame[7] = moved[velocity + 1] + w3 * r1 - w1 * r3
    frame[8] = moved[velocity + 2] + w1 * r2 - w2 * r1
    for k in range(3):
        frame[k] += moved[at + k]


@kernel
def _add_weights(tables: RopeTables) -> None:
    """Begin the forces with the weights of free nodes."""
    nodes, forces = tables.nodes, tables.memory.forces
    for i in range(nodes.masses.size):
        for k in range(3):
            forces[i, k] = nodes.masses[i] * nodes.gravity[k]


@kernel
def _pull(tables: RopeTables, i: int) -> None:
    """Add the tension of the spring to the next node, k (l − l₀) + c l̇."""
    nodes, places, velocities, forces = (
        tables.nodes,
        tables.memory.places,
        tables.memory.velocities,
        tables.memory.forces,
    )
    d0, d1, d2 = places[i + 1, 0] - places[i, 0], places[i + 1, 1] - places[i, 1], places[i + 1, 2] - places[i, 2]
    length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    over = 1.0 / length
    u0, u1, u2 = d0 * over, d1 * over, d2 * over
    rate = u0 * (velocities[i + 1, 0] - velocities[i, 0])
    rate += u1 * (velocities[i + 1, 1] - velocities[i, 1]) + u2 * (velocities[i + 1, 2] - velocities[i, 2])
    tension = nodes.stiffness[i] * (length - nodes.lengths[i]) + nodes.damping[i] * rate
    forces[i, 0] += tension * u0
    forces[i, 1] += tension * u1
    forces[i, 2] += tension * u2
    forces[i + 1, 0] -= tension * u0
    forces[i + 1, 1] -= tension * u1
    forces[i + 1, 2] -= tension * u2


@kernel
def _bend(tables: RopeTables, i: int) -> None:
    """Add the forces of the bend d at a node, d (k + c d·ḋ/d²)."""
    nodes, places, velocities, forces = (
        tables.nodes,
        tables.memory.places,
        tables.memory.velocities,
        tables.memory.forces,
    )
    square, product = BEND_ROUNDING, 0.0
    for k in range(3):
        d = places[i - 1, k] - 2.0 * places[i, k] + places[i + 1, k]
        rate = velocities[i - 1, k] - 2.0 * velocities[i, k] + velocities[i + 1, k]
        square += d * d
        product += d * rate
    factor = nodes.bending[i] + nodes.bending_damping[i] * product / square
    for k in range(3):
        force = factor * (places[i - 1, k] - 2.0 * places[i, k] + places[i + 1, k])
        forces[i - 1, k] -= force
        forces[i, k] += 2.0 * force
        forces[i + 1, k] -= force


@kernel
def is_near(tables: RopeTables, c: int) -> bool:
    """Return whether a point is within the radius of its pulley."""
    i, p = tables.points.nodes[c], tables.points.pulleys[c]
    frame, places = tables.memory.frames[p], tables.memory.places
    r0, r1, r2 = places[i, 0] - frame[0], places[i, 1] - frame[1], places[i, 2] - frame[2]
    along = r0 * frame[3] + r1 * frame[4] + r2 * frame[5]
    radius = tables.points.radii[tables.points.laws[c]]
    return bool(r0 * r0 + r1 * r1 + r2 * r2 - along * along < radius * radius)


@kernel
def set_arguments(tables: RopeTables, state: Floats, c: int) -> None:
    """Write the arguments of the function of a point."""
    points, memory = tables.points, tables.memory
    i, frame, given, law = points.nodes[c], memory.frames[points.pulleys[c]], memory.arguments, points.laws[c]
    for k in range(3):
        given[k] = memory.places[i, k] - frame[k]
        given[3 + k] = memory.velocities[i, k] - frame[6 + k]
        given[6 + k] = frame[3 + k]
        given[9 + k] = frame[9 + k]
    given[12] = state[points.bristles[c]] if points.bristles[c] >= 0 else 0.0
    for k in range(points.coefficients.shape[1]):
        given[ARGUMENTS + k] = points.coefficients[law, k]


@kernel
def _press(tables: RopeTables, state: Floats, c: int, found: Floats) -> None:
    """Add the loads of a point on its pulley, and write the rate of its bristle."""
    points, memory = tables.points, tables.memory
    place = points.bristles[c]
    if not is_near(tables, c):
        if place >= 0:
            found[place] = -STRAIGHTENING * state[place]
        return
    set_arguments(tables, state, c)
    results = memory.results
    call(points.functions[points.laws[c], 0], memory.arguments.ctypes.data, results.ctypes.data)
    i, first = points.nodes[c], tables.carriers.pulley_loads[points.pulleys[c]]
    for k in range(3):
        memory.forces[i, k] += results[k]
        if first >= 0:
            memory.loads[first + k] -= results[k]
            memory.loads[first + 3 + k] += results[3 + k]
    if place >= 0:
        found[place] = results[6]


@kernel
def _move_rest(tables: RopeTables, found: Floats) -> None:
    """Write the rates of the rest of the system under the loads of ropes."""
    rest, loads = tables.rest, tables.memory.loads
    if rest.rates == 0:
        return
    copy(loads, rest.x[rest.first_load :])
    call(rest.rates, rest.x.ctypes.data, rest.found.ctypes.data)
    for j in range(rest.states.size):
        found[rest.states[j]] = rest.found[j]


@kernel
def load_power(tables: RopeTables) -> float:
    """Return the power of all loads but weights where the rates were evaluated last."""
    nodes, rest, memory = tables.nodes, tables.rest, tables.memory
    value = 0.0
    if rest.power != 0:
        call(rest.power, rest.x.ctypes.data, memory.results.ctypes.data)
        value = memory.results[0]
    for i in range(nodes.masses.size):
        if nodes.ports[i] < 0:
            for k in range(3):
                value += (memory.forces[i, k] - nodes.masses[i] * nodes.gravity[k]) * memory.velocities[i, k]
    return value
