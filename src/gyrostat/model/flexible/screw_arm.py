"""A step along a strain-based beam as an arm: from one section to the next, or to a station."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.magnus import Magnus, ScrewMotion
from gyrostat.model.flexible.polynomial_arm import Arm, along_rates
from gyrostat.model.flexible.screw_step import ScrewStep
from gyrostat.model.joints.joint import Coordinate
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import is_zero
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import UNIT, ZERO, Vector, plus, scale

_Velocity: TypeAlias = Callable[[Vector], tuple[Vector, Vector]]
_AXES = tuple(UNIT[axis] for axis in "xyz")


class LinearScrew(NamedTuple):
    """A screw that is linear in the elastic coordinates: its value at zero, and its derivatives."""

    constant: ScrewMotion
    columns: tuple[ScrewMotion, ...]

    def at(self, q: Sequence[Scalar]) -> ScrewMotion:
        """Return its value."""
        return self.constant.plus(self.along(q))

    def along(self, u: Sequence[Scalar]) -> ScrewMotion:
        """Return its rate."""
        turns, shifts = ([getattr(column, part) for column in self.columns] for part in ("turn", "shift"))
        return ScrewMotion(along_rates(turns, u), along_rates(shifts, u))


_Screws: TypeAlias = tuple[LinearScrew, LinearScrew, LinearScrew]


@dataclass(frozen=True)
class ScrewArm(Arm):
    """A place at exp(Ω) of the section before it, with Ω by Magnus's series of three linear screws."""

    labelled: tuple[Coordinate, ...] = field(kw_only=True)
    screws: _Screws = field(kw_only=True)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The elastic coordinates."""
        return self.labelled

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose at the end of the step."""
        return _Moment.of(self.screws, q).pose

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return the velocities per unit of each rate."""
        return _Moment.of(self.screws, q).modes

    def motion_rate(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> Mode:
        """Return the rates of the velocities' components while the rates u do not change."""
        return _Moment.of(self.screws, q).rate(u)

    def motion(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> tuple[Pose, tuple[Mode, ...], Mode]:
        """Return all of them, with Ω formed once."""
        return _motion(self.screws, tuple(q), tuple(u))


@repeated
def _motion(screws: _Screws, q: tuple[Scalar, ...], u: tuple[Scalar, ...]) -> tuple[Pose, tuple[Mode, ...], Mode]:
    """Return pose, velocities per unit of each rate, and the rate of the velocity's components."""
    found = _Moment.of(screws, q)
    return found.pose, found.modes, found.rate(u)


@dataclass(frozen=True)
class _Moment:
    """A step at given coordinates."""

    screws: _Screws
    magnus: Magnus
    step: ScrewStep

    @staticmethod
    def of(screws: _Screws, q: Sequence[Scalar]) -> _Moment:
        magnus = Magnus(*(screw.at(q) for screw in screws))
        return _Moment(screws, magnus, ScrewStep(*magnus.value))

    @property
    def pose(self) -> Pose:
        return Pose(self.step.R, self.step.r)

    @property
    def modes(self) -> tuple[Mode, ...]:
        columns = zip(*(screw.columns for screw in self.screws), strict=True)
        rates = [self.magnus.rate(Magnus(*column)) for column in columns]
        turned = _columns([rate.turn for rate in rates], lambda axis: self.step.velocity(axis, ZERO))
        moved = _columns([rate.shift for rate in rates], lambda axis: self.step.velocity(ZERO, axis))
        return tuple(Mode("bending", plus(a, c), plus(b, d)) for (a, b), (c, d) in zip(turned, moved, strict=True))

    def rate(self, u: Sequence[Scalar]) -> Mode:
        change = Magnus(*(screw.along(u) for screw in self.screws))
        turn, shift = self.magnus.rate(change)
        return Mode("rate", *self.step.rate_of_velocity(turn, shift, *self.magnus.second_rate(change)))


def _columns(rates: Sequence[Vector], velocity: _Velocity) -> list[tuple[Vector, Vector]]:
    """Return the velocities of several rates of one vector: sums of those of its components, each formed once."""
    used = [any(not is_zero(rate[k]) for rate in rates) for k in range(3)]
    known = {k: velocity(_AXES[k]) for k in range(3) if used[k]}
    found: list[tuple[Vector, Vector]] = []
    for rate in rates:
        angular, linear = ZERO, ZERO
        for k, (turning, moving) in known.items():
            if not is_zero(rate[k]):
                angular, linear = plus(angular, scale(rate[k], turning)), plus(linear, scale(rate[k], moving))
        found.append((angular, linear))
    return found
