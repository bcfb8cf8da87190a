"""The graph of all networks of a model: edges, nodes, domains, and the normal tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from gyrostat.errors import Fault
from gyrostat.graph import Edge as GraphEdge
from gyrostat.graph import LinearGraph, SpanningTree
from gyrostat.model.elements import Datum, NetworkElement
from gyrostat.model.elements.domain import DOMAINS, Domain
from gyrostat.model.elements.edge import Edge, Role
from gyrostat.model.names import first_few
from gyrostat.once import cached_property


@dataclass(frozen=True)
class NetworkGraph:
    """The networks of a model on one graph: all data are one vertex, `datum`.

    Several data in one network are the same node, as ground symbols of a circuit are. Between networks this changes
    neither circuits nor cutsets, and lets ports of an element belong to different networks.
    """

    elements: tuple[NetworkElement, ...]
    arcs: tuple[str, ...] | None = None
    """The arcs of the tree, where the user chooses them."""

    @cached_property
    def data(self) -> tuple[Datum, ...]:
        """The data of the networks."""
        return tuple(element for element in self.elements if isinstance(element, Datum))

    @cached_property
    def edges(self) -> Mapping[str, Edge]:
        """The edges by name."""
        return {edge.name: edge for element in self.elements for edge in element.edges()}

    @cached_property
    def owner(self) -> Mapping[str, NetworkElement]:
        """The elements by the names of their edges."""
        return {edge.name: element for element in self.elements for edge in element.edges()}

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """The nodes, in the order of the elements."""
        return tuple(dict.fromkeys(end for edge in self.edges.values() for end in (edge.tail, edge.head)))

    @cached_property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """The nodes of each connected network."""
        edges = [GraphEdge(edge.name, edge.tail, edge.head) for edge in self.edges.values()]
        return LinearGraph(edges, self.nodes[0], self.nodes).components() if edges else ()

    @cached_property
    def domain_of(self) -> Mapping[str, Domain]:
        """The domain of each node: that of the datum of its network."""
        given = {datum.name: DOMAINS[datum.domain] for datum in self.data}
        found: dict[str, Domain] = {}
        for part in self.parts:
            domain = next((given[node] for node in part if node in given), DOMAINS["electrical"])
            found |= dict.fromkeys(part, domain)
        return found

    def domain(self, edge: str) -> Domain:
        """Return the domain of an edge."""
        return self.domain_of[self.edges[edge].tail]

    @cached_property
    def graph(self) -> LinearGraph:
        """The linear graph, with all data as one vertex; priorities are those of the normal tree.

        Of one role, edges at the datum come first: circuits and cutsets are then short, and the equations sparse.
        """
        names = {datum.name for datum in self.data}
        datum = self.data[0].name

        def vertex(node: str) -> str:
            return datum if node in names else node

        ends = {e.name: (vertex(e.tail), vertex(e.head)) for e in self.edges.values()}
        edges = [
            GraphEdge(e.name, *ends[e.name], e.role + (0.0 if datum in ends[e.name] else 0.5))
            for e in self.edges.values()
        ]
        vertices = dict.fromkeys(vertex(node) for node in self.nodes)
        return LinearGraph(edges, datum, (*(v for v in vertices if v != datum), datum))

    @cached_property
    def tree(self) -> SpanningTree:
        """The tree: the normal one, chosen by the roles of the edges, unless its arcs are given."""
        return self.graph.spanning_tree(tree=self.arcs)

    @cached_property
    def loops(self) -> Mapping[str, tuple[tuple[str, int], ...]]:
        """For each chord the arcs of its circuit with signs: v_chord = Σ sign v_arc."""
        return {chord: tuple((s.name, -s.direction) for s in self.tree.loop(chord)[1:]) for chord in self.tree.chords}

    @cached_property
    def cutsets(self) -> Mapping[str, tuple[tuple[str, int], ...]]:
        """For each arc the chords of its cutset with signs: i_arc = Σ sign i_chord."""
        found: dict[str, list[tuple[str, int]]] = {arc: [] for arc in self.tree.arcs}
        for chord, loop in self.loops.items():
            for arc, sign in loop:
                found[arc].append((chord, -sign))
        return {arc: tuple(chords) for arc, chords in found.items()}


def graph_faults(network: NetworkGraph, taken: Iterable[str]) -> Iterator[Fault]:
    """Yield faults of nodes, data and domains; with none of them the graph has a tree.

    `taken` are the names of the components of the model.
    """
    data = {datum.name: datum for datum in network.data}
    reserved = {name for name in taken if name not in data}
    for node in network.nodes:
        if node in reserved:
            yield Fault(f"node {node!r}", "a component of the model has the same name.", "Rename one of them.")
    closed = [
        edge for edge in network.edges.values() if edge.tail == edge.head or {edge.tail, edge.head} <= data.keys()
    ]
    if closed:
        for edge in closed:
            same = edge.tail == edge.head
            fact = (
                f"both of its ends are node {edge.tail!r}."
                if same
                else "both of its ends are data, which are one node."
            )
            yield Fault(network.owner[edge.name].describe(), fact, "Connect two different nodes.")
        return
    for part in network.parts:
        found = [data[node] for node in part if node in data]
        if not found:
            nodes, own = first_few([repr(node) for node in part]), set(part)
            inside = {network.owner[name].name: None for name, edge in network.edges.items() if edge.tail in own}
            elements = first_few([repr(name) for name in inside])
            fact = f"nodes {nodes} of {elements} are connected with no datum: their network floats."
            yield Fault("network", fact, f"Add a datum, as in Datum({part[-1]!r}), or connect them.")
        for other in found[1:]:
            if other.domain != found[0].domain:
                fact = f"it is {other.domain}, and datum {found[0].name!r} of the same network is {found[0].domain}."
                yield Fault(
                    other.describe(), fact, "A network has one domain; join domains by a Transformer or Gyrator."
                )
    used = set(network.nodes)
    for name, datum in data.items():
        if name not in used:
            yield Fault(datum.describe(), "no element is at this node.", "Connect one, or leave the datum out.")
    yield from _domain_faults(network)


def _domain_faults(network: NetworkGraph) -> Iterator[Fault]:
    """Yield a fault for each element that does not occur in the domain of its network."""
    for element in network.elements:
        for edge in element.edges():
            domain = network.domain_of[edge.tail].name
            if element.only_domain not in (None, domain):
                fact = f"it is {element.only_domain}, and its network is {domain}."
                yield Fault(element.describe(), fact, "Use an element of that domain, or LawElement.")
                break


def tree_faults(network: NetworkGraph) -> Iterator[Fault]:
    """Yield faults of drivers with given values: loops of across drivers, cutsets of through drivers.

    Loops with controlled sources may determine the controlling variables.
    """
    tree, edges = network.tree, network.edges
    for chord in tree.chords:
        loop = network.loops[chord]
        if edges[chord].role is Role.ACROSS_DRIVER and all(edges[one].is_given for one in (chord, *dict(loop))):
            others = _named(network, (arc for arc, _ in network.loops[chord]))
            fact = f"it closes a loop of given {network.domain(chord).across}s with {others}."
            remedy = "Leave one of them out, or put a resistance into the loop."
            yield Fault(network.owner[chord].describe(), fact, remedy)
    for arc in tree.arcs:
        cutset = network.cutsets[arc]
        if edges[arc].role is Role.THROUGH_DRIVER and all(edges[one].is_given for one in (arc, *dict(cutset))):
            others = _named(network, (chord for chord, _ in network.cutsets[arc]))
            fact = f"only given {network.domain(arc).through}s flow to one of its ends"
            fact = f"{fact}: a cutset with {others}." if others else f"{fact}, of this element alone."
            yield Fault(
                network.owner[arc].describe(), fact, "Connect the end by a resistance, or leave one source out."
            )


def _named(network: NetworkGraph, edges: Iterable[str]) -> str:
    return first_few([repr(name) for name in dict.fromkeys(network.owner[edge].name for edge in edges)])
