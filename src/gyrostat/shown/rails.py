"""Rails of slides and slots of points, over the range that a motion travels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.simulation.recorded import Recorded
from gyrostat.coordinates.arguments import Floats
from gyrostat.kinematics.placement import place_on_body
from gyrostat.model import Model
from gyrostat.model.constraints import PointOnCurve, PointOnLine
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import End
from gyrostat.pictures.scene import JointMark, SceneShape
from gyrostat.shown.attachments import joint_mark

_POINT_LIMIT = 200
"""Largest number of points of a slot that is a curve."""


class Rail(NamedTuple):
    """A line (K, 3) on a body, in its axes, along which another body or a point moves, with the component's name."""

    name: str
    body: str
    points: Floats


def rails(
    model: Model, recorded: Recorded, value: Evaluator, margin: float, solids: Mapping[str, Sequence[SceneShape]]
) -> Iterator[Rail]:
    """Yield the rails of a model, longer by a margin than the range that the solid of the sliding body covers."""
    for joint in model.joints.values():
        mark = joint_mark(joint, value)
        if mark is not None and mark[0] in (JointMark.SLIDER, JointMark.SLEEVE):
            below, above = _overhang(model, joint.child, mark[1], value, solids.get(joint.child.body, ()))
            travel = _seen_from(model, recorded, value, joint.parent, joint.child)
            ends = (below - margin, above + margin)
            yield _rail(joint.name, place_on_body(model, joint.parent, value), joint.parent.body, mark[1], travel, ends)
    for constraint in model.constraints.values():
        match constraint:
            case PointOnLine(point=point, line=line, direction=direction):
                axis = np.array(value.vector(direction), dtype=float)
                travel = _seen_from(model, recorded, value, line, point)
                place = place_on_body(model, line, value)
                yield _rail(constraint.name, place, line.body, axis, travel, (-margin, margin))
            case PointOnCurve(point=point, curve=curve):
                R_BE, r_BE_B = place_on_body(model, curve, value)
                way = r_BE_B + _seen_from(model, recorded, value, curve, point) @ R_BE.T
                few = np.unique(np.linspace(0, len(way) - 1, min(len(way), _POINT_LIMIT)).round().astype(np.intp))
                if len(few) > 1 and np.isfinite(way).all():
                    yield Rail(constraint.name, curve.body, way[few])


def _rail(
    name: str, place: tuple[Floats, Floats], body: str, axis_E: Floats, travel: Floats, ends: tuple[float, float]
) -> Rail:
    """Return the rail along an axis of a frame over the range travelled (N, 3) in its axes, and beyond."""
    axis = axis_E / np.linalg.norm(axis_E)
    ways = travel @ axis
    known = ways[np.isfinite(ways)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    R_BE, r_BE_B = place
    along = R_BE @ axis
    return Rail(name, body, np.stack([r_BE_B + (low + ends[0]) * along, r_BE_B + (high + ends[1]) * along]))


def _overhang(
    model: Model, end: End, axis_E: Floats, value: Evaluator, shapes: Sequence[SceneShape]
) -> tuple[float, float]:
    """Return how far the solid of a body reaches along an axis of an end on it, downwards and upwards."""
    if not shapes:
        return 0.0, 0.0
    R_BE, r_BE_B = place_on_body(model, end, value)
    ways = (np.concatenate([shape.corners() for shape in shapes]) - r_BE_B) @ R_BE @ (axis_E / np.linalg.norm(axis_E))
    return min(0.0, float(ways.min())), max(0.0, float(ways.max()))


def _seen_from(model: Model, recorded: Recorded, value: Evaluator, frame: End, point: End) -> Floats:
    """Return the positions (N, 3) of a place relative to a frame, in the frame's axes."""
    R_BE, _ = place_on_body(model, frame, value)
    away = (recorded.position(point) - recorded.position(frame)).T
    return np.asarray(np.einsum("nij,ni->nj", recorded.body_rotations(frame.body) @ R_BE, away))
