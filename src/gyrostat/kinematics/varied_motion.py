"""Motion along which constraints are evaluated: a system's own, or a variation of one body or coordinate.

A variation gives every body a velocity field and every coordinate a rate. Residuals are differentiated along it by
carrying positions as jets; speeds are evaluated with its velocities in the place of the system's own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.forces import PointMotion
from gyrostat.model.forces.force_element import Formed
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.kinds import End
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import is_number, is_zero
from gyrostat.scalar.jets import Jet, JetScalars
from gyrostat.spatial import ZERO, Matrix, Vector, cross, minus, plus, product, skew


class Variation(ABC):
    """A change of the system's position: the velocities that come with it."""

    @abstractmethod
    def of_end(self, motion: WorldMotion, end: End, position: Vector) -> tuple[Vector, Vector]:
        """Return the velocity of a place at a position, and the angular velocity of its body."""

    @abstractmethod
    def of_coordinate(self, motion: WorldMotion, name: str) -> Scalar:
        """Return the rate of a coordinate."""

    @property
    def of_time(self) -> Scalar:
        """The rate of time itself."""
        return 0


@dataclass(frozen=True)
class OwnMotion(Variation):
    """The system's own motion."""

    def of_end(self, motion: WorldMotion, end: End, position: Vector) -> tuple[Vector, Vector]:
        """Return velocity and angular velocity of the place."""
        place = motion.end(end)
        return place.velocity, place.omega

    def of_coordinate(self, motion: WorldMotion, name: str) -> Scalar:
        """Return the rate."""
        return motion.speed(name)

    @property
    def of_time(self) -> Scalar:
        """One: time advances."""
        return 1


@dataclass(frozen=True)
class VirtualTwist(Variation):
    """A virtual motion of one body alone: the velocity of its frame's origin and its angular velocity."""

    body: str
    angular: Vector = ZERO
    linear: Vector = ZERO

    def of_end(self, motion: WorldMotion, end: End, position: Vector) -> tuple[Vector, Vector]:
        """Return the velocities of the twist, or none on another body."""
        if end.body != self.body:
            return ZERO, ZERO
        arm = minus(position, motion.end(End(self.body)).position)
        return plus(self.linear, cross(self.angular, arm)), self.angular

    def of_coordinate(self, motion: WorldMotion, name: str) -> Scalar:
        """Return zero: coordinates are varied separately."""
        return 0


@dataclass(frozen=True)
class VirtualRate(Variation):
    """One coordinate has a unit rate; all bodies are at rest."""

    coordinate: str

    def of_end(self, motion: WorldMotion, end: End, position: Vector) -> tuple[Vector, Vector]:
        """Return no motion."""
        return ZERO, ZERO

    def of_coordinate(self, motion: WorldMotion, name: str) -> Scalar:
        """Return one for the coordinate."""
        return int(name == self.coordinate)


@dataclass(frozen=True)
class PushedMotion:
    """A system with the velocities of a variation (the `Motion` of constraints that give speeds)."""

    motion: WorldMotion
    variation: Variation = OwnMotion()

    @property
    def scalars(self) -> Scalars:
        """The engine."""
        return self.motion.scalars

    def end(self, end: End) -> PointMotion:
        """Return a place with the velocities of the variation."""
        place = self.motion.end(end)
        velocity, omega = self.variation.of_end(self.motion, end, place.position)
        return PointMotion(place.position, velocity, place.rotation, omega)

    def quantity(self, name: str) -> Scalar:
        """Return a coordinate: constraints depend on positions and velocities of places, and on coordinates."""
        return self.coordinate(name)

    def coordinate(self, name: str) -> Scalar:
        """Return a coordinate."""
        return self.motion.coordinate(name)

    def speed(self, name: str) -> Scalar:
        """Return the rate of a coordinate in the variation."""
        return self.variation.of_coordinate(self.motion, name)

    def input(self, name: str) -> Scalar:
        """Return the value of an input."""
        return self.motion.input(name)

    def once(self, name: str, form: Callable[[], Formed]) -> Formed:
        """Return what a function forms; each variation forms it anew."""
        return form()

    def evaluate(self, formula: Formula, **variables: Scalar) -> Scalar:
        """Return the value of a formula over parameters, time, coordinates, components of places, and variables."""

        def lookup(name: str) -> Scalar:
            return self.motion.state.t if name == TIME else _positional(self, self.motion, name, variables)

        return formula.evaluate(self.scalars, lookup)


@dataclass(frozen=True)
class DisplacedMotion:
    """A system whose positions are jets along a variation (the `Motion` of constraints that give residuals)."""

    motion: WorldMotion
    variation: Variation = OwnMotion()

    @property
    def scalars(self) -> Scalars:
        """The engine of jets."""
        return JetScalars(self.motion.scalars)

    def end(self, end: End) -> PointMotion:
        """Return a place whose position and rotation change with the variation."""
        place = self.motion.end(end)
        velocity, omega = self.variation.of_end(self.motion, end, place.position)
        turning: Matrix = product(skew(omega), place.rotation)
        rows = [_jets(row, rates) for row, rates in zip(place.rotation, turning, strict=True)]
        position = _jets(place.position, velocity)
        return PointMotion(position, _jets(velocity, ZERO), (rows[0], rows[1], rows[2]), _jets(omega, ZERO))

    def quantity(self, name: str) -> Scalar:
        """Return a coordinate that changes with the variation."""
        return self.coordinate(name)

    def coordinate(self, name: str) -> Scalar:
        """Return a coordinate that changes with the variation."""
        return _jet(self.motion.coordinate(name), self.variation.of_coordinate(self.motion, name))

    def speed(self, name: str) -> Scalar:
        """Return the rate of a coordinate in the variation."""
        return _jet(self.variation.of_coordinate(self.motion, name), 0)

    def input(self, name: str) -> Scalar:
        """Return the value of an input."""
        return _jet(self.motion.input(name), 0)

    def once(self, name: str, form: Callable[[], Formed]) -> Formed:
        """Return what a function forms; each variation forms it anew."""
        return form()

    def evaluate(self, formula: Formula, **variables: Scalar) -> Scalar:
        """Return the jet of a formula over parameters, time, coordinates, components of places, and variables."""

        def lookup(name: str) -> Scalar:
            if name == TIME:
                return _jet(self.motion.state.t, self.variation.of_time)
            return _positional(self, self.motion, name, variables)

        found = formula.evaluate(self.scalars, lookup)
        return found if isinstance(found, Jet) else _jet(found, 0)


def _positional(seen: PushedMotion | DisplacedMotion, motion: WorldMotion, name: str, own: dict[str, Scalar]) -> Scalar:
    """Return the value of a name other than time in a formula of positions."""
    if name in own:
        return own[name]
    coordinates = motion.tree.coordinates
    if name in coordinates.topology.model.parameters:
        value = motion.tree.value.lookup(name)
        return _jet(value, 0) if isinstance(seen, DisplacedMotion) else value
    if name in coordinates.measures:
        return seen.coordinate(name)
    found = coordinates.topology.model.directory.position(name)
    assert found is not None, "names are checked before"
    end, component = found
    return seen.end(end).position[component]


def _jet(value: Scalar, rate: Scalar) -> Scalar:
    """Return a jet; a plain number that does not change stays a number."""
    return value if is_number(value) and is_zero(rate) else Jet(value, rate)


def _jets(values: Vector, rates: Vector) -> Vector:
    return (_jet(values[0], rates[0]), _jet(values[1], rates[1]), _jet(values[2], rates[2]))
