"""Derivatives of the rates of ropes and of the rest of the system by state and time.

Forces on nodes are differentiated by places and velocities of the nodes about them; loads of points on pulleys by the
motion of node and pulley, and the motion of pulleys and ports by the state of the rest.
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.jacobian import rates_by_state, rates_by_time, turn_block, turn_columns
from gyrostat.analysis.kernels.local_coordinates import clear, copy, is_finite
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.rope_rates import BEND_ROUNDING, is_near, place_all, set_arguments
from gyrostat.analysis.kernels.rope_tables import RESULTS, RopeTables
from gyrostat.program.translation import call, flat, kernel, rare_kernel


@rare_kernel
def differentiate_ropes(tables: RopeTables, x: Floats, state: Floats, exponential: bool, by_time: Floats) -> bool:
    """Store all derivatives at a row and its state, and write ∂ẏ/∂t; return whether those of the rest are finite.

    Derivatives of ropes that are not finite show in the solutions of stages.
    The rates at this state have been evaluated last, so that the rest's row has the loads that belong to it.
    """
    memory, nodes = tables.memory, tables.nodes
    place_all(tables, x, state)
    _differentiate_rest(tables, state, exponential)
    clear(flat(memory.by_place))
    clear(flat(memory.by_velocity))
    for i in range(nodes.linked.size):
        if nodes.linked[i] != 0:
            _pull_slopes(tables, i)
        if nodes.bending[i] != 0.0:
            _bend_slopes(tables, i)
    count = 0
    for c in range(tables.points.nodes.size):
        if is_near(tables, c):
            set_arguments(tables, state, c)
            call(
                tables.points.functions[tables.points.laws[c], 1],
                memory.arguments.ctypes.data,
                memory.results.ctypes.data,
            )
            copy(memory.results[RESULTS:], memory.slopes[c])
            memory.touching[count] = c
            count += 1
    memory.counts[0] = count
    _differentiate_in_time(tables, by_time)
    return is_finite(flat(tables.rest.jacobian.matrix)) and is_finite(by_time)


# --- the rest of the system ------------------------------------------------------------------------------------------


@rare_kernel
def _differentiate_rest(tables: RopeTables, state: Floats, exponential: bool) -> None:
    """Write the rest's Jacobian, its rates by loads, and the motion of pulleys and ports by its state."""
    rest, memory = tables.rest, tables.memory
    if rest.motion == 0:
        return
    moved_by, by_loads = rest.moving.matrix, rest.by_loads.matrix
    rates_by_state(rest.moving, rest.x)
    rates_by_state(rest.jacobian, rest.x)
    rates_by_state(rest.by_loads, rest.x)
    clear(rest.jacobian.by_time)
    rates_by_time(rest.jacobian, rest.x)
    y = rest.x[1:]
    if exponential:
        for r in range(rest.rotations.places.shape[0]):
            p, w = rest.rotations.places[r, 0], rest.rotations.places[r, 1]
            turn_block(rest.jacobian.matrix, rest.jacobian.by_time, p, w, y, rest.states.size)
            turn_columns(moved_by, 1 + p, p, y, moved_by.shape[1])
            for load in range(by_loads.shape[0]):
                for k in range(4):
                    by_loads[load, p + k] = 0.0
    for p in range(tables.carriers.pulley_bodies.size):
        _differentiate_pulley(tables, p)
    for port in range(tables.carriers.node_bodies.size):
        body = tables.carriers.node_bodies[port]
        for j in range(moved_by.shape[0]):
            for k in range(3):
                place, velocity = 0.0, 0.0
                if body >= 0:
                    place = moved_by[j, 3 * body + k]
                    velocity = moved_by[j, 12 * rest.bodies + 3 * body + k]
                memory.ports_by[port, j, k], memory.ports_by[port, j, 3 + k] = place, velocity


@rare_kernel
def _differentiate_pulley(tables: RopeTables, p: int) -> None:
    """Write the derivatives of a pulley's centre, axis, velocity and angular velocity."""
    carriers, rest, memory = tables.carriers, tables.rest, tables.memory
    body, place, n = carriers.pulley_bodies[p], carriers.pulley_places[p], rest.bodies
    if body < 0:
        return
    at, turned, velocity, omega = 3 * body, 3 * n + 9 * body, 12 * n + 3 * body, 15 * n + 3 * body
    w1, w2, w3 = memory.frames[p, 9], memory.frames[p, 10], memory.frames[p, 11]
    r1, r2, r3 = (
        memory.frames[p, 0] - rest.moved[at],
        memory.frames[p, 1] - rest.moved[at + 1],
        memory.frames[p, 2] - rest.moved[at + 2],
    )
    for j in range(rest.moving.matrix.shape[0]):
        moved, by = rest.moving.matrix[j], memory.frames_by[p, j]
        for k in range(3):
            row = turned + 3 * k
            by[k] = moved[row] * place[0] + moved[row + 1] * place[1] + moved[row + 2] * place[2]
            by[3 + k] = moved[row] * place[3] + moved[row + 1] * place[4] + moved[row + 2] * place[5]
            by[9 + k] = moved[omega + k]
        by[6] = moved[velocity] + by[10] * r3 - by[11] * r2 + w2 * by[2] - w3 * by[1]
        by[7] = moved[velocity + 1] + by[11] * r1 - by[9] * r3 + w3 * by[0] - w1 * by[2]
        by[8] = moved[velocity + 2] + by[9] * r2 - by[10] * r1 + w1 * by[1] - w2 * by[0]
        for k in range(3):
            by[k] += moved[at + k]


# --- springs ---------------------------------------------------------------------------------------------------------


@kernel
def _pull_slopes(tables: RopeTables, i: int) -> None:
    """Add the derivatives of the tension of a spring."""
    nodes, memory = tables.nodes, tables.memory
    places, velocities, by_place, by_velocity = memory.places, memory.velocities, memory.by_place, memory.by_velocity
    d0, d1, d2 = places[i + 1, 0] - places[i, 0], places[i + 1, 1] - places[i, 1], places[i + 1, 2] - places[i, 2]
    v0, v1 = velocities[i + 1, 0] - velocities[i, 0], velocities[i + 1, 1] - velocities[i, 1]
    v2 = velocities[i + 1, 2] - velocities[i, 2]
    length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    over = 1.0 / length
    d0, d1, d2 = d0 * over, d1 * over, d2 * over
    rate, stiffness, damping = d0 * v0 + d1 * v1 + d2 * v2, nodes.stiffness[i], nodes.damping[i]
    string = (stiffness * (length - nodes.lengths[i]) + damping * rate) * over
    along = stiffness - string - damping * rate * over
    for p in range(3):
        u = d0 if p == 0 else (d1 if p == 1 else d2)
        for q in range(3):
            w, v = (d0, v0) if q == 0 else ((d1, v1) if q == 1 else (d2, v2))
            by_length = u * (along * w + damping * v * over) + (string if p == q else 0.0)
            by_rate = u * damping * w
            entry = 3 * p + q
            by_place[i, 2, entry] -= by_length
            by_place[i, 3, entry] += by_length
            by_place[i + 1, 2, entry] -= by_length
            by_place[i + 1, 1, entry] += by_length
            by_velocity[i, 2, entry] -= by_rate
            by_velocity[i, 3, entry] += by_rate
            by_velocity[i + 1, 2, entry] -= by_rate
            by_velocity[i + 1, 1, entry] += by_rate


@kernel
def _bend_slopes(tables: RopeTables, i: int) -> None:
    """Add the derivatives of the forces of a bend."""
    nodes, memory = tables.nodes, tables.memory
    places, velocities = memory.places, memory.velocities
    square, product, damping = BEND_ROUNDING, 0.0, nodes.bending_damping[i]
    for k in range(3):
        d = places[i - 1, k] - 2.0 * places[i, k] + places[i + 1, k]
        rate = velocities[i - 1, k] - 2.0 * velocities[i, k] + velocities[i + 1, k]
        square += d * d
        product += d * rate
    spread = product / square
    for p in range(3):
        d = places[i - 1, p] - 2.0 * places[i, p] + places[i + 1, p]
        for q in range(3):
            e = places[i - 1, q] - 2.0 * places[i, q] + places[i + 1, q]
            rate = velocities[i - 1, q] - 2.0 * velocities[i, q] + velocities[i + 1, q]
            by_bend = d * damping * (rate - 2.0 * spread * e) / square
            if p == q:
                by_bend += nodes.bending[i] + damping * spread
            by_rate = damping * d * e / square
            for a in range(-1, 2):
                for b in range(-1, 2):
                    weight = (-2.0 if a == 0 else 1.0) * (-2.0 if b == 0 else 1.0)
                    memory.by_place[i + a, b - a + 2, 3 * p + q] -= weight * by_bend
                    memory.by_velocity[i + a, b - a + 2, 3 * p + q] -= weight * by_rate


# --- time ------------------------------------------------------------------------------------------------------------


@kernel
def by_frame(slopes: Floats, result: int, by: Floats) -> float:
    """Return the derivative of a result of a point along a change of its pulley's motion."""
    value = 0.0
    for k in range(3):
        value -= slopes[RESULTS * k + result] * by[k]
        value += slopes[RESULTS * (6 + k) + result] * by[3 + k]
        value -= slopes[RESULTS * (3 + k) + result] * by[6 + k]
        value += slopes[RESULTS * (9 + k) + result] * by[9 + k]
    return value


@kernel
def by_node(slopes: Floats, result: int, by: Floats) -> float:
    """Return the derivative of a result of a point along a change of its node's place and velocity."""
    value = 0.0
    for k in range(6):
        value += slopes[RESULTS * k + result] * by[k]
    return value


@rare_kernel
def _differentiate_in_time(tables: RopeTables, by_time: Floats) -> None:
    """Write ∂ẏ/∂t: through given motions of pulleys and ports, and that of the rest."""
    nodes, points, carriers, rest, memory = tables.nodes, tables.points, tables.carriers, tables.rest, tables.memory
    clear(by_time)
    if rest.motion == 0:
        return
    loads = memory.loads
    clear(loads)
    forces = memory.forces
    clear(flat(forces))
    for i in range(nodes.masses.size):
        for o in range(5):
            j = i + o - 2
            if j >= 0 and j < nodes.masses.size and nodes.ports[j] >= 0:
                by = memory.ports_by[nodes.ports[j], 0]
                for p in range(3):
                    for q in range(3):
                        forces[i, p] += memory.by_place[i, o, 3 * p + q] * by[q]
                        forces[i, p] += memory.by_velocity[i, o, 3 * p + q] * by[3 + q]
    for n in range(memory.counts[0]):
        c = memory.touching[n]
        i, slopes, first = points.nodes[c], memory.slopes[c], carriers.pulley_loads[points.pulleys[c]]
        by, port = memory.frames_by[points.pulleys[c], 0], nodes.ports[points.nodes[c]]
        for o in range(RESULTS):
            value = by_frame(slopes, o, by)
            if port >= 0:
                value += by_node(slopes, o, memory.ports_by[port, 0])
            if o < 3:
                forces[i, o] += value
                if first >= 0:
                    loads[first + o] -= value
            elif o < 6:
                if first >= 0:
                    loads[first + o] += value
            elif points.bristles[c] >= 0:
                by_time[points.bristles[c]] = value
    for i in range(nodes.masses.size):
        for k in range(3):
            if nodes.ports[i] < 0:
                by_time[nodes.speeds[i] + k] = forces[i, k] / nodes.masses[i]
            elif carriers.node_loads[nodes.ports[i]] >= 0:
                loads[carriers.node_loads[nodes.ports[i]] + k] += forces[i, k]
    for j in range(rest.states.size):
        value = rest.jacobian.by_time[j]
        for load in range(loads.size):
            value += rest.by_loads.matrix[load, j] * loads[load]
        by_time[rest.states[j]] = value
