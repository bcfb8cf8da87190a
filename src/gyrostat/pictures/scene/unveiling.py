"""Solids that hide springs, ropes or joints inside them become translucent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gyrostat.pictures.rotation import rotated
from gyrostat.pictures.scene.body import SceneBody
from gyrostat.pictures.scene.checks import Floats
from gyrostat.pictures.scene.joint import JointMark
from gyrostat.pictures.scene.polyline import LineKind
from gyrostat.pictures.scene.scene import Scene
from gyrostat.pictures.scene.shape import SceneShape, ShapeKind

_OPACITY = 0.42
_JOINT_DEPTH = 0.026
"""Depth below the surface at which a joint's mark cannot be seen, in sizes of the scene."""
_LINE_DEPTHS = {LineKind.SPRING: 0.02, LineKind.SPRING_DAMPER: 0.02, LineKind.DAMPER: 0.014, LineKind.ACTUATOR: 0.018}
_THIN_LINE_DEPTH = 0.008
"""The same for the axes of lines by their kind, and for thin ones; a half of a line must be hidden."""
_JOINT_HIDING_DIAGONAL, _LINE_HIDING_DIAGONAL = 0.3, 0.06
"""The diagonals from which a solid hides joints, and from which it hides a line inside it, in sizes of the scene."""
_INSTANTS = 3
_SAMPLES = np.linspace(0.1, 0.9, 9)
_PAIR_LIMIT = 40_000
"""Most pairs of shapes and hidden things that are looked at; larger scenes stay as they are."""


def unveiled(scene: Scene, size: float) -> Scene:
    """Return a scene in which opaque solids around lines and joints are translucent."""
    things = len(scene.lines) + len(scene.joints)
    if sum(len(body.shapes) for body in scene.bodies) * things > _PAIR_LIMIT:
        return scene
    frames = np.unique(np.linspace(0, scene.frames - 1, _INSTANTS).round().astype(np.intp))
    marks = np.stack([_mark_places(scene, frame) for frame in frames])
    lines = np.stack([_line_places(scene, frame) for frame in frames])
    below = np.array([_LINE_DEPTHS.get(line.kind, _THIN_LINE_DEPTH) for line in scene.lines])
    bodies = [_seen_through(body, frames, marks, lines, below, size) for body in scene.bodies]
    return replace(scene, bodies=bodies)


def _seen_through(
    body: SceneBody, frames: NDArray[np.intp], marks: Floats, lines: Floats, below: Floats, size: float
) -> SceneBody:
    """Return a body whose shapes are translucent where they hide something in one of the frames."""
    hidden = [
        k
        for k, shape in enumerate(body.shapes)
        if shape.opacity == 1 and shape.kind in _SOLID_KINDS and _diagonal(shape) > _LINE_HIDING_DIAGONAL * size
    ]
    if not hidden:
        return body
    places = [_in_body(body, frames, places) for places in (marks, lines)]
    shapes = list(body.shapes)
    for k in hidden:
        joints, inside = (_depth(shapes[k], seen) for seen in places)
        half = (inside > size * below[:, None]).mean(axis=-1) >= 0.5
        deep = _diagonal(shapes[k]) > _JOINT_HIDING_DIAGONAL * size and (joints > _JOINT_DEPTH * size).any()
        if deep or half.any():
            shapes[k] = replace(shapes[k], opacity=_OPACITY)
    return replace(body, shapes=shapes)


def _in_body(body: SceneBody, frames: NDArray[np.intp], places: Floats) -> Floats:
    """Return places (F, …, 3) of the world in some frames, in body axes."""
    shape = (len(frames), *(1,) * (places.ndim - 2))
    positions, quaternions = (_at(values, frames, 1) for values in (body.positions, body.quaternions))
    position = np.broadcast_to(positions, (len(frames), 3)).reshape(*shape, 3)
    back = np.broadcast_to(quaternions * _CONJUGATION, (len(frames), 4)).reshape(*shape, 4)
    return rotated(back, places - position)


_CONJUGATION = np.array([1.0, -1.0, -1.0, -1.0])
_SOLID_KINDS = (ShapeKind.BOX, ShapeKind.CYLINDER, ShapeKind.SPHERE, ShapeKind.ELLIPSOID)


def _diagonal(shape: SceneShape) -> float:
    return float(np.linalg.norm(np.ptp(shape.corners(), axis=0)))


def _depth(shape: SceneShape, points: Floats) -> Floats:
    """Return how far below the surface of a solid points (…, 3) lie; negative outside."""
    p = (points - shape.position) @ shape.rotation
    d = shape.dimensions
    across = np.hypot(p[..., 0], p[..., 1])
    match shape.kind:
        case ShapeKind.BOX:
            return np.asarray((d["size"] / 2 - np.abs(p)).min(axis=-1))
        case ShapeKind.CYLINDER:
            return np.asarray(np.minimum(d["radius"] - across, d["length"] / 2 - np.abs(p[..., 2])))
        case ShapeKind.SPHERE:
            return np.asarray(d["radius"] - np.linalg.norm(p, axis=-1))
        case _:
            return np.asarray((1 - np.linalg.norm(p / d["semi_axes"], axis=-1)) * d["semi_axes"].min())


def _mark_places(scene: Scene, frame: int) -> Floats:
    """Return the places of the joints' marks in a frame (J, 3)."""
    of = {(body.run, body.name): body for body in scene.bodies}
    found = []
    for joint in scene.joints:
        if joint.mark in (JointMark.PLATE, JointMark.DOT):
            continue
        body = of.get((joint.run, joint.body))
        if body is None:
            found.append(joint.point)
        else:
            turn = _at(body.quaternions, frame, 1)
            found.append(_at(body.positions, frame, 1) + rotated(turn, joint.point))
    return np.array(found).reshape(-1, 3)


def _line_places(scene: Scene, frame: int) -> Floats:
    """Return places along the lines in a frame (L, S, 3)."""
    found = []
    for line in scene.lines:
        points = _at(line.points, frame, 2)
        at = _SAMPLES * (len(points) - 1)
        before = np.minimum(at.astype(np.intp), len(points) - 2)
        part = (at - before)[:, None]
        found.append((1 - part) * points[before] + part * points[before + 1])
    return np.array(found).reshape(-1, len(_SAMPLES), 3)


def _at(values: Floats, frame: int | NDArray[np.intp], still: int) -> Floats:
    return np.asarray(values[frame] if values.ndim > still else values)
