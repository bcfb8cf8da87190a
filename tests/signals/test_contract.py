"""The contract of the table: on every example, every name serves every consumer with one value, or is refused by name.

Consumers are outputs of trajectories, event formulas, linear outputs, input formulas, and Python functions as inputs,
all at one state. On all examples the traced formulas run on CasADi's virtual machine; native programs of the consumers
are compiled for three of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from campaign import examples_by_size
from state_models import driven_four_bar

import gyrostat as gs
from gyrostat.analysis.simulation.inputs import InputPlan, StateView
from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.model.formula import Formula
from gyrostat.model.signal_names import SignalNames
from gyrostat.recipes import Recipe, Trace, build_function
from gyrostat.recipes.linear_programs import residuals_of
from gyrostat.recipes.traced_instant import TracedInstant, formula_values
from gyrostat.signals import Level, Signal

EXAMPLES = examples_by_size(path.stem for path in (Path(__file__).parents[2] / "examples").glob("*.yaml"))
STATES = "four-bar with states"
"""A system with state variables, one of them algebraic."""
each_example = pytest.mark.parametrize("name", [*EXAMPLES, "four_bar in absolute", "spinning_top in branch", STATES])
each_small_example = pytest.mark.parametrize("name", ["double_pendulum", "four_bar", "gear_train", STATES])
T = 0.1


class Case:
    """An example at a state that its constraints admit, with all inputs at 0.3."""

    def __init__(self, name: str) -> None:
        example, _, choice = name.partition(" in ")
        if name == STATES:
            self.system = driven_four_bar(algebraic=True)
        else:
            model = gs.Model.load(Path(__file__).parents[2] / "examples" / f"{example}.yaml")
            self.system = gs.formulate(model, choice or "joint")
        system = self.system
        draw = np.random.default_rng(len(name))
        q, u, z = system.initial_state()
        if system.constrained:
            q = gs.assemble(system).q
        else:
            q = q + 0.1 * draw.normal(size=q.size)
            for first in system.coordinates.euler_parameters.values():
                q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
        self.row = system.row.of(T, StateParts(q, u + draw.normal(size=u.size), z), system.parameter_values(), 0.3)
        if system.constrained:
            projected = system.program("projected_speeds")
            self.row[system.row.u] = projected.loop(self.row[None, :])[0][projected.output_slice("projected_u")]
        self.outputs = Outputs(system, self.row[None, :])

    @property
    def signals(self) -> list[Signal]:
        """All numbers of the table."""
        table = self.system.signal_table
        every = [table.find_scalar(name) for signal in table.every for name in signal.scalar_names]
        return [signal for signal in every if signal is not None]

    @property
    def formulas(self) -> dict[str, Formula]:
        """All numbers that formulas may use."""
        return {one.name: Formula.of(one.name) for one in self.signals if one.level <= Level.LOAD}

    def traced(self, solved: bool, udot: Floats, loads: Floats) -> Floats:
        """Return the values of all formulas on CasADi's virtual machine, with u̇ and λ solved for or given."""

        def values(trace: Trace) -> dict[str, Any]:
            residuals_of(trace)
            instant = TracedInstant.solved(trace) if solved else TracedInstant.given(trace)
            return {"values": formula_values(instant, self.formulas)}

        softness = self.system._compiled.softness if solved else 0.0
        recipe = Recipe(values, udot=True, loads=True)
        function = build_function("values", recipe, self.system.coordinates, None, softness)
        parts = np.split(self.row, np.cumsum(list(self.system.row.sizes.values()))[:-1])
        return np.array(function(*parts, udot, loads).full()).ravel()


@cache
def _case(name: str) -> Case:
    return Case(name)


@each_example
def test_every_name_has_one_value(name: str) -> None:
    """Outputs of trajectories and values of formulas are equal, with accelerations and loads solved for or given.

    Events and inputs solve for them; linear outputs are given them.
    """
    case = _case(name)
    names, recorded = list(case.formulas), case.outputs.recorded
    udot = recorded.found("rates")["udot"][0]
    rows = case.system.constraints if case.system.constrained else ()
    loads = np.array([-recorded.multiplier(row.name)[0] for row in rows])
    for solved in (True, False):
        found = case.traced(solved, udot, loads)
        scale = 1 + np.abs(found).max()  # loads and accelerations are sums of terms that may be larger
        expected = np.array([case.outputs.values(one)[0] for one in names])
        wrong = np.abs(found - expected) > 1e-10 * scale
        assert not wrong.any(), [(names[i], found[i], expected[i]) for i in np.flatnonzero(wrong)[:5]]


@each_small_example
def test_programs_of_events_and_linear_outputs_have_these_values(name: str) -> None:
    case = _case(name)
    system, formulas, recorded = case.system, case.formulas, case.outputs.recorded
    udot = recorded.found("rates")["udot"][0]
    rows = system.constraints if system.constrained else ()
    loads = np.array([-recorded.multiplier(row.name)[0] for row in rows])
    expected = case.traced(True, udot, loads)
    events = system.signals(formulas).values_and_rates
    found = events.loop(case.row[None, :])[0][events.output_slice("values")]
    np.testing.assert_allclose(found, expected, atol=1e-10 * (1 + np.abs(expected).max()))
    outputs, linear = system.linear_outputs(formulas)
    assert outputs == tuple(formulas)
    found = linear.loop(np.concatenate((case.row, udot, loads))[None, :])[0][linear.output_slice("values")]
    np.testing.assert_allclose(found, expected, atol=1e-10 * (1 + np.abs(expected).max()))


@each_small_example
def test_inputs_read_names_or_refuse_them_by_name(name: str) -> None:
    """A formula and a Python function read the value of the output, unless it depends on the input itself."""
    case = _case(name)
    system = case.system
    motor = system.inputs[0]
    view = StateView(InputPlan(functions={motor: lambda t: 0.3}), system, case.row)
    for one in _samples(case):
        in_formula = _attempt(partial(_input_value, case, motor, one.name))
        in_function = _attempt(partial(view.__getitem__, one.name))
        if isinstance(in_formula, float):
            expected = case.outputs.values(one.name)[0]
            assert in_formula == pytest.approx(expected, rel=1e-10, abs=1e-10), one.name
            assert in_function == pytest.approx(in_formula, rel=1e-12, abs=1e-14), one.name
            assert not _changes(case, one, motor), one.name
            continue
        assert one.level > Level.SPEED or _changes(case, one, motor), one.name
        for message in (in_formula, in_function):
            assert isinstance(message, str), one.name
            assert repr(one.name) in message
            assert repr(motor) in message or "earlier instants" in message


def _attempt(read: Callable[[], float]) -> float | str:
    """Return a value, or the message of its refusal."""
    try:
        return read()
    except gs.StateError as error:
        return str(error)


def _input_value(case: Case, motor: str, name: str) -> float:
    """Return the value of an input whose formula is a name."""
    program = case.system.program("inputs", inputs={motor: Formula.of(name)})
    return float(program.loop(case.row[None, :])[0][case.system.inputs.index(motor)])


def _samples(case: Case) -> list[Signal]:
    """Return the first and the last signal of each kind."""
    kinds: dict[tuple[str, Level], list[Signal]] = {}
    for one in case.signals:
        kinds.setdefault((one.description.rpartition(" ")[0].partition(" of ")[2], one.level), []).append(one)
    return list({one.name: one for kind in kinds.values() for one in (kind[0], kind[-1])}.values())


def _changes(case: Case, signal: Signal, motor: str) -> bool:
    """Tell whether the value of a signal changes with an input."""
    rows = np.stack((case.row, case.row))
    rows[1, case.system.row.inputs.start + case.system.inputs.index(motor)] += 1.0
    first, second = Outputs(case.system, rows).values(signal.name)
    return bool(abs(second - first) > 1e-9)


@pytest.mark.parametrize("name", EXAMPLES)
def test_checks_of_models_know_the_names_of_the_table(name: str) -> None:
    """Laws may use all numbers that a state determines; accelerations and loads are known as such."""
    case = _case(name)
    model, table = case.system.model, case.system.signal_table
    outside = {*model.parameters, "t"}
    by_level = {one.name: one.level for one in case.signals if one.name not in outside}
    names = SignalNames(model)
    assert names.laws == {one for one, level in by_level.items() if level <= Level.SPEED}
    derived = {one for one, level in by_level.items() if level in (Level.ACCELERATION, Level.LOAD)}
    assert derived <= names.derived
    strange = [one for one in names.derived - derived if one not in table]
    assert all(one.rpartition(".")[2] in ("force", "torque") for one in strange), strange
