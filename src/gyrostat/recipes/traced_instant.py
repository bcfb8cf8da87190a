"""An instant on the traced engine: every signal of a trace, with accelerations and loads solved for or given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gyrostat.equations.dynamics import FoundLoads, driver_loads, joint_loads, joint_reactions
from gyrostat.equations.loads import JointReaction, applied_loads
from gyrostat.kinematics.constraint_loads import ConstraintLoads, all_constraint_loads
from gyrostat.kinematics.instant import MotionInstant
from gyrostat.kinematics.rates import coordinate_accelerations
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.once import cached_property
from gyrostat.recipes.constraints import accelerations, constrained, constraints_of, driving_multipliers, multipliers_of
from gyrostat.recipes.observations import chord_parts, motion_rates
from gyrostat.recipes.states import full_rates, zdot_of
from gyrostat.recipes.trace import Trace
from gyrostat.scalar import Scalar
from gyrostat.scalar.traced import Traced, column
from gyrostat.signals.formulas import formula_value
from gyrostat.signals.table import SignalTable
from gyrostat.spatial import Vector


@dataclass(frozen=True, eq=False)
class TracedInstant(MotionInstant):
    """A trace with accelerations u̇ and multipliers, which are formed only where a signal needs them."""

    trace: Trace
    form_rates: Callable[[], Sequence[Scalar]]
    form_multipliers: Callable[[], Mapping[str, Scalar]]

    @staticmethod
    def solved(trace: Trace) -> TracedInstant:
        """Return the instant whose accelerations and multipliers are those of forward dynamics."""
        return TracedInstant(trace, lambda: solved_rates(trace), lambda: multipliers_of(trace))

    @staticmethod
    def given(trace: Trace) -> TracedInstant:
        """Return the instant whose accelerations and multipliers are arguments of the program: "udot", "loads"."""
        return TracedInstant(trace, lambda: trace.rates, lambda: _given_multipliers(trace))

    @property
    def motion(self) -> WorldMotion:
        """The motion at the instant."""
        return self.trace.motion

    @cached_property
    def rates(self) -> Sequence[Scalar]:
        """u̇, in order."""
        return self.form_rates()

    @cached_property
    def multipliers(self) -> Mapping[str, Scalar]:
        """The loads along the directions of constraint rows, by the names of the rows."""
        return self.form_multipliers()

    def acceleration(self, coordinate: str) -> Scalar:
        """Return the second derivative of a coordinate."""
        coordinates = self.motion.tree.coordinates
        if coordinate in coordinates.chord_of:
            return self._chords["accelerations"][coordinate]
        driven = coordinates.driven.get(coordinate)
        if driven is not None:
            return self.motion.state.in_time(driven, self.motion.tree.value).acceleration
        return self._accelerations[coordinates.place_of[coordinate][1]]

    def speed_rate(self, speed: str) -> Scalar:
        """Return the rate of a speed."""
        coordinates = self.motion.tree.coordinates
        if speed in coordinates.chord_of:
            return self._chords["speed_rates"][speed]
        return self.rates[coordinates.place_of[speed][1]]

    def state_rate(self, state: str) -> Scalar:
        """Return the rate of a state variable, also of an algebraic one."""
        coordinates = self.motion.tree.coordinates
        place = coordinates.place_of[state][1]
        if place not in coordinates.algebraic:
            return Traced(zdot_of(self.trace)[place])
        return Traced(full_rates(self.trace, column(self.rates))[place])

    def place_acceleration(self, end: End) -> list[Scalar]:
        """Return the acceleration of a place on a body: the rate of its velocity."""
        return self._rates_of(self.velocity(end))

    def alpha(self, body: str) -> list[Scalar]:
        """Return the angular acceleration of a body: the rate of its angular velocity in world axes."""
        return self._rates_of(self.omega(body))

    def _rates_of(self, vector: Vector) -> list[Scalar]:
        found = motion_rates(self.trace, column(vector), column(self.rates))
        return [Traced(found[i]) for i in range(3)]

    def driver_load(self, coordinate: str) -> Scalar:
        """Return the load of the driver of a driven coordinate."""
        return self._driver_loads[coordinate]

    def multiplier(self, row: str) -> Scalar:
        """Return the load along the direction of a constraint row."""
        return self.multipliers[row]

    def reaction_force(self, joint: str) -> Vector:
        """Return the force in a joint."""
        return self._reactions[joint][0]

    def reaction_moment(self, joint: str) -> Vector:
        """Return the moment in a joint."""
        return self._reactions[joint][1]

    @cached_property
    def _accelerations(self) -> list[Scalar]:
        return coordinate_accelerations(self.motion.tree, self.motion.state, self.rates)

    @cached_property
    def _chords(self) -> dict[str, dict[str, Scalar]]:
        """Accelerations of the coordinates of chords and rates of their speeds, by name."""
        coordinates = self.motion.tree.coordinates
        joints = [coordinates.topology.joints[name] for name in coordinates.measured_joints]
        names = {
            "accelerations": [name for joint in joints for name in joint.coordinate_names],
            "speed_rates": [name for joint in joints for name in joint.speed_names],
        }
        parts = chord_parts(self.trace, column(self.rates))
        return {part: {name: Traced(parts[part][i]) for i, name in enumerate(known)} for part, known in names.items()}

    @cached_property
    def _constraint_loads(self) -> ConstraintLoads:
        return all_constraint_loads(self.motion, self.multipliers if constrained(self.trace) else {})

    @cached_property
    def _joint_loads(self) -> FoundLoads:
        """The loads through all joints of the trees, from u̇ and the multipliers."""
        return joint_loads(self.motion, self.rates, applied_loads(self.motion, extra=self._constraint_loads.total))

    @cached_property
    def _reactions(self) -> dict[str, JointReaction]:
        """Force and moment in all joints."""
        return joint_reactions(self._joint_loads, self._constraint_loads.on_children)

    @cached_property
    def _driver_loads(self) -> dict[str, Scalar]:
        """The loads of all drivers."""
        given = driving_multipliers(self.motion.tree.coordinates, lambda: self.multipliers)
        return driver_loads(self._joint_loads) | given


def table_of(trace: Trace) -> SignalTable:
    """Return the signals of the system of a trace."""
    return trace.once("signal_table", _table)


def _table(trace: Trace) -> SignalTable:
    return SignalTable(trace.motion.tree.coordinates, lambda: constraints_of(trace).rows)


def solved_rates(trace: Trace) -> list[Scalar]:
    """Return u̇ of forward dynamics, formed once."""
    return trace.once("accelerations", accelerations)


def formula_values(instant: TracedInstant, formulas: Mapping[str, Formula]) -> Any:
    """Return the values of checked formulas at an instant, as a column."""
    table, scalars = table_of(instant.trace), instant.motion.scalars
    return column(formula_value(table, formula, instant, scalars) for formula in formulas.values())


def _given_multipliers(trace: Trace) -> dict[str, Scalar]:
    """Return the loads along the rows' directions by the names of rows: minus λ."""
    if not constrained(trace):
        return {}
    loads = trace.arguments["loads"]
    return {row.name: -Traced(loads[i]) for i, row in enumerate(constraints_of(trace).rows)}
