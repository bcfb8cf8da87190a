"""Which numbers describe a mechanism: the layout of coordinates q, speeds u, inputs and parameters.

Joint coordinates: the arcs of the spanning tree carry the coordinates, in the order in which joints were added; free
rotors follow. Driven coordinates are functions of time and are not among the unknowns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from gyrostat.model.formula import Formula
from gyrostat.model.joints import Joint, Measure
from gyrostat.topology import Topology


@dataclass(frozen=True)
class JointLayout:
    """Where a joint's coordinates and speeds are found.

    `coordinates` has for each of the joint's coordinates its place in q, or the formula of time that drives it;
    `speeds` likewise has places in u, or the formula whose rate the speed is. `names` are those of the coordinates.
    """

    coordinates: tuple[int | Formula, ...]
    speeds: tuple[int | Formula, ...]
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
    rotors: Mapping[str, tuple[int, int]]
    """For each free rotor, as body.rotor, its places in q and in u."""

    @property
    def n_q(self) -> int:
        """The number of coordinates."""
        return len(self.coordinate_names)

    @property
    def n_u(self) -> int:
        """The number of speeds."""
        return len(self.speed_names)

    @cached_property
    def rest(self) -> tuple[int, ...]:
        """The coordinates at which the two sides of every joint coincide."""
        rest = [0] * self.n_q
        for name, layout in self.joints.items():
            for coordinate, place in zip(self.topology.joints[name].coordinates, layout.coordinates, strict=True):
                if isinstance(place, int):
                    rest[place] = coordinate.rest
        return tuple(rest)

    @property
    def driven(self) -> dict[str, Formula]:
        """The driven coordinates by name, with their formulas."""
        joints = self.topology.joints
        return {
            joints[name].full_name(label): formula
            for name in self.joints
            for label, formula in joints[name].driven.items()
        }

    @cached_property
    def measures(self) -> dict[str, Measure]:
        """What every coordinate measures, by name: free and driven ones, those of chords, angles of rotors."""
        found: dict[str, Measure] = {}
        for name in (*self.joints, *self.topology.chords):
            joint = self.topology.joints[name]
            found |= {joint.full_name(coordinate.label): coordinate.measure for coordinate in joint.coordinates}
        return found | dict.fromkeys(self.rotors, "angle")

    @cached_property
    def size(self) -> float:
        """The largest distance of a joint from the frame of its body (m), with the model's own parameters, or 1."""
        model = self.topology.model
        known = model.values()
        ends = [end for joint in self.topology.joints.values() for end in (joint.parent, joint.child)]
        arms = [model.placement(end, model.evaluator()) for end in ends] if len(known) == len(model.parameters) else []
        return max((math.hypot(*(float(x) for x in arm[1])) for arm in arms if arm), default=0.0) or 1.0

    @cached_property
    def euler_parameters(self) -> dict[str, int]:
        """For each arc with Euler parameters, where in q they begin."""
        return {joint: self.place_of[f"{joint}.e0"][1] for joint in self.joints if f"{joint}.e0" in self.place_of}

    def slides(self, speed: str) -> bool:
        """Tell whether a speed is one of translation."""
        return self.measures.get(speed.removesuffix(".rate")) == "length" or speed.rpartition(".")[2][:1] == "v"

    @cached_property
    def chord_of(self) -> dict[str, Joint]:
        """For every name of a coordinate, its rate or a speed of a joint that closes a loop, that joint."""
        chords = [self.topology.joints[name] for name in self.topology.chords]
        found = {name: joint for joint in chords for name in (*joint.coordinate_names, *joint.speed_names)}
        return found | {f"{name}.rate": joint for joint in chords for name in joint.coordinate_names}

    @cached_property
    def place_of(self) -> dict[str, tuple[str, int]]:
        """For every name of a coordinate or speed, ("q", place) or ("u", place); rates of coordinates included."""
        places = {name: ("q", i) for i, name in enumerate(self.coordinate_names)}
        return places | {name: ("u", i) for i, name in enumerate(self.speed_names)}


def joint_coordinates(topology: Topology) -> Coordinates:
    """Return the layout of joint coordinates on the topology's spanning tree."""
    coordinate_names: list[str] = []
    speed_names: list[str] = []
    layouts: dict[str, JointLayout] = {}
    for name in topology.arcs:
        joint = topology.joints[name]
        q: list[int | Formula] = []
        u: list[int | Formula] = []
        for coordinate in joint.coordinates:
            formula = joint.driven.get(coordinate.label)
            q.append(len(coordinate_names) if formula is None else formula)
            if formula is None:
                coordinate_names.append(joint.full_name(coordinate.label))
        for label in joint.speed_labels:
            formula = joint.driven.get(label.removesuffix(".rate"))
            u.append(len(speed_names) if formula is None else formula)
            if formula is None:
                speed_names.append(joint.full_name(label))
        layouts[name] = JointLayout(tuple(q), tuple(u), joint.coordinate_names)
    rotors: dict[str, tuple[int, int]] = {}
    for body in topology.model.bodies.values():
        for rotor in body.rotors:
            if rotor.free:
                name = f"{body.name}.{rotor.name}"
                rotors[name] = (len(coordinate_names), len(speed_names))
                coordinate_names.append(name)
                speed_names.append(f"{name}.rate")
    return Coordinates(topology, tuple(coordinate_names), tuple(speed_names), layouts, rotors)
