"""A signal: a named quantity of a moving system, with its unit, its components and the function that gives it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import Any, Protocol

from gyrostat.model.kinds import End
from gyrostat.scalar import Scalar, Scalars

AXES = ("x", "y", "z")
"""Labels of the components of a vector in world axes."""
QUATERNION = ("e0", "e1", "e2", "e3")
"""Labels of the components of a unit quaternion."""
MATRIX = tuple(f"{row}{column}" for row in AXES for column in AXES)
"""Labels of the entries of a rotation matrix R_AB, row by row: "xy" is the x component in A of B's y axis."""
ANGLES = ("roll", "pitch", "yaw")
"""Labels of roll, pitch and yaw: turns about x, y and z with R = R_z(yaw) R_y(pitch) R_x(roll)."""


_DIMENSIONS = {AXES: "axis", QUATERNION: "component", MATRIX: "entry", ANGLES: "angle"}
"""Names of the axes of components in labelled arrays; those of a joint's coordinates have the joint's name."""


class Level(IntEnum):
    """The highest derivatives or loads that a signal needs; each level includes those before it."""

    POSITION = 0
    """Time, parameters, inputs, coordinates and state variables."""
    SPEED = 1
    """Speeds as well; outputs of force elements and rates of state variables are here."""
    ACCELERATION = 2
    """The rates of the speeds u̇; rates of algebraic variables need them."""
    LOAD = 3
    """The multipliers of constraints as well: constraint loads and joint reactions."""
    COURSE = 4
    """Earlier instants: the sign of a quaternion is that of the instant before."""


class Components(Protocol):
    """The value of a vector: component i is entry i."""

    def __getitem__(self, i: int, /) -> Any:
        """Return a component."""


class SystemInstant(Protocol):
    """A system at an instant, from which signals are formed; vectors are sequences of their components.

    Implementations: `StateInstant` and `TracedInstant` on the scalars of any engine, and `Recorded`, whose scalars are
    columns of values at many instants.
    """

    @property
    def scalars(self) -> Scalars:
        """The scalar engine."""

    def time(self) -> Scalar:
        """Return the time t."""

    def parameter(self, name: str) -> Scalar:
        """Return the value of a parameter."""

    def input(self, name: str) -> Scalar:
        """Return the value of an input."""

    def quantity(self, name: str) -> Scalar:
        """Return a coordinate, its rate, a speed or a state variable, by its full name."""

    def position(self, end: End) -> Components:
        """Return the position of a place on a body, in world axes."""

    def velocity(self, end: End) -> Components:
        """Return the velocity of a place on a body, in world axes."""

    def omega(self, body: str) -> Components:
        """Return the angular velocity of a body, in world axes."""

    def rotation(self, end: End) -> Components:
        """Return the nine entries of R_WE of a place on a body, row by row."""

    def quaternion(self, body: str) -> Components:
        """Return the orientation of a body as a unit quaternion, scalar first, continuous in time."""

    def rotation_vector(self, base: End, end: End) -> Components:
        """Return the rotation vector from the axes of one place to those of another, continuous in time."""

    def momentum(self, body: str) -> Components:
        """Return the linear momentum of a body, in world axes."""

    def angular_momentum(self, body: str) -> Components:
        """Return the angular momentum of a body about its mass centre, in world axes."""

    def observed(self, force: str, output: str) -> Any:
        """Return an output of a force element: a number, or a vector in world axes."""

    def power(self, force: str) -> Scalar:
        """Return the power of a force element's loads on the system."""

    def potential(self, force: str) -> Scalar:
        """Return the potential energy of a force element."""

    def place_acceleration(self, end: End) -> Components:
        """Return the acceleration of a place on a body, in world axes."""

    def alpha(self, body: str) -> Components:
        """Return the angular acceleration of a body, in world axes."""

    def acceleration(self, coordinate: str) -> Scalar:
        """Return the second derivative of a coordinate."""

    def speed_rate(self, speed: str) -> Scalar:
        """Return the rate of a speed that is no rate of a coordinate."""

    def state_rate(self, state: str) -> Scalar:
        """Return the rate of a state variable."""

    def multiplier(self, row: str) -> Scalar:
        """Return the load along the direction of a constraint row, by the row's name."""

    def driver_load(self, coordinate: str) -> Scalar:
        """Return the load of the driver of a driven coordinate."""

    def reaction_force(self, joint: str) -> Components:
        """Return the force of a joint's parent on its child, in world axes."""

    def reaction_moment(self, joint: str) -> Components:
        """Return the moment of a joint's parent on its child, at the child's joint point, in world axes."""


@dataclass(frozen=True)
class Signal:
    """A named quantity of a system.

    >>> from operator import methodcaller
    >>> tip = Signal("bar.tip", "m", "position of bar.tip", Level.POSITION, methodcaller("position", End("bar", "tip")))
    >>> tip.labels, tip.dimension
    ((), None)
    """

    name: str
    unit: str
    description: str
    level: Level
    form: Callable[[SystemInstant], Any]
    """The function of an instant that gives its value; a vector's value is a sequence of its components."""
    labels: tuple[str, ...] = ()
    """The labels of its components; none for a number."""

    @property
    def dimension(self) -> str | None:
        """The name of the axis of its components in labelled arrays; None for a number."""
        return _DIMENSIONS.get(self.labels, f"{self.name}_coordinate") if self.labels else None

    @property
    def is_matrix(self) -> bool:
        """Whether the components are the entries of a rotation matrix."""
        return self.labels == MATRIX

    @property
    def scalar_names(self) -> tuple[str, ...]:
        """The full names of its components; of a number its own name."""
        return tuple(f"{self.name}.{label}" for label in self.labels) or (self.name,)

    def component(self, label: str) -> Signal:
        """Return a component as a signal of its own."""
        return Signal(
            f"{self.name}.{label}",
            self.unit,
            f"{label} of {self.description}",
            self.level,
            partial(_entry, self.form, self.labels.index(label)),
        )


def _entry(form: Callable[[SystemInstant], Components], i: int, instant: SystemInstant) -> Scalar:
    return form(instant)[i]
