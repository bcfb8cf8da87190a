"""The course of a rope over pulleys at all instants of a motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.simulation.recorded import Recorded
from gyrostat.kinematics.placement import place_on_body
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import PointMotion, RopeElement
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.model.ropes.course import Course, CourseStop, course_of
from gyrostat.model.ropes.path import stops_at
from gyrostat.scalar import Scalar
from gyrostat.scalar.arrays import ArrayScalars
from gyrostat.spatial import Matrix, Vector
from gyrostat.system import System


@dataclass(frozen=True)
class _RecordedPlaces:
    """Places on bodies at all instants of a motion."""

    system: System
    recorded: Recorded
    value: Evaluator

    def end(self, end: End) -> PointMotion:
        """Return the pose of a frame on a body, on the ground in numbers; its velocity is not needed.

        Components of its place that are zero at all instants are numbers, so that plane courses are known to be plane.
        """
        if end.body == GROUND:
            placement = self.system.model.placement(end, self.value)
            assert placement is not None, "a checked model has every end"
            return PointMotion(placement[1], (0, 0, 0), placement[0], (0, 0, 0))
        R_BE, _ = place_on_body(self.system.model, end, self.value)
        R_WE = self.recorded.body_rotations(end.body) @ R_BE
        place = self.recorded.position(end)
        x, y, z = (along if away else 0 for along, away in zip(place, np.any(place != 0.0, axis=1), strict=True))
        rows: list[Vector] = [(R_WE[:, i, 0], R_WE[:, i, 1], R_WE[:, i, 2]) for i in range(3)]
        rotation: Matrix = (rows[0], rows[1], rows[2])
        return PointMotion((x, y, z), (0, 0, 0), rotation, (0, 0, 0))

    def evaluate(self, formula: Formula) -> Scalar:
        """Return the value of a formula of parameters."""
        return self.value(formula)


def recorded_course(
    rope: RopeElement, system: System, recorded: Recorded, value: Evaluator
) -> tuple[Course, list[CourseStop]]:
    """Return the course of a rope and its stops at all instants, on arrays."""
    stops = stops_at(rope.path, _RecordedPlaces(system, recorded, value))
    return course_of(stops, ArrayScalars(), closed=rope.closed), stops
