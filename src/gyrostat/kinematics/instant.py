"""Instants of a motion: signals up to speeds, formed on the scalars of any engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from gyrostat.errors import StateError
from gyrostat.kinematics.body_momentum import body_momenta
from gyrostat.kinematics.laws import outputs_of
from gyrostat.kinematics.load_power import force_power
from gyrostat.kinematics.state_rates import state_rates
from gyrostat.model.forces import ForceElement
from gyrostat.model.kinds import End
from gyrostat.scalar import Scalar, Scalars
from gyrostat.spatial import Vector

if TYPE_CHECKING:
    from gyrostat.kinematics.world import WorldMotion


class MotionInstant(ABC):
    """Base of the instants of a `WorldMotion`; signals that need accelerations are left to subclasses."""

    @property
    @abstractmethod
    def motion(self) -> WorldMotion:
        """The motion at the instant."""

    @property
    def scalars(self) -> Scalars:
        """The engine of the motion."""
        return self.motion.scalars

    def time(self) -> Scalar:
        """Return the time t."""
        return self.motion.state.t

    def parameter(self, name: str) -> Scalar:
        """Return the value of a parameter."""
        return self.motion.tree.value.lookup(name)

    def input(self, name: str) -> Scalar:
        """Return the value of an input."""
        return self.motion.input(name)

    def quantity(self, name: str) -> Scalar:
        """Return a coordinate, its rate, a speed or a state variable."""
        return self.motion.quantity(name)

    def position(self, end: End) -> Vector:
        """Return the position of a place on a body."""
        return self.motion.end(end).position

    def velocity(self, end: End) -> Vector:
        """Return the velocity of a place on a body."""
        return self.motion.end(end).velocity

    def omega(self, body: str) -> Vector:
        """Return the angular velocity of a body."""
        return self.motion.end(End(body)).omega

    def rotation(self, end: End) -> tuple[Scalar, ...]:
        """Return the entries of R_WE of a place on a body."""
        return tuple(x for row in self.motion.end(end).rotation for x in row)

    def quaternion(self, body: str) -> NoReturn:
        """Refuse: a single instant does not determine the sign of a quaternion."""
        raise StateError(f"The quaternion of {body!r} has no sign at a single instant. Use coordinates or a rotation.")

    def rotation_vector(self, base: End, end: End) -> NoReturn:
        """Refuse: a single instant determines the angle up to whole turns only."""
        raise StateError(f"The rotation vector of {str(end)!r} follows from earlier instants. Use coordinates or .rpy.")

    def momentum(self, body: str) -> Vector:
        """Return the linear momentum of a body."""
        return body_momenta(self.motion, body)[1]

    def angular_momentum(self, body: str) -> Vector:
        """Return the angular momentum of a body about its mass centre."""
        return body_momenta(self.motion, body)[0]

    def observed(self, force: str, output: str) -> Any:
        """Return an output of a force element; those that no law enters are formed without the laws."""
        element = self._force(force)
        if element.all_outputs[output].kinematic:
            return element.measured(self.motion)[output]
        return outputs_of(self.motion, element)[output]

    def power(self, force: str) -> Scalar:
        """Return the power of a force element's loads on the system."""
        return force_power(self._force(force), self.motion)

    def potential(self, force: str) -> Scalar:
        """Return the potential energy of a force element."""
        return self._force(force).potential(self.motion)

    def _force(self, name: str) -> ForceElement:
        return self.motion.tree.coordinates.topology.model.forces[name]


@dataclass(frozen=True)
class StateInstant(MotionInstant):
    """The instant of a motion without accelerations."""

    at: WorldMotion

    @property
    def motion(self) -> WorldMotion:
        """The motion at the instant."""
        return self.at

    def acceleration(self, coordinate: str) -> NoReturn:
        """Refuse: accelerations are not known."""
        raise _without_accelerations(f"acceleration of {coordinate!r}")

    def speed_rate(self, speed: str) -> NoReturn:
        """Refuse: accelerations are not known."""
        raise _without_accelerations(f"rate of {speed!r}")

    def state_rate(self, state: str) -> Scalar:
        """Return the rate of a state variable; of algebraic ones it needs accelerations and is refused."""
        coordinates = self.motion.tree.coordinates
        place = coordinates.place_of[state][1]
        if place in coordinates.algebraic:
            raise _without_accelerations(f"rate of {state!r}")
        return state_rates(self.motion)[place]

    def place_acceleration(self, end: End) -> NoReturn:
        """Refuse: accelerations are not known."""
        raise _without_accelerations(f"acceleration of {str(end)!r}")

    def alpha(self, body: str) -> NoReturn:
        """Refuse: accelerations are not known."""
        raise _without_accelerations(f"angular acceleration of {body!r}")

    def driver_load(self, coordinate: str) -> NoReturn:
        """Refuse: loads of drivers are not known."""
        raise _without_accelerations(f"load of the driver of {coordinate!r}")

    def multiplier(self, row: str) -> NoReturn:
        """Refuse: loads of constraints are not known."""
        raise _without_accelerations(f"load {row!r}")

    def reaction_force(self, joint: str) -> NoReturn:
        """Refuse: reactions are not known."""
        raise _without_accelerations(f"reaction of {joint!r}")

    def reaction_moment(self, joint: str) -> NoReturn:
        """Refuse: reactions are not known."""
        raise _without_accelerations(f"reaction of {joint!r}")


def _without_accelerations(what: str) -> StateError:
    return StateError(f"The {what} needs accelerations, which a state alone does not have. Use coordinates and speeds.")
