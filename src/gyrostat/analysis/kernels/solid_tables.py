"""Tables of solids with corners, edges and faces, of surfaces of triangles, and room for their points of contact."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gyrostat.analysis.kernels.problem import Floats, Places

ROOM = 64
"""The largest number of corners of a polygon that is clipped."""
FACE_CORNERS = 32
"""The largest number of corners of a face."""
SIGN, POINT_A, LINE_A, POINT_B, LINE_B, SIDE, ROUND_A, ROUND_B, FEATURE = 0, 1, 4, 7, 10, 13, 16, 17, 18
"""Numbers of a feature (`model.contacts.features.Feature`): a sign, a point and a direction on each shape, the normal
of a side plane, and both roundings."""
NO_PATCH, BY_SOLIDS, BY_SURFACE, BY_PLANE, BY_ROUND, BY_RIM = range(6)
"""How points of contact of a pair are found: by its function alone; of two solids; of a solid and a surface of
triangles; of a solid and a plane; of a cylinder or a cone and a solid; of one of these and a plane, if rigid."""
FACE_A, FACE_B, EDGES, NEAREST, CURVED = range(5)
"""Features that separate two solids best: a face of a or of b, two crossing edges, nearest points of edges, or lines
and points of cylinders and cones."""
NO_CURVE, DRUM, PEAK = range(3)
"""Kinds of round shapes: none, a cylinder, a cone."""
RIM_CORNERS = 16
"""Corners on a rim."""
ON_A, ON_B, ENDS = 0, 6, 12
"""Places of the ends of the lowest lines of both shapes."""
ORIGIN = 9
"""Where in `relative` the origin of b is."""
KIND, FIRST_FEATURE, SECOND_FEATURE, CHOICE = 0, 1, 2, 3
"""Entries of a choice."""


class Solids(NamedTuple):
    """Corners, edges and faces of all shapes, in their own frames; n shapes, some without."""

    first_corner: Places
    """Shape (n + 1,): where the corners of each shape begin."""
    corners: Floats
    first_face: Places
    faces: Floats
    """Shape (m, 4): outward normal and distance of the plane from the origin."""
    first_around: Places
    """Shape (m + 1,): where the corners around each face begin."""
    around: Places
    """Corners around faces, anticlockwise from outside, numbered within their shape."""
    first_edge: Places
    edges: Places
    """Shape (e, 2): corners, numbered within their shape; a single corner is an edge with both ends in it."""
    first_direction: Places
    directions: Floats
    """Unit vectors along edges, those of parallel edges once."""
    rounding: Floats
    """Shape (n,): radius by which the shape is larger than its corners."""
    curved: Places
    """Shape (n,): NO_CURVE, DRUM or PEAK. The corners of round shapes are written for each pair anew."""
    sizes: Floats
    """Shape (n, 2): radius of round shapes, and half the length of a cylinder or the height of a cone."""


class Surfaces(NamedTuple):
    """Triangles of all shapes that are surfaces, with a hierarchy of boxes; n shapes, some without."""

    first_box: Places
    """Shape (n + 1,): where the boxes of each shape begin; the first one holds all others."""
    boxes: Floats
    """Shape (b, 6): lower and upper bounds in the frame of the shape."""
    next_box: Places
    """Shape (b,): the box that follows those within each box, counted within the shape."""
    content: Places
    """Shape (b, 2): first triangle and number of triangles of a box without inner ones, else (0, 0)."""
    triangles: Places
    """Shape (t, 3): corners, numbered over all shapes."""
    corners: Floats
    normals: Floats
    """Shape (t, 3): outward unit normals."""
    owned: Places
    """Shape (t, 6): numbers of the edges and corners that a triangle is the first to have, −1 for others."""
    edges: Floats
    """Shape (e, 15): a corner, the vector along, in-plane vectors into both triangles, sum of both normals."""
    first_spoke: Places
    """Shape (corners + 1,): where the vectors along edges from each corner begin."""
    spokes: Floats
    corner_normals: Floats
    """Shape (corners, 3): normals of the triangles at each corner, weighted by their angles."""


class Patch(NamedTuple):
    """Room for the points of contact of one pair."""

    seen: Floats
    """Corners of b in the axes of a."""
    axis: Floats
    """Unit vector from b to a in the axes of a, and the separation along it."""
    choice: Places
    """KIND and the numbers of the features."""
    edge_axis: Floats
    """The same along the product of two edges that separates best."""
    edge_choice: Places
    """The directions of these edges."""
    reference: Floats
    """Shape (ROOM, 3): corners of a face."""
    polygon: Floats
    """Shape (2, ROOM, 3): a polygon before and after clipping."""
    tags: Places
    """Shape (2, ROOM, 4): for each of its corners what it is, and what the edge that leaves it lies on."""
    features: Floats
    """Shape (points, FEATURE)."""
    modes: Places
    """The mode of each feature."""
    ids: Places
    """A number for each point, the same as long as its features are."""
    weights: Floats
    """The part of the law with which each point acts."""
    number: Places
    """One number: how many points there are."""
    found: Floats
    """Room for the results of a point."""
    nearest: Floats
    """The nearest feature of a surface: see `surface_points`."""
    distances: Floats
    """Distance of each point of a surface, and its direction: shape (points, 4)."""
    relative: Floats
    """Axes of b in those of a, and its origin."""
    ends: Floats
    """Ends of the lowest lines of both shapes, in their own axes."""
    basis: Floats
    """Room for vectors: those that span a circle and one on it."""

    @staticmethod
    def of(corners: int, points: int, results: int) -> Patch:
        """Return room for shapes with so many corners."""
        return Patch(
            np.zeros((max(corners, 1), 3)), np.zeros(4), np.zeros(CHOICE, np.int64), np.zeros(4),
            np.zeros(2, np.int64), np.zeros((ROOM, 3)),
            np.zeros((2, ROOM, 3)), np.zeros((2, ROOM, 4), np.int64), np.zeros((points, FEATURE)),
            np.zeros(points, np.int64), np.zeros(points, np.int64), np.zeros(points), np.zeros(1, np.int64),
            np.zeros(results), np.zeros(7), np.zeros((points, 4)), np.zeros(12), np.zeros(ENDS), np.zeros(12),
        )  # fmt: skip
