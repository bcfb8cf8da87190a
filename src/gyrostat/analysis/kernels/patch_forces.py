"""Pairs whose points of contact a kernel finds: their features, and the sum of the forces of all points."""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.face_patch import find_points
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
from gyrostat.analysis.kernels.plane_points import find_plane_points
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.round_points import find_round_points
from gyrostat.analysis.kernels.round_separation import separate_round
from gyrostat.analysis.kernels.separation import separate
from gyrostat.analysis.kernels.solid_tables import BY_PLANE, BY_ROUND, BY_SURFACE
from gyrostat.analysis.kernels.surface_points import find_surface_points
from gyrostat.program.translation import call, kernel, rare_kernel

_TOUCH = 7
"""Numbers of a point of rigid contact: `moreau_tables.TOUCH`."""
_LARGE = 1e300


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
    least = _LARGE
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
def find_features(pairs: PairTables, i: int, j: int) -> bool:
    """Write the features of all points of a pair and its separation, in `patch`; return whether b comes before a.

    Without forces, points are found at any distance, otherwise where shapes overlap.
    """
    shapes, patch, frames = pairs.shapes, pairs.patch, pairs.frames
    how = pairs.groups.patches[shapes.groups[i], shapes.kinds[i], shapes.kinds[j]]
    swapped = False
    if how == BY_SURFACE:
        surfaces = pairs.surfaces
        swapped = surfaces.first_box[i + 1] > surfaces.first_box[i]
        a, b = (j if swapped else i), (i if swapped else j)
        find_surface_points(pairs.solids, surfaces, patch, frames[a], frames[b], a, b, shapes.radii[a])
    elif how == BY_PLANE:
        find_plane_points(pairs.solids, patch, frames[i], frames[j], i)
    elif how == BY_ROUND:
        solids = pairs.solids
        size = min(shapes.radii[i], shapes.radii[j])
        apart = (
            separate_round(solids, patch, frames[i], frames[j], i, j, size) - solids.rounding[i] - solids.rounding[j]
        )
        patch.number[0] = 0
        if apart < 0.0 or pairs.rigid:
            find_round_points(solids, patch, frames[i], frames[j], i, j)
        patch.axis[3] = apart
    else:
        rounding = pairs.solids.rounding[i] + pairs.solids.rounding[j]
        apart = separate(pairs.solids, patch, frames[i], frames[j], i, j) - rounding
        patch.number[0] = 0
        if apart < 0.0 or pairs.rigid:
            find_points(pairs.solids, patch, frames[i], frames[j], i, j)
        patch.axis[3] = apart
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
