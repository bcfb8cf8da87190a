"""Solution for accelerations and multipliers: by a sparse factor, or along the tree where that is shorter.

A chain of n joints has a full mass matrix, whose factor grows with n³; the articulated-body recursion grows with n, and
with the number of constraints on long paths. Which is shorter is estimated from the tree before either is formed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch

from gyrostat.equations.delassus import Delassus, factorise_delassus
from gyrostat.equations.dynamics import mass_matrix, weak_speeds
from gyrostat.equations.moving_masses import elements_with_mass
from gyrostat.equations.saddle_point import SaddlePoint, elimination_operations, factorise_saddle_point
from gyrostat.kinematics.mechanism import GROUND_INDEX
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.kinematics.world import WorldMotion
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import is_zero
from gyrostat.scalar.repeated import active_tape

_OPERATION_RATIO = 0.85
"""The sparse factor is kept unless the recursion has clearly fewer operations."""

_ROW_LIMIT = 24
"""On tapes the products of more rows than these would be too many single instructions."""


@singledispatch
def factorise_constraints(
    motion: WorldMotion, rows: Mapping[tuple[int, int], Scalar], count: int, *, softness: float = 0.0, floor: float
) -> SaddlePoint | Delassus:
    """Return the shorter factors for constraint rows {(row, speed): entry} on the tree of a motion."""
    return _sparse_factor(motion, rows, count, softness=softness, floor=floor)


@factorise_constraints.register(TreeMotion)
def _factorise_on_tree(
    motion: TreeMotion, rows: Mapping[tuple[int, int], Scalar], count: int, *, softness: float = 0.0, floor: float
) -> SaddlePoint | Delassus:
    """Return the factors along the tree of joints where these are shorter."""
    recorded = active_tape() is not None and count > _ROW_LIMIT
    whole = motion.tree.groups or elements_with_mass(motion)  # whose inertia no single link has
    along_tree = not (whole or recorded) and recursion_is_shorter(motion, rows, count)
    factorise = factorise_delassus if along_tree else _sparse_factor
    return factorise(motion, rows, count, softness=softness, floor=floor)


def _sparse_factor(
    motion: WorldMotion, rows: Mapping[tuple[int, int], Scalar], count: int, *, softness: float, floor: float
) -> SaddlePoint:
    speeds, entries, weak = motion.tree.coordinates.n_u, mass_matrix(motion), weak_speeds(motion)
    return factorise_saddle_point(entries, rows, speeds, count, softness=softness, floor=floor, weak=weak)


def recursion_is_shorter(motion: TreeMotion, rows: Mapping[tuple[int, int], Scalar], count: int) -> bool:
    """Return whether the articulated-body recursion takes clearly fewer operations than the sparse factor."""
    above, flat = _speeds_above(motion), _flat(motion)
    # Operations per speed for articulated inertias and the sweep outward, and per speed and sweep inward; per entry of
    # the mass matrix: counted on chains of 10 to 80 joints.
    still, sweep, entry = (48, 14, 5) if flat else (310, 68, 46)
    places: dict[int, set[int]] = {i: set() for i in range(count)}
    for i, j in rows:
        places[i].update((j, *above[j]))
    speeds = len(above)
    along_tree = (still + sweep) * speeds + sum((sweep + 4) * len(path) for path in places.values())
    pairs = sum(len(path) for path in above.values()) + speeds
    sparse = (entry + 5) * pairs  # before any elimination; that of long chains is long to count
    if along_tree > _OPERATION_RATIO * sparse:
        pattern = [(i, j) for i, path in above.items() for j in path]
        pattern += [(speeds + i, j) for i, j in rows]
        sparse = elimination_operations(pattern, speeds, count) + entry * pairs
    if along_tree > _OPERATION_RATIO * sparse:
        return False
    along_tree += sum(2 * len(places[i] & places[j]) for i in places for j in range(i + 1))
    return along_tree < _OPERATION_RATIO * sparse


def _speeds_above(motion: TreeMotion) -> dict[int, list[int]]:
    """Return for each speed those between it and the ground, by place in u."""
    tree = motion.tree
    to_link: dict[int, list[int]] = {GROUND_INDEX: []}
    above: dict[int, list[int]] = {}
    for i, link in enumerate(tree.links):
        path = list(to_link[link.parent])
        for place, _ in motion.motions[i].free:
            above[place] = list(path)
            path.append(place)
        to_link[i] = path
        for wheel in link.wheels:
            if wheel.place is not None:
                above[wheel.place[1]] = path
    return above


def _flat(motion: TreeMotion) -> bool:
    """Return whether all links turn about one and the same axis of their hinge frames."""
    turning = {
        tuple(not is_zero(x) for x in mode.angular)
        for relative in motion.motions
        for _, mode in relative.free
        if not all(is_zero(x) for x in mode.angular)
    }
    return all(sum(axes) == 1 for axes in turning) and len(turning) <= 1
