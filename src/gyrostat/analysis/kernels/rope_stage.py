"""Solution of the linear equations of a stage with the factors of ropes."""

from __future__ import annotations

from gyrostat.analysis.kernels.linear_equations import solve
from gyrostat.analysis.kernels.local_coordinates import clear
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.rope_factors import BRISTLE
from gyrostat.analysis.kernels.rope_jacobian import by_frame
from gyrostat.analysis.kernels.rope_sliding import hold_sliding
from gyrostat.analysis.kernels.rope_tables import FRAME, LANES, RESULTS, RopeTables, Width
from gyrostat.program.translation import kernel, rare_kernel


@rare_kernel
def solve_ropes(tables: RopeTables, half_width: Width, right: Floats) -> None:
    """Replace the right side of a stage by its solution."""
    nodes, rest, memory, width = tables.nodes, tables.rest, tables.memory, half_width()
    step, rows, states, speeds = memory.step[0], 3 * tables.nodes.masses.size, tables.rest.states.size, memory.speeds
    _gather(tables, right, step, width)
    for n in range(memory.counts[0]):
        _gather_point(tables, right, memory.touching[n], step)
    _solve_band(memory.band, speeds, rows, width)
    if states > 0:
        _find_loads(tables, right, step)
        for j in range(states):
            value = right[rest.states[j]]
            for load in range(memory.loads.size):
                value += rest.by_loads.matrix[load, j] * memory.loads[load]
            memory.right[j] = value
        solve(memory.matrix, memory.pivots, memory.right)
        if memory.held.counts[0] > 0:
            hold_sliding(tables, right)
        for i in range(nodes.masses.size):
            _follow_rest(tables, i)
        for j in range(states):
            right[rest.states[j]] = memory.right[j]
    for i in range(nodes.masses.size):
        if nodes.ports[i] < 0:
            at, to = nodes.positions[i], nodes.speeds[i]
            for k in range(3):
                value = speeds[3 * i + k]
                right[to + k] = value
                right[at + k] = step * (right[at + k] + value)
    _solve_bristles(tables, right)


@kernel
def _follow_rest(tables: RopeTables, i: int) -> None:
    """Subtract from the velocity of a node what the rest of the system adds through the border."""
    memory = tables.memory
    lanes, known, states = memory.lanes[memory.rope_of[i]], memory.right, tables.rest.states.size
    for row in range(3 * i, 3 * i + 3):
        border, value = memory.border[row], memory.speeds[row]
        for n in range(1, lanes[0] + 1):
            first = LANES * lanes[n]
            for s in range(first, min(first + LANES, states)):
                value -= border[s] * known[s]
        memory.speeds[row] = value


@kernel
def _gather(tables: RopeTables, right: Floats, step: float, width: int) -> None:
    """Write the right sides of free nodes, with places eliminated."""
    nodes, memory = tables.nodes, tables.memory
    count, speeds = nodes.masses.size, memory.speeds
    reach = 1 if width < 6 else 2
    for i in range(count):
        if nodes.ports[i] < 0:
            to, mass = nodes.speeds[i], nodes.masses[i]
            s0, s1, s2 = mass * right[to], mass * right[to + 1], mass * right[to + 2]
            for o in range(-reach, reach + 1):
                j = i + o
                if j >= 0 and j < count and nodes.ports[j] < 0:
                    at, by = nodes.positions[j], memory.by_place[i, o + 2]
                    x0, x1, x2 = step * right[at], step * right[at + 1], step * right[at + 2]
                    s0 += by[0] * x0 + by[1] * x1 + by[2] * x2
                    s1 += by[3] * x0 + by[4] * x1 + by[5] * x2
                    s2 += by[6] * x0 + by[7] * x1 + by[8] * x2
            speeds[3 * i], speeds[3 * i + 1], speeds[3 * i + 2] = s0, s1, s2
        else:
            speeds[3 * i], speeds[3 * i + 1], speeds[3 * i + 2] = 0.0, 0.0, 0.0


@kernel
def _known_bristle(tables: RopeTables, right: Floats, c: int, step: float) -> float:
    """Return the part of a bristle's right side that is known before the velocities are."""
    points, nodes, slopes = tables.points, tables.nodes, tables.memory.slopes[c]
    at, place, value = nodes.positions[points.nodes[c]], points.bristles[c], 0.0
    if place >= 0:
        value = right[place]
        if at >= 0:
            for k in range(3):
                value += slopes[RESULTS * k + 6] * step * right[at + k]
    return value


@kernel
def _gather_point(tables: RopeTables, right: Floats, c: int, step: float) -> None:
    """Add the known part of a point's force to the right side of its node."""
    points, nodes, memory = tables.points, tables.nodes, tables.memory
    i, slopes = points.nodes[c], memory.slopes[c]
    at = nodes.positions[i]
    if at >= 0:
        bristle = memory.softness[c] * _known_bristle(tables, right, c, step)
        for p in range(3):
            value = slopes[BRISTLE + p] * bristle
            for k in range(3):
                value += slopes[RESULTS * k + p] * step * right[at + k]
            memory.speeds[3 * i + p] += value


@kernel
def _solve_band(band: Floats, x: Floats, rows: int, width: int) -> None:
    """Replace a right side by the solution."""
    for i in range(min(width, rows)):
        value = x[i]
        for j in range(1, i + 1):
            value -= band[i, width - j] * x[i - j]
        x[i] = value
    for i in range(width, rows):
        row, value = band[i], x[i]
        for j in range(width, 0, -1):
            value -= row[width - j] * x[i - j]
        x[i] = value
    for k in range(width):
        x[rows + k] = 0.0
    for i in range(rows - 1, -1, -1):
        row, value = band[i], x[i]
        for j in range(width, 0, -1):
            value -= row[width + j] * x[i + j]
        x[i] = value * row[width]


@kernel
def _find_loads(tables: RopeTables, right: Floats, step: float) -> None:
    """Write the changes of loads while the rest stands still."""
    nodes, points, carriers, memory = tables.nodes, tables.points, tables.carriers, tables.memory
    count, loads, speeds = nodes.masses.size, memory.loads, memory.speeds
    clear(loads)
    for i in range(count):
        first = carriers.node_loads[nodes.ports[i]] if nodes.ports[i] >= 0 else -1
        if first >= 0:
            for o in range(5):
                j = i + o - 2
                if j >= 0 and j < count and nodes.ports[j] < 0:
                    for p in range(3):
                        for q in range(3):
                            value = memory.by_velocity[i, o, 3 * p + q] * speeds[3 * j + q]
                            moved = step * (right[nodes.positions[j] + q] + speeds[3 * j + q])
                            loads[first + p] += value + memory.by_place[i, o, 3 * p + q] * moved
    for n in range(memory.counts[0]):
        c = memory.touching[n]
        i, slopes, first = points.nodes[c], memory.slopes[c], carriers.pulley_loads[points.pulleys[c]]
        bristle = memory.softness[c] * _known_bristle(tables, right, c, step)
        at = nodes.positions[i]
        own = carriers.node_loads[nodes.ports[i]] if nodes.ports[i] >= 0 else -1
        for o in range(6):
            value = slopes[BRISTLE + o] * bristle
            if at >= 0:
                for k in range(3):
                    value += slopes[RESULTS * k + o] * step * right[at + k]
            value = value if o >= 3 else -value
            if at >= 0:
                for q in range(3):
                    value += memory.transfer[c, 6 * q + o] * speeds[3 * i + q]
            if first >= 0:
                loads[first + o] += value
            if own >= 0 and o < 3:
                loads[own + o] -= value


@kernel
def _solve_bristles(tables: RopeTables, right: Floats) -> None:
    """Write the changes of bristles from those of nodes and pulleys, which are known by now."""
    nodes, points, rest, memory = tables.nodes, tables.points, tables.rest, tables.memory
    motion, touched = memory.motion, 0
    for p in range(motion.shape[0]):
        for k in range(FRAME):
            value = 0.0
            for s in range(rest.states.size):
                value += memory.frames_by[p, 1 + s, k] * memory.right[s]
            motion[p, k] = value
    for c in range(points.nodes.size):
        place = points.bristles[c]
        touches = touched < memory.counts[0] and memory.touching[touched] == c
        if touches:
            touched += 1
        if place >= 0:
            value = right[place]
            if touches:
                slopes, i = memory.slopes[c], points.nodes[c]
                value += by_frame(slopes, 6, motion[points.pulleys[c]])
                if nodes.ports[i] < 0:
                    for k in range(3):
                        value += slopes[RESULTS * k + 6] * right[nodes.positions[i] + k]
                        value += slopes[RESULTS * (3 + k) + 6] * right[nodes.speeds[i] + k]
                else:
                    for s in range(rest.states.size):
                        for k in range(6):
                            by = memory.ports_by[nodes.ports[i], 1 + s, k]
                            value += slopes[RESULTS * k + 6] * by * memory.right[s]
            right[place] = memory.softness[c] * value
