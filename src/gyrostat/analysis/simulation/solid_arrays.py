"""Corners, edges, faces and triangles of shapes as arrays of kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.kernels.problem import Floats, Places
from gyrostat.analysis.kernels.solid_tables import DRUM, NO_CURVE, PEAK, RIM_CORNERS, Solids, Surfaces
from gyrostat.analysis.simulation.boxes import BoxTree
from gyrostat.model.contacts.core import Ball, Block, Core, Drum, Facets, Peak, Segment, Surface
from gyrostat.model.shapes.hull import Hull
from gyrostat.model.shapes.triangles import Triangles

_PARALLEL_TOLERANCE = 1e-9
"""Sine of the angle below which edges are parallel."""
_CURVES = {Drum: DRUM, Peak: PEAK}
_BOX_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
"""Corners around the faces of a box, whose corners are counted by the signs of x, y and z."""


def solids_of(cores: Sequence[Core]) -> Solids:
    """Return the corners, edges and faces of shapes; of those that have none, empty ones."""
    parts = [_solid(core) for core in cores]
    faces = [face for _, found, _ in parts for face in found]
    directions = [
        [[0.0, 0.0, 1.0]] if isinstance(core, Drum) else _directions(np.array(corners).reshape(-1, 3), edges)
        for core, (corners, _, edges) in zip(cores, parts, strict=True)
    ]
    return Solids(
        _starts([len(corners) for corners, _, _ in parts]),
        _stacked([corners for corners, _, _ in parts], 3),
        _starts([len(found) for _, found, _ in parts]),
        np.array([[*normal, offset] for normal, offset, _ in faces], float).reshape(-1, 4),
        _starts([len(around) for _, _, around in faces]),
        np.array([corner for _, _, around in faces for corner in around], np.int64),
        _starts([len(edges) for _, _, edges in parts]),
        np.array([edge for _, _, edges in parts for edge in edges], np.int64).reshape(-1, 2),
        _starts([len(found) for found in directions]),
        _stacked(directions, 3),
        np.array([float(core.radius) if isinstance(core, Ball | Segment) else 0.0 for core in cores]),
        np.array([_CURVES.get(type(core), NO_CURVE) for core in cores], np.int64),
        np.array([_round_sizes(core) for core in cores], float).reshape(-1, 2),
    )


_Face = tuple[Sequence[float], float, Sequence[int]]
_Solid = tuple[Sequence[Sequence[float]], Sequence[_Face], Sequence[tuple[int, int]]]


def _solid(core: Core) -> _Solid:
    """Return corners, faces and edges of a shape."""
    match core:
        case Ball():
            return [(0.0, 0.0, 0.0)], [], [(0, 0)]
        case Segment(half, _):
            return [(0.0, 0.0, -float(half)), (0.0, 0.0, float(half))], [], [(0, 1)]
        case Block(half):
            return _box([float(x) for x in half])
        case Facets(hull):
            return _hull(hull)
        case Drum(_, half):
            return _drum(float(half))
        case Peak(_, height):
            return _peak(float(height))
    return [], [], []


def box_faces(half: list[float]) -> tuple[Floats, list[tuple[int, ...]]]:
    """Return the corners of a box and, for each face, their numbers around it."""
    return np.array(_box_corners(half)), list(_BOX_FACES)


def _box_corners(half: list[float]) -> list[tuple[float, float, float]]:
    x, y, z = half
    return [(i * x, j * y, k * z) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]


def _box(half: list[float]) -> _Solid:
    corners = _box_corners(half)
    axes = [(sign * (k == 0), sign * (k == 1), sign * (k == 2)) for k in range(3) for sign in (-1.0, 1.0)]
    faces = [(tuple(map(float, n)), half[f // 2], _BOX_FACES[f]) for f, n in enumerate(axes)]
    return corners, faces, _edges_of([around for _, _, around in faces])


def _drum(half: float) -> _Solid:
    """Return a cylinder: room for corners on both rims, both ends, a square in each, and the lowest line."""
    up, down = (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)
    top, bottom = list(range(RIM_CORNERS)), list(range(2 * RIM_CORNERS - 1, RIM_CORNERS - 1, -1))
    square = slice(None, None, RIM_CORNERS // 4)
    low = [RIM_CORNERS, *bottom[square.step - 1 : -1 : square.step]]
    faces = [
        (up, half, top),
        (down, half, bottom),
        (up, half, top[square]),
        (down, half, low),
        (up, 0.0, [0, RIM_CORNERS]),
    ]
    return [(0.0, 0.0, 0.0)] * (2 * RIM_CORNERS), faces, []


def _peak(height: float) -> _Solid:
    """Return a cone: room for corners on the rim, the apex; the base, a square in it, and the lowest line."""
    down, base = (0.0, 0.0, -1.0), list(range(RIM_CORNERS - 1, -1, -1))
    step = RIM_CORNERS // 4
    square = [0, *base[step - 1 : -1 : step]]
    faces = [(down, height / 4, base), (down, height / 4, square), (down, 0.0, [0, RIM_CORNERS])]
    return [*[(0.0, 0.0, 0.0)] * RIM_CORNERS, (0.0, 0.0, 0.75 * height)], faces, []


def _round_sizes(core: Core) -> tuple[float, float]:
    """Return the radius of a round shape, and half the length of a cylinder or the height of a cone."""
    match core:
        case Drum(radius, half):
            return float(radius), float(half)
        case Peak(radius, height):
            return float(radius), float(height)
    return 0.0, 0.0


def _hull(hull: Hull) -> _Solid:
    faces = [(face.normal, face.offset, face.corners) for face in hull.faces]
    return list(hull.corners), faces, list(hull.edges)


def _edges_of(loops: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    pairs = {tuple(sorted((loop[k - 1], loop[k]))) for loop in loops for k in range(len(loop))}
    return [(a, b) for a, b in sorted(pairs)]


def _directions(corners: Floats, edges: Sequence[tuple[int, int]]) -> list[list[float]]:
    """Return unit vectors along edges, those of parallel ones once."""
    found: list[Floats] = []
    for a, b in edges:
        along = corners[b] - corners[a]
        size = float(np.linalg.norm(along))
        if size > 0 and not any(np.linalg.norm(np.cross(along / size, one)) < _PARALLEL_TOLERANCE for one in found):
            found.append(along / size)
    return [one.tolist() for one in found]


def surfaces_of(cores: Sequence[Core]) -> Surfaces:
    """Return the triangles of shapes with their edges, corners and boxes; of those that have none, empty ones."""
    meshes = [core.triangles if isinstance(core, Surface) else None for core in cores]
    parts = [_SurfaceArrays(mesh) for mesh in meshes if mesh is not None]
    trees = [part.tree for part in parts]
    at_corner = _starts([len(part.corners) for part in parts])
    at_triangle = _starts([len(part.triangles) for part in parts])
    at_edge = _starts([len(part.edges) for part in parts])
    sizes = iter([len(tree.boxes) for tree in trees])
    owned = [part.owned(e, c) for part, e, c in zip(parts, at_edge, at_corner, strict=False)]
    spokes = [spoke for part in parts for spoke in part.spokes]
    return Surfaces(
        _starts([0 if mesh is None else next(sizes) for mesh in meshes]),
        _stacked([np.array(tree.boxes) for tree in trees], 6),
        np.array([after for tree in trees for after in tree.following], np.int64),
        _integers([row for tree, at in zip(trees, at_triangle, strict=False) for row in tree.content_from(int(at))], 2),
        _integers([row for part, at in zip(parts, at_corner, strict=False) for row in part.triangles + at], 3),
        _stacked([part.corners for part in parts], 3),
        _stacked([part.normals for part in parts], 3),
        _integers([row for part in owned for row in part], 6),
        _stacked([part.edges for part in parts], 15),
        _starts([len(one) for one in spokes]),
        _stacked(spokes, 3),
        _stacked([part.corner_normals for part in parts], 3),
    )  # fmt: skip


class _SurfaceArrays:
    """The arrays of one surface, with its triangles in the order of its boxes."""

    def __init__(self, mesh: Triangles) -> None:
        self.corners = mesh.corners
        self.tree = BoxTree.of(mesh.corners[mesh.triangles])
        self.triangles = mesh.triangles[self.tree.order]
        self.normals = Triangles(mesh.corners, self.triangles).normals
        sides: dict[tuple[int, int], list[int]] = {}
        self._first_edge = np.full((len(self.triangles), 3), -1, np.int64)
        self._first_corner = np.full((len(self.triangles), 3), -1, np.int64)
        seen: set[int] = set()
        for t, triangle in enumerate(self.triangles.tolist()):
            for k in range(3):
                a, b = sorted((triangle[k], triangle[(k + 1) % 3]))
                sides.setdefault((a, b), []).append(t)
                if triangle[k] not in seen:
                    seen.add(triangle[k])
                    self._first_corner[t, k] = triangle[k]
        self.edges = np.array([self._edge(a, b, beside) for (a, b), beside in sides.items()])
        for e, (side, beside) in enumerate(sides.items()):
            t = beside[0]
            corners = self.triangles[t].tolist()
            k = next(k for k in range(3) if tuple(sorted((corners[k], corners[(k + 1) % 3]))) == side)
            self._first_edge[t, k] = e
        spokes: list[list[Floats]] = [[] for _ in self.corners]
        for a, b in sides:
            along = self.corners[b] - self.corners[a]
            spokes[a].append(along)
            spokes[b].append(-along)
        self.spokes = [np.array(one).reshape(-1, 3) for one in spokes]
        self.corner_normals = self._corner_normals()

    def owned(self, edges: int, corners: int) -> Places:
        """Return the edges and corners that each triangle is the first to have, counted from given numbers."""
        first = self._first_edge, self._first_corner
        return np.hstack(
            [np.where(one >= 0, one + start, -1) for one, start in zip(first, (edges, corners), strict=True)]
        )

    def _edge(self, a: int, b: int, beside: list[int]) -> list[float]:
        at, along = self.corners[a], self.corners[b] - self.corners[a]
        inwards, normal = np.zeros((2, 3)), np.zeros(3)
        for k, t in enumerate(beside[:2]):
            apex = next(c for c in self.triangles[t].tolist() if c not in (a, b))
            out = self.corners[apex] - at
            inwards[k] = out - along * (out @ along) / (along @ along)
            normal += self.normals[t]
        return [*at, *along, *inwards.ravel(), *normal]

    def _corner_normals(self) -> Floats:
        """Return the normals of triangles at each corner, weighted by their angles (Baerentzen and Aanaes 2005)."""
        found = np.zeros_like(self.corners)
        for k in range(3):
            p, q, r = (self.corners[self.triangles[:, (k + m) % 3]] for m in range(3))
            u, v = q - p, r - p
            cosine = (u * v).sum(1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)
            np.add.at(found, self.triangles[:, k], self.normals * np.arccos(np.clip(cosine, -1, 1))[:, None])
        return found


def _integers(rows: Sequence[Sequence[int] | Places], columns: int) -> Places:
    return np.array(rows, np.int64).reshape(-1, columns)


def _starts(sizes: Sequence[int]) -> Places:
    """Return where parts of given sizes begin, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(np.array(sizes, np.int64)))).astype(np.int64)


def _stacked(parts: Sequence[NDArray[np.float64] | Sequence[Sequence[float]]], columns: int) -> Floats:
    """Return rows of all parts below each other."""
    return np.vstack([np.zeros((0, columns)), *(np.array(part, float).reshape(-1, columns) for part in parts)])
