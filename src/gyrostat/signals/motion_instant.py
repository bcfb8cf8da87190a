"""Instants of a motion: signals up to speeds, formed on the scalars of any engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NoReturn

from gyrostat.equations.loads import outputs_of
from gyrostat.equations.state_rates import state_rates
from gyrostat.errors import StateError
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.kinds import End
from gyrostat.scalar import Scalar
from gyrostat.spatial import Vector


class MotionInstant(ABC):
    """Base of the instants of a `WorldMotion`; signals that need accelerations are left to subclasses."""

    @property
    @abstractmethod
    def motion(self) -> WorldMotion:
        """The motion at the instant."""

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

    def quaternion(self, body: str) -> NoReturn:
        """Refuse: a single instant does not determine the sign of a quaternion."""
        raise StateError(f"The quaternion of {body!r} has no sign at a single instant. Use coordinates or a rotation.")

    def observed(self, force: str, output: str) -> Any:
        """Return an output of a force element."""
        return outputs_of(self.motion, self.motion.tree.coordinates.topology.model.forces[force])[output]


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
