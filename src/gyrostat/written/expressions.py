"""Exact expressions of a mechanism: symbols, energies, positions and velocities, momenta, joint loads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.layout import acceleration_name
from gyrostat.equations.composite_body import Entries
from gyrostat.equations.dynamics import generalized_momenta, joint_loads, joint_reactions
from gyrostat.equations.energy import energy
from gyrostat.equations.loads import applied_loads
from gyrostat.equations.momentum import MomentumTerms, momentum
from gyrostat.errors import StateError
from gyrostat.model.body import Body
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, total
from gyrostat.scalar.exact import immutable_matrix
from gyrostat.spatial import Vector, cross, minus
from gyrostat.written.derivation import Derivation
from gyrostat.written.equation_writer import EquationWriter, Form
from gyrostat.written.exact_constraints import ExactConstraints
from gyrostat.written.exact_trace import ExactTrace
from gyrostat.written.multipliers import Multipliers
from gyrostat.written.progress import Report
from gyrostat.written.symbols import MotionSymbols, Symbols


@dataclass(frozen=True, eq=False)
class Expressions(MotionSymbols):
    """A mechanism in exact expressions, converted to SymPy in one form on access."""

    derivation: Derivation
    form: Form = Form.TEXTBOOK
    progress: Report | None = field(default=None, repr=False)

    @property
    def layout(self) -> Coordinates:
        """The coordinates."""
        return self.derivation.layout

    # --- symbols ------------------------------------------------------------------------------------------------

    @cached_property
    def symbols(self) -> Symbols:
        """The symbols by the model's own names."""
        return Symbols(self.layout)

    @property
    def multipliers(self) -> tuple[Any, ...]:
        """The symbols of λ, in the order of the constraints."""
        return tuple(self.multiplier_symbols.values())

    @cached_property
    def multiplier_table(self) -> Multipliers:
        """The multipliers with their owners, directions and units; prints as a table."""
        return Multipliers.of(self.exact_constraints.rows, self.symbols.text.values())

    @property
    def constraint_names(self) -> tuple[str, ...]:
        """The names of the constraints, in order: owner and direction."""
        return tuple(each.name for each in self.multiplier_table)

    @cached_property
    def multiplier_symbols(self) -> dict[str, Any]:
        """SymPy's symbols of multipliers by the names of rows."""
        return {each.name: sympy.Symbol(each.symbol) for each in self.multiplier_table}

    # --- exact ---------------------------------------------------------------------------------------------------

    @property
    def trace(self) -> ExactTrace:
        """The system on the exact engine."""
        return self.derivation.trace

    @property
    def exact_mass_matrix(self) -> Entries:
        """The lower half of M as elements of the exact engine."""
        return self.derivation.mass_matrix(self.progress)

    @property
    def exact_forcing(self) -> list[Scalar]:
        """The forcing as elements of the exact engine."""
        return self.derivation.forcing(self.progress)

    @property
    def exact_states(self) -> list[Scalar]:
        """The rates of state variables, residuals for algebraic ones, as elements of the exact engine."""
        return self.derivation.states(self.progress) if self.layout.state_names else []

    @property
    def constrained(self) -> bool:
        """Whether joints close loops or the model has constraints."""
        return self.derivation.constrained

    @property
    def exact_constraints(self) -> ExactConstraints:
        """The constraints as elements of the exact engine."""
        return self.derivation.constraints(self.progress)

    # --- SymPy ---------------------------------------------------------------------------------------------------

    @cached_property
    def writer(self) -> EquationWriter:
        """Converts elements of the exact engine to SymPy."""
        return EquationWriter(self.trace, self.symbols, self.form, self.multiplier_symbols if self.constrained else {})

    def expression(self, value: Scalar) -> Any:
        """Return an element of the exact engine as SymPy writes it, in this set's form and symbols.

        Only the equations of motion are regrouped; other expressions of a regrouped set are in textbook form.
        """
        return self.writer(value)

    def column(self, values: Sequence[Scalar]) -> Any:
        """Return elements of the exact engine as a SymPy column."""
        return immutable_matrix(len(values), 1, [self.expression(value) for value in values])

    # --- of the mechanism ----------------------------------------------------------------------------------------

    @cached_property
    def kinetic_energy(self) -> Any:
        """The kinetic energy."""
        return self.expression(energy(self.trace.motion).kinetic)

    @cached_property
    def potential_energy(self) -> Any:
        """The energy of gravity and of force elements."""
        found = energy(self.trace.motion)
        return self.expression(add(found.gravity, total(list(found.stored.values()))))

    def coordinate(self, name: str) -> Any:
        """Return a joint's coordinate, or its rate ("s20.rate"), in the unknowns of these equations."""
        known = [*self.layout.measures, *self.layout.speed_names, *(f"{each}.rate" for each in self.layout.measures)]
        if name not in known:
            raise StateError(f"There is no coordinate {name!r}. {did_you_mean(name, dict.fromkeys(known))}")
        return self.expression(self.trace.motion.quantity(name))

    def position(self, place: str) -> Any:
        """Return the position of a body's frame, or of a point or frame on it, in world axes."""
        return self.vector(self.trace.motion.end(self._end(place)).position)

    def velocity(self, place: str) -> Any:
        """Return the velocity of a body's frame, or of a point or frame on it, in world axes."""
        return self.vector(self.trace.motion.end(self._end(place)).velocity)

    def angular_velocity(self, body: str) -> Any:
        """Return the angular velocity of a body, in world axes."""
        return self.vector(self.trace.motion.end(self._end(body)).omega)

    @cached_property
    def generalized_momenta(self) -> Any:
        """∂T/∂u as a SymPy column: M u where no motion is given by drivers or rotors."""
        return self.column(generalized_momenta(self.trace.motion))

    def linear_momentum(self, body: str | None = None) -> Any:
        """Return the linear momentum of a body, or of all bodies together, in world axes."""
        return self.vector(self._momentum(body).linear)

    def angular_momentum(self, body: str | None = None, *, about: str = GROUND) -> Any:
        """Return the angular momentum of a body, or of all together, about a place, in world axes; rotors included.

        The place is a body's frame, or a point or frame on it ("bar2.tip"); by default the world's origin. It is taken
        where it is at the instant: l_P = l_O − r_OP × p, whether it moves or not.
        """
        found = self._momentum(body)
        if about == GROUND:
            return self.vector(found.angular)
        r_WP_W = self.trace.motion.end(self._end(about)).position
        return self.vector(minus(found.angular, cross(r_WP_W, found.linear)))

    def _momentum(self, body: str | None) -> MomentumTerms:
        motion = self.trace.motion
        if body is None:
            return momentum(motion)
        indices = {link.body: index for index, link in motion.tree.bodies}
        if body not in indices:
            raise StateError(f"There is no moving body {body!r}. {did_you_mean(body, indices)}")
        return momentum(motion, [indices[body]])

    def reaction(self, joint: str) -> tuple[Any, Any]:
        """Return force and moment of a joint's parent on its child, world axes, with u̇ and multipliers as symbols."""
        motion, constraints = self.trace.motion, self.exact_constraints
        if joint not in self.layout.loaded_joints:
            raise StateError(f"There is no joint {joint!r}. {did_you_mean(joint, self.layout.loaded_joints)}")
        rates = [self.trace.ring.symbol(acceleration_name(name)) for name in self.layout.speed_names]
        found = joint_loads(motion, rates, applied_loads(motion, extra=constraints.loads.total))
        force, moment = joint_reactions(found, constraints.loads.on_children)[joint]
        return self.vector(force), self.vector(moment)

    def vector(self, vector: Vector) -> Any:
        """Return a vector of the exact engine as a SymPy column."""
        return self.column(vector)

    def _end(self, place: str) -> End:
        directory = self.layout.topology.model.directory
        end = directory.end(place)
        if end is not None:
            return end
        body, rest = directory.split(place)
        if not isinstance(body, Body):
            name = place.rpartition(".")[0] or place
            raise StateError(f"There is no body {name!r}. {did_you_mean(name, self.trace.motion.tree.index_of)}")
        places = [*body.points, *body.frames]
        raise StateError(f"Body {body.name!r} has no point or frame {rest!r}. {did_you_mean(rest, places)}")
