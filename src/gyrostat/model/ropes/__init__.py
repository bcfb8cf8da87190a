"""Paths of ropes over pulleys: tangent points, spans, wrap angles and directions of forces, over abstract scalars."""

from gyrostat.model.ropes.leg import Leg, leg_between
from gyrostat.model.ropes.path_kind import PathKind
from gyrostat.model.ropes.pulley import Pulley
from gyrostat.model.ropes.span import Span, Unit, span_between
from gyrostat.model.ropes.station import Station
from gyrostat.model.ropes.wrap import wrap_angle

__all__ = ["Leg", "PathKind", "Pulley", "Span", "Station", "Unit", "leg_between", "span_between", "wrap_angle"]
