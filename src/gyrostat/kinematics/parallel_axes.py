"""Groups of angles about parallel axes; formulas are shortest in sums of such angles."""

from __future__ import annotations

from math import comb, prod
from typing import NamedTuple

from gyrostat.kinematics.mechanism import GROUND_INDEX, Carried, KinematicTree, TurningJoint
from gyrostat.model.formula import Formula
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import is_number
from gyrostat.spatial import Vector, apply, cross, minus, transpose

_SLACK = 1e-12


def parallel_groups(tree: KinematicTree[Carried]) -> list[list[int]]:
    """Return the angles (places in q) in groups: axes in one group are parallel in every position of the mechanism.

    An axis joins the group of an axis of its parent, or of a sibling's, that it is parallel to. Only constants of the
    tree are read, so that it may be built on any engine.
    """
    groups: list[list[int]] = []
    known: dict[int, list[tuple[Vector, int]]] = {GROUND_INDEX: []}
    for index, link in tree.turning_joints.items():
        above = known[link.parent]
        axis = tree.turning_axes[index]
        if axis is None:
            turning = bool(link.layout.speeds) and not _slides(link)
            R_JP = transpose(link.R_PJ)
            known[index] = [] if turning else [(apply(R_JP, direction), group) for direction, group in above]
            continue
        seen = apply(link.R_PJ, axis)
        found = [group for direction, group in above if _parallel(direction, seen)]
        if not found:
            groups.append([])
            above.append((seen, len(groups) - 1))
            found = [len(groups) - 1]
        known[index] = [(axis, found[0])]
        groups[found[0]].extend(
            place
            for place, coordinate in zip(link.layout.coordinates, link.joint.coordinates, strict=True)
            if isinstance(place, int) and coordinate.measure == "angle"
        )
    return [group for group in groups if group]


def absolute_rates(tree: KinematicTree[Carried], groups: list[list[int]] | None = None) -> list[tuple[int, ...]]:
    """Return the sums of two or more speeds (places in u) that are a link's rate about parallel axes.

    Only rows of hinges that turn the same way are summed, each link's speed added to those of the links before it.
    `groups` are the tree's `parallel_groups`, where they are known already.
    """
    group_of = {place: i for i, group in enumerate(groups or parallel_groups(tree)) for place in group}
    sums: dict[int, _Row] = {}
    found: list[tuple[int, ...]] = []
    for index, link in tree.turning_joints.items():
        above = sums.get(link.parent)
        q, u = _turning_places(link)
        axis = tree.turning_axes[index]
        if axis and len(q) == 1 and isinstance(q[0], int) and isinstance(u[0], int) and not link.reversed:
            group = group_of[q[0]]
            goes_on = above is not None and above.group == group and _equal(apply(link.R_PJ, axis), above.axis)
            before = above.speeds if above is not None and goes_on else ()
            sums[index] = _Row(group, axis, (*before, u[0]))
            if before:
                found.append(sums[index].speeds)
        elif above and _slides(link):
            sums[index] = above._replace(axis=apply(transpose(link.R_PJ), above.axis))
    return found


class _Row(NamedTuple):
    """Hinges about parallel axes up to a link: their group, their axis in the link, their places in u."""

    group: int
    axis: Vector
    speeds: tuple[int, ...]


def _equal(a: Vector, b: Vector) -> bool:
    return a is b or all(_vanishes(x) for x in minus(a, b))


def harmonics_expected(tree: KinematicTree[Carried], groups: list[list[int]] | None = None) -> int:
    """Return an estimate of the number of products of sines and cosines in expanded equations of motion.

    On the path to a body each group of n parallel axes has about 2 n (n + 1) + 1 harmonics up to second degree, and
    those of different groups multiply; so do those of Euler parameters, polynomials on a sphere. `groups` are the
    tree's `parallel_groups`, where they are known already.
    """
    group_of = {place: i for i, group in enumerate(groups or parallel_groups(tree)) for place in group}
    counts: dict[int, dict[int, int]] = {GROUND_INDEX: {}}
    spheres = {GROUND_INDEX: 1}
    most = 1
    for index, link in tree.turning_joints.items():
        own = dict(counts[link.parent])
        spheres[index] = spheres[link.parent] * _on_sphere(link)
        for place in link.layout.coordinates:
            if isinstance(place, int) and place in group_of:
                own[group_of[place]] = own.get(group_of[place], 0) + 1
        counts[index] = own
        most = max(most, spheres[index] * prod(2 * n * (n + 1) + 1 for n in own.values()))
    return most


def _on_sphere(link: TurningJoint) -> int:
    """Return the number of independent products of a joint with Euler parameters; 1 for others.

    Polynomials of degree d in a rotation's entries have Σ (2 j + 1)² independent ones, j = 0 … d: 35 for the second
    degree. Passed backwards, the joint's modes turn as well, which makes it the third (84), and have the displacements
    as levers, up to their second degree (10 products of three). At the ground, passed forwards, only the weight has
    them, once: fewer products than those without.
    """
    measures = [coordinate.measure for coordinate in link.joint.coordinates]
    if "number" not in measures or (link.parent == GROUND_INDEX and not link.reversed):
        return 1
    degree = 3 if link.reversed else 2
    levers = measures.count("length") if link.reversed else 0
    return sum((2 * j + 1) ** 2 for j in range(degree + 1)) * comb(levers + 2, 2)


def _turning_places(link: TurningJoint) -> tuple[tuple[int | Formula, ...], tuple[int | Formula, ...]]:
    """Return the places in q and u of the coordinates and speeds of a joint that the tree uses."""
    q, u = link.layout.coordinates, link.layout.speeds
    return tuple([place for place in q if place is not None]), tuple([place for place in u if place is not None])


def _slides(link: TurningJoint) -> bool:
    return all(coordinate.measure == "length" for coordinate in link.joint.coordinates)


def _parallel(a: Vector, b: Vector) -> bool:
    return a is b or all(_vanishes(x) for x in cross(a, b))


def _vanishes(x: Scalar) -> bool:
    return is_number(x) and abs(x) < _SLACK
