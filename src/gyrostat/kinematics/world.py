"""Motion in world axes, formed only for the bodies that somebody asks for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from gyrostat.kinematics.link import Tree
from gyrostat.kinematics.mechanism import Carried, Mechanism
from gyrostat.kinematics.rates import coordinate_rates
from gyrostat.kinematics.state import State
from gyrostat.model.forces import PointMotion
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End
from gyrostat.scalar import Scalar, Scalars
from gyrostat.spatial import Matrix, Vector


@dataclass(frozen=True)
class WorldPose:
    """How a hinge frame H stands in the world."""

    R_WH: Matrix
    r_WH_W: Vector


class WorldMotion(ABC):
    """What force elements and outputs may ask of a system at one instant (the `Motion` of force elements)."""

    state: State

    @staticmethod
    def of(mechanism: Mechanism[Carried], state: State) -> WorldMotion:
        """Return the motion of a mechanism at a state."""
        from gyrostat.kinematics.branch_motion import branch_motion
        from gyrostat.kinematics.branches import BranchTree
        from gyrostat.kinematics.tree_motion import tree_motion

        if isinstance(mechanism, BranchTree):
            return branch_motion(mechanism, state)
        assert isinstance(mechanism, Tree), "there are these two"
        return tree_motion(mechanism, state)

    @property
    @abstractmethod
    def tree(self) -> Mechanism[Carried]:
        """The mechanism: its links, with all constants."""

    @abstractmethod
    def pose(self, index: int) -> WorldPose:
        """Return how a link's hinge frame stands in the world."""

    @abstractmethod
    def omega(self, index: int) -> Vector:
        """Return the angular velocity of a link, in the axes of H."""

    @abstractmethod
    def velocity(self, index: int) -> Vector:
        """Return the velocity of H's origin of a link, in the axes of H."""

    @abstractmethod
    def end(self, end: End) -> PointMotion:
        """Return the motion of a place on a body, in world axes."""

    @abstractmethod
    def at(self, state: State) -> WorldMotion:
        """Return the motion of the same mechanism at another state."""

    @property
    def scalars(self) -> Scalars:
        """The engine."""
        return self.tree.value.scalars

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


__all__ = ["WorldMotion", "WorldPose", "coordinate_rates"]
