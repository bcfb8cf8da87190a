"""The lines of a drawn graph: how an edge of a style, or with coloured strands, is drawn along a curve."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.pictures.edge_routing import EdgeCurve

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ARROW = 11.0
_STRAND_GAP = 3.4  # between the middles of strands that run side by side


class EdgeStyle(Enum):
    """How an edge is drawn; arcs shape the layout."""

    ARC = "arc"  # solid
    CHORD = "chord"  # dashed
    OTHER = "other"  # thin and dotted: forces, drivers


class Strand(Enum):
    """A coloured line; an edge may have several, side by side, which replace the line of its style."""

    BLUE = "blue"
    GREEN = "green"


_DASHES = {EdgeStyle.CHORD: ' stroke-dasharray="7 5"', EdgeStyle.OTHER: ' stroke-dasharray="2 4"'}


def edge_lines(curve: EdgeCurve, style: EdgeStyle, strands: Sequence[Strand] = ()) -> list[str]:
    """Return the line or the strands along a curve, and the arrow head, which ends where the curve ends."""
    if not strands:
        line = f'<path class="gs-line" d="{_path_data(curve)}" fill="none"{_DASHES.get(style, "")}/>'
        return [line, _arrow(curve, 4.5, "gs-arrow")]
    lines = [
        f'<polyline class="gs-strand gs-{strand.value}" fill="none" '
        f'points="{_pairs(_beside(curve, (k - (len(strands) - 1) / 2) * _STRAND_GAP))}"/>'
        for k, strand in enumerate(strands)
    ]
    colour = f"gs-arrow gs-{strands[0].value}" if len(strands) == 1 else "gs-arrow"
    return [*lines, _arrow(curve, 5.5, colour)]


def _path_data(curve: EdgeCurve) -> str:
    start, *rest = curve.controls
    return f"M{_pair(start)}" + "".join(
        f"C{_pair(rest[k])} {_pair(rest[k + 1])} {_pair(rest[k + 2])}" for k in range(0, len(rest), 3)
    )


def _beside(curve: EdgeCurve, distance: float) -> NDArray[np.float64]:
    """Return points at a distance to the right of a curve, as far as its arrow head begins."""
    points = curve.points(80)
    apart = np.r_[True, np.hypot(*np.diff(points, axis=0).T) > 1e-9]  # pieces of a curve share their ends
    points = points[apart]
    along = np.gradient(points, axis=0)
    along /= np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    beside = points + distance * np.column_stack([-along[:, 1], along[:, 0]])
    kept = np.hypot(*(points - points[-1]).T) >= 0.7 * _ARROW
    return beside[kept] if np.count_nonzero(kept) > 1 else beside


def _arrow(curve: EdgeCurve, half_width: float, css_class: str) -> str:
    tip, points = curve.controls[-1], curve.points(200)
    far = np.flatnonzero(np.hypot(*(points - tip).T) >= _ARROW)
    back = points[far[-1]] if len(far) else points[0]
    along = (tip - back) / max(float(np.hypot(*(tip - back))), 1e-9)
    aside = np.array([-along[1], along[0]])
    wings = [tip, tip - _ARROW * along + half_width * aside, tip - _ARROW * along - half_width * aside]
    return f'<polygon class="{css_class}" points="{_pairs(wings)}"/>'


def _pairs(points: Sequence[NDArray[np.float64]] | NDArray[np.float64]) -> str:
    return " ".join(map(_pair, points))


def _pair(point: NDArray[np.float64]) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"
