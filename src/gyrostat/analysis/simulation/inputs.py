"""Inputs of a simulation: numbers, formulas, tables with interpolation, Python functions."""

from __future__ import annotations

import ctypes
import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gyrostat.analysis.kernels.packing import constant
from gyrostat.analysis.kernels.problem import Floats, Tables
from gyrostat.analysis.simulation.budget import BudgetEnded, Meter
from gyrostat.coordinates.row import FIRST, TIME
from gyrostat.errors import StateError
from gyrostat.kinematics.driving_inputs import with_rates
from gyrostat.model.forces import Grains
from gyrostat.model.formula import Formula
from gyrostat.model.inputs.table import Table
from gyrostat.model.joints.joint import TABLE_DRIVER
from gyrostat.model.names import did_you_mean
from gyrostat.program import Program
from gyrostat.system import System

NO_TABLES = constant(Tables(np.zeros(1), np.zeros((1, 4, 0)), np.zeros(0, dtype=np.int64), False))
_NO_BREAKS: Floats = np.zeros(0)


@dataclass(frozen=True, eq=False)
class InputPlan:
    """The course of each input of a system during a segment of a simulation; inputs not named are zero."""

    numbers: Mapping[str, float] = field(default_factory=dict)
    formulas: Mapping[str, Formula] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    functions: Mapping[str, Callable[..., float]] = field(default_factory=dict)

    @staticmethod
    def of(given: Mapping[str, Any] | None, system: System, grid: Floats, parameters: Mapping[str, float]) -> InputPlan:
        """Read inputs that a user gave; unknown names and tables that are too short are errors."""
        numbers: dict[str, float] = {}
        formulas: dict[str, Formula] = {}
        tables: dict[str, Table] = {}
        functions: dict[str, Callable[..., float]] = {}
        driving = system.driving_inputs
        for name, value in (given or {}).items():
            if name.rpartition(".")[0] in driving and name.endswith((".rate", ".acc")):
                raise StateError(f"The input {name!r} follows from {name.rpartition('.')[0]!r}. Give that one alone.")
            if name not in system.inputs:
                have = did_you_mean(name, list(system.inputs)) if system.inputs else "The model has no inputs."
                raise StateError(f"There is no input {name!r}. {have}")
            if name in system.model.solved_inputs:
                raise StateError(f"The load {name!r} follows from the equations of motion. Leave it out.")
            if name in system.model.states:
                raise StateError(f"{name!r} is a delayed signal, which the simulation gives by itself. Leave it out.")
            owner = next((force for force in system.kernel_forces if name in force.inputs), None)
            if owner is not None:
                what = "grains" if isinstance(owner, Grains) else "contacts"
                raise StateError(f"{name!r} is a load of {what}, which the simulation gives by itself. Leave it out.")
            if callable(value) and not hasattr(value, "dims"):
                functions[name] = value
                continue
            table = _as_table(name, value, grid)
            if table is not None:
                _check_span(name, table, grid)
                tables[name] = table
                continue
            formula = Formula.of(value)
            if formula.names <= set(parameters) and not formula.names:
                numbers[name] = formula.value()
            else:
                formulas[name] = formula
        plan = InputPlan(numbers, formulas, tables, functions)
        for name in driving:
            plan._require_driver(name, parameters, moves=name in system.coordinate_drivers)
        return plan

    def _require_driver(self, name: str, parameters: Mapping[str, float], *, moves: bool) -> None:
        """Refuse an input without known rate, which a coordinate that it moves, or a network, needs."""
        reason = f"The input {name!r} drives a coordinate" if moves else f"The rate of input {name!r} enters a network"
        if name in self.functions:
            raise StateError(
                f"{reason} and is a Python function, whose rates are not known. Give a formula of time, or a table."
                if moves
                else f"{reason}; that of a Python function is not known. Give a formula of time, or a table."
            )
        table = self.tables.get(name)
        if table is not None and moves and not table.smooth:
            raise StateError(
                f"{reason}, but with {table.interpolation.value} interpolation its rate jumps at the times of the "
                "table. Use interpolation='cubic' or 'quintic'."
            )
        if table is not None and not table.continuous:
            raise StateError(
                f"{reason}, but with {table.interpolation.value} interpolation it jumps at the times of the table. "
                "Use interpolation='linear' or 'cubic'."
            )
        strange = sorted(self.formulas[name].names - {*parameters, "t"}) if name in self.formulas else []
        if strange:
            remedy = "Use an actuator for feedback." if moves else "Put a resistance between source and capacitor."
            raise StateError(
                f"{reason}, so that its formula is one of time and parameters; it uses {strange[0]!r}. {remedy}"
            )

    @staticmethod
    def starting(
        given: Mapping[str, Any] | None, system: System, grid: Floats, parameters: Mapping[str, float]
    ) -> InputPlan:
        """Return the plan at the start of a motion: inputs that a user gave, and the model's laws of the others."""
        if given and not isinstance(given, Mapping):
            raise StateError(
                f"The inputs are {given!r:.60}. Give them by name, such as inputs={{'motor': '2*sin(t)'}}."
            )
        driving = next((name for name in system.coordinate_drivers if name in (given or {})), None)
        if driving is not None and system.constrained:
            raise StateError(
                f"The input {driving!r} drives a coordinate of a system with constraints, which are closed by the law "
                "of the model. Give the input this law in the model."
            )
        return InputPlan.of({**system.input_laws, **(given or {})}, system, grid, parameters)

    @property
    def constant(self) -> bool:
        """Whether all inputs are numbers."""
        return not (self.formulas or self.tables or self.functions)

    def changed(self, other: InputPlan) -> InputPlan:
        """Return the plan in which some inputs have another course."""
        new = {*other.numbers, *other.formulas, *other.tables, *other.functions}

        def kept(part: Mapping[str, Any], added: Mapping[str, Any]) -> dict[str, Any]:
            return {**{name: value for name, value in part.items() if name not in new}, **added}

        return InputPlan(
            kept(self.numbers, other.numbers),
            kept(self.formulas, other.formulas),
            kept(self.tables, other.tables),
            kept(self.functions, other.functions),
        )

    def until(self, end: float) -> InputPlan:
        """Return the plan whose Python functions are not called at and after a time, where they give not-a-number."""

        def limited(function: Callable[..., float]) -> Callable[[float, StateView], float]:
            call = _with_state(function)
            return lambda t, state: call(t, state) if t < end else np.nan

        functions = {name: limited(function) for name, function in self.functions.items()}
        return InputPlan(self.numbers, self.formulas, self.tables, functions)

    def kernel_tables(self, system: System) -> Tables:
        """Return all tables on one set of knots, as compiled loops read them."""
        if not self.tables:
            return NO_TABLES
        knots = np.unique(np.concatenate([table.times for table in self.tables.values()]))
        entries = list(self._tabulated(system))
        order = max(table.coefficients.shape[1] for table in self.tables.values())
        coefficients = np.zeros((len(knots), order, len(entries)))
        for i, (_, table, derivative) in enumerate(entries):
            shifted = _shifted(table, knots, derivative)
            coefficients[:, : shifted.shape[1], i] = shifted
        first = system.row.inputs.start
        places = np.array([first + system.inputs.index(name) for name, _, _ in entries], dtype=np.int64)
        return Tables(knots, coefficients, places, self._kinked(system))

    def _tabulated(self, system: System) -> Iterator[tuple[str, Table, int]]:
        """Yield the inputs given by tables: name, table and which derivative of it; drivers with rates."""
        driving = system.driving_inputs
        for name, table in self.tables.items():
            for derivative, one in enumerate(with_rates(name) if name in driving else (name,)):
                yield one, table, derivative

    def table_values(self, system: System, t: Floats) -> dict[str, Floats]:
        """Return the inputs given by tables at times, by name; those of drivers with rates and accelerations."""
        if not self.tables:
            return {}
        return {name: table.at(t, derivative) for name, table, derivative in self._tabulated(system)}

    def _kinked(self, system: System) -> bool:
        """Tell whether a table has kinks, or drives, so that accelerations have them."""
        return bool(self.kinks(system).size)

    def breaks(self, system: System) -> Floats:
        """Return the knots of all tables, where one of them has kinks; pieces of tables are held during a step."""
        if not self._kinked(system):
            return _NO_BREAKS
        return np.unique(np.concatenate([table.times for table in self.tables.values()]))

    def kinks(self, system: System) -> Floats:
        """Return the times at which an input jumps or has a kink, or accelerations have one, as it drives."""
        driving = system.driving_inputs if self.tables else ()
        kinked = [table.times for name, table in self.tables.items() if not table.smooth or name in driving]
        return np.unique(np.concatenate(kinked)) if kinked else _NO_BREAKS


class InputFunction:
    """Python functions as a native function that writes their values into the input vector x.

    A function takes the time, or the time and the state by name. An exception is kept in `failure`, with a sentence in
    `reason`, and the input becomes not-a-number, so that the loop stops, or tries a shorter step. After an interruption
    nothing is tried again.
    """

    def __init__(self, plan: InputPlan, system: System, x: Floats) -> None:
        self.failure: BaseException | None = None
        self.reason = ""
        self.not_finite = False
        """Whether the failure is a value that is not finite."""
        self.meter: Meter | None = None
        """The meter of the run, whose computing time limits the functions."""
        self.cut_off: float | None = None
        """The time of the motion at which a function was cut off, as it did not return within the computing time."""
        self._calls: list[tuple[int, str, Callable[[float, StateView], float]]] = []
        self._callback: Any = None
        if not plan.functions:
            return
        self._calls = [
            (system.row.inputs.start + system.inputs.index(name), name, _with_state(function))
            for name, function in plan.functions.items()
        ]
        self._x, self._state = x, StateView(plan, system, x)
        self._callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: self.fill())

    @property
    def interrupted(self) -> bool:
        """Whether a function was interrupted by the user or by the end of the process."""
        return self.failure is not None and not isinstance(self.failure, Exception)

    def fill(self) -> None:
        """Write the inputs at the time and state in x into x."""
        for place, name, function in self._calls:
            x, meter = self._x, self.meter
            try:
                x[place] = np.nan if self.interrupted else self._value(function, meter)
            except BaseException as error:
                if self.failure is None or not isinstance(error, Exception):
                    self.failure, self.not_finite = error, False
                    self.reason = f"the function of input {name!r} failed: {type(error).__name__}: {error}"
                x[place] = np.nan
                continue
            if not np.isfinite(x[place]) and self.failure is None:
                self.not_finite = True
                self.reason = f"the function of input {name!r} gave {x[place]} at t = {x[TIME]:g}."
                self.failure = StateError(self.reason.replace("the", "The", 1))

    def _value(self, function: Callable[[float, StateView], float], meter: Meter | None) -> float:
        """Call a function, which ends with an error where the computing time is exhausted."""
        if meter is None or meter.deadline is None:
            return function(self._x[TIME], self._state)
        if meter.expired:
            raise BudgetEnded
        try:
            meter.calling = True
            return function(self._x[TIME], self._state)
        except BudgetEnded:
            self.cut_off = float(self._x[TIME])
            raise
        finally:
            meter.calling = False

    @property
    def address(self) -> int:
        """The address of the native function, 0 where there are no Python functions."""
        return 0 if self._callback is None else int(ctypes.cast(self._callback, ctypes.c_void_p).value or 0)


class StateView(Mapping[str, float]):
    """The state by name, as functions of inputs see it: `state["a1"]`, `state["a1.rate"]`.

    It lists coordinates, speeds and states, and gives every number that formulas may name: `state["bar.tip.x"]`,
    `state["spring.force"]`. Signals that depend on an input given by a Python function are refused.
    """

    def __init__(self, plan: InputPlan, system: System, x: Floats) -> None:
        self._plan, self._system, self._x = plan, system, x
        self._places = {name: FIRST + i for i, name in enumerate(system.coordinates.place_of)}
        self._programs: dict[str, Program] = {}

    def __getitem__(self, name: str) -> float:
        place = self._places.get(name)
        if place is not None:
            return float(self._x[place])
        if name not in self._programs:
            plan = self._plan
            self._programs[name] = self._system.signal_value(name, inputs=plan.formulas, unknown=plan.functions)
        return float(self._programs[name].loop(self._x[None, :])[0, 0])

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a signal, or the default for an unknown name."""
        if name not in self:
            return default
        return self[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._system.signal_table.find_scalar(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _with_state(function: Callable[..., float]) -> Callable[[float, StateView], float]:
    """Return a function of time and state from a function of time, or of both."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # built-in functions have no signature
        return lambda t, state: function(t)
    positional = [
        p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty
    ]
    return function if len(positional) >= 2 else (lambda t, state: function(t))


def _as_table(name: str, value: Any, grid: Floats) -> Table | None:
    """Return a value as a table, or None if it is not one."""
    if isinstance(value, Table):
        return value
    if hasattr(value, "dims") and hasattr(value, "coords"):  # an xarray DataArray
        if "time" not in value.coords or value.ndim != 1:
            raise StateError(f"The input {name!r} is an array without a 'time' coordinate. Give it one.")
        return Table(np.asarray(value["time"]), np.asarray(value))
    if isinstance(value, tuple) and len(value) == 2 and np.ndim(value[0]) == 1:
        return Table(value[0], value[1])
    if isinstance(value, (np.ndarray, list)) and np.ndim(value) == 1:
        if len(value) != len(grid):
            raise StateError(
                f"The input {name!r} has {len(value)} values; the simulation has {len(grid)} output times. Give one "
                "value for each, or a pair (times, values)."
            )
        return Table(grid, np.asarray(value))
    return None


def _check_span(name: str, table: Table, grid: Floats) -> None:
    slack = 1e-9 * (grid[-1] - grid[0])
    if table.times[0] > grid[0] + slack or table.times[-1] < grid[-1] - slack:
        coordinate = name.removesuffix(TABLE_DRIVER)
        what = f"input {name!r}" if coordinate == name else f"table that drives {coordinate!r}"
        raise StateError(
            f"The {what} is given from t = {table.times[0]:g} to {table.times[-1]:g}; the simulation goes from "
            f"{grid[0]:g} to {grid[-1]:g}. Give values for all of it."
        )


def _shifted(table: Table, knots: Floats, derivative: int = 0) -> Floats:
    """Return the coefficients of a table's pieces, or of a derivative, seen from other knots that contain its own."""
    piece = np.clip(np.searchsorted(table.times, knots, side="right") - 1, 0, None)
    s = np.maximum(knots - table.times[piece], 0.0)
    own = table.derivative(derivative)[piece]
    shifted = np.zeros_like(own)
    for k in range(own.shape[1]):  # by the binomial theorem
        for j in range(k + 1):
            shifted[:, j] += math.comb(k, j) * own[:, k] * s ** (k - j)
    early = knots < table.times[0]
    shifted[early, 1:] = 0.0
    return shifted
