"""Refusal of grains that overlap each other or walls at the start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.simulation.grain_start import OVERLAP_LIMIT
from gyrostat.analysis.simulation.native_grains import NativeGrains
from gyrostat.errors import StateError
from gyrostat.model.contacts.core import Ball, Block, Core, Drum, Facets, Peak, Segment, Surface
from gyrostat.model.contacts.solid_shapes import placed_cores
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.granular import GranularBed
from gyrostat.model.shapes.hull import open_edges
from gyrostat.scalar import FloatScalars


def require_grains_apart(bed: GranularBed, frames: Floats, bodies: Mapping[str, Any]) -> None:
    """Refuse grains that overlap by more than a tenth of the smaller radius, or lie inside a body."""
    _require_apart(bed)
    value = Evaluator(FloatScalars(), bed.parameters.__getitem__)
    for wall, frame in zip(bed.walls, frames, strict=True):
        rotation = frame[3:12].reshape(3, 3)
        local = (bed.positions - frame[:3]) @ rotation
        for placed in placed_cores(bodies[wall.body], value):
            turn, origin = np.array(placed.placement.R_BS, float), np.array(placed.placement.r_BS_B, float)
            inside = np.flatnonzero(_is_inside(placed.core, (local - origin) @ turn))
            if len(inside):
                _refuse(bed, int(inside[0]), f"lies inside {wall.body!r}")
    depths = NativeGrains(bed).wall_depths(frames)
    deepest = int(np.argmax(depths / bed.radii)) if len(depths) else 0
    if len(depths) and depths[deepest] > OVERLAP_LIMIT * bed.radii[deepest]:
        _refuse(bed, deepest, f"overlaps a wall by {depths[deepest]:.3g} m")


def _refuse(bed: GranularBed, i: int, fact: str) -> None:
    at = ", ".join(f"{x:.3g}" for x in bed.positions[i])
    raise StateError(
        f"Grains {bed.name!r}: grain {i} at ({at}) {fact} at the start; its radius is {bed.radii[i]:.3g} m. Move the "
        "box or the positions of the grains clear of the walls."
    )


def _require_apart(bed: GranularBed) -> None:
    reach = 2.0 * float(bed.radii.max())
    pairs = cKDTree(bed.positions).query_pairs(reach, output_type="ndarray")
    if not len(pairs):
        return
    a, b = pairs.T
    depth = bed.radii[a] + bed.radii[b] - np.linalg.norm(bed.positions[a] - bed.positions[b], axis=1)
    share = depth / np.minimum(bed.radii[a], bed.radii[b])
    worst = int(np.argmax(share))
    if share[worst] > OVERLAP_LIMIT:
        raise StateError(
            f"Grains {bed.name!r}: grains {a[worst]} and {b[worst]} overlap by {depth[worst]:.3g} m at the start; the "
            f"smaller radius is {min(bed.radii[a[worst]], bed.radii[b[worst]]):.3g} m. Give positions further apart."
        )


def _is_inside(core: Core, x: Floats) -> Any:
    """Tell for places in the frame of a shape which of them lie inside."""
    match core:
        case Ball(radius):
            return np.linalg.norm(x, axis=1) < float(radius)
        case Segment(half, radius):
            along = np.clip(x[:, 2], -float(half), float(half))
            return np.hypot(np.hypot(x[:, 0], x[:, 1]), x[:, 2] - along) < float(radius)
        case Block(half):
            return (np.abs(x) < np.array([float(one) for one in half])).all(axis=1)
        case Drum(radius, half):
            return (np.hypot(x[:, 0], x[:, 1]) < float(radius)) & (np.abs(x[:, 2]) < float(half))
        case Peak(radius, height):
            share = 0.75 - x[:, 2] / float(height)
            return (share > 0) & (share < 1) & (np.hypot(x[:, 0], x[:, 1]) < float(radius) * share)
        case Facets(hull):
            faces = np.array([[*face.normal, face.offset] for face in hull.faces])
            return (x @ faces[:, :3].T < faces[:, 3]).all(axis=1)
        case Surface(mesh) if not open_edges(mesh.triangles.tolist()):
            triangles = np.asarray(mesh.corners[mesh.triangles], float)
            if np.linalg.det(triangles).sum() > 0.0:  # of a vessel, whose triangles face inwards, it is not
                return _is_enclosed(triangles, x)
    return np.zeros(len(x), bool)


_RAY = np.array([0.5257311121191336, 0.2628655560595668, 0.8090169943749475])
"""Direction of rays, along no edge of usual meshes."""


def _is_enclosed(triangles: Floats, x: Floats) -> Any:
    """Tell which places a closed surface encloses: a ray from there passes it an odd number of times."""
    passed = np.zeros(len(x), np.int64)
    for a, b, c in triangles:
        p = np.cross(_RAY, c - a)
        size = p @ (b - a)
        if size == 0.0:
            continue
        s = x - a
        u = s @ p / size
        q = np.cross(s, b - a)
        v, w = q @ _RAY / size, q @ (c - a) / size
        passed += (u >= 0) & (v >= 0) & (u + v <= 1) & (w > 0)
    return passed % 2 == 1
