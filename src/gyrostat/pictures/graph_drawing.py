"""Directed graphs as SVG drawings: vertices as named boxes, the tree upward from the datum, other edges as curves.

Plain data in, text out. The drawing has its own colours for light and dark surroundings.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import numpy as np

from gyrostat.errors import GyrostatError
from gyrostat.pictures.edge_lines import EdgeStyle, Strand, edge_lines
from gyrostat.pictures.edge_routing import Canvas, EdgeCurve, Rectangle
from gyrostat.pictures.graph_legend import LegendEntry, legend
from gyrostat.pictures.svg_elements import group, name_text, page, rectangle, shown, text_width
from gyrostat.pictures.text_file import write_text_file
from gyrostat.pictures.tree_layout import tree_places

_VERTEX_FONT, _EDGE_FONT = 14.0, 12.0
_BOX_HEIGHT = 30.0
_LABEL_HEIGHT = 17.0
_STEM = 46.0  # the upright part of an arc below its vertex, which carries the arc's name
_LEVEL_GAP = 38.0  # between a level and the stems of the next one
_SIBLING_GAP = 30.0
_MARGIN = 22.0


class VertexKind(Enum):
    """How a vertex is drawn."""

    PLAIN = "plain"
    DATUM = "datum"  # square, on hatched ground
    MINOR = "minor"  # pale, for points and frames between bodies
    SUBSYSTEM = "subsystem"  # a thick border, for several bodies in one box


@dataclass(frozen=True)
class DrawnVertex:
    """A vertex to draw; its label is its name if none is given."""

    name: str
    label: str = ""
    kind: VertexKind = VertexKind.PLAIN


@dataclass(frozen=True)
class DrawnEdge:
    """An edge to draw, with an arrow from `tail` to `head`; its label is its name if none is given.

    Strands, coloured lines side by side, take the place of its style's line.
    """

    name: str
    tail: str
    head: str
    style: EdgeStyle = EdgeStyle.ARC
    label: str = ""
    strands: tuple[Strand, ...] = ()


def draw_graph(
    vertices: Iterable[DrawnVertex],
    edges: Iterable[DrawnEdge],
    path: str | os.PathLike[str] | None = None,
    *,
    title: str = "graph",
    layout: Collection[str] | None = None,
    explained: Sequence[LegendEntry] = (),
) -> str:
    """Return a drawing as SVG text, and write it if a path is given.

    The datum is at the bottom (the first vertex, if none is a datum), the tree of arcs grows upward from it without
    crossings, chords and other edges bend around what is in their way. With `layout`, the edges that it names shape the
    drawing instead of the arcs; the legend below has the styles in `explained`.

    >>> vertices = [DrawnVertex("ground", kind=VertexKind.DATUM), DrawnVertex("bar")]
    >>> draw_graph(vertices, [DrawnEdge("a1", "ground", "bar")])[:4]
    '<svg'
    """
    vertices, edges = tuple(vertices), tuple(edges)
    _check(vertices, edges)
    leading = {edge.name for edge in edges if edge.style is EdgeStyle.ARC} if layout is None else layout
    boxes, parent_edge = _boxes(vertices, edges, leading)
    canvas = Canvas(list(boxes.values()))
    drawn = _arcs(boxes, parent_edge, canvas)
    for edge in edges:
        if edge.name not in drawn:
            width = _label_width(edge)
            curve = canvas.route(boxes[edge.tail], boxes[edge.head], width)
            drawn[edge.name] = (curve, canvas.place_label(curve, width, _LABEL_HEIGHT))
    extent = _extent([*boxes.values(), *(label for _, label in drawn.values())], [curve for curve, _ in drawn.values()])
    rows, foot = legend(explained, extent)
    svg = page(
        [_edge(edge, drawn[edge.name][0]) for edge in edges]
        + [_vertex(vertex, boxes[vertex.name]) for vertex in vertices]
        + [_edge_label(edge, drawn[edge.name][1]) for edge in edges]
        + rows,
        _padded(_extent([extent, foot], []) if rows else extent),
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
    return write_text_file(target, svg, "drawing")


def _check(vertices: Sequence[DrawnVertex], edges: Sequence[DrawnEdge]) -> None:
    known = {vertex.name for vertex in vertices}
    if len(known) != len(vertices) or len({edge.name for edge in edges}) != len(edges):
        raise GyrostatError("A drawing needs a name of its own for every vertex and for every edge; some occur twice.")
    for edge in edges:
        if edge.tail == edge.head:
            raise GyrostatError(
                f"Edge {edge.name!r} leads from {edge.tail!r} to itself, which cannot be drawn; leave it out."
            )
        for end in (edge.tail, edge.head):
            if end not in known:
                raise GyrostatError(f"Edge {edge.name!r} ends at {end!r}, which is not among the vertices; add it.")


def _boxes(
    vertices: Sequence[DrawnVertex], edges: Sequence[DrawnEdge], leading: Collection[str]
) -> tuple[dict[str, Rectangle], dict[str, DrawnEdge]]:
    """Return the box of each vertex, and the edge that leads to it from below, if there is one."""
    order, parent_edge = _outward(vertices, edges, leading)
    label = {vertex.name: shown(vertex.label or vertex.name) for vertex in vertices}
    width = {name: max(46.0, text_width(text, _VERTEX_FONT) + 22) for name, text in label.items()}
    slot = dict(width)
    for name, edge in parent_edge.items():
        slot[name] = max(width[name], _label_width(edge))
    parent = {name: _other_end(edge, name) for name, edge in parent_edge.items()}
    places = tree_places(order, parent, {name: size + _SIBLING_GAP for name, size in slot.items()})
    heights = _level_heights(places, parent)
    return {
        name: Rectangle(x, -heights[level], width[name], _BOX_HEIGHT) for name, (x, level) in places.items()
    }, parent_edge


def _outward(
    vertices: Sequence[DrawnVertex], edges: Sequence[DrawnEdge], leading: Collection[str]
) -> tuple[list[str], dict[str, DrawnEdge]]:
    """Return the vertices breadth first from the datum, and the edges by which they were reached.

    Some edges lead first; what they do not reach is reached by the others, and what no edge reaches begins anew.
    """
    at: dict[str, list[DrawnEdge]] = {vertex.name: [] for vertex in vertices}
    for edge in edges:
        at[edge.tail].append(edge)
        at[edge.head].append(edge)
    roots = sorted(vertices, key=lambda vertex: vertex.kind is not VertexKind.DATUM)
    order: list[str] = []
    seen: set[str] = set()
    parent_edge: dict[str, DrawnEdge] = {}

    def spread(start: int, *, led: bool) -> None:
        """Walk on from order[start:] along leading edges only, or along all."""
        while start < len(order):
            for edge in at[order[start]]:
                end = _other_end(edge, order[start])
                if (edge.name in leading or not led) and end not in seen:
                    seen.add(end)
                    order.append(end)
                    parent_edge[end] = edge
            start += 1

    for root in roots:
        if root.name not in seen:
            seen.add(root.name)
            order.append(root.name)
            start = len(order) - 1
            spread(start, led=True)
            spread(start, led=False)
    return order, parent_edge


def _other_end(edge: DrawnEdge, vertex: str) -> str:
    return edge.tail if edge.head == vertex else edge.head


def _label_width(edge: DrawnEdge) -> float:
    return text_width(shown(edge.label or edge.name), _EDGE_FONT) + 6


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
    boxes: Mapping[str, Rectangle], parent_edge: Mapping[str, DrawnEdge], canvas: Canvas
) -> dict[str, tuple[EdgeCurve, Rectangle]]:
    """Lay the edges of the layout's tree: a curve, then an upright stem into the vertex that carries the name."""
    drawn: dict[str, tuple[EdgeCurve, Rectangle]] = {}
    for name, edge in parent_edge.items():
        child, below = boxes[name], boxes[_other_end(edge, name)]
        room = max(0.0, below.width / 2 - 12)
        x = below.x + min(room, max(-room, child.x - below.x))
        start, end = (x, below.y - below.height / 2), (child.x, child.y + child.height / 2)
        bend = (child.x, end[1] + _STEM)
        half = (start[1] - bend[1]) / 2
        controls = [start, (x, start[1] - half), (child.x, bend[1] + half), bend]
        controls += [(child.x, bend[1] - _STEM / 3), (child.x, end[1] + _STEM / 3), end]
        curve = EdgeCurve(np.array(controls))
        canvas.add_line(curve)
        label = Rectangle(child.x, bend[1] - 0.38 * _STEM, _label_width(edge), _LABEL_HEIGHT)
        canvas.labels.append(label)
        drawn[edge.name] = (curve if edge.head == name else curve.reversed(), label)
    return drawn


def _vertex(vertex: DrawnVertex, box: Rectangle) -> str:
    datum = vertex.kind is VertexKind.DATUM
    parts = [rectangle("gs-box", box, corner=0 if datum else 8)]
    if datum:
        left, bottom, count = box.x - box.width / 2, box.y + box.height / 2, max(4, round(box.width / 9))
        strokes = "".join(f"M{left + k * box.width / count:.1f} {bottom:.1f}l-8 9" for k in range(1, count + 1))
        parts.append(f'<path class="gs-hatch" d="{strokes}"/>')
    parts.append(name_text(vertex.label or vertex.name, box, _VERTEX_FONT))
    return group(f"gs-vertex gs-{vertex.kind.value}", vertex.name, parts)


def _edge(edge: DrawnEdge, curve: EdgeCurve) -> str:
    return group(f"gs-edge gs-{edge.style.value}", edge.name, edge_lines(curve, edge.style, edge.strands))


def _edge_label(edge: DrawnEdge, box: Rectangle) -> str:
    parts = [rectangle("gs-label-paper", box, corner=3), name_text(edge.label or edge.name, box, _EDGE_FONT)]
    return group(f"gs-label gs-{edge.style.value}", edge.name, parts)


def _extent(boxes: Iterable[Rectangle], curves: Iterable[EdgeCurve]) -> Rectangle:
    corners = [
        (box.x + i * box.width / 2, box.y + j * box.height / 2) for box in boxes for i in (-1, 1) for j in (-1, 1)
    ]
    points = np.vstack([np.array(corners).reshape(-1, 2), *(curve.points() for curve in curves)])
    if not len(points):
        points = np.zeros((1, 2))
    low, high = points.min(axis=0), points.max(axis=0)
    return Rectangle(*map(float, (low + high) / 2), *map(float, high - low))


def _padded(extent: Rectangle) -> Rectangle:
    return Rectangle(extent.x, extent.y, extent.width + 2 * _MARGIN, extent.height + 2 * _MARGIN)
