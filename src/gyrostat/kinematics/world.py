"""The contract of a mechanism's motion, in world axes, computed only for the bodies that are requested."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from gyrostat.errors import StateError
from gyrostat.kinematics.chords import chord_quantity
from gyrostat.kinematics.instant import StateInstant
from gyrostat.kinematics.jet_motion import in_time
from gyrostat.kinematics.mechanism import Carried, KinematicTree
from gyrostat.kinematics.rates import coordinate_rates
from gyrostat.kinematics.state import MotionState
from gyrostat.model.forces import PointMotion
from gyrostat.model.forces.force_element import Formed
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.joints import Joint, Mode
from gyrostat.model.kinds import End
from gyrostat.model.states import StateElement
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.jets import Jet, JetScalars, as_jet
from gyrostat.signals.formulas import signal_value
from gyrostat.spatial import Matrix, Vector


@dataclass(frozen=True)
class WorldPose:
    """The pose of a hinge frame H in the world."""

    R_WH: Matrix
    r_WH_W: Vector


class WorldMotion(ABC):
    """A mechanism at one instant, as recursions, force elements, constraints and outputs use it.

    It satisfies the `Motion` of force elements. `KinematicTree.at` makes it. Indices are those of `tree.links`; vectors
    are triples of scalars, rotations three rows of them. W is the world frame, H the hinge frame of a link, E the frame
    of a place on a body.

    | offered | quantity | axes |
    |---|---|---|
    | `pose(i)` | R_WH, r_WH_W: rotation and origin of H | W |
    | `omega(i)` | angular velocity of a link | H |
    | `velocity(i)` | velocity of the origin of H | H |
    | `speed_mode(k)` | relative velocities across the joint of speed k, per unit of it | W |
    | `end(end)` | position, velocity, R_WE and angular velocity of a place | W |
    | `coordinate`, `speed`, `quantity`, `input`, `evaluate` | scalars by name | |
    """

    tree: KinematicTree[Carried]
    """The mechanism: its links, with all constants."""
    state: MotionState
    forces_in_world: ClassVar[bool]
    """Whether recursions sum forces in world axes, as on two trees, or in the axes of H.

    Constraints that hold two points together have the same axes: those of the world, or those of the child.
    """

    @abstractmethod
    def pose(self, index: int) -> WorldPose:
        """Return the pose of a link's hinge frame in the world."""

    @abstractmethod
    def omega(self, index: int) -> Vector:
        """Return the angular velocity of a link, in the axes of H."""

    @abstractmethod
    def velocity(self, index: int) -> Vector:
        """Return the velocity of H's origin of a link, in the axes of H."""

    @abstractmethod
    def speed_mode(self, place: int) -> Mode:
        """Return the relative angular velocity and velocity across a joint, in world axes, per unit of a speed."""

    @abstractmethod
    def end(self, end: End) -> PointMotion:
        """Return the motion of a place on a body, in world axes."""

    def speeds_to(self, end: End) -> Collection[int]:
        """Return the speeds, by place in u, on which the velocity of a place on a body may depend."""
        return range(self.tree.coordinates.n_u)

    def at(self, state: MotionState) -> WorldMotion:
        """Return the motion of the same mechanism at another state."""
        return self.tree.at(state)

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
        """Return a coordinate, a speed, the rate of a coordinate, a state or an output of a block by its full name."""
        if name in self.state.z:
            return self.state.z[name]
        coordinates = self.tree.coordinates
        if name in coordinates.blocks:
            return self._block_output(coordinates.blocks[name], name)
        chord = self.chord_of(name)
        if chord is not None:
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

    def _block_output(self, block: StateElement, name: str) -> Scalar:
        """Return an output of a block; its outputs are formed once for each instant."""
        if block.name not in self._observed_blocks:
            self._observed_blocks[block.name] = block.observed(self)
        return self._observed_blocks[block.name][name]

    @cached_property
    def _observed_blocks(self) -> dict[str, Mapping[str, Scalar]]:
        return {}

    def _coordinate_rate(self, name: str) -> Scalar:
        """Return the rate of a coordinate whose joint has other speeds, such as an Euler parameter."""
        place = self.tree.coordinates.place_of[name][1]
        return coordinate_rates(self.tree, self.state)[place]

    def input(self, name: str) -> Scalar:
        """Return the value of an input."""
        return self.state.inputs.get(name, 0)

    def once(self, name: str, form: Callable[[], Formed]) -> Formed:
        """Return what a function forms at this instant; under one name it is formed once."""
        if name not in self._formed:
            self._formed[name] = form()
        found: Formed = self._formed[name]
        return found

    @cached_property
    def _formed(self) -> dict[str, Any]:
        return {}

    def evaluate(self, formula: Formula, **variables: Scalar) -> Scalar:
        """Return the value of a formula over signals up to speeds, and given variables."""
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
            if name in self.tree.coordinates.quantities:
                return self.quantity(name)
            return signal_value(self.tree.signals, name, StateInstant(self))

        return formula.evaluate(self.scalars, lookup)

    @abstractmethod
    def with_masses(self, links: Sequence[Any]) -> Self:
        """Return the same motion of links with other masses."""

    @property
    def gravity(self) -> Vector:
        """The acceleration of gravity, in world axes."""
        return self.tree.gravity

    def in_time(self, formula: Formula) -> Jet:
        """Return a formula of positions, states and time with its rate; of time alone, with its acceleration too."""
        if formula.number is not None:
            return Jet(self.tree.value(formula))
        if not isinstance(self.scalars, JetScalars):
            return as_jet(self._moving.evaluate(formula))
        if isinstance(self.state.t, Jet) and formula.names.isdisjoint(self.state.z):
            return as_jet(self.evaluate(formula))  # quantities have their rates in time already
        raise StateError(f"The rate of {formula!s:.60}, which a mass that varies needs, is not known in this method.")

    @cached_property
    def _moving(self) -> WorldMotion:
        """The motion on jets; the rates of speeds, which formulas of positions do not contain, are left out."""
        return in_time(self, [0] * self.tree.coordinates.n_u)


__all__ = ["WorldMotion", "WorldPose", "coordinate_rates"]
