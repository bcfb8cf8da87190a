"""The mass matrix of trees by the composite-body recursion, and its factors along branches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from gyrostat.equations.armature import add_inertias
from gyrostat.equations.loads import Wrench
from gyrostat.equations.newton_euler import along, seen_from_parent, turning_on_ground
from gyrostat.kinematics.link_motion import RelativeFrame
from gyrostat.kinematics.mechanism import GROUND_INDEX
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.model.joints import Mode
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, is_zero, multiply, subtract
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import ZERO, Matrix, Vector, apply, cross, dot, matrix_sum, plus, scale

Entries: TypeAlias = dict[tuple[int, int], Scalar]
"""Entries of a symmetric matrix on and below the diagonal; entries that are absent are zero."""


class CompositeInertia(NamedTuple):
    """Mass, mass moment and inertia about the origin of H of a link with everything it carries, joints locked."""

    mass: Scalar
    moment: Vector
    inertia: Matrix

    def times(self, mode: Mode) -> Wrench:
        """Return the wrench of an acceleration along a mode."""
        torque = plus(apply(self.inertia, mode.angular), cross(self.moment, mode.linear))
        return Wrench(torque, plus(scale(self.mass, mode.linear), cross(mode.angular, self.moment)))


def mass_matrix(motion: TreeMotion) -> Entries:
    """Return the lower half of M(q)."""
    tree = motion.tree
    bodies = [CompositeInertia(link.mass, link.moment, link.inertia) for link in tree.links]
    axes, turning = _only_axes(motion), turning_on_ground(motion)
    for i in reversed(range(len(tree.links))):
        parent = tree.links[i].parent
        if parent != GROUND_INDEX:
            frame = motion.motions[i].frame
            bodies[parent] = _with_child(bodies[parent], bodies[i], frame, axes[parent], parent in turning)
    entries: Entries = {}
    passed: list[dict[int, Wrench]] = [{} for _ in tree.links]
    for i in reversed(range(len(tree.links))):
        own, parent = motion.motions[i].free, tree.links[i].parent
        columns = passed[i]
        for k, (place, mode) in enumerate(own):
            turned = Wrench(apply(bodies[i].inertia, mode.angular)) if i in turning else bodies[i].times(mode)
            for other, along_other in own[k:]:
                _enter(entries, place, other, along(along_other, turned))
            columns[place] = _together(columns[place], turned) if place in columns else turned
        for wheel in tree.links[i].wheels:
            if wheel.place is not None:
                place = wheel.place[1]
                entries[place, place] = wheel.inertia
                columns[place] = Wrench(scale(wheel.inertia, wheel.axis))
                for other, mode in own:
                    _enter(entries, place, other, along(mode, columns[place]))
        if parent != GROUND_INDEX:
            _pass_inward(columns, motion.motions[i].frame, motion.motions[parent].free, passed[parent], entries)
    add_inertias(entries, motion)
    return dict(sorted(entries.items()))  # by rows: written equations number their parameters in this order


def _pass_inward(
    columns: Mapping[int, Wrench],
    frame: RelativeFrame,
    free: Sequence[tuple[int, Mode]],
    passed: dict[int, Wrench],
    entries: Entries,
) -> None:
    """Pass the inertia wrenches of unit rates of speeds, by place, to the parent, and enter their work on its modes.

    Wrenches of links that share a speed add up where their paths meet. Where the parent has a mode of the same speed,
    M has the pair of them twice on its diagonal.
    """
    modes = tuple((mode.angular, mode.linear) for _, mode in free)
    for place, wrench in columns.items():
        seen, works = _one_link_inward(wrench, frame, modes)
        passed[place] = _together(passed[place], seen) if place in passed else seen
        for (other, _), work in zip(free, works, strict=True):
            _enter(entries, place, other, multiply(2, work) if other == place else work)


@repeated
def _together(one: Wrench, other: Wrench) -> Wrench:
    """Return the sum of two wrenches on one link."""
    return one.plus(other)


@repeated
def _one_link_inward(
    wrench: Wrench, frame: RelativeFrame, modes: tuple[tuple[Vector, Vector], ...]
) -> tuple[Wrench, tuple[Scalar, ...]]:
    """Return a wrench seen from the parent, and its work on the parent's modes, each with both its directions."""
    seen = seen_from_parent(wrench, frame)
    return seen, tuple(add(dot(angular, seen.moment), dot(linear, seen.force)) for angular, linear in modes)


def _enter(entries: Entries, place: int, other: int, work: Scalar) -> None:
    """Add to an entry of M; links that share a speed add up."""
    key = (max(place, other), min(place, other))
    entries[key] = add(entries[key], work) if key in entries else work


@repeated
def _with_child(
    parent: CompositeInertia, child: CompositeInertia, frame: RelativeFrame, axis: str | None, turning: bool
) -> CompositeInertia:
    """Return a composite with a child's added; where it turns about a fixed place, only its inertia.

    `axis` is the only one, in the parent's axes, about which there is rotation: see `_seen`.
    """
    seen = _seen(child, frame, None if axis is None else "xyz".index(axis))
    inertia = matrix_sum(parent.inertia, seen.inertia)
    if turning:
        return CompositeInertia(0, ZERO, inertia)
    return CompositeInertia(add(parent.mass, seen.mass), plus(parent.moment, seen.moment), inertia)


def _only_axes(motion: TreeMotion) -> list[str | None]:
    """Return for each link the coordinate axis of H about which alone it and all links inward of it turn, or None.

    In planar mechanisms every link has one. Of the composite's inertia only the row of that axis is needed then.
    """
    found: list[str | None] = []
    for link, relative in zip(motion.tree.links, motion.motions, strict=True):
        turns = relative.frame.turns
        axis = "xyz"[turns[0].axis] if turns is not None and len(turns) == 1 else None
        inward = link.parent == GROUND_INDEX or found[link.parent] == axis
        about = all(
            k == axis or is_zero(x) for _, mode in relative.free for k, x in zip("xyz", mode.angular, strict=True)
        )
        found.append(axis if inward and about else None)
    return found


def _inertia_in_parent(J: Matrix, frame: RelativeFrame, axis: int | None) -> Matrix:
    """Return R_PH J R_HP; where only one row is needed and the link turns about its axis, just that row, turned."""
    turns = frame.turns
    if axis is None or turns is None or len(turns) != 1 or turns[0].axis != axis:
        return frame.symmetric_to_parent(J)
    row = frame.to_parent(J[axis])
    rows: list[list[Scalar]] = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    for k, x in enumerate(row):
        rows[axis][k] = rows[k][axis] = x
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rows
    return ((xx, xy, xz), (yx, yy, yz), (zx, zy, zz))


def _seen(body: CompositeInertia, frame: RelativeFrame, axis: int | None) -> CompositeInertia:
    """Return a composite about the origin of the parent's hinge frame, in its axes.

    With p from P to H: h′ = h + m p and J′ = J + (h·p + h′·p) 1 − h pᵀ − p h′ᵀ (symmetric). With an axis, only its row
    and column of J′ are formed.
    """
    p = frame.r_PH_P
    h = frame.to_parent(body.moment)
    shifted = plus(h, scale(body.mass, p))
    both = add(dot(h, p), dot(shifted, p))
    J = _inertia_in_parent(body.inertia, frame, axis)

    def entry(i: int, j: int) -> Scalar:
        if axis is not None and axis not in (i, j):
            return 0
        value = subtract(subtract(J[i][j], multiply(h[i], p[j])), multiply(p[i], shifted[j]))
        return add(value, both) if i == j else value

    xx, xy, xz, yy, yz, zz = entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)
    return CompositeInertia(body.mass, shifted, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))


@dataclass(frozen=True)
class BranchFactor:
    """M = Lᵀ Δ L without fill-in: the factors have the zeros of M when leaves are eliminated first.

    `order` lists places in u from the leaves inward, `above[i]` those that come later and couple with i.
    """

    order: tuple[int, ...]
    above: Mapping[int, tuple[int, ...]]
    unit: Mapping[tuple[int, int], Scalar]
    inverse: Mapping[int, Scalar]

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Return M⁻¹ times a column."""
        x = list(right)
        for i in self.order:
            for j in self.above[i]:
                x[j] = subtract(x[j], multiply(self.unit[i, j], x[i]))
        x = [multiply(self.inverse[i], value) for i, value in enumerate(x)]
        for i in reversed(self.order):
            for j in self.above[i]:
                x[i] = subtract(x[i], multiply(self.unit[i, j], x[j]))
        return x


def factorise(motion: TreeMotion, entries: Entries) -> BranchFactor:
    """Return the factors of a mass matrix on the motion's tree."""
    order = _leaves_first(motion)
    rank = {place: k for k, place in enumerate(order)}
    work = dict(entries)

    def get(i: int, j: int) -> Scalar:
        return work.get((max(i, j), min(i, j)), 0)

    coupled: dict[int, list[int]] = {place: [] for place in order}
    for i, j in entries:
        if i != j:
            first, later = (i, j) if rank[i] < rank[j] else (j, i)
            coupled[first].append(later)
    above = {i: tuple(sorted(later, key=rank.__getitem__)) for i, later in coupled.items()}
    unit: dict[tuple[int, int], Scalar] = {}
    inverse: dict[int, Scalar] = {}
    for i in order:
        inverse[i] = divide(1, get(i, i))
        for j in above[i]:
            unit[i, j] = multiply(get(i, j), inverse[i])
        for a, j in enumerate(above[i]):
            for k in above[i][a:]:
                work[max(j, k), min(j, k)] = subtract(get(j, k), multiply(unit[i, j], get(i, k)))
    return BranchFactor(tuple(order), above, unit, inverse)


def mass_solver(motion: TreeMotion) -> Callable[[Sequence[Scalar]], list[Scalar]]:
    """Return the function that gives M⁻¹ times a column, by factors along the branches of the tree."""
    return factorise(motion, mass_matrix(motion)).solve


def _leaves_first(motion: TreeMotion) -> list[int]:
    """Return the places in u from the leaves inward; one that links share stands where the first of them is."""
    outward: dict[int, None] = {}
    for link, relative in zip(motion.tree.links, motion.motions, strict=True):
        outward.update((place, None) for place, _ in relative.free)
        outward.update((wheel.place[1], None) for wheel in reversed(link.wheels) if wheel.place is not None)
    return list(reversed(outward))
