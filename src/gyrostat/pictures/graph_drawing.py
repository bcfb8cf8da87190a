"""Directed graphs as SVG drawings: vertices as named boxes, the tree upward from the datum, other edges as curves.

Plain data in, text out. The drawing has its own colours for light and dark surroundings.
"""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from gyrostat.errors import GyrostatError
from gyrostat.pictures.edge_routing import Box, Canvas, Curve
from gyrostat.pictures.tree_layout import tree_places

if TYPE_CHECKING:
    from numpy.typing import NDArray

_VERTEX_FONT, _EDGE_FONT = 14.0, 12.0
_BOX_HEIGHT = 30.0
_LABEL_HEIGHT = 17.0
_STEM = 46.0  # the upright part of an arc below its vertex, which carries the arc's name
_LEVEL_GAP = 38.0  # between a level and the stems of the next one
_SIBLING_GAP = 30.0
_MARGIN = 22.0
_LONGEST_NAME = 36

_STYLE = """
.gs-paper, .gs-label-paper { fill: #ffffff }
.gs-label-paper { fill-opacity: 0.88 }
.gs-box { fill: #eaf1f8; stroke: #3d6a94; stroke-width: 1.5 }
.gs-minor .gs-box { fill: #f7f7f7; stroke: #8a949e; stroke-width: 1 }
.gs-datum .gs-box { fill: #e3e3df; stroke: #4a4a46 }
.gs-hatch { fill: none; stroke: #4a4a46; stroke-width: 1.2 }
.gs-line { fill: none; stroke: #26323d; stroke-width: 1.8 }
.gs-chord .gs-line { stroke: #b5431a }
.gs-other .gs-line { stroke: #6b7783; stroke-width: 1.2 }
.gs-arrow { fill: #26323d; stroke: none }
.gs-chord .gs-arrow { fill: #b5431a }
.gs-other .gs-arrow { fill: #6b7783 }
.gs-name { fill: #16202a; font-family: Helvetica, Arial, sans-serif }
.gs-label.gs-chord .gs-name { fill: #8f3210 }
@media (prefers-color-scheme: dark) {
.gs-paper, .gs-label-paper { fill: #14191f }
.gs-box { fill: #1f3246; stroke: #7fb0dd }
.gs-minor .gs-box { fill: #20262c; stroke: #77828c }
.gs-datum .gs-box { fill: #33332f; stroke: #c4c4bc }
.gs-hatch { stroke: #c4c4bc }
.gs-line { stroke: #d5dde5 }
.gs-chord .gs-line { stroke: #ff9a6b }
.gs-other .gs-line { stroke: #93a0ac }
.gs-arrow { fill: #d5dde5 }
.gs-chord .gs-arrow { fill: #ff9a6b }
.gs-other .gs-arrow { fill: #93a0ac }
.gs-name { fill: #eef3f7 }
.gs-label.gs-chord .gs-name { fill: #ffb491 }
}
"""
_DASHES = {"chord": ' stroke-dasharray="7 5"', "other": ' stroke-dasharray="2 4"'}


class VertexKind(Enum):
    """How a vertex is drawn."""

    PLAIN = "plain"
    DATUM = "datum"  # square, on hatched ground
    MINOR = "minor"  # pale, for points and frames between bodies


class EdgeStyle(Enum):
    """How an edge is drawn; arcs shape the layout."""

    ARC = "arc"  # solid
    CHORD = "chord"  # dashed
    OTHER = "other"  # thin and dotted: forces, drivers


@dataclass(frozen=True)
class DrawnVertex:
    """A vertex to draw; its label is its name if none is given."""

    name: str
    label: str = ""
    kind: VertexKind = VertexKind.PLAIN


@dataclass(frozen=True)
class DrawnEdge:
    """An edge to draw, with an arrow from `tail` to `head`; its label is its name if none is given."""

    name: str
    tail: str
    head: str
    style: EdgeStyle = EdgeStyle.ARC
    label: str = ""


def draw_graph(
    vertices: Iterable[DrawnVertex],
    edges: Iterable[DrawnEdge],
    path: str | os.PathLike[str] | None = None,
    *,
    title: str = "graph",
) -> str:
    """Return a drawing as SVG text, and write it if a path is given.

    The datum stands at the bottom (the first vertex, if none is a datum), the tree of arcs grows upward from it without
    crossings, chords and other edges bend around what is in their way.

    >>> vertices = [DrawnVertex("ground", kind=VertexKind.DATUM), DrawnVertex("bar")]
    >>> draw_graph(vertices, [DrawnEdge("a1", "ground", "bar")])[:4]
    '<svg'
    """
    vertices, edges = tuple(vertices), tuple(edges)
    _check(vertices, edges)
    boxes, parent_edge = _boxes(vertices, edges)
    canvas = Canvas(list(boxes.values()))
    drawn = _arcs(edges, boxes, parent_edge, canvas)
    for edge in edges:
        if edge.name not in drawn:
            curve = canvas.route(boxes[edge.tail], boxes[edge.head])
            width = _text_width(_shown(edge.label or edge.name), _EDGE_FONT) + 6
            drawn[edge.name] = (curve, canvas.place_label(curve, width, _LABEL_HEIGHT))
    svg = _page(
        [_edge_lines(edge, drawn[edge.name][0]) for edge in edges]
        + [_vertex(vertex, boxes[vertex.name]) for vertex in vertices]
        + [_edge_label(edge, drawn[edge.name][1]) for edge in edges],
        _extent([*boxes.values(), *(label for _, label in drawn.values())], [curve for curve, _ in drawn.values()]),
        title,
    )
    if path is not None:
        write_drawing(path, svg)
    return svg


def write_drawing(path: str | os.PathLike[str], svg: str) -> Path:
    """Write a drawing to an .svg file: all of it or, if that fails, nothing."""
    target = Path(path)
    if target.suffix.lower() != ".svg":
        raise GyrostatError(f"{target}: drawings are written as SVG; choose a file name that ends in .svg.")
    temporary = target.with_name(f".{target.stem[:40]}-{uuid.uuid4().hex}.tmp")
    try:
        temporary.write_text(svg, encoding="utf-8")
        os.replace(temporary, target)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise GyrostatError(
            f"{target}: the drawing cannot be written ({error.strerror}); choose a folder that exists and can be written to."
        ) from error
    return target


def _check(vertices: Sequence[DrawnVertex], edges: Sequence[DrawnEdge]) -> None:
    known = {vertex.name for vertex in vertices}
    if len(known) != len(vertices) or len({edge.name for edge in edges}) != len(edges):
        raise GyrostatError("A drawing needs a name of its own for every vertex and for every edge; some occur twice.")
    for edge in edges:
        if edge.tail == edge.head:
            raise GyrostatError(f"Edge {edge.name!r} leads from {edge.tail!r} to itself, which cannot be drawn; leave it out.")
        for end in (edge.tail, edge.head):
            if end not in known:
                raise GyrostatError(f"Edge {edge.name!r} ends at {end!r}, which is not among the vertices; add it.")


def _boxes(
    vertices: Sequence[DrawnVertex], edges: Sequence[DrawnEdge]
) -> tuple[dict[str, Box], dict[str, DrawnEdge]]:
    """Return the box of each vertex, and the edge that leads to it from below, if there is one."""
    order, parent_edge = _outward(vertices, edges)
    label = {vertex.name: _shown(vertex.label or vertex.name) for vertex in vertices}
    width = {name: max(46.0, _text_width(text, _VERTEX_FONT) + 22) for name, text in label.items()}
    slot = dict(width)
    for name, edge in parent_edge.items():
        slot[name] = max(width[name], _text_width(_shown(edge.label or edge.name), _EDGE_FONT) + 8)
    parent = {name: _other_end(edge, name) for name, edge in parent_edge.items()}
    places = tree_places(order, parent, {name: size + _SIBLING_GAP for name, size in slot.items()})
    heights = _level_heights(places, parent)
    return {name: Box(x, -heights[level], width[name], _BOX_HEIGHT) for name, (x, level) in places.items()}, parent_edge


def _outward(vertices: Sequence[DrawnVertex], edges: Sequence[DrawnEdge]) -> tuple[list[str], dict[str, DrawnEdge]]:
    """Return the vertices breadth first from the datum, and the edges by which they were reached.

    Arcs lead first; what they do not reach is reached by other edges, and what no edge reaches begins anew.
    """
    at: dict[str, list[DrawnEdge]] = {vertex.name: [] for vertex in vertices}
    for edge in edges:
        at[edge.tail].append(edge)
        at[edge.head].append(edge)
    roots = sorted(vertices, key=lambda vertex: vertex.kind is not VertexKind.DATUM)
    order: list[str] = []
    seen: set[str] = set()
    parent_edge: dict[str, DrawnEdge] = {}

    def spread(start: int, styles: set[EdgeStyle]) -> bool:
        """Walk on from order[start:]; return whether anything was added."""
        before = len(order)
        while start < len(order):
            for edge in at[order[start]]:
                end = _other_end(edge, order[start])
                if edge.style in styles and end not in seen:
                    seen.add(end)
                    order.append(end)
                    parent_edge[end] = edge
            start += 1
        return len(order) > before

    for root in roots:
        if root.name in seen:
            continue
        seen.add(root.name)
        order.append(root.name)
        start = len(order) - 1
        spread(start, {EdgeStyle.ARC})
        while spread(start, {EdgeStyle.ARC, EdgeStyle.CHORD, EdgeStyle.OTHER}):
            pass
    return order, parent_edge


def _other_end(edge: DrawnEdge, vertex: str) -> str:
    return edge.tail if edge.head == vertex else edge.head


def _level_heights(places: Mapping[str, tuple[float, int]], parent: Mapping[str, str]) -> list[float]:
    """Return the height of each level above the datum; wide fans get more room."""
    levels = 1 + max((level for _, level in places.values()), default=0)
    reach = [0.0] * levels
    for child, below in parent.items():
        level = places[child][1]
        reach[level] = max(reach[level], abs(places[child][0] - places[below][0]))
    heights = [0.0]
    for level in range(1, levels):
        heights.append(heights[-1] + _BOX_HEIGHT + _STEM + _LEVEL_GAP + min(120.0, 0.06 * reach[level]))
    return heights


def _arcs(
    edges: Iterable[DrawnEdge], boxes: Mapping[str, Box], parent_edge: Mapping[str, DrawnEdge], canvas: Canvas
) -> dict[str, tuple[Curve, Box]]:
    """Lay the edges of the layout's tree: a curve, then an upright stem into the vertex that carries the name."""
    drawn: dict[str, tuple[Curve, Box]] = {}
    for name, edge in parent_edge.items():
        child, below = boxes[name], boxes[_other_end(edge, name)]
        room = max(0.0, below.width / 2 - 12)
        x = below.x + min(room, max(-room, child.x - below.x))
        start, end = (x, below.y - below.height / 2), (child.x, child.y + child.height / 2)
        bend = (child.x, end[1] + _STEM)
        half = (start[1] - bend[1]) / 2
        controls = [start, (x, start[1] - half), (child.x, bend[1] + half), bend]
        controls += [(child.x, bend[1] - _STEM / 3), (child.x, end[1] + _STEM / 3), end]
        curve = Curve(np.array(controls))
        canvas.add_line(curve)
        width = _text_width(_shown(edge.label or edge.name), _EDGE_FONT) + 6
        label = Box(child.x, bend[1] - 0.38 * _STEM, width, _LABEL_HEIGHT)
        canvas.labels.append(label)
        drawn[edge.name] = (curve if edge.head == name else curve.reversed(), label)
    return drawn


def _vertex(vertex: DrawnVertex, box: Box) -> str:
    left, top = box.x - box.width / 2, box.y - box.height / 2
    corner = 0 if vertex.kind is VertexKind.DATUM else 8
    parts = [
        f'<rect class="gs-box" x="{left:.1f}" y="{top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="{corner}"/>'
    ]
    if vertex.kind is VertexKind.DATUM:
        bottom, count = top + box.height, max(4, round(box.width / 9))
        steps = [left + (k + 1) * box.width / count for k in range(count)]
        strokes = "".join(f"M{x:.1f} {bottom:.1f}l-8 9" for x in steps)
        parts.append(f'<path class="gs-hatch" d="{strokes}"/>')
    parts.append(_name(vertex.label or vertex.name, box, _VERTEX_FONT))
    return _group(f"gs-vertex gs-{vertex.kind.value}", vertex.name, parts)


def _edge_lines(edge: DrawnEdge, curve: Curve) -> str:
    """Draw an edge's line and its arrow head, which ends where the curve ends."""
    tip, points = curve.controls[-1], curve.points(200)
    far = np.flatnonzero(np.hypot(*(points - tip).T) >= 11)
    back = points[far[-1]] if len(far) else points[0]
    along = (tip - back) / max(float(np.hypot(*(tip - back))), 1e-9)
    aside = np.array([-along[1], along[0]])
    wings = [tip, tip - 11 * along + 4.5 * aside, tip - 11 * along - 4.5 * aside]
    start, *rest = curve.controls
    way = f"M{_pair(start)}" + "".join(
        f"C{_pair(rest[k])} {_pair(rest[k + 1])} {_pair(rest[k + 2])}" for k in range(0, len(rest), 3)
    )
    return _group(
        f"gs-edge gs-{edge.style.value}",
        edge.name,
        [
            f'<path class="gs-line" d="{way}" fill="none"{_DASHES.get(edge.style.value, "")}/>',
            f'<polygon class="gs-arrow" points="{" ".join(map(_pair, wings))}"/>',
        ],
    )


def _edge_label(edge: DrawnEdge, box: Box) -> str:
    left, top = box.x - box.width / 2, box.y - box.height / 2
    paper = (
        f'<rect class="gs-label-paper" x="{left:.1f}" y="{top:.1f}" '
        f'width="{box.width:.1f}" height="{box.height:.1f}" rx="3"/>'
    )
    parts = [paper, _name(edge.label or edge.name, box, _EDGE_FONT)]
    return _group(f"gs-label gs-{edge.style.value}", edge.name, parts)


def _group(css_class: str, name: str, parts: Iterable[str]) -> str:
    title = _xml_text(name)
    return f'<g class="{css_class}" data-name={quoteattr(title)}><title>{escape(title)}</title>{"".join(parts)}</g>'


def _name(text: str, box: Box, size: float) -> str:
    return (
        f'<text class="gs-name" x="{box.x:.1f}" y="{box.y + 0.35 * size:.1f}" font-size="{size:g}" '
        f'text-anchor="middle">{escape(_shown(text))}</text>'
    )


def _page(parts: Iterable[str], extent: Box, title: str) -> str:
    left, top = extent.x - extent.width / 2, extent.y - extent.height / 2
    size = f'width="{extent.width:.0f}" height="{extent.height:.0f}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" '
            f'viewBox="{left:.1f} {top:.1f} {extent.width:.1f} {extent.height:.1f}">',
            f"<title>{escape(_xml_text(title))}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect class="gs-paper" x="{left:.1f}" y="{top:.1f}" {size}/>',
            *parts,
            "</svg>\n",
        ]
    )


def _extent(boxes: Iterable[Box], curves: Iterable[Curve]) -> Box:
    corners = [(box.x + i * box.width / 2, box.y + j * box.height / 2) for box in boxes for i in (-1, 1) for j in (-1, 1)]
    points = np.vstack([np.array(corners).reshape(-1, 2), *(curve.points() for curve in curves)])
    if not len(points):
        points = np.zeros((1, 2))
    low, high = points.min(axis=0) - _MARGIN, points.max(axis=0) + _MARGIN
    return Box(*map(float, (low + high) / 2), *map(float, high - low))


def _pair(point: NDArray[np.float64]) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"


def _shown(text: str) -> str:
    """Return a name as it is drawn: a very long one without its middle (the tooltip has it all)."""
    clean = " ".join(_xml_text(text).split())
    half = _LONGEST_NAME // 2
    return clean if len(clean) <= _LONGEST_NAME else f"{clean[:half]}…{clean[-half + 1 :]}"


def _xml_text(text: str) -> str:
    """Replace characters that no XML document may hold."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)


def _text_width(text: str, size: float) -> float:
    """Return about how wide a text is in Helvetica, rather too much than too little."""
    return size * sum(_character_width(character) for character in text)


def _character_width(character: str) -> float:
    if character in "iljI.,:;'|!()[] ft":
        return 0.36
    if character in "mwMW@%—" or ord(character) > 0x2E7F:
        return 1.0
    return 0.72 if character.isupper() else 0.6
