"""The two trees of a choice of coordinates, drawn in their colours: bodies as boxes, joints and bodies as edges."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence

from gyrostat.model.joints import Joint
from gyrostat.model.names import GROUND
from gyrostat.pictures.edge_lines import EdgeStyle, Strand
from gyrostat.pictures.graph_drawing import DrawnEdge, DrawnVertex, VertexKind, draw_graph
from gyrostat.pictures.graph_legend import LegendEntry
from gyrostat.pictures.symbol_text import plain_symbol
from gyrostat.topology.topology import Topology
from gyrostat.topology.trees import Trees

_BODY_LIMIT = 12
"""The largest number of bodies with which those in no tree are drawn."""
_MEASURES = {"angle": "angle", "length": "displacement"}
_TREE_LEGEND = {
    (Strand.BLUE, Strand.GREEN): "in both trees",
    (Strand.BLUE,): "in the tree of positions",
    (Strand.GREEN,): "in the tree of orientations",
}
_COTREE_LEGEND = {
    EdgeStyle.CHORD: "joint in no tree: it closes a loop",
    EdgeStyle.OTHER: "body in no tree: its motion follows",
}


def draw_trees(
    topology: Topology,
    trees: Trees,
    carried: Mapping[str, Collection[str]],
    path: str | os.PathLike[str] | None = None,
) -> str:
    """Return a drawing of two trees as SVG text, and write it if a path is given.

    A joint's edge leads from its parent to its child, a body's from the ground to the body; bodies in no tree are left
    out where there are many. Edges are named with the coordinates that they carry, by element in `carried`. The tree of
    joints shapes the drawing, so that other trees of the same model are drawn in the same places.
    """
    used = {*trees.translation, *trees.rotation}
    few = len(topology.bodies) <= _BODY_LIMIT
    ends = {name: (GROUND, name) for name in topology.bodies if few or name in used}
    ends |= {joint.name: (joint.parent.body, joint.child.body) for joint in topology.joints.values()}
    edges = []
    for name, (tail, head) in ends.items():
        strands, joint = _strands(name, trees), topology.joints.get(name)
        unused = EdgeStyle.OTHER if joint is None else EdgeStyle.CHORD
        style = EdgeStyle.ARC if strands else unused
        edges.append(DrawnEdge(name, tail, head, style, _label(name, joint, carried.get(name, ())), strands))
    vertices = [
        DrawnVertex(name, kind=VertexKind.DATUM if name == GROUND else VertexKind.PLAIN)
        for name in topology.graph.vertices
    ]
    title = f"Trees of {topology.model.name}"
    return draw_graph(vertices, edges, path, title=title, layout=set(topology.arcs), explained=_legend(edges))


def _strands(name: str, trees: Trees) -> tuple[Strand, ...]:
    found = ((Strand.BLUE, trees.translation), (Strand.GREEN, trees.rotation))
    return tuple(strand for strand, names in found if name in names)


def _label(name: str, joint: Joint | None, coordinates: Collection[str]) -> str:
    """Return the name of an element with the coordinates that it carries, those of joints by symbol if they have one.

    >>> _label("crank", None, ["crank.x", "crank.angle"])
    'crank: x, angle'
    """
    if not coordinates:
        return name
    known = {} if joint is None else _coordinate_labels(joint)
    return f"{name}: {', '.join(known.get(each, each.removeprefix(f'{name}.')) for each in coordinates)}"


def _coordinate_labels(joint: Joint) -> dict[str, str]:
    """Return names for the coordinates of a joint whose labels are not unique: symbols, or measured quantities."""
    found = {}
    for coordinate in joint.coordinates:
        name, symbol = joint.full_name(coordinate.label), joint.symbol.get(coordinate.label)
        if symbol:
            found[name] = plain_symbol(symbol)
        elif name == joint.name:
            found[name] = _MEASURES[coordinate.measure]
    return found


def _legend(edges: Sequence[DrawnEdge]) -> list[LegendEntry]:
    """Return legend entries for the kinds of edges that occur."""
    strands = {edge.strands for edge in edges}
    styles = {edge.style for edge in edges if not edge.strands}
    coloured = [LegendEntry(meaning, strands=kind) for kind, meaning in _TREE_LEGEND.items() if kind in strands]
    return [*coloured, *(LegendEntry(meaning, style) for style, meaning in _COTREE_LEGEND.items() if style in styles)]
