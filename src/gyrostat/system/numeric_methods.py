"""The numeric methods of a system: its mechanics at one state or many."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.arguments import Floats, Inputs, Parameters, Values
from gyrostat.once import cached_property
from gyrostat.results.mechanics import BodyMotions, Energy, Momentum, Poses, Powers, Reaction
from gyrostat.system.arguments import Arguments, At
from gyrostat.system.records import Records, by_name, places_of
from gyrostat.system.single_state import SingleStates

if TYPE_CHECKING:
    from gyrostat.model.constraints import ConstraintRow


class NumericMethods(ABC):
    """Mixin: mechanics at states given as arrays with any leading axes, or by name.

    A call with one-dimensional arrays of doubles takes a few microseconds longer than its native code.
    """

    coordinates: Coordinates

    @property
    @abstractmethod
    def constraints(self) -> tuple[ConstraintRow, ...]:
        """The constraints on the speeds, in order."""

    @abstractmethod
    def _evaluate(self, name: str, at: At) -> dict[str, Floats]:
        """Return the outputs of a program by name, for arguments of any kind."""

    @cached_property
    def single_states(self) -> SingleStates:
        """Programs prepared for single states, by name."""
        return SingleStates()

    def _outputs(self, name: str, at: Arguments) -> dict[str, Floats]:
        """Return the outputs of a program by name, with the leading axes of the arguments.

        One state given as arrays takes a shorter way to the same results, after a first evaluation has checked what
        does not depend on the state.
        """
        single = self.single_states.get(name)
        if single is not None:
            found = single(at)
            if found is not None:
                return found
        return self._evaluate(name, At(*at))

    @cached_property
    def _records(self) -> Records:
        return Records(self.coordinates)

    @cached_property
    def _constraint_places(self) -> Mapping[str, int]:
        return places_of(row.name for row in self.constraints)

    def forward_dynamics(
        self,
        q: Values,
        u: Values,
        *,
        z: Values | None = None,
        t: ArrayLike = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> Floats:
        """Return u̇ (…, number of speeds) under gravity, force elements and inputs; inputs not given are zero."""
        return self._outputs("forward_dynamics", (q, u, z, t, inputs, parameters, None))["udot"]

    def inverse_dynamics(
        self,
        q: Values,
        u: Values,
        udot: Values,
        *,
        z: Values | None = None,
        t: ArrayLike = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> Floats:
        """Return the load on each speed (…, number of speeds) required for u̇, beyond all forces of the model."""
        return self._outputs("inverse_dynamics", (q, u, z, t, inputs, parameters, udot))["loads"]

    def mass_matrix(
        self, q: Values, *, z: Values | None = None, t: ArrayLike = 0.0, parameters: Parameters = None
    ) -> Floats:
        """Return M(q) (…, number of speeds, number of speeds), with ½ uᵀ M u the kinetic energy of undriven motion.

        Masses that vary may depend on states z, by default at their initial values, and on t.
        """
        return self._outputs("mass_matrix", (q, None, z, t, None, parameters, None))["mass_matrix"]

    def energy(
        self,
        q: Values,
        u: Values,
        *,
        z: Values | None = None,
        t: ArrayLike = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> Energy:
        """Return kinetic energy, potential energy of gravity (zero at the world's origin) and of force elements."""
        return self._records.energy(self._outputs("energy", (q, u, z, t, inputs, parameters, None)))

    def poses(self, q: Values, *, t: ArrayLike = 0.0, parameters: Parameters = None) -> Poses:
        """Return position and rotation of every body's frame, in world axes."""
        return self._records.poses(self._outputs("poses", (q, None, None, t, None, parameters, None)))

    def reactions(
        self,
        q: Values,
        u: Values,
        udot: Values | None = None,
        *,
        z: Values | None = None,
        t: ArrayLike = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> Mapping[str, Reaction]:
        """Return for each joint the load of the parent on the child at the child's joint point, in world axes.

        Without `udot` the motion is that of forward dynamics. Loads of actuators and drivers are included.
        """
        if udot is None:
            udot = self.forward_dynamics(q, u, z=z, t=t, inputs=inputs, parameters=parameters)
        return self._records.reactions(self._outputs("reactions", (q, u, z, t, inputs, parameters, udot)))

    def driver_loads(
        self,
        q: Values,
        u: Values,
        udot: Values | None = None,
        *,
        z: Values | None = None,
        t: ArrayLike = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> Mapping[str, Floats]:
        """Return the load of the driver of each driven coordinate, by name, beyond all forces of the model."""
        if udot is None:
            udot = self.forward_dynamics(q, u, z=z, t=t, inputs=inputs, parameters=parameters)
        return self._records.driver_loads(self._outputs("reactions", (q, u, z, t, inputs, parameters, udot)))

    def multipliers(
        self,
        q: Values,
        u: Values,
        *,
        z: Values | None = None,
        t: ArrayLike = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> Mapping[str, Floats]:
        """Return the load along the direction of each constraint, by its name ("rod: tension"): see `constraints`."""
        found = self._outputs("multipliers", (q, u, z, t, inputs, parameters, None))["multipliers"]
        return by_name(found, self._constraint_places)

    def state_rates(
        self,
        q: Values,
        u: Values,
        *,
        z: Values | None = None,
        t: ArrayLike = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> Floats:
        """Return ż (…, number of state variables); for algebraic ones, the residuals of their equations."""
        if not self.coordinates.state_names:
            return np.zeros((*np.shape(t), 0))
        return self._outputs("rates", (q, u, z, t, inputs, parameters, None))["zdot"]

    def constraint_rates(self, q: Values, u: Values, *, t: ArrayLike = 0.0, parameters: Parameters = None) -> Floats:
        """Return γ of the constraints' A u̇ = γ (…, number of constraints)."""
        return self._outputs("constraint_rates", (q, u, None, t, None, parameters, None))["rates"]

    def coordinate_rates(self, q: Values, u: Values, *, t: ArrayLike = 0.0, parameters: Parameters = None) -> Floats:
        """Return q̇ = N(q) u (…, number of coordinates)."""
        return self._outputs("rates", (q, u, None, t, None, parameters, None))["qdot"]

    def forward_dynamics_derivatives(
        self,
        q: Values,
        u: Values,
        *,
        z: Values | None = None,
        t: ArrayLike = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> dict[str, Floats]:
        """Return u̇ and its derivatives by q, u, inputs and z, if any: "udot", "q", "u", "inputs", "z"."""
        found = self._outputs("forward_dynamics_derivatives", (q, u, z, t, inputs, parameters, None))
        return {name.removeprefix("udot_"): derivatives for name, derivatives in found.items()}

    def body_motion(self, q: Values, u: Values, *, t: ArrayLike = 0.0, parameters: Parameters = None) -> BodyMotions:
        """Return position, rotation, velocity and angular velocity of every body's frame, in world axes."""
        return self._records.body_motions(self._outputs("body_motion", (q, u, None, t, None, parameters, None)))

    def force_outputs(
        self,
        q: Values,
        u: Values,
        *,
        z: Values | None = None,
        t: ArrayLike = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> Mapping[str, Mapping[str, Floats]]:
        """Return the outputs of each force element by name: numbers (…), or vectors (…, 3) in world axes."""
        return self._records.force_outputs(self._outputs("force_outputs", (q, u, z, t, inputs, parameters, None)))

    def momentum(self, q: Values, u: Values, *, t: ArrayLike = 0.0, parameters: Parameters = None) -> Momentum:
        """Return mass, mass centre, linear momentum and angular momentum about the world's origin."""
        return self._records.momentum(self._outputs("momentum", (q, u, None, t, None, parameters, None)))

    def powers(
        self,
        q: Values,
        u: Values,
        udot: Values | None = None,
        *,
        z: Values | None = None,
        t: ArrayLike = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> Powers:
        """Return the powers of force elements, drivers, rotors with given motion and constraints.

        Without `udot` the motion is that of forward dynamics; then `total` is the rate of `energy(…).total` while
        inputs do not change.
        """
        if udot is None:
            udot = self.forward_dynamics(q, u, z=z, t=t, inputs=inputs, parameters=parameters)
        return self._records.powers(self._outputs("powers", (q, u, z, t, inputs, parameters, udot)))
