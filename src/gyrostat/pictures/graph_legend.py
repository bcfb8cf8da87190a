"""The legend of a drawn graph: a sample of each kind of edge with its meaning, below the drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gyrostat.pictures.edge_lines import EdgeStyle, Strand, edge_lines
from gyrostat.pictures.edge_routing import EdgeCurve, Rectangle
from gyrostat.pictures.svg_elements import group, name_text, text_width

_FONT = 12.0
_ROW = 20.0
_SAMPLE = 44.0
_GAP = 10.0


@dataclass(frozen=True)
class LegendEntry:
    """One kind of edge and its meaning."""

    meaning: str
    style: EdgeStyle = EdgeStyle.ARC
    strands: tuple[Strand, ...] = ()


def legend(entries: Sequence[LegendEntry], below: Rectangle) -> tuple[list[str], Rectangle]:
    """Return the rows of a legend below the left edge of a box, and the box that they need."""
    left, top = below.x - below.width / 2, below.y + below.height / 2 + _GAP
    width = _SAMPLE + _GAP + max((text_width(entry.meaning, _FONT) for entry in entries), default=0.0)
    rows = []
    for k, entry in enumerate(entries):
        y = top + (k + 0.5) * _ROW
        sample = EdgeCurve(np.column_stack([np.linspace(left, left + _SAMPLE, 4), np.full(4, y)]))
        text = Rectangle(left + _SAMPLE + _GAP, y, width, _ROW)
        parts = [*edge_lines(sample, entry.style, entry.strands), name_text(entry.meaning, text, _FONT, anchor="start")]
        rows.append(group(f"gs-legend gs-{entry.style.value}", entry.meaning, parts))
    height = _ROW * len(entries)
    return rows, Rectangle(left + width / 2, top + height / 2, width, height)
