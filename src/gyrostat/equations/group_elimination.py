"""Elimination of coordinates that several links share, for the articulated-body recursion.

Inward over the links of a group the accelerations η of the shared coordinates stay unknown beside the acceleration a of
the hinge: wrench and loads on the coordinates are
    f = I a + P η + p,    τ = Pᵀ a + Q η + s.
Crossing a joint whose modes Φ belong to the group, a = a′ + Φ η gives P ← P + I Φ, Q ← Q + Φᵀ I Φ + Φᵀ P + Pᵀ Φ and
s ← s + Φᵀ p. At the link that carries the whole group, η is eliminated by L D Lᵀ of Q, one coordinate after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gyrostat.equations.articulated import Articulated, Six
from gyrostat.equations.loads import Wrench
from gyrostat.equations.newton_euler import along, seen_from_parent
from gyrostat.kinematics.link_motion import RelativeFrame
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.model.joints import Mode
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, is_zero, multiply, subtract
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import Matrix, scale


@dataclass(frozen=True)
class SharedInertia:
    """P by columns, the lower half of Q by rows, and s, about the origin of a hinge frame and in its axes."""

    P: tuple[Wrench, ...]
    Q: tuple[tuple[Scalar, ...], ...]
    s: tuple[Scalar, ...]

    @staticmethod
    def none(size: int) -> SharedInertia:
        """Return that of a link whose outboard links do not depend on the coordinates."""
        return SharedInertia((Wrench(),) * size, tuple((0,) * (i + 1) for i in range(size)), (0,) * size)

    def plus(self, other: SharedInertia) -> SharedInertia:
        """Return both together."""
        return SharedInertia(
            tuple(a.plus(b) for a, b in zip(self.P, other.P, strict=True)),
            tuple(_sum(a, b) for a, b in zip(self.Q, other.Q, strict=True)),
            _sum(self.s, other.s),
        )

    def across(self, body: Articulated, modes: Sequence[Mode]) -> SharedInertia:
        """Return it inboard of the joint with the modes Φ of the group, for the body that the joint carries."""
        P = tuple(column.plus(body.times(mode)) for column, mode in zip(self.P, modes, strict=True))
        Q = tuple(
            tuple(add(old, add(along(modes[i], P[j]), along(modes[j], self.P[i]))) for j, old in enumerate(self.Q[i]))
            for i in range(len(modes))
        )
        return SharedInertia(P, Q, _sum(self.s, [along(mode, body.bias) for mode in modes]))

    def seen_from_parent(self, frame: RelativeFrame) -> SharedInertia:
        """Return it about the origin of the parent's hinge frame, in its axes."""
        return SharedInertia(tuple(seen_from_parent(column, frame) for column in self.P), self.Q, self.s)


@repeated
def _crossed(
    outboard: SharedInertia, body: Articulated, modes: tuple[Mode, ...], frame: RelativeFrame
) -> SharedInertia:
    """Return what the parent of a link sees of a group, from what the links outboard of the link require."""
    return outboard.across(body, modes).seen_from_parent(frame)


@repeated
def _together(one: SharedInertia, other: SharedInertia) -> SharedInertia:
    return one.plus(other)


class GroupStep(NamedTuple):
    """An eliminated coordinate: its columns of P and of Q below the diagonal, 1/D and residual load."""

    P: Wrench
    below: tuple[Scalar, ...]
    inverse_D: Scalar
    residual: Scalar


@dataclass
class GroupSweep:
    """The shared coordinates of a tree in one pass of the articulated-body recursion."""

    motion: TreeMotion
    _open: dict[int, SharedInertia] = field(default_factory=dict)
    """By link of a group, what the links of the group outboard of it require; not yet eliminated."""
    _at_base: dict[int, SharedInertia] = field(default_factory=dict)
    """The same at the link that carries a group, by the number of the group."""
    _steps: dict[int, tuple[GroupStep, ...]] = field(default_factory=dict)

    def carried_by(self, index: int, body: Articulated, on_speeds: Sequence[Scalar]) -> Articulated:
        """Return a link with the coordinates of the groups that it carries eliminated."""
        for number, group in enumerate(self.motion.tree.groups):
            if group.base == index:
                loads = tuple(on_speeds[place] for place in group.places)
                body, self._steps[number] = eliminate_group(body, self._at_base.pop(number), loads)
        return body

    def cross(self, index: int, body: Articulated) -> None:
        """Take the coordinates of a group across the joint of one of its links."""
        tree, relative = self.motion.tree, self.motion.motions[index]
        number = tree.group_of[index]
        group, parent = tree.groups[number], tree.links[index].parent
        outboard = self._open.pop(index, None) or SharedInertia.none(len(group.places))
        found = _crossed(outboard, body, tuple(mode for _, mode in relative.free), relative.frame)
        at_base = parent == group.base
        held, key = (self._at_base, number) if at_base else (self._open, parent)
        held[key] = _together(held[key], found) if key in held else found

    def enter_rates(self, index: int, moving: Mode, rates: list[Scalar]) -> None:
        """Enter the rates of the shared speeds of the groups that a link carries."""
        for number, group in enumerate(self.motion.tree.groups):
            if group.base == index:
                for place, rate in zip(group.places, shared_rates(self._steps[number], moving), strict=True):
                    rates[place] = rate


@repeated
def eliminate_group(
    body: Articulated, shared: SharedInertia, loads: tuple[Scalar, ...]
) -> tuple[Articulated, tuple[GroupStep, ...]]:
    """Return the body with the shared coordinates eliminated, and the records for the sweep outward."""
    P, Q, s = list(shared.P), [list(row) for row in shared.Q], list(shared.s)
    steps: list[GroupStep] = []
    for k, load in enumerate(loads):
        inverse_D = divide(1, Q[k][k])
        residual = subtract(load, s[k])
        below = tuple(Q[i][k] for i in range(k + 1, len(loads)))
        steps.append(GroupStep(P[k], below, inverse_D, residual))
        pushed = multiply(inverse_D, residual)
        for i in range(k + 1, len(loads)):
            if is_zero(Q[i][k]):
                continue
            factor = multiply(inverse_D, Q[i][k])
            P[i] = P[i].minus(_scaled(factor, P[k]))
            s[i] = add(s[i], multiply(pushed, Q[i][k]))
            for j in range(k + 1, i + 1):
                Q[i][j] = subtract(Q[i][j], multiply(factor, Q[j][k]))
        body = _reduced(body, P[k], inverse_D, pushed)
    return body, tuple(steps)


@repeated
def shared_rates(steps: tuple[GroupStep, ...], moving: Mode) -> tuple[Scalar, ...]:
    """Return the rates of the shared speeds, for the acceleration of the carrying link beyond its coasting one."""
    rates: list[Scalar] = []
    for step in reversed(steps):
        pushed = along(moving, step.P)
        for coupling, rate in zip(step.below, reversed(rates), strict=True):
            pushed = add(pushed, multiply(coupling, rate))
        rates.append(multiply(step.inverse_D, subtract(step.residual, pushed)))
    return tuple(rates[::-1])


def _reduced(body: Articulated, U: Wrench, inverse_D: Scalar, pushed: Scalar) -> Articulated:
    """Return I − U Uᵀ/D and p + U r/D."""
    u: Six = (*U.moment, *U.force)
    scaled = [multiply(inverse_D, x) for x in u]

    def entry(old: Matrix, rows: int, columns: int, i: int, j: int) -> Scalar:
        return subtract(old[i][j], multiply(scaled[rows + i], u[columns + j]))

    def symmetric(old: Matrix, first: int) -> Matrix:
        xx, xy, xz, yy, yz, zz = (entry(old, first, first, i, j) for i in range(3) for j in range(i, 3))
        return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))

    a, b, c = (tuple(entry(body.H, 0, 3, i, j) for j in range(3)) for i in range(3))
    H = ((a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2]))
    return Articulated(symmetric(body.J, 0), H, symmetric(body.M, 3), body.bias.plus(_scaled(pushed, U)))


def _scaled(factor: Scalar, wrench: Wrench) -> Wrench:
    return Wrench(scale(factor, wrench.moment), scale(factor, wrench.force))


def _sum(a: Sequence[Scalar], b: Sequence[Scalar]) -> tuple[Scalar, ...]:
    return tuple(add(x, y) for x, y in zip(a, b, strict=True))
