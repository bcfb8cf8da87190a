"""A hierarchy of boxes about triangles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.kernels.problem import Floats, Places

_LEAF = 4
"""The largest number of triangles of a box that is not divided."""


@dataclass(frozen=True, eq=False)
class BoxTree:
    """Boxes, each before those within it; triangles are divided at the middle of the longest side of their box."""

    boxes: list[Floats]
    """Lower and upper bounds."""
    following: list[int]
    """The box after those within each box."""
    content: list[tuple[int, int]]
    """First triangle and number of triangles in each box that is not divided, (0, 0) for the others."""
    order: Places
    """The triangles in the order of the boxes."""

    def content_from(self, number: int) -> list[tuple[int, int]]:
        """Return `content` with triangles counted from a number."""
        return [(first + number * (count > 0), count) for first, count in self.content]

    @staticmethod
    def of(corners: Floats) -> BoxTree:
        """Return the boxes of triangles with given corners, shape (t, 3, 3)."""
        low, high, order = corners.min(1), corners.max(1), np.arange(len(corners))
        middles = 0.5 * (low + high)
        tree = BoxTree([], [], [], order)

        def divide(first: int, last: int) -> None:
            chosen = order[first:last]
            number = len(tree.boxes)
            tree.boxes.append(np.concatenate((low[chosen].min(0), high[chosen].max(0))))
            tree.following.append(0)
            small = last - first <= _LEAF
            tree.content.append((first, last - first) if small else (0, 0))
            if not small:
                axis = int(np.argmax(np.ptp(middles[chosen], axis=0)))
                order[first:last] = chosen[np.argsort(middles[chosen, axis], kind="stable")]
                half = (first + last) // 2
                divide(first, half)
                divide(half, last)
            tree.following[number] = len(tree.boxes)

        divide(0, len(corners))
        return tree
