"""Directed graphs with named vertices and edges, free of mechanics.

The vertices may be bodies or the nodes of an electrical network, the edges joints, elements or wires.
Forehand et al., eqs. 1–13 and McPhee 2002, part 2 give the matrices.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.errors import TopologyError
from gyrostat.graph.spanning_tree import SpanningTree
from gyrostat.once import cached_property
from gyrostat.results.labelled_matrix import LabelledMatrix, listed

if TYPE_CHECKING:
    import networkx as nx

Priority = Mapping[str, float] | Callable[["Edge"], float]


@dataclass(frozen=True)
class Edge:
    """A directed edge from `tail` to `head`; edges with low `priority` are taken into the tree first."""

    name: str
    tail: str
    head: str
    priority: float = 0


@dataclass(frozen=True, init=False)
class LinearGraph:
    """A directed graph with a datum vertex; parallel edges are allowed, loops at one vertex are not.

    Edges keep the order given. Vertices have the order of `vertices`; without it the datum comes first, the others as
    the edges mention them. Properties are computed on first access; matrices are sparse.

    >>> graph = LinearGraph([("a1", "ground", "bar1"), ("a2", "bar1", "bar2")], datum="ground")
    >>> print(graph.incidence)
    incidence, 3 × 2
            a1  a2
    ground   1   0
    bar1    -1   1
    bar2     0  -1
    """

    edges: tuple[Edge, ...]
    datum: str
    vertices: tuple[str, ...]

    def __init__(
        self, edges: Iterable[Edge | tuple[str, str, str]], datum: str, vertices: Iterable[str] | None = None
    ) -> None:
        records = tuple(edge if isinstance(edge, Edge) else Edge(*edge) for edge in edges)
        mentioned = [datum, *(end for edge in records for end in (edge.tail, edge.head))]
        given = tuple(dict.fromkeys(mentioned)) if vertices is None else tuple(vertices)
        object.__setattr__(self, "edges", records)
        object.__setattr__(self, "datum", datum)
        object.__setattr__(self, "vertices", given)
        _check_names(records, datum, given)

    def __reduce__(self) -> tuple[type[LinearGraph], tuple[object, ...]]:
        return (LinearGraph, (self.edges, self.datum, self.vertices))  # cached properties are not pickled

    @cached_property
    def edge(self) -> Mapping[str, Edge]:
        """The edges by name."""
        return MappingProxyType({edge.name: edge for edge in self.edges})

    @cached_property
    def vertices_without_datum(self) -> tuple[str, ...]:
        """The vertices other than the datum, in order."""
        return tuple(vertex for vertex in self.vertices if vertex != self.datum)

    @cached_property
    def incidence(self) -> LabelledMatrix:
        """Incidence matrix S̄ (vertices × edges, Forehand et al., eq. 3): +1 where an edge leaves, −1 where it ends."""
        return self._incidence(self.vertices, "incidence", r"\bar{S}")

    @cached_property
    def reduced_incidence(self) -> LabelledMatrix:
        """Reduced incidence matrix S (vertices without the datum × edges; Forehand et al., eq. 8)."""
        return self._incidence(self.vertices_without_datum, "reduced incidence", "S")

    def components(self) -> tuple[tuple[str, ...], ...]:
        """Return the connected parts, directions disregarded; parts and their vertices in the order of the vertices."""
        joined = _DisjointSets()
        for edge in self.edges:
            joined.join(edge.tail, edge.head)
        parts: dict[str, list[str]] = {}
        for vertex in self.vertices:
            parts.setdefault(joined.root(vertex), []).append(vertex)
        return tuple(tuple(part) for part in parts.values())

    @cached_property
    def unreachable(self) -> tuple[str, ...]:
        """The vertices that no edges connect with the datum, directions disregarded."""
        return tuple(vertex for part in self.components() if self.datum not in part for vertex in part)

    @property
    def is_connected(self) -> bool:
        """Whether every vertex can be reached from the datum, directions disregarded."""
        return not self.unreachable

    def spanning_tree(
        self, *, priority: Priority | None = None, tree: Iterable[str] | None = None, cut: Iterable[str] = ()
    ) -> SpanningTree:
        """Return a spanning tree: its edges are the arcs, the others the chords.

        Without `tree` the edges are taken in the order of (priority, name), where a2 comes before a10, and each one
        that closes no circuit becomes an arc (Kruskal). `priority` overrides the edges' own: a mapping for the edges it
        names, or a function of the edge. `tree` names all arcs; `cut` names edges that must be chords.

        >>> triangle = LinearGraph([("a", "0", "1"), ("b", "1", "2"), ("c", "2", "0")], datum="0")
        >>> triangle.spanning_tree().chords, triangle.spanning_tree(cut=["a"]).arcs
        (('c',), ('b', 'c'))
        """
        self._require_connected()
        chords = set(self._require_edges(cut, "cut"))
        if tree is not None:
            arcs = self._chosen_arcs(self._require_edges(tree, "tree"), chords)
        elif len(self.edges) == len(self.vertices) - 1 and not chords and priority is None:
            arcs = set(self.edge)  # connected without an edge too many: a tree already
        else:
            arcs = self._kruskal(self._by_priority(priority), chords)
        return SpanningTree(
            graph=self,
            arcs=tuple(edge.name for edge in self.edges if edge.name in arcs),
            chords=tuple(edge.name for edge in self.edges if edge.name not in arcs),
        )

    def number_of_spanning_trees(self) -> int:
        """Return the number of spanning trees: det(S Sᵀ), exactly (matrix-tree theorem). For small graphs.

        >>> LinearGraph([("a", "0", "1"), ("b", "1", "2"), ("c", "2", "0")], datum="0").number_of_spanning_trees()
        3
        """
        from sympy.polys.domains import ZZ
        from sympy.polys.matrices import DomainMatrix

        S = self.reduced_incidence
        laplacian = (S @ S.T).to_array().tolist()
        if not laplacian:
            return 1
        exact = DomainMatrix([[ZZ(value) for value in row] for row in laplacian], (len(laplacian),) * 2, ZZ)
        return int(exact.det())

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """Return a new networkx graph with the same vertices and edges; edge names are the keys."""
        import networkx as nx

        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        graph.add_nodes_from(self.vertices)
        for edge in self.edges:
            graph.add_edge(edge.tail, edge.head, key=edge.name)
        return graph

    def _incidence(self, vertices: tuple[str, ...], title: str, symbol: str) -> LabelledMatrix:
        row = {vertex: place for place, vertex in enumerate(vertices)}
        entries = [
            (row[end], column, sign)
            for column, edge in enumerate(self.edges)
            for end, sign in ((edge.tail, 1), (edge.head, -1))
            if end in row
        ]
        i, j, values = np.array(entries, dtype=np.int64).reshape(-1, 3).T
        names = tuple(edge.name for edge in self.edges)
        return LabelledMatrix.from_triplets(vertices, names, i, j, values, title=title, symbol=symbol)

    def _require_connected(self) -> None:
        if not self.is_connected:
            raise TopologyError(
                f"Vertices {listed(self.unreachable)} cannot be reached from the datum {self.datum!r}; "
                "connect them by an edge, or leave them out."
            )

    def _require_edges(self, names: Iterable[str], option: str) -> tuple[str, ...]:
        if isinstance(names, str):
            raise TopologyError(
                f"{option}={names!r} is one text; give a list of edge names, as in {option}=[{names!r}]."
            )
        chosen = tuple(names)
        unknown = [name for name in chosen if name not in self.edge]
        if unknown:
            raise TopologyError(f"{option}: there are no edges {listed(unknown)}. Known edges: {listed(self.edge)}.")
        return chosen

    def _by_priority(self, priority: Priority | None) -> list[Edge]:
        """Return the edges in the order in which they are offered to the tree."""
        if isinstance(priority, Mapping):
            self._require_edges(priority, "priority")
            numbers = [priority.get(edge.name, edge.priority) for edge in self.edges]
        elif priority is not None:
            numbers = [priority(edge) for edge in self.edges]
        else:
            numbers = [edge.priority for edge in self.edges]
        for edge, number in zip(self.edges, numbers, strict=True):
            if number != number:  # NaN has no place in an order
                raise TopologyError(f"Edge {edge.name!r}: its priority is not a number; give a finite one.")
        ranked = sorted(zip(numbers, self.edges, strict=True), key=lambda pair: (pair[0], natural_key(pair[1].name)))
        return [edge for _, edge in ranked]

    def _kruskal(self, offered: Iterable[Edge], cut: Collection[str]) -> set[str]:
        arcs, _ = _closing_no_circuit(edge for edge in offered if edge.name not in cut)
        if len(arcs) < len(self.vertices) - 1:
            rest = LinearGraph([edge for edge in self.edges if edge.name not in cut], self.datum, self.vertices)
            raise TopologyError(
                f"cut: without the edges {listed(sorted(cut, key=natural_key))} "
                f"the vertices {listed(rest.unreachable)} are cut off from "
                f"the datum {self.datum!r}; leave an edge that leads to them."
            )
        return set(arcs)

    def _chosen_arcs(self, tree: Collection[str], cut: Collection[str]) -> set[str]:
        """Check that the user's edges are a spanning tree."""
        both = [name for name in tree if name in cut]
        if both:
            raise TopologyError(
                f"The edges {listed(both)} are in tree and in cut; an edge is an arc or a chord, not both."
            )
        edges = [self.edge[name] for name in dict.fromkeys(tree)]
        _, closing = _closing_no_circuit(edges)
        left_out = LinearGraph(edges, self.datum, self.vertices).unreachable
        faults = []
        if closing:
            faults.append(f"the edges {listed(closing)} close a circuit with the others; leave them out")
        if left_out:
            faults.append(f"the vertices {listed(left_out)} are left out; add edges that lead to them")
        if faults:
            raise TopologyError(f"tree: the edges {listed(tree)} are not a spanning tree: {'; '.join(faults)}.")
        return set(tree)


def natural_key(name: str) -> tuple[tuple[str | tuple[int, str], ...], str]:
    """Return a sort key that reads numbers inside names as numbers.

    >>> sorted(["a10", "a2", "a1"], key=natural_key)
    ['a1', 'a2', 'a10']
    """
    parts = re.split(r"([0-9]+)", name)
    # texts and numbers alternate, so like meets like; (length, digits) orders integers of any length
    digits = [part.lstrip("0") for part in parts[1::2]]
    numbers = [(len(part), part) for part in digits]
    mixed: list[str | tuple[int, str]] = [*parts]
    mixed[1::2] = numbers
    return tuple(mixed), name


def _closing_no_circuit(edges: Iterable[Edge]) -> tuple[list[str], list[str]]:
    """Take edges one by one; return the names of those that joined two parts, and of those that closed a circuit."""
    parts = _DisjointSets()
    joining: list[str] = []
    closing: list[str] = []
    for edge in edges:
        (joining if parts.join(edge.tail, edge.head) else closing).append(edge.name)
    return joining, closing


class _DisjointSets:
    """Disjoint sets of vertices (union-find with path splitting and union by size).

    NetworkX has the same; importing it takes 0.1 s, longer than all other steps from a model to its cached program.
    """

    def __init__(self) -> None:
        self._above: dict[str, str] = {}
        self._size: dict[str, int] = {}

    def root(self, vertex: str) -> str:
        """Return the representative vertex of the part that contains a vertex."""
        above = self._above
        up = above.setdefault(vertex, vertex)
        while up != vertex:
            above[vertex] = above[up]
            vertex, up = up, above[up]
        return vertex

    def join(self, a: str, b: str) -> bool:
        """Merge two parts; return False if they are the same part."""
        a, b = self.root(a), self.root(b)
        if a == b:
            return False
        size = self._size
        total = size.get(a, 1) + size.get(b, 1)
        small, large = (a, b) if size.get(a, 1) < size.get(b, 1) else (b, a)
        self._above[small], size[large] = large, total
        return True


def _check_names(edges: tuple[Edge, ...], datum: str, vertices: tuple[str, ...]) -> None:
    for what, names in (("vertex", vertices), ("edge", tuple(edge.name for edge in edges))):
        if len(set(names)) < len(names):
            twice = [name for name, count in Counter(names).items() if count > 1]
            raise TopologyError(
                f"The {what} names {listed(twice)} occur more than once; give every {what} its own name."
            )
    known = set(vertices)
    if datum not in known:
        raise TopologyError(f"The datum {datum!r} is not among the vertices. Known vertices: {listed(vertices)}.")
    for edge in edges:
        if edge.tail == edge.head:
            raise TopologyError(
                f"Edge {edge.name!r} leads from {edge.tail!r} to itself; an edge connects two different vertices."
            )
        for end in (edge.tail, edge.head):
            if end not in known:
                raise TopologyError(
                    f"Edge {edge.name!r} refers to vertex {end!r}, which is not given. "
                    f"Known vertices: {listed(vertices)}."
                )
