"""Two spanning trees of one mechanism: one for positions, one for orientations (McPhee 2002, part 3).

The graph has the bodies as vertices, and as edges the joints and, from the ground, the bodies themselves: arms, which
are in every tree, are contracted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gyrostat.errors import TopologyError
from gyrostat.graph.linear_graph import Edge, LinearGraph
from gyrostat.graph.spanning_tree import SpanningTree
from gyrostat.model import Joint
from gyrostat.model.joints import Screw
from gyrostat.model.names import GROUND
from gyrostat.once import cached_property
from gyrostat.results.labelled_matrix import listed
from gyrostat.topology.topology import Topology
from gyrostat.topology.trees import Trees

_FLEXIBLE_ARM, _ARM, _BODY_PRECEDENCE = -2.0, -1.0, 0.5


@dataclass(frozen=True)
class BranchTrees:
    """The trees of positions and orientations, on one graph whose edges are joints and bodies.

    Joint coordinates have one spanning tree of joints as both of them.
    """

    translation: SpanningTree
    rotation: SpanningTree

    @cached_property
    def elements(self) -> tuple[str, ...]:
        """The joints and bodies that are in one of the trees, bodies first."""
        used = self.translation.arc_set | self.rotation.arc_set
        edges = self.translation.graph.edges
        bodies = [edge.name for edge in edges if edge.name == edge.head]
        return tuple(name for name in (*bodies, *(e.name for e in edges if e.name != e.head)) if name in used)

    @property
    def names(self) -> Trees:
        """The choice by names."""
        return Trees(self.translation.arcs, self.rotation.arcs)


def is_body(edge: Edge) -> bool:
    """Return whether an edge represents a body: it leads from the ground to the vertex of its own name."""
    return edge.name == edge.head


def chosen_trees(topology: Topology, trees: Trees) -> BranchTrees:
    """Return the trees of a user's choice; raise an error that names bodies and joints if one is not a tree."""
    graph = _graph(topology, lambda joint: 0.0, 0.0)
    found = BranchTrees(
        _chosen(topology, graph, trees.translation, "translation", "position"),
        _chosen(topology, graph, trees.rotation, "rotation", "orientation"),
    )
    for joint in _halved_screws(topology, found):
        raise TopologyError(
            f"Screw {joint!r} is in one of the trees only. Its angle moves and turns its child: put it into both or "
            "into none."
        )
    return found


def body_trees(topology: Topology) -> BranchTrees:
    """Return the trees of absolute coordinates: all bodies but stations, and the arms of flexible bodies to these."""
    graph = _graph(topology, lambda joint: 0.0, 0.0)
    arms = {joint.child.body: name for name, joint in topology.joints.items() if joint.flexible}
    tree = graph.spanning_tree(tree=[arms.get(name, name) for name in topology.bodies])
    return BranchTrees(tree, tree)


def trees_by_priority(topology: Topology, *, planar: bool) -> BranchTrees:
    """Return the trees with the fewest coordinates by McPhee's priorities; names in natural order break ties.

    For positions: arms, then joints with few translations, bodies before joints with as many; for orientations the
    same by rotations, so that a planar mechanism has the absolute angles of its bodies. Driven coordinates do not
    count. A screw is in both trees or in none.
    """
    cut: set[str] = set()
    while True:
        translation = _graph(topology, translations, 2 if planar else 3)
        rotation = _graph(topology, rotations, 1 if planar else 3)
        found = BranchTrees(translation.spanning_tree(cut=cut), rotation.spanning_tree(cut=cut))
        halved = _halved_screws(topology, found)
        if not halved:
            graph = translation
            return BranchTrees(found.translation, SpanningTree(graph, found.rotation.arcs, found.rotation.chords))
        cut.update(halved)


def translations(joint: Joint) -> int:
    """Return the number of undriven translational coordinates of a joint."""
    moves = [c for c in joint.coordinates if c.measure == "length" or isinstance(joint, Screw)]
    return sum(coordinate.label not in joint.driven for coordinate in moves)


def rotations(joint: Joint) -> int:
    """Return the number of undriven rotational freedoms of a joint."""
    lengths = sum(coordinate.measure == "length" for coordinate in joint.coordinates)
    driven = sum(c.measure != "length" and c.label in joint.driven for c in joint.coordinates)
    return len(joint.speed_labels) - lengths - driven


def _graph(topology: Topology, freedoms: Callable[[Joint], float], of_bodies: float) -> LinearGraph:
    """Return bodies and joints as edges, those with few freedoms first."""
    edges = [Edge(name, GROUND, name, of_bodies - _BODY_PRECEDENCE) for name in topology.bodies]
    for joint in topology.joints.values():
        priority = _FLEXIBLE_ARM if joint.flexible else freedoms(joint) if joint.coordinates else _ARM
        edges.append(Edge(joint.name, joint.parent.body, joint.child.body, priority))
    return LinearGraph(edges, GROUND, (GROUND, *topology.bodies))


def _halved_screws(topology: Topology, trees: BranchTrees) -> list[str]:
    halved = trees.translation.arc_set ^ trees.rotation.arc_set
    return [name for name, joint in topology.joints.items() if name in halved and isinstance(joint, Screw)]


def _chosen(topology: Topology, graph: LinearGraph, names: tuple[str, ...], tree: str, lacks: str) -> SpanningTree:
    """Return a chosen tree with all welds that close no circuit in it; raise an error if it is not a tree."""
    unknown = [name for name in names if name not in graph.edge]
    if unknown:
        known = [*topology.joints, *topology.bodies]
        raise TopologyError(
            f"The {tree} tree names {listed(unknown)}, which is no joint or body. Known: {listed(known)}."
        )
    kept = [joint for name, joint in topology.joints.items() if name not in names]
    arms = [joint.name for joint in kept if joint.flexible]
    welds = [joint.name for joint in kept if not joint.coordinates]
    names = (*names, *arms)
    parts = LinearGraph([graph.edge[name] for name in dict.fromkeys(names)], GROUND, graph.vertices)
    circuit = _first_circuit(parts)
    if circuit:
        raise TopologyError(
            f"The {tree} tree {listed(names)} is not a tree: {listed(circuit)} close a circuit. Leave out one of them."
        )
    arcs = [*dict.fromkeys(names)]
    for weld in welds:
        if not _first_circuit(LinearGraph([graph.edge[name] for name in (*arcs, weld)], GROUND, graph.vertices)):
            arcs.append(weld)
    left = LinearGraph([graph.edge[name] for name in arcs], GROUND, graph.vertices).unreachable
    if left:
        beside = [edge.name for edge in graph.edges if (edge.tail in left) != (edge.head in left)]
        raise TopologyError(
            f"The {tree} tree {listed(names)} leaves {listed(left)} without {lacks}. Add one of {listed(beside)}."
        )
    return graph.spanning_tree(tree=arcs)


def _first_circuit(graph: LinearGraph) -> tuple[str, ...]:
    """Return the edges of a circuit; empty without one."""
    arcs: list[Edge] = []
    for edge in graph.edges:
        way = _path_edges(arcs, edge.tail, edge.head)
        if way is not None:
            return (*way, edge.name)
        arcs.append(edge)
    return ()


def _path_edges(edges: Iterable[Edge], start: str, end: str) -> tuple[str, ...] | None:
    """Return the edges between two vertices of a forest, or None where it does not connect them."""
    beside: dict[str, list[tuple[str, str]]] = {}
    for edge in edges:
        beside.setdefault(edge.tail, []).append((edge.head, edge.name))
        beside.setdefault(edge.head, []).append((edge.tail, edge.name))
    ways: dict[str, tuple[str, ...]] = {start: ()}
    waiting = [start]
    while waiting:
        vertex = waiting.pop()
        for other, name in beside.get(vertex, []):
            if other not in ways:
                ways[other] = (*ways[vertex], name)
                waiting.append(other)
    return ways.get(end)
