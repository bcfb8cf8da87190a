"""Factors of the linear equations of a stage, m/(hγ) − J, of ropes and the rest of the system.

Places and bristles are eliminated exactly, k_x = hγ (r_x + k_v); what is left of a rope is a banded matrix in the
velocities of its nodes. States of the rest are a border: the rope hands over a Schur complement.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.linear_equations import factorise
from gyrostat.analysis.kernels.local_coordinates import clear
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.rope_jacobian import by_frame, by_node
from gyrostat.analysis.kernels.rope_sliding import factorise_sliding
from gyrostat.analysis.kernels.rope_tables import LANES, RESULTS, STRAIGHTENING, RopeTables, Width
from gyrostat.program.translation import flat, kernel, rare_kernel

BRISTLE = 12 * RESULTS
"""Where among the derivatives of a point those by its bristle begin."""


@rare_kernel
def factorise_ropes(tables: RopeTables, step: float, half_width: Width) -> bool:
    """Write the factors for hγ = step; return whether all pivots differ from zero."""
    memory, rest, width = tables.memory, tables.rest, half_width()
    memory.step[0] = step
    clear(flat(memory.band))
    clear(flat(memory.border))
    clear(flat(memory.coupling))
    for i in range(tables.nodes.masses.size):
        _assemble_node(tables, i, step, width)
    _soften(tables, step)
    for n in range(memory.counts[0]):
        _assemble_point(tables, memory.touching[n], step, width)
    if not _factorise_band(memory.band, 3 * tables.nodes.masses.size, width):
        return False
    states = rest.states.size
    if states == 0:
        return True
    _solve_border(tables, width)
    _reduce_coupling(tables, step)
    matrix, jacobian, by_loads = memory.matrix, rest.jacobian.matrix, rest.by_loads.matrix
    for j in range(states):
        for i in range(states):
            value = -jacobian[j, i]
            for load in range(memory.loads.size):
                value -= by_loads[load, i] * memory.coupling[load, j]
            matrix[j, i] = value
        matrix[j, j] += rest.masses[j] / step
    if not factorise(matrix, rest.coordinates, memory.pivots):
        return False
    if memory.held.counts[0] > 0:
        factorise_sliding(tables)
    return True


@kernel
def _assemble_node(tables: RopeTables, i: int, step: float, width: int) -> None:
    """Write the rows of a node: of a free node in the band and the border, of a port in the coupling of loads."""
    nodes, memory = tables.nodes, tables.memory
    count, states = nodes.masses.size, tables.rest.states.size
    port = nodes.ports[i]
    reach = 1 if width < 6 else 2
    for p in range(3):
        memory.band[3 * i + p, width] = 1.0 if port >= 0 else nodes.masses[i] / step
    first = tables.carriers.node_loads[port] if port >= 0 else -1
    if port >= 0 and first < 0:
        return
    for o in range(-reach, reach + 1):
        j = i + o
        if j >= 0 and j < count:
            by_place, by_velocity = memory.by_place[i, o + 2], memory.by_velocity[i, o + 2]
            if nodes.ports[j] < 0:
                if port < 0:
                    for p in range(3):
                        for q in range(3):
                            entry = by_velocity[3 * p + q] + step * by_place[3 * p + q]
                            memory.band[3 * i + p, width + 3 * o + q - p] -= entry
            else:
                for s in range(states):
                    by = memory.ports_by[nodes.ports[j], 1 + s]
                    for p in range(3):
                        value = 0.0
                        for q in range(3):
                            value += by_place[3 * p + q] * by[q] + by_velocity[3 * p + q] * by[3 + q]
                        if port < 0:
                            memory.border[3 * i + p, s] -= value
                        else:
                            memory.coupling[first + p, s] += value


@kernel
def _soften(tables: RopeTables, step: float) -> None:
    """Write 1/(1/hγ − ∂ṡ/∂s) of all points."""
    memory = tables.memory
    for c in range(memory.softness.size):
        memory.softness[c] = 1.0 / (1.0 / step + STRAIGHTENING)
    for n in range(memory.counts[0]):
        c = memory.touching[n]
        memory.softness[c] = 1.0 / (1.0 / step - memory.slopes[c, BRISTLE + 6])


@kernel
def by_velocity_of(slopes: Floats, softness: float, step: float, result: int, q: int) -> float:
    """Return the derivative of a result by a velocity of its node, place and bristle following."""
    own = slopes[RESULTS * (3 + q) + result] + step * slopes[RESULTS * q + result]
    bristle = slopes[RESULTS * (3 + q) + 6] + step * slopes[RESULTS * q + 6]
    return float(own + softness * slopes[BRISTLE + result] * bristle)


@kernel
def _assemble_point(tables: RopeTables, c: int, step: float, width: int) -> None:
    """Add a point that touches a pulley to band, border and couplings."""
    nodes, points, carriers, memory = tables.nodes, tables.points, tables.carriers, tables.memory
    i, slopes, softness = points.nodes[c], memory.slopes[c], memory.softness[c]
    pulley, port = points.pulleys[c], nodes.ports[points.nodes[c]]
    first = carriers.pulley_loads[pulley]
    if port < 0:
        for p in range(3):
            for q in range(3):
                memory.band[3 * i + p, width + q - p] -= by_velocity_of(slopes, softness, step, p, q)
        if first >= 0:
            for q in range(3):
                for p in range(3):
                    memory.transfer[c, 6 * q + p] = -by_velocity_of(slopes, softness, step, p, q)
                    memory.transfer[c, 6 * q + 3 + p] = by_velocity_of(slopes, softness, step, 3 + p, q)
    if first < 0 and port < 0:
        return
    own = carriers.node_loads[port] if port >= 0 else -1
    for s in range(tables.rest.states.size):
        _couple_point(tables, c, s, first, own)


@kernel
def _couple_point(tables: RopeTables, c: int, s: int, first: int, own: int) -> None:
    """Add the derivatives of a point's loads by a state of the rest."""
    nodes, points, memory = tables.nodes, tables.points, tables.memory
    by, slopes, i = memory.frames_by[points.pulleys[c], 1 + s], memory.slopes[c], points.nodes[c]
    port = nodes.ports[i]
    moves = port >= 0
    for k in range(12):
        moves = moves or by[k] != 0.0
    if not moves:
        return
    bristle = by_frame(slopes, 6, by)
    if port >= 0:
        bristle += by_node(slopes, 6, memory.ports_by[port, 1 + s])
    for o in range(6):
        value = by_frame(slopes, o, by) + memory.softness[c] * slopes[BRISTLE + o] * bristle
        if port >= 0:
            value += by_node(slopes, o, memory.ports_by[port, 1 + s])
        if o < 3 and port < 0:
            memory.border[3 * i + o, s] -= value
        if o < 3 and own >= 0:
            memory.coupling[own + o, s] += value
        if first >= 0:
            memory.coupling[first + o, s] += value if o >= 3 else -value


@kernel
def _factorise_band(band: Floats, rows: int, width: int) -> bool:
    """Replace a banded matrix by its factors without row exchanges; diagonals become their inverses."""
    regular = True
    for k in range(rows):
        pivot = band[k, width]
        regular = regular and pivot != 0.0 and pivot == pivot
        over = 1.0 / pivot
        band[k, width] = over
        above = band[k]
        for i in range(1, width + 1):
            row = band[k + i]
            factor = row[width - i] * over
            row[width - i] = factor
            for j in range(1, width + 1):
                row[width - i + j] -= factor * above[width + j]
    return regular


@kernel
def _solve_border(tables: RopeTables, width: int) -> None:
    """Replace the border of each rope by its solution, in the lanes of states that move its ports and pulleys."""
    memory, linked = tables.memory, tables.nodes.linked
    rope, begin = 0, 0
    for i in range(linked.size):
        memory.rope_of[i] = rope
        if linked[i] == 0:
            used, stop = 0, 3 * (i + 1)
            for lane in range(memory.border.shape[1] // LANES):
                if _has_entries(memory.border, begin, stop, LANES * lane):
                    _solve_columns(memory.band, memory.border, begin, stop, LANES * lane, width)
                    used += 1
                    memory.lanes[rope, used] = lane
            memory.lanes[rope, 0] = used
            rope, begin = rope + 1, stop


@kernel
def _has_entries(border: Floats, begin: int, stop: int, first: int) -> bool:
    """Return whether any of four columns differs from zero between two rows."""
    for i in range(begin, stop):
        row = border[i]
        if row[first] != 0.0 or row[first + 1] != 0.0 or row[first + 2] != 0.0 or row[first + 3] != 0.0:
            return True
    return False


@kernel
def _solve_columns(band: Floats, border: Floats, begin: int, stop: int, first: int, width: int) -> None:
    """Replace four columns of right sides by solutions, in the rows of a rope."""
    for i in range(begin, stop):
        row, target = band[i], border[i]
        s0, s1, s2, s3 = target[first], target[first + 1], target[first + 2], target[first + 3]
        for j in range(1, min(width, i - begin) + 1):
            factor, known = row[width - j], border[i - j]
            s0 -= factor * known[first]
            s1 -= factor * known[first + 1]
            s2 -= factor * known[first + 2]
            s3 -= factor * known[first + 3]
        target[first], target[first + 1], target[first + 2], target[first + 3] = s0, s1, s2, s3
    for i in range(stop - 1, begin - 1, -1):
        row, target = band[i], border[i]
        s0, s1, s2, s3 = target[first], target[first + 1], target[first + 2], target[first + 3]
        for j in range(1, width + 1):
            factor, known = row[width + j], border[i + j]
            s0 -= factor * known[first]
            s1 -= factor * known[first + 1]
            s2 -= factor * known[first + 2]
            s3 -= factor * known[first + 3]
        over = row[width]
        target[first], target[first + 1], target[first + 2], target[first + 3] = (
            s0 * over,
            s1 * over,
            s2 * over,
            s3 * over,
        )


@kernel
def _reduce_coupling(tables: RopeTables, step: float) -> None:
    """Subtract from the coupling of loads with the rest what goes through the velocities of free nodes."""
    nodes, points, carriers, memory = tables.nodes, tables.points, tables.carriers, tables.memory
    count, states = nodes.masses.size, tables.rest.states.size
    for i in range(count):
        first = carriers.node_loads[nodes.ports[i]] if nodes.ports[i] >= 0 else -1
        if first >= 0:
            for o in range(-2, 3):
                j = i + o
                if j >= 0 and j < count and nodes.ports[j] < 0:
                    for p in range(3):
                        for q in range(3):
                            entry = (
                                memory.by_velocity[i, o + 2, 3 * p + q] + step * memory.by_place[i, o + 2, 3 * p + q]
                            )
                            if entry != 0.0:
                                for s in range(states):
                                    memory.coupling[first + p, s] -= entry * memory.border[3 * j + q, s]
    for n in range(memory.counts[0]):
        c = memory.touching[n]
        i, first = points.nodes[c], carriers.pulley_loads[points.pulleys[c]]
        if first >= 0 and nodes.ports[i] < 0:
            lanes = memory.lanes[memory.rope_of[i]]
            for q in range(3):
                for o in range(6):
                    entry, coupling, border = memory.transfer[c, 6 * q + o], memory.coupling[first + o], 3 * i + q
                    for n_lane in range(1, lanes[0] + 1):
                        begin = LANES * lanes[n_lane]
                        for s in range(begin, min(begin + LANES, states)):
                            coupling[s] -= entry * memory.border[border, s]
