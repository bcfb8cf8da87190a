"""The networks of a model on their graph, and their equations in the formulations of McPhee 2002, part 2."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from gyrostat.errors import GyrostatError
from gyrostat.graph import LinearGraph, SpanningTree
from gyrostat.model import Model
from gyrostat.model.elements.edge import Edge, Role, Side, Variable, across, through
from gyrostat.model.networks import NetworkStates
from gyrostat.model.networks.graph import NetworkGraph
from gyrostat.model.networks.solution import expression_value, residual_value
from gyrostat.once import cached_property
from gyrostat.pictures.edge_lines import EdgeStyle
from gyrostat.pictures.graph_drawing import DrawnEdge, DrawnVertex, VertexKind, draw_graph
from gyrostat.results.labelled_matrix import LabelledMatrix
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply, negate
from gyrostat.written.formulation import Formulation
from gyrostat.written.symbolic_motion import SymbolicMotion
from gyrostat.written.symbols import dotted

Values = Mapping[Variable, Scalar]


@dataclass(frozen=True, eq=False)
class Network:
    """The elements of a model on one linear graph with a tree, and their equations in several formulations.

    >>> import gyrostat as gs
    >>> model = gs.Model("RC", parameters={"E": 5, "R": 1000, "C": 1e-6})
    >>> for element in (gs.Datum("g"), gs.VoltageSource("E1", "a", "g", "E"), gs.Resistor("R2", "a", "b", "R"),
    ...                 gs.Capacitor("C3", "b", "g", "C")):
    ...     _ = model.add(element)
    >>> network = gs.Network.of(model)
    >>> print(network.reduced)
    reduced: 1 equation in v_C3
      C*vdot_C3 = E/R - v_C3/R
    >>> len(network.nodal), len(network.branch_chord)
    (8, 3)
    """

    name: str
    states: NetworkStates
    network: NetworkGraph

    @staticmethod
    def of(model: Model, *, tree: Iterable[str] | None = None) -> Network:
        """Return the networks of a model, on the normal tree or on one whose arcs are named.

        The chosen tree shapes the matrices and the branch-chord and hybrid formulations; the reduced form, by which the
        network is solved, always has the normal tree.
        """
        frozen = model.freeze()
        states = next((one for one in frozen.states.values() if isinstance(one, NetworkStates)), None)
        if states is None:
            raise GyrostatError(f"Model {model.name!r} has no network. Add a Datum and elements, such as a Resistor.")
        network = states.network if tree is None else NetworkGraph(states.elements, tuple(tree))
        _ = network.tree  # a choice that is no tree is refused here
        return Network(model.name, states, network)

    # --- graph --------------------------------------------------------------------------------------------------

    @property
    def graph(self) -> LinearGraph:
        """The linear graph: nodes and edges; the data of several networks are one vertex."""
        return self.network.graph

    @property
    def tree(self) -> SpanningTree:
        """The spanning tree: arcs and chords."""
        return self.network.tree

    @property
    def incidence(self) -> LabelledMatrix:
        """The incidence matrix (nodes × edges)."""
        return self.graph.incidence

    @property
    def cutset(self) -> LabelledMatrix:
        """The fundamental cutset matrix A_f = [1 A_c]."""
        return self.tree.cutset

    @property
    def circuit(self) -> LabelledMatrix:
        """The fundamental circuit matrix B_f = [B_b 1]."""
        return self.tree.circuit

    def draw(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return a drawing of the graph as SVG text, arcs solid and chords dashed; write it if a path is given."""
        graph, arcs = self.graph, self.tree.arc_set
        vertices = [
            DrawnVertex(name, kind=VertexKind.DATUM if name == graph.datum else VertexKind.PLAIN)
            for name in graph.vertices
        ]
        edges = [
            DrawnEdge(edge.name, edge.tail, edge.head, EdgeStyle.ARC if edge.name in arcs else EdgeStyle.CHORD)
            for edge in graph.edges
        ]
        return draw_graph(vertices, edges, path, title=f"Network of {self.name}")

    def _repr_svg_(self) -> str:
        return self.draw()

    def __str__(self) -> str:
        tree = self.tree
        states = ", ".join(one.name for one in self.states.state_variables if not one.algebraic) or "none"
        unknowns = ", ".join(one.name for one in self.states.state_variables if one.algebraic) or "none"
        return (
            f"Network of {self.name!r}: {len(self.graph.vertices)} nodes, {len(self.graph.edges)} edges\n"
            f"  tree: {', '.join(tree.arcs)}\n  chords: {', '.join(tree.chords)}\n"
            f"  states: {states}\n  algebraic unknowns: {unknowns}"
        )

    __repr__ = __str__

    # --- formulations -------------------------------------------------------------------------------------------

    @property
    def nodal(self) -> Formulation:
        """The nodal formulation: e terminal, b cutset and e nodal transformation equations in 2e + b variables."""
        values = {variable: self._symbol(variable) for variable in self._variables}
        nodes = {node: self._node(node) for node in self.graph.vertices_without_datum}
        equations = list(self._terminal(values, self._rate))
        for node in nodes:
            signed = [(e.name, 1 if e.tail == node else -1) for e in self.graph.edges if node in (e.tail, e.head)]
            equations.append((_total([(values[through(name)], sign) for name, sign in signed]), 0))
        for edge in self.graph.edges:
            difference = _total([(nodes[end], s) for end, s in ((edge.tail, 1), (edge.head, -1)) if end in nodes])
            equations.append((values[across(edge.name)], difference))
        return self._formulation("nodal", equations, [*values.values(), *nodes.values()])

    @property
    def tableau(self) -> Formulation:
        """The sparse tableau: terminal, cutset and circuit equations in all 2e variables."""
        values = {variable: self._symbol(variable) for variable in self._variables}
        equations = list(self._terminal(values, self._rate))
        for arc, chords in self.network.cutsets.items():
            others = [(values[through(chord)], -sign) for chord, sign in chords]
            equations.append((_total([(values[through(arc)], 1), *others]), 0))
        for chord, arcs in self.network.loops.items():
            others = [(values[across(arc)], -sign) for arc, sign in arcs]
            equations.append((_total([*others, (values[across(chord)], 1)]), 0))
        return self._formulation("tableau", equations, list(values.values()))

    @property
    def branch_chord(self) -> Formulation:
        """The branch-chord formulation: e equations in the across variables of arcs and through variables of chords."""
        primary = {variable: self._symbol(variable) for variable in self._primary}
        return self._formulation(
            "branch-chord", self._terminal(self._expanded(primary), self._rate_of), primary.values()
        )

    @property
    def hybrid(self) -> Formulation:
        """The hybrid formulation: as branch-chord, with the values of drivers in the place of their equations."""
        given = {name: edge for name, edge in self.network.edges.items() if edge.is_given}
        primary: dict[Variable, Scalar] = {}
        for variable in self._primary:
            edge = given.get(variable.edge)
            law = None if edge is None else (edge.across if variable.side is Side.ACROSS else edge.through)
            primary[variable] = self._symbol(variable) if law is None else expression_value(law, self._motion, {})
        left = [value for variable, value in primary.items() if variable.edge not in given]
        equations = self._terminal(self._expanded(primary), self._rate_of, without=given)
        return self._formulation("hybrid", equations, left)

    @property
    def reduced(self) -> Formulation:
        """The reduced form, by which the network is solved: rates of states, and equations of algebraic unknowns."""
        plan, values = self.states.plan, self._solved
        equations: list[tuple[Scalar, Scalar]] = []
        for variable, edge in plan.relations.states.items():
            assert edge.storage is not None, "states are those of capacitors and inductors"
            rate = multiply(edge.storage.coefficient(self._motion), self._rate(variable))
            effort = values[_other(variable)]
            if edge.storage.drift is not None:
                effort = add(effort, negate(multiply(edge.storage.drift(self._motion), values[variable])))
            equations.append((rate, effort))
        equations += [(0, residual_value(residual, self._motion, values)) for residual in plan.equations]
        variables = [self._symbol(variable) for variable in (*plan.relations.states, *plan.algebraic)]
        return self._formulation("reduced", equations, variables)

    @property
    def solution(self) -> dict[str, Any]:
        """All across and through variables by name, in terms of states, algebraic unknowns and drivers (SymPy)."""
        return {
            self.states.full_name(v): self._motion.written(value) for v, value in self._solved.items() if not v.order
        }

    # --- symbols ------------------------------------------------------------------------------------------------

    @cached_property
    def _variables(self) -> tuple[Variable, ...]:
        """The across variables, then the through variables."""
        return (*map(across, self.network.edges), *map(through, self.network.edges))

    @property
    def _primary(self) -> tuple[Variable, ...]:
        return (*map(across, self.tree.arcs), *map(through, self.tree.chords))

    @cached_property
    def _motion(self) -> SymbolicMotion:
        texts: dict[str, str] = {}
        for variable in self._variables:
            letter = self.network.domain(variable.edge).symbol(variable.side)
            text = f"{letter}_{variable.edge.replace('.', '_')}"
            name = self.states.full_name(variable)
            texts |= {name: text, f"{name}.rate": dotted(text)}
        for node, domain in self.network.domain_of.items():
            texts[f"{node}.{domain.across}"] = f"{domain.across_symbol}_{node.replace('.', '_')}"
        return SymbolicMotion(texts)

    def _symbol(self, variable: Variable) -> Scalar:
        return self._motion.quantity(self.states.full_name(variable))

    def _rate(self, variable: Variable) -> Scalar:
        return self._motion.quantity(f"{self.states.full_name(variable)}.rate")

    def _node(self, node: str) -> Scalar:
        return self._motion.quantity(f"{node}.{self.network.domain_of[node].across}")

    @cached_property
    def _solved(self) -> dict[Variable, Scalar]:
        return self.states.values(self._motion)

    def _expanded(self, primary: Values) -> dict[Variable, Scalar]:
        """Return all variables in terms of the primary ones, by branch and chord transformations."""
        found = dict(primary)
        for chord, arcs in self.network.loops.items():
            found[across(chord)] = _total([(primary[across(arc)], sign) for arc, sign in arcs])
        for arc, chords in self.network.cutsets.items():
            found[through(arc)] = _total([(primary[through(chord)], sign) for chord, sign in chords])
        return found

    # --- equations ----------------------------------------------------------------------------------------------

    def _terminal(
        self, values: Values, rate: Callable[[Variable], Scalar], without: Iterable[str] = ()
    ) -> Iterator[tuple[Scalar, Scalar]]:
        """Yield the terminal equations as pairs of sides."""
        left_out = set(without)
        for name, edge in self.network.edges.items():
            if name not in left_out:
                yield from self._of_edge(edge, values, rate)
        for element in self.network.elements:
            for relation in element.relations():
                yield expression_value(relation.expression, self._motion, values), 0

    def _of_edge(
        self, edge: Edge, values: Values, rate: Callable[[Variable], Scalar]
    ) -> Iterator[tuple[Scalar, Scalar]]:
        v, i = across(edge.name), through(edge.name)
        if edge.role is Role.NULLATOR:
            yield values[v], 0
            yield values[i], 0
        elif edge.storage is not None:
            own = v if edge.role is Role.CAPACITOR else i
            right = multiply(edge.storage.coefficient(self._motion), rate(own))
            if edge.storage.drift is not None:
                right = add(right, multiply(edge.storage.drift(self._motion), values[own]))
            yield values[_other(own)], right
        elif edge.across is not None:
            yield values[v], expression_value(edge.across, self._motion, values)
        elif edge.through is not None:
            yield values[i], expression_value(edge.through, self._motion, values)

    def _rate_of(self, variable: Variable) -> Scalar:
        """Return the rate of a variable; of one that is not primary, by the rates of those that it follows from."""
        if variable in self._primary:
            return self._rate(variable)
        capacitor = variable.side is Side.ACROSS
        others = self.network.loops[variable.edge] if capacitor else self.network.cutsets[variable.edge]
        return _total([(self._rate(Variable(name, variable.side)), sign) for name, sign in others])

    def _formulation(
        self, name: str, equations: Iterable[tuple[Scalar, Scalar]], variables: Iterable[Scalar]
    ) -> Formulation:
        symbols = [self._motion.written(variable) for variable in variables]
        written = []
        for left, right in equations:
            sides = [self._motion.written(side) for side in (left, right)]
            written.append(sympy.Eq(sides[0], sympy.collect(sides[1], symbols), evaluate=False))
        return Formulation(name, tuple(written), tuple(symbols))


def _other(variable: Variable) -> Variable:
    return through(variable.edge) if variable.side is Side.ACROSS else across(variable.edge)


def _total(terms: Iterable[tuple[Scalar, int]]) -> Scalar:
    found: Scalar = 0
    for value, sign in terms:
        found = add(found, value if sign > 0 else negate(value))
    return found
