"""Constraints, one file each. A new one is listed here, or added from outside with `CONSTRAINTS.add`.

The kinds are imported when they are first used.
"""

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from
from gyrostat.model.constraints.constraint import CONSTRAINTS, Constraint, ConstraintRow

if TYPE_CHECKING:
    from gyrostat.model.constraints.cable import Cable
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

_KINDS = {
    "distance": ("Distance",),
    "point_on_line": ("PointOnLine",),
    "point_on_plane": ("PointOnPlane",),
    "point_on_curve": ("PointOnCurve",),
    "gear": ("Gear",),
    "rack_pinion": ("RackPinion",),
    "cable": ("Cable",),
    "point_driver": ("PointDriver",),
    "orientation_driver": ("OrientationDriver",),
    "equation": ("Equation",),
    "rolling_disc": ("RollingDisc",),
    "rolling_sphere": ("RollingSphere",),
    "knife_edge": ("KnifeEdge",),
}

__getattr__ = names_from(__name__, _KINDS)
CONSTRAINTS.declare(__getattr__, (name for names in _KINDS.values() for name in names))
