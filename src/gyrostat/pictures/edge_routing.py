"""Routes of the edges of a drawn graph: curves that avoid boxes and each other, and free places for their names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gyrostat.lazy import LaterModule

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import spatial
else:
    spatial = LaterModule("scipy.spatial")

_BOWS = (
    0.0,
    0.06,
    0.12,
    0.18,
    0.25,
    0.32,
    0.4,
    0.5,
    0.6,
    0.85,
    1.2,
)  # sideways bulge of a curve, as parts of the distance of its ends
_SMALLEST_BOW = 44.0
_CLEARANCE = 9.0
_ARROW_ROOM = 14.0
_LABEL_PLACES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)
_SAMPLES = 60


class Rectangle(NamedTuple):
    """An upright rectangle by its centre and size."""

    x: float
    y: float
    width: float
    height: float

    def overlaps(self, other: Rectangle) -> bool:
        """Return whether the two rectangles have area in common."""
        return (
            abs(self.x - other.x) * 2 < self.width + other.width
            and abs(self.y - other.y) * 2 < self.height + other.height
        )

    def contains(self, points: NDArray[np.float64], margin: float = 0.0) -> NDArray[np.bool_]:
        """Return for each point (n × 2) whether it lies in the rectangle, grown by a margin."""
        away = np.abs(points - (self.x, self.y)) * 2
        return np.asarray((away < (self.width + 2 * margin, self.height + 2 * margin)).all(axis=1))


@dataclass(frozen=True, eq=False)
class EdgeCurve:
    """A chain of cubic Bézier pieces, given by 3 n + 1 control points (n pieces)."""

    controls: NDArray[np.float64]

    def points(self, samples: int = _SAMPLES) -> NDArray[np.float64]:
        """Return points along the curve (about `samples` × 2), evenly spaced in the parameter of each piece."""
        pieces = [self.controls[k : k + 4] for k in range(0, len(self.controls) - 1, 3)]
        t = np.linspace(0, 1, max(2, samples // len(pieces)))[:, None]
        weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
        return np.vstack([weights @ piece for piece in pieces])

    def reversed(self) -> EdgeCurve:
        """Return the same curve in the reverse direction."""
        return EdgeCurve(self.controls[::-1])


def bowed_curve(tail: Rectangle, head: Rectangle, bow: float) -> EdgeCurve | None:
    """Return one cubic from the rim of `tail` to the rim of `head` that bulges by about 3/4 `bow` to its left.

    None if the curve does not leave the boxes, as when they touch.
    """
    start, end = np.array(tail[:2]), np.array(head[:2])
    along = end - start
    aside = np.array([along[1], -along[0]]) / max(float(np.hypot(*along)), 1e-9)
    controls = np.array([start, start + along / 4 + aside * bow, end - along / 4 + aside * bow, end])
    points = EdgeCurve(controls).points(400)
    outside = np.flatnonzero(~tail.contains(points) & ~head.contains(points))
    if len(outside) < 20:
        return None
    return EdgeCurve(_between(controls, outside[0] / (len(points) - 1), outside[-1] / (len(points) - 1)))


def _between(controls: NDArray[np.float64], t0: float, t1: float) -> NDArray[np.float64]:
    """Return the control points of the part of one cubic between two parameters (blossoming)."""
    moments = ((t0, t0, t0), (t0, t0, t1), (t0, t1, t1), (t1, t1, t1))
    return np.array([_blossom(controls, *each) for each in moments])


def _blossom(controls: NDArray[np.float64], *parameters: float) -> NDArray[np.float64]:
    for t in parameters:
        controls = (1 - t) * controls[:-1] + t * controls[1:]
    return np.asarray(controls[0])


@dataclass
class Canvas:
    """Edges placed so far; a new edge takes the route with the fewest conflicts."""

    boxes: list[Rectangle]
    labels: list[Rectangle] = field(default_factory=list)
    _lines: list[tuple[EdgeCurve, NDArray[np.float64]]] = field(default_factory=list)  # with points along them

    def add_line(self, curve: EdgeCurve) -> None:
        """Remember a curve as an obstacle."""
        self._lines.append((curve, curve.points()))

    def route(self, tail: Rectangle, head: Rectangle, room: float = 0.0) -> EdgeCurve:
        """Return the best of several curves from one box to another, and remember it.

        `room` is the width of its name: a shorter curve would be hidden by it.
        """
        distance = float(np.hypot(head.x - tail.x, head.y - tail.y))
        bows = {sign * max(part * distance, _SMALLEST_BOW * (part > 0)) for part in _BOWS for sign in (1, -1)}
        curves = [(curve, bow) for bow in sorted(bows) if (curve := bowed_curve(tail, head, bow)) is not None]
        if not curves:
            curves = [(EdgeCurve(np.linspace(tail[:2], head[:2], 4)), 0.0)]
        others = _table(box for box in self.boxes if box not in (tail, head))
        labels = _table(self.labels)
        # the far point keeps the tree of an empty canvas from being empty
        lines = spatial.KDTree(np.vstack([np.full((1, 2), 1e9), *(points for _, points in self._lines)]))

        def cost(candidate: tuple[EdgeCurve, float]) -> tuple[float, float]:
            curve, bow = candidate
            points = curve.points(int(np.clip(distance / 8, _SAMPLES, 1200)))
            hidden = 12 * _count_inside(points, others, margin=6) + 5 * _count_inside(points, labels, margin=3)
            inner = curve.points()[3:-3]  # the ends of edges at one vertex are always close
            crowded = np.count_nonzero(lines.query(inner, distance_upper_bound=_CLEARANCE)[0] < _CLEARANCE)
            detour = 15 * abs(bow) / (distance + 200)
            length = float(np.hypot(*np.diff(points, axis=0).T).sum())
            cramped = 20 * (length < room + 2 * _ARROW_ROOM)
            return float(hidden + crowded + detour + cramped), bow

        best = min(curves, key=cost)[0]
        self.add_line(best)
        return best

    def place_label(self, curve: EdgeCurve, width: float, height: float) -> Rectangle:
        """Return a box for a name on a curve, as free as possible and near the middle, and remember it."""
        own = curve.points()
        taken = [*self.boxes, *self.labels]
        lines = np.vstack([np.empty((0, 2)), *(points for other, points in self._lines if other is not curve)])

        def crowding(candidate: tuple[int, Rectangle]) -> float:
            rank, box = candidate
            hidden = 40 * sum(box.overlaps(other) for other in taken) + 20 * bool(box.contains(own[-4:]).any())
            return hidden + 2 * np.count_nonzero(box.contains(lines)) + 0.5 * rank

        spots = [own[round(part * (len(own) - 1))] for part in _LABEL_PLACES]
        best = min(enumerate(Rectangle(float(x), float(y), width, height) for x, y in spots), key=crowding)[1]
        self.labels.append(best)
        return best


def _table(boxes: Iterable[Rectangle]) -> NDArray[np.float64]:
    return np.array(list(boxes), dtype=float).reshape(-1, 4)


def _count_inside(points: NDArray[np.float64], boxes: NDArray[np.float64], margin: float) -> int:
    """Return how many pairs of a point (n × 2) and a box (m × 4: centre, size) there are with the point inside."""
    low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
    near = boxes[(np.abs(boxes[:, :2] * 2 - low - high) < boxes[:, 2:] + high - low).all(axis=1)]
    away = np.abs(points[:, None, :] - near[None, :, :2])
    return int(np.count_nonzero((away < near[None, :, 2:] / 2 + margin).all(axis=2)))
