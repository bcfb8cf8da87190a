"""Lines of ropes and belts over pulleys, with their arcs on the sheaves."""

from __future__ import annotations

import math

import numpy as np

from gyrostat.analysis.simulation.recorded import Recorded
from gyrostat.analysis.simulation.recorded_course import recorded_course
from gyrostat.coordinates.arguments import Floats
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import RopeElement
from gyrostat.model.kinds import End
from gyrostat.spatial import Vector
from gyrostat.system import System

_ARC = np.linspace(0.0, 1.0, 25)
"""Places on an arc, as shares of its angle."""
_EXTENT_SHARE, _SHEAVE_SHARE = 0.0025, 0.15
"""Radius of a rope's tube, as shares of the rope's extent and of the radius of a sheave at most."""


def rope_points(rope: RopeElement, system: System, recorded: Recorded, value: Evaluator) -> Floats:
    """Return the points of a rope at all instants, shape (N, K, 3)."""
    count = recorded.position(End("ground")).shape[1]
    course, stops = recorded_course(rope, system, recorded, value)
    sheaves = {stop.name: stop.station for stop in stops if stop.name}
    wraps = {name: np.broadcast_to(wrap, count) for name, wrap in course.wraps.items()}

    def points(vector: Vector) -> Floats:
        return np.stack([np.broadcast_to(one, count) for one in vector], axis=1)

    def on_sheave(name: str, begin: Vector) -> Floats:
        sheave = sheaves[name]
        angle = sheave.sense * np.maximum(wraps[name], 0.0)
        return _arc(points(sheave.centre), points(sheave.axis), angle, points(begin))

    arcs = {id(arc.leaving): arc for arc in course.arcs if arc.arriving is not None}
    pieces: list[Floats] = []
    for i, leg in enumerate(course.legs):
        before = arcs.get(id(leg))
        if before is not None and i:
            pieces.append(on_sheave(before.name, course.legs[i - 1].points[-1]))
        pieces.append(points(leg.points[0])[:, None])
        if leg.between is not None:
            pieces.append(on_sheave(leg.between.name, leg.points[1]))
        pieces.append(points(leg.points[-1])[:, None])
    if rope.closed:
        pieces.append(on_sheave(course.arcs[0].name, course.legs[-1].points[-1]))
    return np.concatenate(pieces, axis=1)


def rope_radius(rope: RopeElement, places: Floats, value: Evaluator) -> float | None:
    """Return the radius of a rope's tube: thin beside its extent and its sheaves; None where it has no extent."""
    extent = float(np.ptp(places[np.isfinite(places).all(axis=(1, 2))], axis=(0, 1)).max(initial=0.0))
    sheaves = [_SHEAVE_SHARE * float(value(pulley.radius)) for pulley in rope.pulleys]
    return min(_EXTENT_SHARE * extent, *sheaves, math.inf) or None


def _arc(centre: Floats, axis: Floats, angle: Floats, begin: Floats) -> Floats:
    """Return points on the arc from a point on, (N, K, 3)."""
    arm = begin - centre
    turned = angle[:, None, None] * _ARC[None, :, None]
    flat = np.cos(turned) * arm[:, None] + np.sin(turned) * np.cross(axis, arm)[:, None]
    return centre[:, None] + flat
