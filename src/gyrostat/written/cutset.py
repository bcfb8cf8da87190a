"""Cutset equations: the balance of forces or torques on the bodies that a branch of a tree carries (McPhee, part 4)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gyrostat.coordinates import Coordinates, branch_coordinates
from gyrostat.coordinates.layout import acceleration_name
from gyrostat.equations.cutset_balance import CutsetBalance
from gyrostat.errors import StateError
from gyrostat.kinematics.constraint_loads import ConstraintLoads
from gyrostat.model.names import did_you_mean
from gyrostat.once import cached_property
from gyrostat.spatial import opposite
from gyrostat.topology import ElementKind, SpanningTree, Topology, Trees
from gyrostat.topology.rigidity import require_mass_on_bodies
from gyrostat.written.derivation import DERIVATIONS
from gyrostat.written.equation_set import Equations


@dataclass(frozen=True)
class CutsetTerm:
    """An element in a cutset, and whether it counts with the branch (+1) or against it (−1)."""

    element: str
    sign: int


@dataclass(frozen=True, eq=False)
class CutsetEquation:
    """The forces (F), or the torques (T), through the elements of a cutset add up to zero."""

    quantity: str
    terms: tuple[CutsetTerm, ...]
    labels: Mapping[str, str]
    bodies: tuple[str, ...]
    """The bodies that the cutset separates from the ground."""

    def __str__(self) -> str:
        text = ""
        for term in self.terms:
            sign = ("−" if term.sign < 0 else "") if not text else (" − " if term.sign < 0 else " + ")
            text += f"{sign}{self.quantity}{self.labels[term.element]}"
        return f"{text} = 0"


@dataclass(frozen=True, eq=False)
class Cutset:
    """The cutset equations of a branch, and their projection on its motion space (McPhee, part 4).

    A branch of the tree of orientations has one for torques, a branch of the tree of positions one for forces; in joint
    coordinates both trees are that of the joints. Loads of force elements on a joint's coordinates are terms of these
    elements. The text has the equations whose motion space is not empty. A flexible arm has a cutset for its load on
    the station, which is not projected: elastic coordinates move all sections of the body, and their equations are
    those of `system.equations()`.
    """

    branch: str
    torques: CutsetEquation | None
    forces: CutsetEquation | None
    speeds: tuple[str, ...]
    """The speeds of the branch: its motion space."""
    coordinates: Coordinates

    @staticmethod
    def of(coordinates: Coordinates, branch: str) -> Cutset:
        """Return the cutset equations of a branch, by the name of its joint or body."""
        topology = coordinates.topology
        require_mass_on_bodies(topology, "cutset equations are written", "Use system.equations().")
        if coordinates.are_joint_coordinates:
            coordinates = branch_coordinates(topology, Trees(topology.arcs))
        trees = coordinates.trees
        names = trees.elements
        if branch not in names:
            known = [*topology.joints, *topology.bodies]
            if branch not in known:
                raise StateError(f"There is no joint or body {branch!r}. {did_you_mean(branch, known)}")
            raise StateError(
                f"{branch!r} is in no tree, so that it has no cutset; its circuit gives constraints. Branches: "
                f"{', '.join(names)}."
            )
        equations = [
            _equation(topology, tree, quantity, branch) if branch in tree.arc_set else None
            for tree, quantity in ((trees.rotation, "T"), (trees.translation, "F"))
        ]
        layout, joint = coordinates.joints[branch], coordinates.elements[branch]
        named = () if joint.flexible else zip(joint.speed_names, layout.speeds, strict=True)
        speeds = tuple(name for name, place in named if isinstance(place, int))
        return Cutset(branch, equations[0], equations[1], speeds, coordinates)

    def __str__(self) -> str:
        return "\n".join(str(equation) for equation in self.equations)

    @property
    def equations(self) -> tuple[CutsetEquation, ...]:
        """The equations with a motion space; where the branch has none, all equations."""
        projected = [each for each, moves in ((self.torques, "T"), (self.forces, "F")) if each and moves in self._moves]
        return tuple(projected) or tuple(each for each in (self.torques, self.forces) if each)

    @property
    def _moves(self) -> set[str]:
        """Which of forces and torques work on a speed of the branch."""
        return {"F" if self.coordinates.slides(name) else "T" for name in self.speeds}

    @cached_property
    def _written(self) -> Equations:
        return Equations(DERIVATIONS.of(self.coordinates))

    @cached_property
    def _balance(self) -> CutsetBalance:
        """Forces and torques through all elements, on the exact engine."""
        written = self._written
        rates = [written.trace.ring.symbol(acceleration_name(name)) for name in self.coordinates.speed_names]
        held = written.exact_constraints.loads if written.constrained else ConstraintLoads({}, {})
        return CutsetBalance(written.trace.motion, rates, held)

    @cached_property
    def projection(self) -> dict[str, Any]:
        """The projection on each speed: exact expressions that are zero, rows of the equations of motion."""
        return {name: self._written.expression(self.projected(self._balance, name)) for name in self.speeds}

    def projected(self, balance: CutsetBalance, speed: str) -> Any:
        """Return the projection on a speed for given through variables, over their scalars."""
        torques, forces = (() if one is None else one.bodies for one in (self.torques, self.forces))
        return balance.projected(self.branch, torques, forces, speed)

    def term(self, element: str, quantity: str = "T") -> Any:
        """Return the force ("F") or torque ("T") through an element, in world axes, as an exact expression."""
        equation = self.torques if quantity == "T" else self.forces
        known = [] if equation is None else [term.element for term in equation.terms]
        if equation is None or element not in known:
            raise StateError(
                f"There is no {quantity} of {element!r} in the cutset of {self.branch!r}. "
                f"{did_you_mean(element, known)}"
            )
        sign = next(term.sign for term in equation.terms if term.element == element)
        vector = self._balance.of_element(element, equation.bodies, quantity)
        return self._written.vector(vector if sign > 0 else opposite(vector))


def _equation(topology: Topology, tree: SpanningTree, quantity: str, branch: str) -> CutsetEquation:
    """Return the fundamental cutset of a branch in the finer graph, whose arms are all in the tree."""
    elements = topology.elements
    arms = elements.of_kind(ElementKind.ARM)
    whole = elements.graph.spanning_tree(tree=(*arms, *tree.arcs))
    drivers = set(elements.of_kind(ElementKind.DRIVER))
    row = whole.cutset.row(branch)
    order = [branch, *(e.name for e in elements.graph.edges if e.name != branch)]
    terms = tuple(CutsetTerm(name, int(row[name])) for name in order if row.get(name) and name not in drivers)
    beyond = whole.subtree(_outer_end(whole, branch))
    return CutsetEquation(quantity, terms, _labels(elements.kinds), tuple(n for n in topology.bodies if n in beyond))


def _outer_end(tree: SpanningTree, branch: str) -> str:
    return next(vertex for vertex, edge in tree.parent_edge.items() if edge == branch)


def _labels(names: Mapping[str, object]) -> dict[str, str]:
    """Return the numbers that names end with where every element has one of its own (T8), else the names (T[crank])."""
    elements = [name for name, kind in names.items() if kind not in (ElementKind.ARM, ElementKind.DRIVER)]
    numbers = [match.group() if (match := re.search(r"\d+$", name)) else "" for name in elements]
    if "" not in numbers and len(set(numbers)) == len(numbers):
        return dict(zip(elements, numbers, strict=True))
    return {name: f"[{name}]" for name in elements}
