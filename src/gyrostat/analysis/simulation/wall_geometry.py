"""Surfaces of bodies as grains touch them: triangles, planes, capsules and spheres."""

from __future__ import annotations

import itertools

import numpy as np

from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.simulation.solid_arrays import box_faces
from gyrostat.model.body import Body
from gyrostat.model.contacts.core import Ball, Block, Core, Drum, Facets, HalfSpace, Peak, Segment, Surface
from gyrostat.model.contacts.solid_shapes import placed_cores
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.granular import WallGeometry

_SIDES = 48
"""Sides of the prisms and pyramids that stand for cylinders and cones."""


def wall_geometry(body: Body, value: Evaluator) -> WallGeometry:
    """Return the surfaces of a body that grains touch."""
    triangles, planes, segments, spheres = [], [], [], []
    for placed in placed_cores(body, value):
        rotation = np.array(placed.placement.R_BS, float)
        origin = np.array([float(x) for x in placed.placement.r_BS_B])
        match placed.core:
            case HalfSpace():
                planes.append(np.array([origin, rotation[:, 2]]))
            case Ball(radius):
                spheres.append([*origin, float(radius)])
            case Segment(half, radius):
                along = float(half) * rotation[:, 2]
                segments.append([*(origin - along), *(origin + along), float(radius)])
            case core:
                triangles.append(_triangles(core) @ rotation.T + origin)
    return WallGeometry(
        body.name,
        np.concatenate([np.zeros((0, 3, 3)), *triangles]),
        np.array(planes, float).reshape(-1, 2, 3),
        np.array(segments, float).reshape(-1, 7),
        np.array(spheres, float).reshape(-1, 4),
    )


def _triangles(core: Core) -> Floats:
    """Return the triangles of a shape, (m, 3, 3)."""
    match core:
        case Block(half):
            corners, faces = box_faces([float(x) for x in half])
            return _fans(corners, faces)
        case Facets(hull):
            return _fans(np.array(hull.corners, float), [face.corners for face in hull.faces])
        case Surface(mesh):
            return np.asarray(mesh.corners[mesh.triangles], float)
        case Drum(radius, half):
            return _turned([(0.0, -half), (radius, -half), (radius, half), (0.0, half)])
        case Peak(radius, height):
            return _turned([(0.0, -0.25 * height), (radius, -0.25 * height), (0.0, 0.75 * height)])
    raise TypeError(f"{type(core).__name__} has no triangles")


def _fans(corners: Floats, faces: list[tuple[int, ...]]) -> Floats:
    """Return convex faces cut into triangles."""
    found = [corners[[face[0], face[k], face[k + 1]]] for face in faces for k in range(1, len(face) - 1)]
    return np.array(found, float).reshape(-1, 3, 3)


def _turned(profile: list[tuple[float, float]]) -> Floats:
    """Return the surface of a body of revolution about z, by radii and heights."""
    angles = 2.0 * np.pi * np.arange(_SIDES) / _SIDES
    circle = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    found = []
    for (r, z), (s, y) in itertools.pairwise(profile):
        for k in range(_SIDES):
            a, b = circle[k], circle[(k + 1) % _SIDES]
            lower, upper = [(*(r * one), z) for one in (a, b)], [(*(s * one), y) for one in (a, b)]
            if r:
                found.append([lower[0], lower[1], upper[1] if s else upper[0]])
            if s:
                found.append([lower[0], upper[1], upper[0]])
    return np.array(found, float).reshape(-1, 3, 3)
