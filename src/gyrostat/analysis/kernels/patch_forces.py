"""Pairs whose points of contact a kernel finds: their features, and the sum of the forces of all points."""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.pair_slots import held_key, key_of, mean_memory, pair_key, slot_of
from gyrostat.analysis.kernels.pair_tables import (
    FORCE,
    FRAME,
    GAP,
    GIVEN,
    HELD,
    HOLDING,
    MEMORY,
    NORMAL,
    OF_POINTS,
    OPEN_STAY,
    POINT,
    POINT_GAP,
    POINTS,
    RATE,
    SIZES,
    PairTables,
    Slots,
)
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.program.translation import call, call_kernel, kernel, rare_kernel

_TOUCH = 7
"""Numbers of a point of rigid contact: `moreau_tables.TOUCH`."""
_INFINITY = 1e300


@kernel
def remembers(slots: Slots, group: int) -> bool:
    """Return whether the points of a group remember."""
    return bool(slots.first[group + 1] > slots.first[group])


@kernel
def is_held(pairs: PairTables, key: float) -> bool:
    """Return whether a point touches at the start of the step."""
    held, low, high = pairs.touch.held, 0, pairs.broad.numbers[HELD]
    while low < high:
        middle = (low + high) // 2
        if held[middle] < key:
            low = middle + 1
        else:
            high = middle
    return bool(low < pairs.broad.numbers[HELD] and held[low] == key)


@kernel
def acts(pairs: PairTables, key: float) -> bool:
    """Return whether a point that remembers nothing may exert a force."""
    return bool(pairs.broad.numbers[HOLDING] != OPEN_STAY or is_held(pairs, key))


@kernel
def find_features(pairs: PairTables, i: int, j: int) -> bool:
    """Write the features of all points of a pair and its separation, in `patch`; return whether b comes before a."""
    words, swapped = pairs.finder.words, pairs.finder.swapped
    words[words.size - 3], words[words.size - 2], words[words.size - 1] = i, j, 1 if pairs.rigid else 0
    call_kernel(pairs.finder.address, words.ctypes.data, swapped.ctypes.data)
    return bool(swapped[0] > 0)


@rare_kernel
def evaluate_patch(pairs: PairTables, x: Floats, i: int, j: int) -> bool:
    """Write the results of a pair whose points a kernel finds; return whether b comes before a."""
    shapes, patch, results = pairs.shapes, pairs.patch, pairs.results
    group = shapes.groups[i]
    swapped = find_features(pairs, i, j)
    a, b = (j if swapped else i), (i if swapped else j)
    for k in range(results.size):
        results[k] = 0.0
    arguments, frames = pairs.arguments, pairs.frames
    for k in range(FRAME):
        arguments[k] = frames[a, k]
        arguments[FRAME + k] = frames[b, k]
    for k in range(pairs.groups.parameters.shape[1]):
        arguments[2 * FRAME + SIZES + GIVEN * POINTS + k] = pairs.groups.parameters[group, k]
    results[GAP] = patch.axis[3]
    least = _INFINITY
    for p in range(patch.number[0]):
        set_point(pairs, x, i, j, p)
        function = pairs.groups.point_functions[group, patch.modes[p]]
        if pairs.rigid:
            call(function, arguments.ctypes.data, results[_TOUCH * p :].ctypes.data)
        else:
            call(function, arguments.ctypes.data, patch.found.ctypes.data)
            least = min(least, _sum_point(pairs, p))
    if not pairs.rigid:
        if patch.number[0] > 0:
            results[GAP] = least
        results[RATE] = -_nearing(pairs, a, b)
    return bool(swapped)


@rare_kernel
def set_point(pairs: PairTables, x: Floats, i: int, j: int, p: int) -> None:
    """Write the arguments of a point: its feature, whether it acts, and what it remembers.

    A point that has just come about remembers what the others of the pair do on average.
    """
    slots, group, patch = pairs.slots, pairs.shapes.groups[i], pairs.patch
    sizes = pairs.arguments[2 * FRAME :]
    for k in range(SIZES):
        sizes[k] = patch.features[p, k]
    given = sizes[SIZES:]
    if remembers(slots, group):
        s = slot_of(slots, group, key_of(pairs, i, j, p))
        given[0] = 1.0
        if s >= 0:
            for k in range(MEMORY):
                given[1 + k] = x[slots.places[s] + 1 + k]
        elif mean_memory(slots, group, pair_key(pairs, i, j), x, given[1:]) == 0:
            given[0] = 0.0
    else:
        given[0] = 1.0 if acts(pairs, held_key(pairs, i, j, p)) else 0.0


@kernel
def _sum_point(pairs: PairTables, p: int) -> float:
    """Add the results of a point, by its weight, to those of the pair; return its gap."""
    results, found, weight = pairs.results, pairs.patch.found, pairs.patch.weights[p]
    for k in range(FORCE, NORMAL + 1):
        results[k] += weight * found[k]
    for k in range(POINT):
        results[OF_POINTS + POINT * p + k] = found[OF_POINTS + k]
    return float(found[OF_POINTS + POINT_GAP])


@kernel
def _nearing(pairs: PairTables, a: int, b: int) -> float:
    """Return a bound of the speed with which any points of two shapes near each other along any direction."""
    frames, radii, total = pairs.frames, pairs.shapes.radii, 0.0
    lever = 0.0
    for k in range(3):
        total += (frames[a, 12 + k] - frames[b, 12 + k]) ** 2
        lever += (frames[a, k] - frames[b, k]) ** 2
    spin_a = math.sqrt(frames[a, 15] ** 2 + frames[a, 16] ** 2 + frames[a, 17] ** 2)
    spin_b = math.sqrt(frames[b, 15] ** 2 + frames[b, 16] ** 2 + frames[b, 17] ** 2)
    return float(math.sqrt(total) + spin_a * radii[a] + spin_b * (math.sqrt(lever) + radii[a]))
