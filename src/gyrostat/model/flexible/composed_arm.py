"""Arms one after the other as one arm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.polynomial_arm import Arm, along_rates
from gyrostat.model.joints.joint import Coordinate
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.scalar import Scalar
from gyrostat.spatial import Vector, apply, cross, minus, plus, product, transpose


@dataclass(frozen=True)
class ComposedArm(Arm):
    """The arm from the root over all steps to a station.

    Recursions pass the steps one by one; this is for formulas that treat a station as one arm.
    """

    labelled: tuple[Coordinate, ...] = field(kw_only=True)
    steps: tuple[Arm, ...] = field(kw_only=True)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The elastic coordinates."""
        return self.labelled

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose after all steps."""
        found = Pose()
        for step in self.steps:
            own = step.pose(q, value)
            r = plus(found.r_PC_P, apply(found.R_PC, own.r_PC_P))
            found = Pose(product(found.R_PC, own.R_PC), r)
        return found

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return the velocities per unit of each rate, carried from step to step."""
        found = tuple(Mode("bending") for _ in self.labelled)
        for step in self.steps:
            pose = step.pose(q, value)
            own = step.motion_space(q, value)
            found = tuple(_carried(mode, pose, more) for mode, more in zip(found, own, strict=True))
        return found

    def motion_rate(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> Mode:
        """Return the rates of the velocities' components while the rates u do not change."""
        velocity, rate = Mode("velocity"), Mode("rate")
        for step in self.steps:
            pose, own = step.pose(q, value), step.motion_rate(q, u, value)
            modes = step.motion_space(q, value)
            relative = Mode(
                "relative",
                along_rates([mode.angular for mode in modes], u),
                along_rates([mode.linear for mode in modes], u),
            )
            R_CP = transpose(pose.R_PC)
            before = _carried(velocity, pose, Mode("none"))
            r_rate = apply(pose.R_PC, relative.linear)
            linear = plus(plus(rate.linear, cross(rate.angular, pose.r_PC_P)), cross(velocity.angular, r_rate))
            rate = Mode(
                "rate",
                plus(_turned(R_CP, rate.angular, relative.angular, before.angular), own.angular),
                plus(_turned(R_CP, linear, relative.angular, before.linear), own.linear),
            )
            velocity = _carried(velocity, pose, relative)
        return rate


def _carried(mode: Mode, pose: Pose, more: Mode) -> Mode:
    """Return a motion at the end of a step: that of its start, carried, and that of the step."""
    R_CP = transpose(pose.R_PC)
    linear = apply(R_CP, plus(mode.linear, cross(mode.angular, pose.r_PC_P)))
    return Mode(mode.label, plus(apply(R_CP, mode.angular), more.angular), plus(linear, more.linear))


def _turned(R_CP: tuple[Vector, Vector, Vector], rate: Vector, omega: Vector, vector: Vector) -> Vector:
    """Return the rate of a vector's components in axes that turn with ω, from that in the axes before."""
    return minus(apply(R_CP, rate), cross(omega, vector))
