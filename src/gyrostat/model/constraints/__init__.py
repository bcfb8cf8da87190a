"""Constraints, one file each. A new one is added here by one line, or from outside with `CONSTRAINTS.add`."""

from gyrostat.model.constraints.cable import Cable
from gyrostat.model.constraints.constraint import CONSTRAINTS, Constraint, ConstraintRow
from gyrostat.model.constraints.distance import Distance
from gyrostat.model.constraints.equation import Equation
from gyrostat.model.constraints.gear import Gear
from gyrostat.model.constraints.knife_edge import KnifeEdge
from gyrostat.model.constraints.orientation_driver import OrientationDriver
from gyrostat.model.constraints.point_driver import PointDriver
from gyrostat.model.constraints.point_on_curve import PointOnCurve
from gyrostat.model.constraints.point_on_line import PointOnLine
from gyrostat.model.constraints.point_on_plane import PointOnPlane
from gyrostat.model.constraints.rack_pinion import RackPinion
from gyrostat.model.constraints.rolling_disc import RollingDisc
from gyrostat.model.constraints.rolling_sphere import RollingSphere

for _constraint in (
    *(Distance, PointOnLine, PointOnPlane, PointOnCurve, Gear, RackPinion, Cable, PointDriver, OrientationDriver),
    *(Equation, RollingDisc, RollingSphere, KnifeEdge),
):
    CONSTRAINTS.add(_constraint)

__all__ = [
    "CONSTRAINTS",
    "Cable",
    "Constraint",
    "ConstraintRow",
    "Distance",
    "Equation",
    "Gear",
    "KnifeEdge",
    "OrientationDriver",
    "PointDriver",
    "PointOnCurve",
    "PointOnLine",
    "PointOnPlane",
    "RackPinion",
    "RollingDisc",
    "RollingSphere",
]
