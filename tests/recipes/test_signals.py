"""Programs of signals and inputs as formulas: values, rates, gradients, feedback, messages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from campaign import campaign
from float_system import FloatSystem, float_system
from random_models import random_inputs, random_model
from random_trees import Draw, Floats

import gyrostat as gs
from gyrostat.kinematics.instant import StateInstant
from gyrostat.model.formula import Formula
from gyrostat.signals import Level, formula_value

T = 0.6


def _formulas(**texts: str) -> dict[str, Formula]:
    return {name: Formula.of(text) for name, text in texts.items()}


def _pendulum() -> gs.Model:
    model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"m": 2.0, "l": 0.8, "g": 9.81})
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0), "tip": (0, "-l/2", 0)}))
    model.add(gs.Revolute("a1", "ground", "bar.top"))
    model.add(gs.Actuator("motor", "a1"))
    model.add(gs.Actuator("brake", "a1"))
    model.add(gs.SpringDamper("spring", ("ground", (1, 0, 0)), "bar.tip", 10.0, 0.3, 0.4, force="2*motor"))
    return model


@pytest.fixture(scope="module")
def pendulum() -> gs.System:
    return gs.formulate(_pendulum())


class Case:
    """A system at a state, for programs and for plain numbers."""

    def __init__(self, system: gs.System, seed: int) -> None:
        self.system, self.floats = system, FloatSystem(system)
        draw = Draw(seed)
        self.q, self.u = draw.state(system)
        self.inputs = random_inputs(draw, system)

    def arguments(self, **changed: Any) -> dict[str, Any]:
        parameters, inputs = self.system.parameter_values(), list(self.inputs.values())
        known = {"t": T, "q": self.q, "u": self.u, "z": [], "parameters": parameters, "inputs": inputs}
        return known | changed

    def values(self, formulas: dict[str, Formula], q: Floats, u: Floats, t: float) -> Floats:
        motion = self.floats.motion(q, u, t, self.inputs)
        table, instant = self.system.signal_table, StateInstant(motion)
        return np.array([formula_value(table, one, instant, motion.scalars) for one in formulas.values()], dtype=float)

    def later(self, s: float, udot: Floats) -> tuple[Floats, Floats, float]:
        """Return the state a little later, on the line along its rates."""
        first = self.floats.coordinate_rates(self.q, self.u, t=T)
        return self.q + s * first, self.u + s * udot, T + s


def _every_signal(system: gs.System) -> dict[str, Formula]:
    """Return all numbers that a state determines."""
    signals = [signal for signal in system.signal_table.outputs.values() if signal.level <= Level.SPEED]
    names = [*system.model.parameters, "t", *(name for signal in signals for name in signal.scalar_names)]
    return {name: Formula.of(name) for name in names}


@campaign(3)
def test_values_and_rates_of_every_signal(seed: int) -> None:
    case = Case(gs.formulate(random_model(seed, 3)), seed)
    formulas = _every_signal(case.system)
    programs = case.system.signals(formulas)
    assert programs.names == tuple(formulas)
    found = programs.values_and_rates.evaluate(case.arguments())
    np.testing.assert_allclose(found["values"], case.values(formulas, case.q, case.u, T), rtol=1e-10, atol=1e-11)
    udot = case.floats.forward_dynamics(case.q, case.u, t=T, inputs=case.inputs)
    step = 1e-4
    slope = np.zeros(len(formulas))
    for k, weight in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60)):
        ahead, behind = (case.values(formulas, *case.later(sign * k * step, udot)) for sign in (1, -1))
        slope += weight * (ahead - behind) / step
    np.testing.assert_allclose(found["rates"], slope, rtol=1e-7, atol=1e-7 * np.abs(slope).max())


@campaign(2)
def test_gradients_are_the_slopes_of_rates_by_speeds(seed: int) -> None:
    case = Case(gs.formulate(random_model(10 + seed, 3)), seed)
    of_positions = _formulas(
        height="b2.z - 0.3*t", product="b1.hinge.x*b0.y", angle="sin(b2.hinge.y)", length="spring.length"
    )
    programs = case.system.signals(of_positions)
    gradients = programs.gradients.evaluate(case.arguments())["gradients"]
    n = case.system.coordinates.n_u
    assert gradients.shape == (4, n)
    assert programs.gradients is programs.gradients

    def rates(u: Floats) -> Floats:
        return programs.values_and_rates.evaluate(case.arguments(u=u))["rates"]

    differences = [rates(case.u + direction) - rates(case.u) for direction in np.eye(n)]  # rates are linear in u
    np.testing.assert_allclose(gradients, np.transpose(differences), rtol=1e-9, atol=1e-10)


def test_gradients_of_speeds_are_refused(pendulum: gs.System) -> None:
    programs = pendulum.signals(_formulas(low="bar.tip.y + 0.1", stop="a1.rate - 3"))
    with pytest.raises(
        gs.StateError, match=r"The formula a1\.rate - 3 of 'stop' depends on speeds, so that it has no direction"
    ):
        _ = programs.gradients


def test_formulas_without_speeds_need_no_dynamics(pendulum: gs.System) -> None:
    low = pendulum.signals(_formulas(low="bar.tip.y + 0.1")).values_and_rates
    assert low.operations < pendulum.signals(_formulas(low="bar.tip.velocity.y")).values_and_rates.operations / 2


def test_no_signals_give_no_values(pendulum: gs.System) -> None:
    programs = pendulum.signals({})
    assert programs.values_and_rates.output_size == programs.gradients.output_size == 0


def test_signals_are_kept_by_their_formulas(pendulum: gs.System) -> None:
    one, same, other = (pendulum.signals(_formulas(x=text)) for text in ("a1", "a1", "a1.rate"))
    assert one.values_and_rates is same.values_and_rates
    assert one.values_and_rates is not other.values_and_rates
    fed = pendulum.signals(_formulas(x="a1"), inputs=_formulas(motor="t"))
    assert fed.values_and_rates is not one.values_and_rates


def test_signals_with_inputs_as_formulas(pendulum: gs.System) -> None:
    case = Case(pendulum, 1)
    programs = pendulum.signals(_formulas(load="motor"), inputs=_formulas(motor="3*a1 + t**2"))
    found = programs.values_and_rates.evaluate(case.arguments())
    assert found["values"] == pytest.approx(3 * case.q + T**2)
    assert found["rates"] == pytest.approx(3 * case.u + 2 * T)


@campaign(3)
def test_rates_with_inputs_as_formulas_are_those_at_the_inputs_values(seed: int) -> None:
    case = Case(gs.formulate(random_model(20 + seed, 3, kinds=("revolute", "universal", "free", "screw"))), seed)
    assert case.system.inputs == ("motor",)
    formulas = _formulas(motor="-3*b1.x - 0.2*b2.omega.z*spring.length + sin(t) + law.force")
    value = float(case.values(formulas, case.q, case.u, T)[0])
    found = case.system.program("rates", inputs=formulas).evaluate(case.arguments(inputs=[1e9]))
    expected = case.system.program("rates").evaluate(case.arguments(inputs=[value]))
    np.testing.assert_allclose(found["udot"], expected["udot"], rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(found["qdot"], expected["qdot"])
    inputs = case.system.program("inputs", inputs=formulas).evaluate(case.arguments(inputs=[1e9]))
    assert inputs["values"] == pytest.approx(value, rel=1e-10)


def test_programs_with_inputs_as_formulas_have_the_same_ports(pendulum: gs.System) -> None:
    plain, fed = pendulum.program("rates"), pendulum.program("rates", inputs=_formulas(motor="-a1"))
    assert plain.inputs == fed.inputs
    assert plain.outputs == fed.outputs
    assert pendulum.program("rates", inputs={}) is plain


def test_inputs_may_follow_other_inputs(pendulum: gs.System) -> None:
    case = Case(pendulum, 2)
    chain = _formulas(motor="3*brake + 1", brake="t - a1")
    found = pendulum.program("inputs", inputs=chain).evaluate(case.arguments())
    brake = T - case.q[0]
    assert found["values"] == pytest.approx([3 * brake + 1, brake])
    one = pendulum.program("inputs", inputs=_formulas(motor="3*brake + 1")).evaluate(case.arguments())
    given = case.inputs["brake"]
    assert one["values"] == pytest.approx([3 * given + 1, given])
    through = _formulas(brake="spring.force", motor="2")
    at_two = float_system(_pendulum()).motion(case.q, case.u, T, {"motor": 2.0})
    tension = pendulum.model.forces["spring"].observed(at_two)["force"]
    found = pendulum.program("inputs", inputs=through).evaluate(case.arguments())
    assert found["values"] == pytest.approx([2, tension])


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"moter": "1"}, "There is no input 'moter'. Did you mean 'motor'?"),
        (
            {"motor": "-3*a2"},
            "The formula -3*a2 of input 'motor' refers to 'a2', which is not known. Known: a1, a1.acc, a1.rate, ",
        ),
        (
            {"motor": "motor/2"},
            "The formula motor/2 of input 'motor' depends on its own value ('motor' → 'motor'), by 'motor'. "
            "Use signals that do not depend on this input.",
        ),
        (
            {"motor": "sign(spring.force) + spring.length"},
            "of input 'motor' depends on its own value ('motor' → 'motor'), by 'spring.force'.",
        ),
        ({"motor": "brake + 1", "brake": "a1 - 2*spring.force"}, "depends on its own value ("),
    ],
)
def test_formulas_that_cannot_be_inputs(pendulum: gs.System, texts: dict[str, str], message: str) -> None:
    with pytest.raises(gs.StateError) as error:
        pendulum.program("rates", inputs=_formulas(**texts))
    assert message in str(error.value)


def test_unknown_signals_are_told(pendulum: gs.System) -> None:
    with pytest.raises(gs.StateError, match=r"The formula bar\.tup\.y of 'hit' refers to 'bar\.tup\.y', which is not"):
        pendulum.signals(_formulas(hit="bar.tup.y"))
