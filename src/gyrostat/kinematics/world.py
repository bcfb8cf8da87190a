"""Motion in world axes, formed only for the bodies that somebody asks for."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from gyrostat.kinematics.link import GROUND_INDEX, Tree
from gyrostat.kinematics.link_motion import LinkMotion, link_motion
from gyrostat.kinematics.state import State
from gyrostat.model.forces import PointMotion
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End
from gyrostat.scalar import Scalar, Scalars
from gyrostat.spatial import IDENTITY, ZERO, Matrix, Vector, apply, cross, plus, product


@dataclass(frozen=True)
class WorldPose:
    """How a hinge frame H stands in the world."""

    R_WH: Matrix
    r_WH_W: Vector


@dataclass(frozen=True)
class WorldMotion:
    """What force elements and outputs may ask of a system at one instant (the `Motion` of force elements)."""

    tree: Tree
    state: State
    motions: tuple[LinkMotion, ...]
    _poses: dict[int, WorldPose] = field(default_factory=dict)
    _omegas: dict[int, Vector] = field(default_factory=dict)
    _velocities: dict[int, Vector] = field(default_factory=dict)

    @staticmethod
    def of(tree: Tree, state: State) -> WorldMotion:
        """Return the motion of a tree at a state."""
        return WorldMotion(tree, state, tuple(link_motion(tree, link, state) for link in tree.links))

    @property
    def scalars(self) -> Scalars:
        """The engine."""
        return self.tree.value.scalars

    def pose(self, index: int) -> WorldPose:
        """Return how a link's hinge frame stands in the world."""
        if index == GROUND_INDEX:
            return WorldPose(IDENTITY, ZERO)
        for i in self._missing(index, self._poses):
            motion, parent = self.motions[i], self.pose(self.tree.links[i].parent)
            R_WH = product(parent.R_WH, motion.R_PH)
            self._poses[i] = WorldPose(R_WH, plus(parent.r_WH_W, apply(parent.R_WH, motion.r_PH_P)))
        return self._poses[index]

    def omega(self, index: int) -> Vector:
        """Return the angular velocity of a link, in the axes of H."""
        if index == GROUND_INDEX:
            return ZERO
        for i in self._missing(index, self._omegas):
            motion, omega_P = self.motions[i], self.omega(self.tree.links[i].parent)
            self._omegas[i] = plus(motion.from_parent(omega_P), motion.omega)
        return self._omegas[index]

    def velocity(self, index: int) -> Vector:
        """Return the velocity of H's origin of a link, in the axes of H."""
        if index == GROUND_INDEX:
            return ZERO
        for i in self._missing(index, self._velocities):
            motion, parent = self.motions[i], self.tree.links[i].parent
            carried = plus(self.velocity(parent), cross(self.omega(parent), motion.r_PH_P))
            self._velocities[i] = plus(motion.from_parent(carried), motion.velocity)
        return self._velocities[index]

    def _missing(self, index: int, known: Container[int]) -> list[int]:
        """Return the links on the way from the ground to a link that are not known yet, outward."""
        way: list[int] = []
        while index != GROUND_INDEX and index not in known:
            way.append(index)
            index = self.tree.links[index].parent
        return way[::-1]

    def end(self, end: End) -> PointMotion:
        """Return the motion of a place on a body, in world axes."""
        index = self.tree.index_of[end.body]
        R_HE, r_HE_H = self.tree.placement_in_hinge(end)
        pose = self.pose(index)
        omega, velocity = self.omega(index), self.velocity(index)
        return PointMotion(
            position=plus(pose.r_WH_W, apply(pose.R_WH, r_HE_H)),
            velocity=apply(pose.R_WH, plus(velocity, cross(omega, r_HE_H))),
            rotation=product(pose.R_WH, R_HE),
            omega=apply(pose.R_WH, omega),
        )

    def chord_of(self, name: str) -> Joint | None:
        """Return the chord that a coordinate or speed belongs to, if it does."""
        return self.tree.coordinates.chord_of.get(name)

    def coordinate(self, name: str) -> Scalar:
        """Return the value of a coordinate, driven or not, or of a joint that closes a loop."""
        if self.chord_of(name) is not None:
            return self.quantity(name)
        driven = self.tree.coordinates.driven.get(name)
        if driven is not None:
            return self.state.in_time(driven, self.tree.value).value
        return self.state.q[self.tree.coordinates.place_of[name][1]]

    def speed(self, name: str) -> Scalar:
        """Return the rate of a coordinate, driven or not."""
        return self.quantity(f"{name}.rate")

    def quantity(self, name: str) -> Scalar:
        """Return a coordinate, a speed or the rate of a coordinate by its full name."""
        coordinates = self.tree.coordinates
        chord = self.chord_of(name)
        if chord is not None:
            from gyrostat.kinematics.chords import chord_quantity

            return chord_quantity(self, chord, name)
        place = coordinates.place_of.get(name)
        if place is not None:
            return self.state.q[place[1]] if place[0] == "q" else self.state.u[place[1]]
        of_rate = name.removesuffix(".rate")
        driven = coordinates.driven.get(of_rate)
        if driven is not None:
            jet = self.state.in_time(driven, self.tree.value)
            return jet.value if of_rate == name else jet.rate
        return self._coordinate_rate(of_rate)

    def _coordinate_rate(self, name: str) -> Scalar:
        """Return the rate of a coordinate whose joint has other speeds, such as an Euler parameter."""
        place = self.tree.coordinates.place_of[name][1]
        return coordinate_rates(self.tree, self.state)[place]

    def input(self, name: str) -> Scalar:
        """Return the value of an input."""
        return self.state.inputs.get(name, 0)

    def evaluate(self, formula: Formula, **variables: Scalar) -> Scalar:
        """Return the value of a formula over parameters, time, coordinates, speeds, inputs and given variables."""
        if not formula.names:
            return self.tree.value(formula)
        parameters = self.tree.coordinates.topology.model.parameters

        def lookup(name: str) -> Scalar:
            if name in variables:
                return variables[name]
            if name in parameters:
                return self.tree.value.lookup(name)
            if name == TIME:
                return self.state.t
            if name in self.state.inputs:
                return self.state.inputs[name]
            return self.quantity(name)

        return formula.evaluate(self.scalars, lookup)


def coordinate_rates(tree: Tree, state: State) -> list[Scalar]:
    """Return q̇ = N(q) u."""
    rates: list[Scalar] = [0] * tree.coordinates.n_q
    for link in tree.links:
        q_places, u_places = link.layout.coordinates, link.layout.speeds
        if link.joint.speeds_are_rates:
            for q_place, u_place in zip(q_places, u_places, strict=True):
                if isinstance(q_place, int) and isinstance(u_place, int):
                    rates[q_place] = state.u[u_place]
            continue
        q = [state.q[place] for place in q_places if isinstance(place, int)]
        u = [state.u[place] for place in u_places if isinstance(place, int)]
        for place, rate in zip(q_places, link.joint.coordinate_rates(q, u, tree.value), strict=True):
            if isinstance(place, int):
                rates[place] = rate
    for q_index, u_index in tree.coordinates.rotors.values():
        rates[q_index] = state.u[u_index]
    return rates
