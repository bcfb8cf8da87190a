"""An operating point: a state of a system, with its inputs, parameters and multipliers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from html import escape
from typing import TypeAlias

import numpy as np

from gyrostat.analysis.assembly.assemble import assemble
from gyrostat.analysis.assembly.constraint_conditions import warn_of_conditions
from gyrostat.analysis.integrators import Rodas5P
from gyrostat.analysis.simulation.consistency import consistent_state
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.analysis.variations.input_values import input_values
from gyrostat.analysis.variations.pair_loads import filled
from gyrostat.analysis.variations.stability import Stability
from gyrostat.closing.closing import Closer
from gyrostat.closing.diagnosis import explain_failure
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.once import cached_property
from gyrostat.results.html_table import html_table
from gyrostat.system import System, system_of

_ROW_LIMIT = 40
_ROUNDING = 1e-12
_ACCELERATION_TOLERANCE = 1e-10
"""Largest accelerations of a state at rest, relative to gravity and the mechanism's size."""


class OperatingKind(Enum):
    """The kind of an operating point."""

    EQUILIBRIUM = "equilibrium"
    """At rest, now and later."""
    STEADY_MOTION = "steady motion"
    """Speeds are constant, and so are all coefficients of the equations."""
    INSTANT = "instant"
    """A state of some motion."""


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """A state that satisfies all constraints, its accelerations, and the loads of constraints.

    `point["a1"]` is a coordinate, its `.rate`, or any other output that a trajectory has.
    """

    system: System
    kind: OperatingKind
    t: float
    q: Floats
    u: Floats
    z: Floats
    """The state variables of components."""
    udot: Floats
    parameters: Mapping[str, object] = field(default_factory=dict)
    """Values that differ from the model's."""
    inputs: Mapping[str, float] = field(default_factory=dict)
    """Every input by name."""
    stability: Stability | None = None
    """The stability under small disturbances, where it was determined."""
    notes: tuple[str, ...] = ()
    others: tuple[OperatingPoint, ...] = field(default=(), repr=False)
    """Other solutions of the same problem."""

    @property
    def coordinates(self) -> dict[str, float]:
        """The coordinates by name."""
        return dict(zip(self.system.coordinate_names, self.q.tolist(), strict=True))

    @property
    def speeds(self) -> dict[str, float]:
        """The speeds by name."""
        return dict(zip(self.system.speed_names, self.u.tolist(), strict=True))

    @property
    def states(self) -> dict[str, float]:
        """The state variables of components by name."""
        return dict(zip(self.system.state_names, self.z.tolist(), strict=True))

    @property
    def parts(self) -> StateParts:
        """Coordinates, speeds and state variables."""
        return StateParts(self.q, self.u, self.z)

    @property
    def state(self) -> dict[str, float]:
        """The state by name, for simulate(…, initial=point.state)."""
        return {**self.coordinates, **self.speeds, **self.states}

    @property
    def all(self) -> tuple[OperatingPoint, ...]:
        """This and the other solutions."""
        return (self, *self.others)

    @cached_property
    def multipliers(self) -> Mapping[str, float]:
        """The load along each constraint's direction by its name; formed on first use, since few analyses need it."""
        if not self.system.constrained:
            return {}
        found = self.system.multipliers(
            self.q, self.u, z=self.z, t=self.t, inputs=self.inputs, parameters=self.parameters
        )
        return {name: float(value) for name, value in found.items()}

    @cached_property
    def row(self) -> Floats:
        """The row of the point, the input of all programs of the system."""
        inputs = [self.inputs.get(name, 0.0) for name in self.system.inputs]
        row = self.system.row.of(self.t, self.parts, self.system.parameter_values(self.parameters), inputs)
        return filled(self.system, row, self.parameters)

    @cached_property
    def _outputs(self) -> Outputs:
        return Outputs(self.system, self.row[None, :])

    def __getitem__(self, name: str) -> float | Floats:
        """Return an output by name: a number, the components of a vector in world axes, or a rotation matrix."""
        part, place = self.system.coordinates.place_of.get(name, ("", 0))
        if part:
            return float(getattr(self, part)[place])
        values = self._outputs.values(name)[0]
        if self.system.signal_table[name].is_matrix:
            return np.reshape(values, (3, 3))
        return float(values) if np.ndim(values) == 0 else np.asarray(values)

    def __contains__(self, name: object) -> bool:
        return name in self.system.signal_table

    @property
    def _table(self) -> list[tuple[str, str]]:
        """Names and values: coordinates, speeds that are not zero, states, inputs, changed parameters, multipliers."""
        coordinates = self.system.coordinates
        angles = {name for name, measure in coordinates.measures.items() if measure == "angle"}
        rows = [(name, _written(value, name in angles)) for name, value in self.coordinates.items()]
        rows += [(name, _written(value)) for name, value in self.speeds.items() if abs(value) > _ROUNDING]
        rows += [(name, _written(value)) for name, value in self.states.items()]
        loads = {name for force in self.system.kernel_forces for name in force.inputs}
        rows += [(f"input {name}", _written(value)) for name, value in self.inputs.items() if name not in loads]
        rows += [(f"parameter {name}", f"{value!s:.40}") for name, value in self.parameters.items()]
        rows += [(f"load of {name}", _written(value)) for name, value in self.multipliers.items()]
        return rows

    @property
    def _head(self) -> str:
        time = f" at t = {self.t:g} s" if self.t else ""
        return f"{self.kind.value.capitalize()} of {self.system.model.name!r}{time}"

    @property
    def _remarks(self) -> list[str]:
        remarks = [] if self.stability is None else [str(self.stability)]
        if self.others:
            remarks.append(f"{len(self.others)} other solution{'s' if len(self.others) > 1 else ''}, in .others")
        return [*remarks, *self.notes]

    def __str__(self) -> str:
        rows = self._table
        width = max((len(name) for name, _ in rows[:_ROW_LIMIT]), default=0)
        lines = [f"  {name:{width}}  {value}" for name, value in rows[:_ROW_LIMIT]]
        if len(rows) > _ROW_LIMIT:
            lines.append(f"  … {len(rows) - _ROW_LIMIT} more")
        return "\n".join([self._head, *lines, *(f"  {line}" for line in self._remarks)])

    def _repr_html_(self) -> str:
        remarks = "".join(f"<p>{escape(line)}</p>" for line in self._remarks)
        return html_table(self._head, ("quantity", "value"), self._table) + remarks


At: TypeAlias = OperatingPoint | Mapping[str, object] | tuple[Trajectory, float]
"""Arguments that can be read as an operating point."""


def operating_point(
    system: System | Model,
    at: At,
    *,
    t: float = 0.0,
    parameters: Mapping[str, object] | None = None,
    inputs: Mapping[str, object] | None = None,
) -> OperatingPoint:
    """Return an operating point.

    `at` is one already, or values by name that assembly completes ({} are the model's own), or a trajectory and a
    time. Parameters and inputs that are given take the places of those that it had.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    >>> bar = model.add(gs.Body("bar", gs.rod(2, 1, along="y"), points={"top": (0, 0.5, 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top"))
    >>> print(gs.operating_point(model, {"a1": 0.0}))
    Equilibrium of 'pendulum'
      a1  0 rad
    """
    system = system_of(system)
    warn_of_conditions(system)
    if isinstance(at, OperatingPoint):
        return _revised_point(system, at, parameters, inputs)
    if isinstance(at, tuple):
        return _of_trajectory(system, at, parameters, inputs)
    if not isinstance(at, Mapping):
        raise StateError(
            f"An operating point cannot be read from {at!r:.60}. Give an operating point, values by name, or a pair of "
            "a trajectory and a time."
        )
    found = assemble(system, at, parameters=parameters, t=t)
    acting = input_values(system, inputs, parameters, t)
    return point_of(system, found.parts, t=t, parameters=parameters, inputs=acting)


def point_of(
    system: System,
    state: StateParts,
    *,
    t: float,
    parameters: Mapping[str, object] | None,
    inputs: Mapping[str, float],
    kind: OperatingKind | None = None,
) -> OperatingPoint:
    """Return the operating point of a state that satisfies the constraints; its kind follows from its accelerations."""
    q, u, z = state = _consistent(system, state, t, parameters, inputs)
    inputs = _with_contacts(system, state, t, parameters, inputs)
    udot = _accelerations(system, state, t, parameters, inputs)
    if kind is None:
        scale = _ACCELERATION_TOLERANCE * max(1.0, gravity_of(system, parameters)) / min(1.0, system.model_size)
        still = not u.any() and float(np.abs(udot).max(initial=0.0)) <= scale
        rates = system.state_rates(q, u, z=z, t=t, inputs=inputs, parameters=parameters) if z.size else z
        still = still and float(np.abs(rates).max(initial=0.0)) <= _ACCELERATION_TOLERANCE * max(
            1.0, float(np.abs(z).max(initial=0.0))
        )
        still = still and moving_driver(system, t, parameters) is None
        kind = OperatingKind.EQUILIBRIUM if still else OperatingKind.INSTANT
    return OperatingPoint(system, kind, float(t), q, u, z, udot, dict(parameters or {}), dict(inputs))


def _with_contacts(
    system: System, state: StateParts, t: float, parameters: Mapping[str, object] | None, inputs: Mapping[str, float]
) -> Mapping[str, float]:
    """Return the inputs with the loads of contacts of many pairs."""
    if not system.kernel_forces:
        return inputs
    row = system.row.of(
        t, state, system.parameter_values(parameters), [inputs.get(name, 0.0) for name in system.inputs]
    )
    return dict(zip(system.inputs, filled(system, row, parameters)[system.row.inputs].tolist(), strict=True))


def _accelerations(
    system: System, state: StateParts, t: float, parameters: Mapping[str, object] | None, inputs: Mapping[str, float]
) -> Floats:
    """Return u̇ at a state, of trees by the program that is ready first."""
    if system.constrained:
        return system.forward_dynamics(state.q, state.u, z=state.z, t=t, inputs=inputs, parameters=parameters)
    acting = [inputs.get(name, 0.0) for name in system.inputs]
    row = system.row.of(t, state, system.parameter_values(parameters), acting)
    udot: Floats = system.ready_program("forward_dynamics").loop(row[None, :])[0]
    if not np.isfinite(udot).all():
        raise explain_failure(system.coordinates, row)
    return udot


def _consistent(
    system: System, state: StateParts, t: float, parameters: Mapping[str, object] | None, inputs: Mapping[str, float]
) -> StateParts:
    """Return a state whose algebraic variables obey their equations."""
    if not system.coordinates.algebraic:
        return state
    problem, plan = Problem(system, Rodas5P()), InputPlan(dict(inputs))
    return consistent_state(problem, t, state, system.model.values(parameters), plan)


def gravity_of(system: System, parameters: Mapping[str, object] | None) -> float:
    """Return the size of gravity (m/s²)."""
    known = system.model.values(parameters)
    return float(np.linalg.norm([formula.value(known) for formula in system.model.gravity]))


def moving_driver(system: System, t: float, parameters: Mapping[str, object] | None) -> str | None:
    """Return the driven coordinate, or the constraint, that moves at a time, if one does."""
    driven = system.coordinates.driven
    values = system.parameter_values(parameters)
    if driven:
        program = system.program("driven")
        row = system.row.of(t, system.row.mechanical(system.initial_coordinates, system.initial_speeds), values)
        found = program.loop(row[None, :])[0]
        rates, accelerations = (found[program.output_slice(name)] for name in ("rates", "accelerations"))
        for name, rate, acceleration in zip(driven, rates, accelerations, strict=True):
            if rate or acceleration:
                return name
    if not system.constrained:
        return None
    closer = Closer(system, t, parameters)
    still = np.zeros(system.coordinates.n_u)
    speeds = closer.at(closer.regular(system.initial_coordinates), still).speeds
    moving = np.abs(speeds) > _ROUNDING * max(1.0, system.model_size)
    return next((row.owner for row, moves in zip(system.constraints, moving, strict=True) if moves), None)


def _revised_point(
    system: System,
    at: OperatingPoint,
    parameters: Mapping[str, object] | None,
    inputs: Mapping[str, object] | None,
) -> OperatingPoint:
    """Return an operating point with some parameters and inputs changed; of a system that is of the same model."""
    if system is not at.system and system.model != at.system.model:
        raise StateError(
            f"The operating point is one of {at.system.model.name!r}, not of this {system.model.name!r}. Find it with "
            "the system that is examined."
        )
    if system is at.system and not parameters and not inputs:
        return at
    changed = {**at.parameters, **(parameters or {})}
    acting = input_values(system, {**at.inputs, **(inputs or {})}, changed, at.t)
    state = at.parts
    if system.coordinate_names != at.system.coordinate_names:
        state = assemble(system, _by_joints(at), parameters=changed, t=at.t).parts
    point = point_of(system, state, t=at.t, parameters=changed, inputs=acting, kind=at.kind)
    return point if parameters or inputs else replace(point, stability=at.stability, notes=at.notes)


def _by_joints(at: OperatingPoint) -> dict[str, object]:
    """Return states, and coordinates and speeds of all joints, which have a meaning in any choice of coordinates."""
    joints = at.system.topology.joints.values()
    names = [name for joint in joints for name in (*joint.coordinate_names, *joint.speed_names)]
    driven = {part for name in at.system.coordinates.driven for part in (name, f"{name}.rate")}
    return {name: at[name] for name in (*names, *at.system.state_names) if name not in driven}


def _of_trajectory(
    system: System,
    pair: tuple[Trajectory, float],
    parameters: Mapping[str, object] | None,
    inputs: Mapping[str, object] | None,
) -> OperatingPoint:
    """Return the state of a trajectory at a time, with the parameters and inputs that it had then."""
    if len(pair) != 2 or not isinstance(pair[0], Trajectory):
        raise StateError("A pair for an operating point is a trajectory and a time: at=(trajectory, 2.5).")
    trajectory, time = pair
    if trajectory.system.model != system.model or trajectory.system.coordinate_names != system.coordinate_names:
        raise StateError(
            f"The trajectory is one of {trajectory.system.model.name!r} in its coordinates, not of this system. "
            "Simulate the system that is examined."
        )
    there = trajectory.at(time)
    own = system.model.values()
    names = list(system.model.parameters)
    had = {
        name: value for name, value in zip(names, there.parameters[0].tolist(), strict=True) if own.get(name) != value
    }
    acting = dict(zip(system.inputs, there.inputs[0].tolist(), strict=True))
    changed = {**had, **(parameters or {})}
    given = input_values(system, {**acting, **(inputs or {})}, changed, float(time))
    return point_of(system, there.states.at(0), t=float(time), parameters=changed, inputs=given)


def _written(value: float, angle: bool = False) -> str:
    """Write a number; an angle in degrees as well. Rounding errors are written as zero."""
    value = 0.0 if abs(value) < _ROUNDING else value
    text = f"{value:.6g}"
    if not angle:
        return text
    return f"{text} rad" + (f" ({np.degrees(value):.4g}°)" if value else "")
