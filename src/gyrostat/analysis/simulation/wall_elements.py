"""Walls as kernels of grains take them: elements in axes of their bodies, and grids of cells with the near ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.kernels.grain_tables import (
    ELEMENT,
    FOUND,
    FRAME,
    MEMORY,
    PLANE,
    POINT,
    SEGMENT,
    SLOTS,
    TRIANGLE,
    GrainWalls,
)
from gyrostat.analysis.kernels.problem import Floats, Places
from gyrostat.model.granular import WallGeometry

_CELL_LIMIT = 100_000
"""Largest number of cells of a body's grid."""


def wall_tables(walls: Sequence[WallGeometry], reach: float, count: int) -> GrainWalls:
    """Return the walls for a number of grains, of which none reaches further than `reach` from its centre."""
    parts = [_elements(wall) for wall in walls]
    kinds = np.concatenate([np.zeros(0, np.int64), *(part.kinds for part in parts)])
    bodies = np.repeat(np.arange(len(walls)), [len(part.kinds) for part in parts])
    grids, first, cells = [], 0, 0
    starts, items = [np.zeros(1, np.int64)], [np.zeros(0, np.int64)]
    sizes = np.zeros((len(walls), 4), np.int64)
    for b, part in enumerate(parts):
        grid = _Grid.of(part, reach)
        grids.append(grid.place)
        sizes[b] = [*grid.sizes, cells]
        starts.append(sum(map(len, items)) + grid.ends)
        items.append(grid.items + first)
        first += len(part.kinds)
        cells += len(grid.ends)
    n = len(walls)
    return GrainWalls(
        np.zeros((n, FRAME)), np.zeros((n, FRAME)), np.array([part.box for part in parts]).reshape(n, 6), kinds,
        bodies.astype(np.int64), np.vstack([np.zeros((0, ELEMENT)), *(part.elements for part in parts)]),
        np.flatnonzero(kinds == PLANE).astype(np.int64), np.array(grids).reshape(n, 4), sizes,
        np.concatenate(starts), np.concatenate(items), np.zeros((count, SLOTS), np.int64),
        np.zeros((count, SLOTS, MEMORY + 3)), np.zeros((SLOTS + 1, FOUND)), np.zeros((SLOTS + 1, MEMORY + 3)),
        np.zeros((n, 6)), np.zeros((n, 6)),
    )  # fmt: skip


@dataclass(frozen=True)
class _Elements:
    """The elements of one wall, with their bounds."""

    kinds: Places
    elements: Floats
    low: Floats
    high: Floats

    @property
    def box(self) -> Floats:
        """Lower and upper corner of the finite elements; the origin where there are none."""
        finite = self.kinds != PLANE
        if not finite.any():
            return np.zeros(6)
        return np.concatenate((self.low[finite].min(axis=0), self.high[finite].max(axis=0)))


def _elements(wall: WallGeometry) -> _Elements:
    groups = ((TRIANGLE, wall.triangles.reshape(-1, 9)), (PLANE, wall.planes.reshape(-1, 6)))
    rounded = ((SEGMENT, wall.segments), (POINT, wall.spheres))
    count = sum(len(rows) for _, rows in (*groups, *rounded))
    kinds, elements, at = np.zeros(count, np.int64), np.zeros((count, ELEMENT)), 0
    for kind, rows in (*groups, *rounded):
        chosen = slice(at, at + len(rows))
        kinds[chosen], at = kind, at + len(rows)
        width = rows.shape[1] - (kind in (SEGMENT, POINT))
        elements[chosen, :width] = rows[:, :width]
        if kind in (SEGMENT, POINT):
            elements[chosen, 9] = rows[:, -1]
    points = {TRIANGLE: 3, SEGMENT: 2, POINT: 1, PLANE: 1}
    low, high = np.zeros((count, 3)), np.zeros((count, 3))
    for e in range(count):
        corners = elements[e, : 3 * points[int(kinds[e])]].reshape(-1, 3)
        low[e], high[e] = corners.min(axis=0) - elements[e, 9], corners.max(axis=0) + elements[e, 9]
    return _Elements(kinds, elements, low, high)


@dataclass(frozen=True)
class _Grid:
    """Cells of equal edges that hold the elements within a reach of each cell."""

    place: Floats
    """Lower corner and edge of a cell."""
    sizes: Places
    ends: Places
    """Where the items of each cell end."""
    items: Places

    @staticmethod
    def of(part: _Elements, reach: float) -> _Grid:
        """Return the grid of a wall."""
        finite = np.flatnonzero(part.kinds != PLANE)
        if not len(finite):
            return _Grid(np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(3, np.int64), np.zeros(0, np.int64), finite)
        low, high = part.box[:3] - reach, part.box[3:] + reach
        edge = max(reach, float((np.prod(high - low) / _CELL_LIMIT) ** (1.0 / 3.0)))
        sizes = np.ceil((high - low) / edge).astype(np.int64)
        first = np.clip(((part.low[finite] - reach - low) // edge).astype(np.int64), 0, sizes - 1)
        last = np.clip(((part.high[finite] + reach - low) // edge).astype(np.int64), 0, sizes - 1) + 1
        places = [_cells_between(a, b, sizes) for a, b in zip(first, last, strict=True)]
        cells = np.concatenate(places)
        items = np.repeat(finite, [len(one) for one in places])[np.argsort(cells, kind="stable")]
        ends = np.cumsum(np.bincount(cells, minlength=int(np.prod(sizes))))
        return _Grid(np.array([*low, edge]), sizes, ends.astype(np.int64), items)


def _cells_between(first: Places, last: Places, sizes: Places) -> Places:
    """Return the numbers of the cells from one corner to another."""
    x, y, z = (np.arange(a, b) for a, b in zip(first, last, strict=True))
    found: Places = np.add.outer(np.add.outer(x * sizes[1], y) * sizes[2], z).ravel()
    return found
