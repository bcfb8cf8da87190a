"""The topology of a model: its bodies and joints as a graph, with a spanning tree and the matrices of the method."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from gyrostat.errors import TopologyError
from gyrostat.graph.linear_graph import Edge, LinearGraph
from gyrostat.graph.spanning_tree import DirectedEdge, SpanningTree
from gyrostat.lazy import later
from gyrostat.model import Joint, Model
from gyrostat.model.names import GROUND, counted
from gyrostat.once import cached_property
from gyrostat.results.html_table import html_table
from gyrostat.results.labelled_matrix import LabelledMatrix
from gyrostat.topology.element_graph import ElementGraph, element_graph
from gyrostat.topology.mobility import Mobility
from gyrostat.topology.subsystem_boxes import SubsystemBoxes

if TYPE_CHECKING:
    from gyrostat.pictures import edge_lines, graph_drawing
else:
    edge_lines, graph_drawing = later("gyrostat.pictures", "edge_lines", "graph_drawing")

_ARM = -1
"""The priority of arms of flexible bodies, which are in every tree."""
_ROW_LIMIT = 60


@dataclass(frozen=True)
class Topology:
    """Bodies as vertices, joints as directed branches, arcs and chords of a spanning tree.

    The matrices are those of Forehand et al., eqs. 1–13, and T. S. No, eqs. 2–4.

    >>> import gyrostat as gs
    >>> model = gs.Model("two bars")
    >>> for name in ("bar1", "bar2"):
    ...     bar = model.add(gs.Body(name, gs.rod(1, 1)))
    >>> hinges = [model.add(gs.Revolute("a1", "ground", "bar1")), model.add(gs.Revolute("a2", "bar1", "bar2"))]
    >>> print(gs.Topology.of(model).path)
    path, 2 × 2
        bar1  bar2
    a1    -1    -1
    a2     0    -1
    """

    model: Model
    graph: LinearGraph
    tree: SpanningTree

    @staticmethod
    def of(model: Model, *, tree: Iterable[str] | None = None, cut: Iterable[str] = ()) -> Topology:
        """Return the topology of a model.

        Without a choice, joints with few undriven coordinates are taken into the tree first, names in natural order
        break ties; `tree` names all arcs, `cut` names joints that must be chords.
        """
        frozen = model.freeze()
        joints = frozen.joints
        bodies = [GROUND, *(name for name in frozen.bodies if name != GROUND)]
        for joint in joints.values():
            if joint.parent.body == joint.child.body:
                raise TopologyError(
                    f"Joint {joint.name!r} leads from body {joint.parent.body!r} to itself. Connect two bodies."
                )
        edges = [
            Edge(
                j.name,
                j.parent.body,
                j.child.body,
                _ARM if j.flexible or j.armature else len(j.speed_labels) - len(j.driven),
            )
            for j in joints.values()
        ]
        graph = LinearGraph(edges, GROUND, bodies)
        return Topology(frozen, graph, graph.spanning_tree(tree=tree, cut=cut))

    @cached_property
    def joints(self) -> Mapping[str, Joint]:
        """The joints by name."""
        return self.model.joints

    @property
    def bodies(self) -> tuple[str, ...]:
        """The names of the moving bodies, in the order in which they were added."""
        return self.graph.vertices_without_datum

    @property
    def arcs(self) -> tuple[str, ...]:
        """The joints of the tree: primary joints."""
        return self.tree.arcs

    @property
    def chords(self) -> tuple[str, ...]:
        """The joints that close loops: secondary joints."""
        return self.tree.chords

    @property
    def loops(self) -> dict[str, tuple[DirectedEdge, ...]]:
        """The fundamental loop of each chord: joints in order around it, with +1 where they are passed forwards."""
        return {chord: self.tree.loop(chord) for chord in self.chords}

    @property
    def incidence(self) -> LabelledMatrix:
        """Incidence matrix S̄ (Forehand et al., eq. 3)."""
        return self.graph.incidence

    @property
    def reduced_incidence(self) -> LabelledMatrix:
        """Reduced incidence matrix S."""
        return self.graph.reduced_incidence

    @property
    def path(self) -> LabelledMatrix:
        """Path matrix T, the inverse of the arcs' part of S (Forehand et al., eq. 5)."""
        return self.tree.path

    @property
    def cutset(self) -> LabelledMatrix:
        """Cutset matrix A_f = [1 A_c] (McPhee 2002)."""
        return self.tree.cutset

    @property
    def circuit(self) -> LabelledMatrix:
        """Circuit matrix B_f = [B_b 1] (McPhee 2002)."""
        return self.tree.circuit

    @property
    def body_path(self) -> LabelledMatrix:
        """The path matrix π (T. S. No, eq. 2)."""
        return self.tree.body_path

    @property
    def reference_body(self) -> Mapping[str, str]:
        """The reference body operator L: the inboard neighbour of each body (T. S. No, eq. 3)."""
        return self.tree.reference_body

    @property
    def reference_matrix(self) -> LabelledMatrix:
        """The matrix ρ of reference bodies (T. S. No, eq. 4)."""
        return self.tree.reference_matrix

    @cached_property
    def elements(self) -> ElementGraph:
        """The finer graph of McPhee 2002 with bodies, arms, joints, drivers and force elements as edges."""
        return element_graph(self.model)

    @cached_property
    def mobility(self) -> Mobility:
        """The mobility by counting."""
        rotors = sum(rotor.free for body in self.model.bodies.values() for rotor in body.rotors)
        return Mobility.of(len(self.bodies), self.joints.values(), rotors)

    def explain(self) -> str:
        """Return a description: loops by joint names, mobility by counting."""
        lines = []
        for chord, loop in self.loops.items():
            passed = ", ".join(step.name if step.direction > 0 else f"−{step.name}" for step in loop)
            lines.append(f"Loop closed by {chord}: {passed}")
        if not lines:
            lines.append("No loops: the mechanism is a tree.")
        lines.append(f"Mobility by counting: {self.mobility}.")
        return "\n".join(lines)

    def __str__(self) -> str:
        joints = len(self.joints)
        head, found = self._table()
        rows = [head, *found[:_ROW_LIMIT]]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        table = [
            "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        if joints > _ROW_LIMIT:
            table.append(f"  … and {joints - _ROW_LIMIT} more")
        return "\n".join([self._heading(), *table, *([] if joints > _ROW_LIMIT else [self.explain()])])

    def _heading(self) -> str:
        counts = f"{counted(len(self.bodies), 'body', 'bodies')}, {counted(len(self.joints), 'joint', 'joints')}"
        return f"Topology of {self.model.name!r}: {counts}"

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Return the heads of columns, and a row of text for each joint."""
        arcs = set(self.arcs)
        rows: list[tuple[str, ...]] = []
        for joint in self.joints.values():
            driven = f" ({len(joint.driven)} driven)" if joint.driven else ""
            freedoms, role = f"{len(joint.coordinates)}{driven}", "arc" if joint.name in arcs else "chord"
            rows.append((joint.name, type(joint).__name__, str(joint.parent), str(joint.child), freedoms, role))
        return ("joint", "kind", "from", "to", "coordinates", "role"), rows

    def draw(self, path: str | os.PathLike[str] | None = None, *, opened: Collection[str] | bool = False) -> str:
        """Return a drawing as SVG text, arcs solid and chords dashed; write it if a path is given.

        A subsystem is a box in the place of its bodies. `opened` names subsystems whose bodies are drawn instead, as in
        ["left", "left.axle"]; True opens all of them.
        """
        arcs, boxes = set(self.arcs), SubsystemBoxes.of(self.model, opened)
        labels = boxes.labels(self.graph.vertices, list(self.joints))
        shown, style = graph_drawing.VertexKind, edge_lines.EdgeStyle
        kinds = {GROUND: shown.DATUM} | dict.fromkeys(labels, shown.SUBSYSTEM)
        vertices = [
            graph_drawing.DrawnVertex(name, labels.get(name, ""), kinds.get(name, shown.PLAIN))
            for name in dict.fromkeys(map(boxes.vertex, self.graph.vertices))
        ]
        ends = {edge.name: (boxes.vertex(edge.tail), boxes.vertex(edge.head)) for edge in self.graph.edges}
        edges = [
            graph_drawing.DrawnEdge(name, tail, head, style.ARC if name in arcs else style.CHORD)
            for name, (tail, head) in ends.items()
            if tail != head
        ]
        return graph_drawing.draw_graph(vertices, edges, path, title=f"Topology of {self.model.name}")

    def _repr_svg_(self) -> str:
        return self.draw()

    def _repr_html_(self) -> str:
        head, rows = self._table()
        loops = "".join(f"<p>{escape(line)}</p>" for line in self.explain().splitlines())
        return f"{self.draw()}{html_table(self._heading(), head, rows)}{loops}"
