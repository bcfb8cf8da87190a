"""The graph-theoretic method step by step (McPhee 2002): elements, trees, cutsets, circuits and their projections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from gyrostat.coordinates import Coordinates, branch_coordinates
from gyrostat.errors import SizeError
from gyrostat.graph.spanning_tree import SpanningTree
from gyrostat.kinematics.constraints import has_constraints
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints import Joint
from gyrostat.model.networks.network_states import NetworkStates
from gyrostat.once import cached_property
from gyrostat.results.labelled_matrix import LabelledMatrix
from gyrostat.scalar.latex import latex_text
from gyrostat.topology import ElementKind, Trees
from gyrostat.topology.branch_trees import is_body, rotations, translations
from gyrostat.topology.rigidity import require_mass_on_bodies
from gyrostat.written.cutset import Cutset
from gyrostat.written.equation_set import Equations
from gyrostat.written.network import Network
from gyrostat.written.walkthrough.evaluation import Evaluation
from gyrostat.written.walkthrough.graph_numbers import GraphNumbers
from gyrostat.written.walkthrough.quantity import Quantity, Section, indexed
from gyrostat.written.walkthrough.walkthrough import Walkthrough

_TERMINAL_EQUATIONS = {
    ElementKind.BODY: "F = −m a, T = −(J α + ω × J ω)",
    ElementKind.ARM: "constant in the body's axes; r × F balances T",
    ElementKind.FLEXIBLE_ARM: "a function of elastic coordinates; its load is that on the station",
    ElementKind.DRIVER: "its coordinate is given; its load follows",
    ElementKind.FORCE: "its loads follow from its law",
    ElementKind.CONSTRAINT: "its directions are closed; loads along them follow",
}
_FLEXIBLE_BODY = "flexible body: F, T are the inertia loads of all its sections"
_TREES = (("translation", "r"), ("rotation", "θ"))


@dataclass(frozen=True, eq=False)
class GraphMethodWalk(Walkthrough):
    """Every step of the method, from elements and trees to projected circuits (constraints) and cutsets (dynamics)."""

    evaluation: Evaluation
    coordinates: Coordinates

    @property
    def equations(self) -> Equations | None:
        """The equations of motion in symbols; None on numbers."""
        return self.evaluation.equations

    @property
    def title(self) -> str:
        """The method and its source."""
        return "The graph-theoretic method (McPhee 2002)"

    @cached_property
    def numbers(self) -> GraphNumbers:
        """The projected circuits and cutsets at the state, on numbers."""
        return GraphNumbers(self.evaluation, self._of_branches)

    @cached_property
    def _trees(self) -> Mapping[str, SpanningTree]:
        """The tree of each kind in the finer graph: arms, and the branches chosen."""
        elements, trees = self.coordinates.topology.elements, self.coordinates.trees
        arms = elements.of_kind(ElementKind.ARM)
        return {
            "translation": elements.graph.spanning_tree(tree=(*arms, *trees.translation.arcs)),
            "rotation": elements.graph.spanning_tree(tree=(*arms, *trees.rotation.arcs)),
        }

    # --- sections ------------------------------------------------------------------------------------------------

    def _sections(self) -> Iterator[Section]:
        if self.coordinates.topology.bodies:
            yield from self._of_mechanism()
        if any(isinstance(each, NetworkStates) for each in self.coordinates.topology.model.states.values()):
            yield from self._of_network()

    def _of_network(self) -> Iterator[Section]:
        """Yield the same steps of electrical and other networks, whose states are those of the normal tree."""
        network = Network.of(self.coordinates.topology.model)
        matrices = (("IM", network.incidence), ("A_f", network.cutset), ("B_f", network.circuit))
        yield Section(
            "Network: matrices",
            "McPhee, part 2",
            tuple(
                indexed(
                    *(symbol, symbol, ("network",), _plain(matrix)),
                    f"rows {', '.join(matrix.rows)}; columns {', '.join(matrix.columns)}",
                )
                for symbol, matrix in matrices
            ),
            f"Tree: {', '.join(network.tree.arcs)}.",
        )
        for name in ("hybrid", "reduced"):
            equations = getattr(network, name).equations
            yield Section(
                f"Network: {name} equations",
                "McPhee, part 2",
                tuple(
                    Quantity(f"{name} {i + 1}", rf"\text{{{name} {i + 1}}}", each.lhs - each.rhs, "= 0")
                    for i, each in enumerate(equations)
                ),
            )

    def _of_mechanism(self) -> Iterator[Section]:
        yield self._elements()
        yield self._chosen()
        yield self._matrices()
        yield self._circuits()
        closed = has_constraints(self.coordinates) and bool(self.evaluation.rows)
        if closed:
            yield self._constraints()
        yield self._cutsets()
        yield self._projections()
        if self._elastic_speeds:
            yield self._elastic()
        if closed:
            yield self._embedding()

    def _elements(self) -> Section:
        elements, joints = self.coordinates.topology.elements, self.coordinates.topology.joints
        return Section(
            "Elements",
            "McPhee, parts 2 and 3",
            tuple(
                Quantity(
                    edge.name,
                    latex_text(sympy.Symbol(edge.name)),
                    f"{edge.tail} → {edge.head}",
                    self._terminal(edge.name, joints),
                )
                for edge in elements.graph.edges
            ),
            "Edges of the linear graph with their terminal equations; joints have motion and reaction spaces.",
        )

    def _terminal(self, name: str, joints: Mapping[str, Joint]) -> str:
        kind = self.coordinates.topology.elements.kinds[name]
        if any(joint.flexible and joint.parent.body == name for joint in joints.values()):
            return _FLEXIBLE_BODY
        if kind is not ElementKind.JOINT:
            return f"{kind.value}: {_TERMINAL_EQUATIONS[kind]}"
        motion, reaction = _spaces(joints[name], self.evaluation.motion.tree.value)
        return f"{type(joints[name]).__name__}: motion space {motion or 'empty'}; reaction space {reaction or 'empty'}"

    def _chosen(self) -> Section:
        graph = self.coordinates.trees.translation.graph
        quantities = []
        for name, _ in _TREES:
            tree = getattr(self.coordinates.trees, name)
            arcs = ", ".join(tree.arcs)
            shown = [edge for edge in graph.edges if edge.name in self.coordinates.topology.elements.kinds]
            reasons = "; ".join(self._reason(edge.name, name, tree) for edge in shown)
            quantities.append(Quantity(f"{name} tree", rf"\text{{{name} tree}}", arcs, reasons))
        text = "Arms are in both trees. Branches have coordinates; the other elements follow from them."
        return Section("Trees", "McPhee, part 3", tuple(quantities), text)

    def _reason(self, element: str, kind: str, tree: SpanningTree) -> str:
        """Return why an element is in a tree or not: its freedoms, and the circuit that it would close."""
        edge = tree.graph.edge[element]
        joint = self.coordinates.topology.joints.get(element)
        if joint is not None and joint.flexible:
            return f"{element}: flexible arm"
        planar = self.coordinates.plane is not None
        if is_body(edge) or joint is None:
            freedoms = {"translation": 2 if planar else 3, "rotation": 1 if planar else 3}[kind]
        else:
            freedoms = {"translation": translations, "rotation": rotations}[kind](joint)
        counted = f"{element} ({freedoms} {kind}{'' if freedoms == 1 else 's'})"
        if element in tree.arc_set:
            return f"{counted}: branch"
        with_branches = " and ".join(step.name for step in tree.loop(element) if step.name != element)
        return f"{counted}: closes a circuit with {with_branches or 'the ground'}"

    def _matrices(self) -> Section:
        incidence = self.coordinates.topology.elements.graph.incidence
        quantities = [Quantity("IM", "IM", _plain(incidence), f"columns {', '.join(incidence.columns)}")]
        for name, _ in _TREES:
            for symbol, matrix in (("A_f", self._trees[name].cutset), ("B_f", self._trees[name].circuit)):
                text = f"rows {', '.join(matrix.rows)}; columns {', '.join(matrix.columns)}"
                quantities.append(indexed(symbol, symbol, (name,), _plain(matrix), text))
        return Section("Incidence, cutset and circuit matrices", "McPhee, part 2", tuple(quantities))

    def _circuits(self) -> Section:
        """Return the branch transformations: across variables of cotree elements from those of branches."""
        quantities = []
        for name, symbol in _TREES:
            circuit, branches = self._trees[name].circuit, self._trees[name].arc_set
            for chord in circuit.rows:
                row = circuit.row(chord)
                steps = [(-row[chord] * sign, arc) for arc, sign in row.items() if arc in branches and sign]
                text = " ".join(f"{'+' if sign > 0 else '−'} {symbol}[{arc}]" for sign, arc in steps) or "0"
                label = f"{symbol}[{chord}]"
                quantities.append(Quantity(label, rf"\text{{{label}}}", text.removeprefix("+ ")))
        text = "r: position of the head relative to the tail; θ: its rotation, composed along the circuit."
        return Section("Branch transformations", "McPhee, part 3", tuple(quantities), text)

    def _constraints(self) -> Section:
        equations = self.equations
        found: tuple[Any, Any, Any]
        if equations is None:
            found = (self.numbers.residuals, self.numbers.jacobian, self.numbers.constraint_rates)
        else:
            found = (equations.constraints, equations.constraint_matrix, equations.constraint_rates)
        names = "; ".join(row.name for row in self.evaluation.rows)
        return Section(
            "Projected circuits: constraints",
            "McPhee, part 4",
            (
                Quantity("Φ", r"\Phi", found[0], names),
                Quantity("Φ_q", r"\Phi_q", found[1]),
                Quantity("γ", r"\gamma", found[2]),
            ),
            "Circuit equations of cotree joints and constraints, projected on their reaction spaces.",
        )

    @cached_property
    def _of_branches(self) -> dict[str, Cutset]:
        coordinates = self.coordinates
        return {name: Cutset.of(coordinates, name) for name in coordinates.trees.elements}

    def _cutsets(self) -> Section:
        quantities = tuple(
            indexed("cutset", r"\text{cutset}", (name, equation.quantity), str(equation))
            for name, cutset in self._of_branches.items()
            for equation in cutset.equations
        )
        return Section("Cutset equations", "McPhee, part 4", quantities, "F: forces, T: torques through the elements.")

    def _projections(self) -> Section:
        quantities, equations, unit = [], self.equations, self._unit
        for cutset in self._of_branches.values():
            for speed in cutset.speeds:
                row = self.numbers.projections[speed] if equations is None else cutset.projection[speed]
                quantities.append(indexed("projection", r"\text{projection}", (speed,), row, unit))
                quantities.append(self._virtual_work(speed))
        text = (
            "Cutset equations on the motion spaces of their branches, and the same rows from virtual work; they agree "
            "where loops are closed, since a joint's load then acts at one point of both bodies."
        )
        return Section("Projected cutsets: dynamics", "McPhee, part 4", tuple(quantities), text)

    @property
    def _unit(self) -> str:
        return "= 0" if self.equations is not None else "coefficients of u̇ and λ, and the constant"

    def _virtual_work(self, speed: str) -> Quantity:
        """Return the row of virtual work on a speed."""
        equations = self.equations
        row = self.numbers.virtual_work[speed] if equations is None else _virtual_work(equations, speed)
        return indexed("virtual work", r"\text{virtual work}", (speed,), row, self._unit)

    @cached_property
    def _elastic_speeds(self) -> tuple[str, ...]:
        """The rates of elastic coordinates, each once: the arms of a flexible body share them."""
        arms = (arm for arm in self.coordinates.topology.joints.values() if arm.flexible)
        return tuple(dict.fromkeys(name for arm in arms for name in arm.speed_names))

    def _elastic(self) -> Section:
        text = (
            "Elastic coordinates move all sections of a flexible body, so that no cutset separates what they move: "
            "their equations are those of virtual work of inertia, strain and loads (Rayleigh–Ritz)."
        )
        return Section(
            "Elastic coordinates", "McPhee, part 5", tuple(map(self._virtual_work, self._elastic_speeds)), text
        )

    def _embedding(self) -> Section:
        if self.equations is None:
            complement: Any = self.numbers.complement
        else:
            try:
                complement = self.equations.embedded().complement
            except SizeError as error:
                complement = str(error)
        text = "u = G u_i with the independent speeds u_i: Gᵀ Φ_qᵀ = 0 removes the multipliers."
        return Section("Embedding", "McPhee, part 4", (Quantity("G", "G", complement),), text)

    def _write_latex(self, value: Any) -> str:
        return self.evaluation.latex(value)


def _virtual_work(equations: Equations, speed: str) -> Any:
    """Return a row of forcing + Aᵀ λ − M u̇."""
    i = equations.layout.speed_names.index(speed)
    row = equations.forcing[i] - sum(
        (entry * rate for entry, rate in zip(equations.mass_matrix.row(i), equations.accelerations, strict=True)),
        sympy.Integer(0),
    )
    if equations.constrained and equations.multipliers:
        column = equations.constraint_matrix.col(i)
        row += sum((a * b for a, b in zip(column, equations.multipliers, strict=True)), sympy.Integer(0))
    return row


def graph_coordinates(coordinates: Coordinates) -> Coordinates:
    """Return the coordinates with two trees: joint coordinates have their tree of joints as both."""
    require_mass_on_bodies(coordinates.topology, "the graph-theoretic method is written", "Use system.equations().")
    if not coordinates.are_joint_coordinates:
        return coordinates
    return branch_coordinates(coordinates.topology, Trees(coordinates.topology.arcs))


def _plain(matrix: LabelledMatrix) -> Any:
    return sympy.ImmutableMatrix(matrix.to_array().astype(int).tolist())


def _spaces(joint: Joint, value: Evaluator) -> tuple[str, str]:
    """Return the motion and reaction spaces of a joint by the labels of their directions."""
    rest = [coordinate.rest for coordinate in joint.coordinates]
    motion = ", ".join(mode.label for mode in joint.motion_space(rest, value))
    return motion, ", ".join(mode.label for mode in joint.reaction_space(joint.pose(rest, value), value))
