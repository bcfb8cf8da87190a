"""The displacement in a step with rigid contacts: how bodies move beside the speeds at its end.

Where contacts press all the time, bodies move by the mean of the speeds before and after the step. An impact acts for
the part of the step that is left. Where several contacts press on one another and gaps would not end as they aim,
their bodies move by the speeds at the end, with which no gap closes. Overlaps are removed by impulses of displacement
that leave the speeds alone.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.impulse_response import push, rate_along
from gyrostat.analysis.kernels.impulse_sweep import needed_change, solve_impulses
from gyrostat.analysis.kernels.local_coordinates import clear, copy
from gyrostat.analysis.kernels.moreau_tables import (
    END,
    FRICTION,
    GAP,
    OLD_RATE,
    SHARE_LEFT,
    SIDE_A,
    SIDE_B,
    TARGET,
    TWIST,
    MoreauNumbers,
    MoreauStages,
    RigidTables,
)
from gyrostat.analysis.kernels.problem import Places
from gyrostat.program.translation import flat, kernel, rare_kernel

_SHARE_TOLERANCE = 1e-5
"""Shares of a step that differ from a half by less are taken for one."""
_RATE_MARGIN = 0.1
"""Rates may exceed those that lead to the aim of a gap by this part of what contacts need: small gaps close so, while
crowded bodies at rest would keep them."""
_CORRECTION_SHARE = 0.2
"""The part of an overlap that one step removes."""


@rare_kernel
def find_displacement(numbers: MoreauNumbers, tables: RigidTables, memory: MoreauStages, h: float) -> bool:
    """Replace the impulses of speeds by those of the displacement; return whether they differ.

    Bodies that move by the speeds at the end of the step are marked as crowded.
    """
    need = needed_change(memory)
    enough = max(_CORRECTION_SHARE * tables.slight / h, numbers.tolerance * need)
    for body in range(memory.crowded.size):
        memory.crowded[body] = 0
    copy(flat(memory.twists), flat(memory.after))
    copy(flat(memory.impulses.impulses), flat(memory.impulses.kept))
    differs = _weigh(tables, memory)
    above = enough + _RATE_MARGIN * need
    if _misses(memory, enough, above, h):
        _mark_crowds(tables, memory, enough, above)
        _release_crowds(tables, memory)
    if _overlaps(tables, memory, enough, h):
        left = _part(numbers, tables, memory, enough)
        memory.left[0] = max(memory.left[0], left / need if left > 0.0 else 0.0)
        differs = True
    return differs


@kernel
def _weigh(tables: RigidTables, memory: MoreauStages) -> bool:
    """Weigh impulses with the share of the step that is left after them; return whether any share is not a half."""
    found, differs = memory.impulses, False
    for c in range(found.number[0]):
        more = 2.0 * found.numbers[c, SHARE_LEFT] - 1.0
        if found.impulses[c, 0] > 0.0 and abs(more) > _SHARE_TOLERANCE:
            differs = True
            for k in range(3):
                push(memory, tables.lone, c, k, more * found.impulses[c, k])
                found.impulses[c, k] *= 1.0 + more
    return differs


@kernel
def _misses(memory: MoreauStages, enough: float, above: float, h: float) -> bool:
    """Aim at the gaps at the end of the step by the rates in its second half; return whether contacts miss that."""
    found, misses = memory.impulses, False
    for c in range(found.number[0]):
        numbers = found.numbers[c]
        numbers[TARGET] = 2.0 * (numbers[END] - numbers[GAP]) / h - numbers[OLD_RATE]
        misses = misses or _miss(memory, c, enough, above)
    return misses


@kernel
def _miss(memory: MoreauStages, c: int, enough: float, above: float) -> bool:
    """Return whether a gap ends below its aim, or above it while its contact presses."""
    short = memory.impulses.numbers[c, TARGET] - rate_along(memory, c, 0)
    return bool(short > enough or (short < -above and memory.impulses.kept[c, 0] > 0.0))


@rare_kernel
def _mark_crowds(tables: RigidTables, memory: MoreauStages, enough: float, above: float) -> None:
    """Mark all bodies of clusters in which a contact misses its aim."""
    found, clusters, lone = memory.impulses, memory.clusters, tables.lone
    coupled = -1
    for body in range(lone.size):
        if lone[body] >= 0 and coupled < 0:
            coupled = body
        clusters[body] = coupled if lone[body] >= 0 else body
    for c in range(found.number[0]):
        a, b = found.sides[c, SIDE_A], found.sides[c, SIDE_B]
        if a >= 0 and b >= 0 and found.kept[c, 0] > 0.0:
            first, second = _root(clusters, a), _root(clusters, b)
            clusters[max(first, second)] = min(first, second)
    for c in range(found.number[0]):
        if _miss(memory, c, enough, above):
            for side in range(2):
                body = found.sides[c, side]
                if body >= 0:
                    memory.crowded[_root(clusters, body)] = 1
    for body in range(lone.size):
        memory.crowded[body] = memory.crowded[_root(clusters, body)]


@kernel
def _root(clusters: Places, body: int) -> int:
    """Return the body that stands for a cluster."""
    while clusters[body] != body:
        clusters[body] = clusters[clusters[body]]
        body = clusters[body]
    return body


@rare_kernel
def _release_crowds(tables: RigidTables, memory: MoreauStages) -> None:
    """Let crowded bodies move by the speeds at the end of the step: in its second half by twice those less the old."""
    found = memory.impulses
    for c in range(found.number[0]):
        a, b = found.sides[c, SIDE_A], found.sides[c, SIDE_B]
        if (a >= 0 and memory.crowded[a] == 1) or (b >= 0 and memory.crowded[b] == 1):
            for k in range(3):
                found.impulses[c, k] = found.kept[c, k]
    for body in range(tables.lone.size):
        if memory.crowded[body] == 1:
            for k in range(TWIST):
                memory.twists[body, k] = 2.0 * memory.after[body, k] - memory.old[body, k]


@kernel
def _overlaps(tables: RigidTables, memory: MoreauStages, enough: float, h: float) -> bool:
    """Aim at gaps that are not below zero, or at a part of an overlap; return whether any gap would end below."""
    found, short = memory.impulses, False
    for c in range(found.number[0]):
        numbers = found.numbers[c]
        gap = numbers[GAP]
        end = 0.0 if gap > 0.0 else (gap if gap > -tables.slight else (1.0 - _CORRECTION_SHARE) * gap)
        numbers[TARGET] = 2.0 * (end - gap) / h - numbers[OLD_RATE]
        short = short or numbers[TARGET] - rate_along(memory, c, 0) > enough
    return short


@rare_kernel
def _part(numbers: MoreauNumbers, tables: RigidTables, memory: MoreauStages, enough: float) -> float:
    """Add impulses of displacement by which gaps end as they aim; return by how much rates still change."""
    found = memory.impulses
    copy(flat(found.impulses), flat(found.kept))
    clear(flat(found.impulses))
    for c in range(found.number[0]):
        found.numbers[c, FRICTION] = 0.0
    left = solve_impulses(numbers.most, memory, tables.lone, enough)
    for c in range(found.number[0]):
        for k in range(3):
            found.impulses[c, k] += found.kept[c, k]
    return left
