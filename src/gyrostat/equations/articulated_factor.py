"""The factors of the mass matrix as the articulated-body recursion has them.

The recursion is a factorisation M = Lᵀ D L that is never written out: a sweep inward takes a column b of loads on the
speeds to the residual load on each mode, r = L⁻ᵀ b, one outward takes D⁻¹ r to M⁻¹ b = L⁻¹ D⁻¹ r.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gyrostat.equations.articulated_body import Elimination, accelerated, articulated_modes, single_direction
from gyrostat.equations.loads import Wrench
from gyrostat.equations.newton_euler import along, seen_from_parent
from gyrostat.kinematics.link_motion import RelativeFrame
from gyrostat.kinematics.mechanism import GROUND_INDEX
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.model.joints import Mode
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, subtract
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import ZERO, Vector, dot, scale


@dataclass(frozen=True)
class ArticulatedFactor:
    """The factors of the mass matrix as the articulated-body recursion has them, for any loads on the speeds."""

    motion: TreeMotion
    modes: Mapping[int, list[Elimination]]
    inverse: tuple[Scalar, ...]
    """1/D by place in u."""

    @staticmethod
    def of(motion: TreeMotion) -> ArticulatedFactor:
        """Return the factors at a state."""
        modes = articulated_modes(motion)
        inverse: list[Scalar] = [0] * motion.tree.coordinates.n_u
        for i, link in enumerate(motion.tree.links):
            for step in modes[i]:
                inverse[step.place] = step.inverse_D
            for wheel in link.wheels:
                if wheel.place is not None:
                    inverse[wheel.place[1]] = divide(1, wheel.inertia)
        return ArticulatedFactor(motion, modes, tuple(inverse))

    def solve(self, loads: Sequence[Scalar]) -> list[Scalar]:
        """Return M⁻¹ times a column of loads on the speeds."""
        return self.outward(self.inward(loads))

    def inward(self, loads: Sequence[Scalar]) -> list[Scalar]:
        """Return the residual load on each mode, r = L⁻ᵀ b, by a sweep inward."""
        tree = self.motion.tree
        passed = [Wrench()] * len(tree.links)
        left: list[Scalar] = [0] * tree.coordinates.n_u
        for i in reversed(range(len(tree.links))):
            link, bias = tree.links[i], passed[i]
            for wheel in link.wheels:
                if wheel.place is not None:
                    place = wheel.place[1]
                    left[place] = loads[place]
                    bias = bias.plus(Wrench(scale(loads[place], wheel.axis)))
            steps = tuple(
                (step.U, step.inverse_D, step.mode.angular, step.mode.linear, loads[step.place], step.armature)
                for step in self.modes[i]
            )
            parent = passed[link.parent] if link.parent != GROUND_INDEX else None
            found, beyond = _swept_inward(bias, steps, self.motion.motions[i].frame, parent)
            for step, load in zip(self.modes[i], found, strict=True):
                left[step.place] = load
            if beyond is not None:
                passed[link.parent] = beyond
        return left

    def outward(self, left: Sequence[Scalar]) -> list[Scalar]:
        """Return the accelerations for the residual loads of `inward`."""
        tree = self.motion.tree
        rates: list[Scalar] = [0] * tree.coordinates.n_u
        gained: dict[int, tuple[Vector, Vector]] = {GROUND_INDEX: (ZERO, ZERO)}
        for i, link in enumerate(tree.links):
            relative = self.motion.motions[i]
            eliminated = list(reversed(self.modes[i]))
            steps = tuple(
                (step.U, step.inverse_D, left[step.place], step.mode.angular, step.mode.linear) for step in eliminated
            )
            found, angular, linear = accelerated(relative.frame, *gained[link.parent], steps)
            for step, rate in zip(eliminated, found, strict=True):
                rates[step.place] = rate
            gained[i] = angular, linear
            for wheel in link.wheels:
                if wheel.place is not None:
                    place = wheel.place[1]
                    rates[place] = subtract(multiply(self.inverse[place], left[place]), dot(wheel.axis, angular))
        return rates


@repeated
def _swept_inward(
    bias: Wrench,
    steps: tuple[tuple[Wrench, Scalar, Vector, Vector, Scalar, Scalar], ...],
    frame: RelativeFrame,
    parent: Wrench | None,
) -> tuple[tuple[Scalar, ...], Wrench | None]:
    """Return the residual loads on a link's modes, and the wrench through its parent with what is passed on to it.

    A step has U, 1/D, the mode's directions, the load on its speed and its armature.
    """
    left: list[Scalar] = []
    for U, inverse_D, angular, linear, load, armature in steps:
        mode = Mode("free", angular, linear)
        left.append(subtract(load, along(mode, bias)))
        single = single_direction(mode, armature)
        bias = _passed_on(bias, mode, U, multiply(inverse_D, left[-1]), load, single)
    return tuple(left), None if parent is None else parent.plus(seen_from_parent(bias, frame))


def _passed_on(bias: Wrench, mode: Mode, U: Wrench, size: Scalar, load: Scalar, single: int) -> Wrench:
    """Return p + U (τ − φᵀp)/D, with the given size of (τ − φᵀp)/D; in a mode's single direction, τ."""
    p = [add(old, multiply(u, size)) for old, u in zip((*bias.moment, *bias.force), (*U.moment, *U.force), strict=True)]
    if single >= 0:
        p[single] = multiply((*mode.angular, *mode.linear)[single], load)
    return Wrench((p[0], p[1], p[2]), (p[3], p[4], p[5]))
