"""The layout of a system's unknowns: coordinates q, speeds u, inputs and parameters.

In joint coordinates the arcs of the spanning tree carry them. In coordinates of two trees, one for positions and one
for orientations, an element of either tree, a joint or a body, carries those of its coordinates that the tree needs.
Driven coordinates are functions of time and are not among the unknowns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.plane import Plane
from gyrostat.coordinates.row import Row
from gyrostat.model.formula import Formula
from gyrostat.model.joints import Joint, Measure
from gyrostat.model.states import StateElement
from gyrostat.once import cached_property
from gyrostat.topology import Topology
from gyrostat.topology.branch_trees import BranchTrees


class Choice(Enum):
    """The choices of coordinates."""

    JOINT = "joint"
    ABSOLUTE = "absolute"
    BRANCH = "branch"
    TREES = "trees"


@dataclass(frozen=True)
class JointLayout:
    """The places of the coordinates and speeds of a joint, or of a body, in q and u.

    `coordinates` has for each of the joint's coordinates its place in q, the formula of time that drives it, or None
    where no tree needs it; `speeds` likewise has places in u, or the formula whose rate the speed is. `names` are those
    of the coordinates.
    """

    coordinates: tuple[int | Formula | None, ...]
    speeds: tuple[int | Formula | None, ...]
    names: tuple[str, ...]

    def only(self, i: int) -> JointLayout:
        """Return the layout of one coordinate, of a joint whose speeds are the rates of its coordinates."""
        return JointLayout(self.coordinates[i : i + 1], self.speeds[i : i + 1], self.names[i : i + 1])


@dataclass(frozen=True)
class Coordinates:
    """The layout of a system's unknowns, by name."""

    topology: Topology
    coordinate_names: tuple[str, ...]
    speed_names: tuple[str, ...]
    joints: Mapping[str, JointLayout]
    """The layout of each element that carries coordinates, in order: joints, and bodies where trees have them."""
    rotors: Mapping[str, tuple[int, int]]
    """For each free rotor, as body.rotor, its places in q and in u."""
    elements: Mapping[str, Joint]
    """The joints of `joints`; those of bodies connect them with the ground and let them move freely."""
    choice: Choice
    trees: BranchTrees
    """The trees of positions and orientations; in joint coordinates both are the topology's spanning tree."""
    plane: Plane | None = None
    """The plane that all bodies move in, where their coordinates are those of planar motion."""

    @property
    def are_joint_coordinates(self) -> bool:
        """Whether the arcs of the topology's spanning tree carry the coordinates."""
        return self.choice is Choice.JOINT

    @property
    def n_q(self) -> int:
        """The number of coordinates."""
        return len(self.coordinate_names)

    @property
    def n_u(self) -> int:
        """The number of speeds."""
        return len(self.speed_names)

    @cached_property
    def state_names(self) -> tuple[str, ...]:
        """The names of the state variables z of components, in order."""
        return tuple(self.topology.model.state_variables)

    @cached_property
    def blocks(self) -> dict[str, StateElement]:
        """The components of the section `states` by the names of their outputs that are no state variables."""
        return {name: block for block in self.topology.model.states.values() for name in block.outputs}

    @cached_property
    def algebraic(self) -> tuple[int, ...]:
        """The places in z of the variables that obey equations instead of having rates."""
        variables = self.topology.model.state_variables.values()
        return tuple(i for i, variable in enumerate(variables) if variable.algebraic)

    @cached_property
    def row(self) -> Row:
        """The layout of the rows that programs take: t, q, u, z, parameters, inputs."""
        model = self.topology.model
        return Row(self.n_q, self.n_u, len(self.state_names), len(model.parameters), len(model.inputs))

    @cached_property
    def rest(self) -> tuple[int, ...]:
        """The coordinates at which the two sides of every joint coincide."""
        rest = [0] * self.n_q
        for name, layout in self.joints.items():
            for coordinate, place in zip(self.elements[name].coordinates, layout.coordinates, strict=True):
                if isinstance(place, int):
                    rest[place] = coordinate.rest
        return tuple(rest)

    @cached_property
    def driven(self) -> dict[str, Formula]:
        """The driven coordinates by name, with their formulas; those of joints that close loops are constraints."""
        return {
            name: place
            for layout in self.joints.values()
            for name, place in zip(layout.names, layout.coordinates, strict=True)
            if isinstance(place, Formula)
        }

    @cached_property
    def driven_by_rows(self) -> dict[str, Formula]:
        """The driven coordinates that no tree has, by name, with their formulas: constraints impose them."""
        joints = self.topology.joints.values()
        every = {joint.full_name(label): formula for joint in joints for label, formula in joint.drivers.items()}
        return {name: formula for name, formula in every.items() if name not in self.driven}

    @cached_property
    def all_driven(self) -> dict[str, Formula]:
        """All driven coordinates by name, with their formulas: those of the trees, then those of constraints."""
        return {**self.driven, **self.driven_by_rows}

    @property
    def description(self) -> str:
        """A description of the choice."""
        return f"coordinates of {self.label}" if self.choice is Choice.TREES else f"{self.label} coordinates"

    @property
    def label(self) -> str:
        """The name of the choice, or the names in both trees of a user's choice."""
        if self.choice is not Choice.TREES:
            return str(self.choice.value)
        names = self.trees.names
        return f"trees [{', '.join(names.translation)}], [{', '.join(names.rotation)}]"

    @property
    def tree_names(self) -> tuple[tuple[str, ...], ...]:
        """The names in the trees, the plane, and whether there is one tree: a key of these coordinates of the model.

        The same joints on one tree and on two have other speeds, where bodies float, and another order of reactions.
        """
        plane = () if self.plane is None else (self.plane.normal,)
        kind = ("one tree" if self.are_joint_coordinates else "two trees",)
        return (self.trees.translation.arcs, self.trees.rotation.arcs, plane, kind)

    @cached_property
    def chords(self) -> tuple[str, ...]:
        """The joints that close loops: those that are not wholly held by the trees, in order."""
        return tuple(name for name in self.topology.joints if not all(self.held(name)))

    @cached_property
    def measured_joints(self) -> tuple[str, ...]:
        """The joints with coordinates or speeds that follow from the motion of others, in order."""
        return tuple(dict.fromkeys(joint.name for joint in self.chord_of.values()))

    @cached_property
    def chord_coordinates(self) -> tuple[str, ...]:
        """The coordinates that follow from the motion: of joints that close loops, as far as no tree has them."""
        joints = self.topology.joints.values()
        return tuple(name for joint in joints for name in joint.coordinate_names if name in self.chord_of)

    @cached_property
    def chord_speeds(self) -> tuple[str, ...]:
        """The speeds that follow from the motion and are no rates of coordinates, such as angular velocities."""
        joints = [self.topology.joints[name] for name in self.measured_joints]
        names = (name for joint in joints for name in joint.speed_names)
        return tuple(name for name in names if name in self.chord_of and not name.endswith(".rate"))

    @cached_property
    def loaded_joints(self) -> tuple[str, ...]:
        """The joints in the order of their loads: arcs outward from the ground, then chords; on two trees as added."""
        if not self.are_joint_coordinates:
            return tuple(self.topology.joints)
        tree = self.topology.tree
        return (*(tree.parent_edge[body] for body in tree.order[1:]), *self.topology.chords)

    @cached_property
    def loops(self) -> dict[str, tuple[str, ...]]:
        """For each joint that closes a loop, the others of its loop, in the tree of positions where there are two."""
        trees, found = self.trees, {}
        for name in self.chords:
            tree = trees.rotation if name in trees.translation.arc_set else trees.translation
            found[name] = tuple(step.name for step in tree.loop(name)[1:])
        return found

    def held(self, joint: str) -> tuple[bool, bool]:
        """Return whether the tree of orientations has a joint, and whether the tree of positions has it."""
        return joint in self.trees.rotation.arc_set, joint in self.trees.translation.arc_set

    @cached_property
    def measures(self) -> dict[str, Measure]:
        """The measure of every coordinate, by name: free and driven ones, those of chords, angles of rotors."""
        found: dict[str, Measure] = {}
        for joint in (*self.elements.values(), *(self.topology.joints[name] for name in self.chords)):
            found |= {joint.full_name(coordinate.label): coordinate.measure for coordinate in joint.coordinates}
        known = {*self.coordinate_names, *self.driven, *self.chord_of}
        return {name: measure for name, measure in found.items() if name in known} | dict.fromkeys(self.rotors, "angle")

    @cached_property
    def size(self) -> float:
        """The largest distance of a joint from the frame of its body (m), with the model's own parameters, or 1."""
        model = self.topology.model
        if len(model.values()) < len(model.parameters):
            return 1.0
        value = model.evaluator()
        ends = [end for joint in self.topology.joints.values() for end in (joint.parent, joint.child)]
        arms = [model.placement(end, value) for end in ends]
        return max((math.hypot(*(float(x) for x in arm[1])) for arm in arms if arm), default=0.0) or 1.0

    @cached_property
    def euler_parameters(self) -> dict[str, int]:
        """For each joint or body with Euler parameters, where in q they begin."""
        return {name: self.place_of[f"{name}.e0"][1] for name in self.joints if f"{name}.e0" in self.place_of}

    @cached_property
    def turned_places(self) -> tuple[tuple[int, int], ...]:
        """Where in the state, q and then u, Euler parameters begin, and their angular velocities."""
        first = {
            name: next(n for n in self.elements[name].speed_names if not n.endswith(".rate"))
            for name in self.euler_parameters
        }
        return tuple((q, self.n_q + self.place_of[first[name]][1]) for name, q in self.euler_parameters.items())

    @cached_property
    def rate_places(self) -> NDArray[np.int64]:
        """For each coordinate the place in u of its rate, −1 where there is none.

        For Euler parameters that are turned, these are the angular velocities.
        """
        places = {name: i for i, name in enumerate(self.speed_names)}
        found = np.array([places.get(f"{name}.rate", -1) for name in self.coordinate_names], dtype=np.int64)
        for first, speed in self.turned_places:
            found[first : first + 3] = np.arange(3) + speed - self.n_q
        found.flags.writeable = False
        return found

    @cached_property
    def mass_diagonal(self) -> Floats:
        """1 for each entry of the state that has a rate, 0 for algebraic variables, which have equations."""
        mass = np.ones(self.row.state_size)
        mass[[self.n_q + self.n_u + place for place in self.algebraic]] = 0.0
        mass.flags.writeable = False
        return mass

    def slides(self, speed: str) -> bool:
        """Return whether a speed is one of translation."""
        return self.measures.get(speed.removesuffix(".rate")) == "length" or speed.rpartition(".")[2][:1] == "v"

    @cached_property
    def sliding(self) -> NDArray[np.bool_]:
        """Which speeds are those of translation."""
        found = np.array([self.slides(name) for name in self.speed_names], dtype=bool)
        found.flags.writeable = False
        return found

    @cached_property
    def chord_of(self) -> dict[str, Joint]:
        """For every name of a coordinate, its rate or a speed that is not among the unknowns, the joint it belongs to.

        These are the names of joints that close loops, as far as no tree has them.
        """
        known = {*self.place_of, *self.driven, *(f"{name}.rate" for name in (*self.coordinate_names, *self.driven))}
        found: dict[str, Joint] = {}
        for joint in self.topology.joints.values():
            names = (*joint.coordinate_names, *joint.speed_names, *(f"{name}.rate" for name in joint.coordinate_names))
            found |= {name: joint for name in names if name not in known}
        return found

    @cached_property
    def quantities(self) -> frozenset[str]:
        """The names of all coordinates, their rates and the speeds."""
        rates = (f"{name}.rate" for name in self.measures)
        return frozenset((*self.measures, *rates, *self.speed_names, *self.chord_speeds, *self.chord_of))

    @cached_property
    def place_of(self) -> dict[str, tuple[str, int]]:
        """For every name of a coordinate, speed or state, its part of y and its place: ("q", 0), ("u", 2), ("z", 0)."""
        parts = {"q": self.coordinate_names, "u": self.speed_names, "z": self.state_names}
        return {name: (part, i) for part, names in parts.items() for i, name in enumerate(names)}


def acceleration_name(speed: str) -> str:
    """Return the name under which the rate of a speed is known: a1.rate has a1.acc, s.w1 has s.w1.rate."""
    return f"{speed.removesuffix('.rate')}.acc" if speed.endswith(".rate") else f"{speed}.rate"
