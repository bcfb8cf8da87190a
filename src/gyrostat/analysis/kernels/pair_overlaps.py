"""All pairs of shapes that overlap at a state."""

from __future__ import annotations

from gyrostat.analysis.kernels.pair_forces import (
    ensure_neighbours,
    evaluate_pair,
    first_neighbour,
    is_near,
    is_near_plane,
    last_neighbour,
    neighbour,
    set_frames,
)
from gyrostat.analysis.kernels.pair_search import may_touch
from gyrostat.analysis.kernels.pair_slots import refresh_slots
from gyrostat.analysis.kernels.pair_tables import GAP, PairTables
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.program.translation import kernel, rare_kernel


@rare_kernel
def list_overlaps(pairs: PairTables, x: Floats, found: Floats) -> int:
    """Write both shapes and the depth of pairs that overlap at the state in x, as many as there is room for.

    Return their number, which may be larger.
    """
    set_frames(pairs, x)
    refresh_slots(pairs.slots, x)
    ensure_neighbours(pairs)
    count = 0
    for i in range(pairs.shapes.finite):
        for a in range(first_neighbour(pairs, i), last_neighbour(pairs, i)):
            j = neighbour(pairs, a)
            if is_near(pairs, i, j):
                count += _enter(pairs, x, i, j, count, found)
        for p in range(pairs.shapes.finite, pairs.shapes.radii.size):
            if may_touch(pairs.shapes, i, p) and is_near_plane(pairs, i, p):
                count += _enter(pairs, x, i, p, count, found)
    return count


@kernel
def _enter(pairs: PairTables, x: Floats, i: int, j: int, count: int, found: Floats) -> int:
    """Enter a pair if it overlaps; return 1 if it does, otherwise 0."""
    evaluate_pair(pairs, x, i, j)
    depth = -pairs.results[GAP]
    if not depth > 0.0:
        return 0
    if count < found.shape[0]:
        found[count, 0], found[count, 1], found[count, 2] = float(i), float(j), depth
    return 1
