"""Places for the vertices of a forest: tidy, without crossings, in time linear in their number.

Reingold and Tilford, "Tidier drawings of trees", 1981, for boxes of different widths and without recursion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass
class _Contour:
    """The left and right outline of a subtree by level, the deepest first; `shift` is to be added to all places."""

    left: list[float]
    right: list[float]
    shift: float = 0.0


def tree_places(
    order: Sequence[str], parent: Mapping[str, str], width: Mapping[str, float]
) -> dict[str, tuple[float, int]]:
    """Return (x of the centre, level) of each vertex; a parent is centred above its children.

    `order` names every vertex after its parent; vertices without a parent are roots, placed side by side on level 0.
    No two boxes of one level overlap, where `width` is a box with the gap that belongs to it.

    >>> tree_places(["0", "1", "2"], {"1": "0", "2": "0"}, {"0": 10, "1": 10, "2": 30})
    {'0': (10.0, 0), '1': (0.0, 1), '2': (20.0, 1)}
    """
    children: dict[str | None, list[str]] = {vertex: [] for vertex in (None, *order)}
    for vertex in order:
        children[parent.get(vertex)].append(vertex)
    contours: dict[str, _Contour] = {}
    offset: dict[str, float] = {}  # of a child from its parent
    for vertex in reversed(order):
        contour = _side_by_side(children[vertex], contours, offset)
        contour.left.append(-width[vertex] / 2 - contour.shift)
        contour.right.append(width[vertex] / 2 - contour.shift)
        contours[vertex] = contour
    _side_by_side(children[None], contours, offset)

    places: dict[str, tuple[float, int]] = {}
    for vertex in order:
        x, level = places[parent[vertex]] if vertex in parent else (0.0, -1)
        places[vertex] = (x + offset[vertex], level + 1)
    leftmost = min((x for x, _ in places.values()), default=0.0)
    return {vertex: (x - leftmost, level) for vertex, (x, level) in places.items()}


def _side_by_side(siblings: list[str], contours: dict[str, _Contour], offset: dict[str, float]) -> _Contour:
    """Set the siblings' subtrees as close as they go, centre them on zero, and return their common outline."""
    outline = _Contour([], [])
    for sibling in siblings:
        offset[sibling], outline = _beside(outline, contours.pop(sibling))
    if siblings:
        middle = (offset[siblings[0]] + offset[siblings[-1]]) / 2
        outline.shift -= middle
        for sibling in siblings:
            offset[sibling] -= middle
    return outline


def _beside(left: _Contour, right: _Contour) -> tuple[float, _Contour]:
    """Return how far the right subtree moves to clear the left one, and the outline of both.

    The deeper outline is kept and the shallower written into it, so that the work is that of the shallower one.
    """
    shared = range(-1, -1 - min(len(left.right), len(right.left)), -1)
    move = max((left.right[k] + left.shift - right.left[k] - right.shift for k in shared), default=0.0)
    right.shift += move
    if len(right.right) <= len(left.right):
        for k in shared:
            left.right[k] = right.right[k] + right.shift - left.shift
        return move, left
    for k in shared:
        right.left[k] = left.left[k] + left.shift - right.shift
    return move, right
