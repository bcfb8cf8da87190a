"""The spanning tree of a linear graph, and the matrices that follow from it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gyrostat.errors import TopologyError
from gyrostat.once import cached_property
from gyrostat.results.labelled_matrix import LabelledMatrix, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gyrostat.graph.linear_graph import LinearGraph


class DirectedEdge(NamedTuple):
    """A directed edge of a path: +1 along its direction, −1 against it."""

    name: str
    direction: int


@dataclass(frozen=True)
class SpanningTree:
    """A choice of arcs of a connected graph, one per vertex without the datum; the other edges are chords.

    Made by `LinearGraph.spanning_tree`. Arcs and chords keep the order of the graph's edges. All properties
    are computed on first access. The path matrix and body path of a long chain have n²/2 entries; all others grow in
    proportion to the graph.

    >>> from gyrostat.graph.linear_graph import LinearGraph
    >>> tree = LinearGraph([("a", "0", "1"), ("b", "2", "1"), ("c", "2", "0")], datum="0").spanning_tree()
    >>> tree.arcs, tree.chords, tree.chain("2")
    (('a', 'b'), ('c',), ('b', 'a'))
    >>> print(tree.path)
    path, 2 × 2
        1   2
    a  -1  -1
    b   0   1
    """

    graph: LinearGraph
    arcs: tuple[str, ...]
    chords: tuple[str, ...]

    def __reduce__(self) -> tuple[type[SpanningTree], tuple[object, ...]]:
        return (SpanningTree, (self.graph, self.arcs, self.chords))  # cached properties are not pickled

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The vertices outward from the datum: breadth first, neighbours in the order of the edges."""
        return (self.graph.datum, *self.parent_edge)

    @cached_property
    def parent_edge(self) -> Mapping[str, str]:
        """The arc that leads from each vertex towards the datum, vertices in `order`."""
        beside: dict[str, list[tuple[str, str]]] = {vertex: [] for vertex in self.graph.vertices}
        for name in self.arcs:
            edge = self.graph.edge[name]
            beside[edge.tail].append((edge.head, name))
            beside[edge.head].append((edge.tail, name))
        found: dict[str, str] = {}
        reached = deque([self.graph.datum])
        while reached:
            vertex = reached.popleft()
            for other, name in beside[vertex]:
                if name != found.get(vertex):
                    found[other] = name
                    reached.append(other)
        return MappingProxyType(found)

    @cached_property
    def parent_vertex(self) -> Mapping[str, str]:
        """The next vertex on the path from each vertex to the datum, vertices in `order`."""
        edge = self.graph.edge
        return MappingProxyType(
            {
                vertex: edge[name].head if edge[name].tail == vertex else edge[name].tail
                for vertex, name in self.parent_edge.items()
            }
        )

    @cached_property
    def parent_direction(self) -> Mapping[str, int]:
        """+1 where a vertex's parent edge is directed towards the datum, else −1 (Forehand et al., eq. 5)."""
        edge = self.graph.edge
        return MappingProxyType(
            {vertex: 1 if edge[name].tail == vertex else -1 for vertex, name in self.parent_edge.items()}
        )

    @property
    def reference_body(self) -> Mapping[str, str]:
        """The operator L: the inboard neighbour of each vertex, the datum for base bodies (T. S. No, eq. 3)."""
        return self.parent_vertex

    @cached_property
    def depth(self) -> Mapping[str, int]:
        """The number of arcs between each vertex and the datum, vertices in `order`."""
        depth = {self.graph.datum: 0}
        for vertex, parent in self.parent_vertex.items():
            depth[vertex] = depth[parent] + 1
        return MappingProxyType(depth)

    def chain(self, vertex: str) -> tuple[str, ...]:
        """Return the arcs of the direct chain from a vertex to the datum."""
        self._require_vertex(vertex)
        arcs = []
        while vertex != self.graph.datum:
            arcs.append(self.parent_edge[vertex])
            vertex = self.parent_vertex[vertex]
        return tuple(arcs)

    def loop(self, chord: str) -> tuple[DirectedEdge, ...]:
        """Return the fundamental circuit of a chord: the chord along its direction, then the arcs back to its tail.

        >>> from gyrostat.graph.linear_graph import LinearGraph
        >>> graph = LinearGraph([("a", "0", "1"), ("b", "2", "1"), ("c", "2", "0")], datum="0")
        >>> [tuple(step) for step in graph.spanning_tree().loop("c")]
        [('c', 1), ('a', 1), ('b', -1)]
        """
        if chord not in self._chord_set:
            raise TopologyError(f"Edge {chord!r} is not a chord, so it has no loop. Chords: {listed(self.chords)}.")
        edge, depth = self.graph.edge[chord], self.depth
        inward, outward = [DirectedEdge(chord, 1)], []
        head, tail = edge.head, edge.tail
        while head != tail:  # climb from the deeper end until both ends meet
            if depth[head] >= depth[tail]:
                inward.append(DirectedEdge(self.parent_edge[head], self.parent_direction[head]))
                head = self.parent_vertex[head]
            else:
                outward.append(DirectedEdge(self.parent_edge[tail], -self.parent_direction[tail]))
                tail = self.parent_vertex[tail]
        return (*inward, *reversed(outward))

    def subtree(self, vertex: str) -> tuple[str, ...]:
        """Return a vertex and its descendants in the tree, each after its parent."""
        self._require_vertex(vertex)
        places = self._places
        start = places.start[places.of[vertex]]
        inside = places.preorder[start : start + places.size[places.of[vertex]]]
        return tuple(self.graph.vertices[place] for place in inside.tolist())

    @cached_property
    def path(self) -> LabelledMatrix:
        """Path matrix T = S_A⁻¹ (arcs × vertices without the datum, Forehand et al., eqs. 4–5).

        T^ai = +1 if arc a lies on the chain from vertex i to the datum and points towards the datum, −1 if it points
        away from it, else 0.
        """
        bodies = [*self.parent_edge]
        arc_row = {arc: row for row, arc in enumerate(self.arcs)}
        rows = np.array([arc_row[self.parent_edge[body]] for body in bodies], dtype=np.int64)
        signs = np.array([self.parent_direction[body] for body in bodies], dtype=np.int64)
        counts, columns = self._subtree_columns(bodies)
        return LabelledMatrix.from_triplets(
            self.arcs,
            self.graph.vertices_without_datum,
            np.repeat(rows, counts),
            columns,
            np.repeat(signs, counts),
            title="path",
            symbol="T",
        )

    @cached_property
    def body_path(self) -> LabelledMatrix:
        """The path matrix π (vertices without the datum, squared): 1 where j lies on the path from the base to i.

        Both ends count, so the diagonal is one (T. S. No, eq. 2).
        """
        bodies = self.graph.vertices_without_datum
        counts, inside = self._subtree_columns(bodies)
        between = np.repeat(np.arange(len(bodies)), counts)
        return LabelledMatrix.from_triplets(
            bodies, bodies, inside, between, np.ones_like(inside), title="body path", symbol=r"\pi"
        )

    @cached_property
    def reference_matrix(self) -> LabelledMatrix:
        """The matrix ρ (vertices without the datum, squared): 1 where j = L(i), base bodies zero (T. S. No, eq. 4)."""
        bodies = self.graph.vertices_without_datum
        place = {body: number for number, body in enumerate(bodies)}
        pairs = [(place[body], place[parent]) for body, parent in self.parent_vertex.items() if parent in place]
        i, j = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        return LabelledMatrix.from_triplets(
            bodies, bodies, i, j, np.ones_like(i), title="reference matrix", symbol=r"\rho"
        )

    @cached_property
    def cutset(self) -> LabelledMatrix:
        """Fundamental cutset matrix A_f = [1 A_c] (arcs × arcs then chords, McPhee 2002, part 2); A_f = T [S_A S_C]."""
        rows, columns, values = self._chord_entries()
        return self._with_unit(self.arcs, 0, columns, rows + len(self.arcs), -values, "cutset", "A_f")

    @cached_property
    def circuit(self) -> LabelledMatrix:
        """Fundamental circuit matrix B_f = [B_b 1] (chords × arcs then chords, McPhee 2002, part 2); B_b = −A_cᵀ."""
        rows, columns, values = self._chord_entries()
        return self._with_unit(self.chords, len(self.arcs), rows, columns, values, "circuit", "B_f")

    def _with_unit(
        self,
        names: tuple[str, ...],
        first: int,
        rows: NDArray[np.int64],
        columns: NDArray[np.int64],
        values: NDArray[np.int64],
        title: str,
        symbol: str,
    ) -> LabelledMatrix:
        """Add a unit block that starts in column `first`."""
        unit = np.arange(len(names))
        return LabelledMatrix.from_triplets(
            names,
            self.arcs + self.chords,
            np.concatenate([unit, rows]),
            np.concatenate([unit + first, columns]),
            np.concatenate([np.ones_like(unit), values]),
            title=title,
            symbol=symbol,
        )

    def _chord_entries(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return B_b as triplets, read off the loops: their total length bounds the work, not the path matrix."""
        arc_column = {arc: column for column, arc in enumerate(self.arcs)}
        entries = [
            (row, arc_column[step.name], step.direction)
            for row, chord in enumerate(self.chords)
            for step in self.loop(chord)[1:]
        ]
        rows, columns, values = np.array(entries, dtype=np.int64).reshape(-1, 3).T
        return rows, columns, values

    def _subtree_columns(self, bodies: list[str] | tuple[str, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the sizes of the bodies' subtrees and, one after the other, their members as columns.

        In preorder a subtree is a contiguous range, so all ranges are written out at once.
        """
        places = self._places
        body_places = np.array([places.of[body] for body in bodies], dtype=np.int64)
        counts, starts = places.size[body_places], places.start[body_places]
        ends = np.cumsum(counts)
        within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
        members = places.preorder[np.repeat(starts, counts) + within]
        datum = places.of[self.graph.datum]
        return counts, members - (members > datum)  # the datum has no column

    @cached_property
    def _places(self) -> _Preorder:
        """Number the vertices depth first from two passes over the breadth-first order, without recursion."""
        of = {vertex: place for place, vertex in enumerate(self.graph.vertices)}
        size = [1] * len(of)
        for vertex, parent in reversed(list(self.parent_vertex.items())):
            size[of[parent]] += size[of[vertex]]
        start = [0] * len(of)
        free = [1] * len(of)  # the next place inside each subtree that is not taken
        for vertex, parent in self.parent_vertex.items():
            mine, above = of[vertex], of[parent]
            start[mine] = free[above]
            free[mine] = start[mine] + 1
            free[above] += size[mine]
        starts = np.array(start, dtype=np.int64)
        preorder = np.empty_like(starts)
        preorder[starts] = np.arange(len(starts))
        return _Preorder(of, starts, np.array(size, dtype=np.int64), preorder)

    @cached_property
    def arc_set(self) -> frozenset[str]:
        """The arcs as a set."""
        return frozenset(self.arcs)

    @cached_property
    def _chord_set(self) -> frozenset[str]:
        return frozenset(self.chords)

    def _require_vertex(self, vertex: str) -> None:
        if vertex not in self.depth:
            raise TopologyError(f"There is no vertex {vertex!r}. Known vertices: {listed(self.graph.vertices)}.")


class _Preorder(NamedTuple):
    """Vertices by number: `of` their name, where each subtree starts in `preorder`, and its size."""

    of: dict[str, int]
    start: NDArray[np.int64]
    size: NDArray[np.int64]
    preorder: NDArray[np.int64]
