"""Jacobians of the rates: against differences, against each other, with feedback, and their zeros."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from campaign import campaign
from random_models import random_inputs, random_model
from random_trees import Draw, Floats

import gyrostat as gs
from gyrostat.model.formula import Formula
from gyrostat.program import jacobian_by_columns
from gyrostat.recipes.compiled import jacobian_is_long
from gyrostat.recipes.trace import SEEDS

T = 0.6
FEEDBACK = {"motor": Formula.of("-3*b1.x - 0.2*b0.omega.z + 0.1*b1.velocity.y**2 + sin(t)")}


class Case:
    """A system at a state."""

    def __init__(self, system: gs.System, seed: int) -> None:
        self.system, draw = system, Draw(seed)
        self.q, self.u = draw.state(system)
        self.inputs = list(random_inputs(draw, system).values())

    def arguments(self, **changed: Any) -> dict[str, Any]:
        known = {"t": T, "q": self.q, "u": self.u, "z": [], "inputs": self.inputs}
        return known | {"parameters": self.system.parameter_values()} | changed

    def rates(self, x: Floats, inputs: Any) -> Floats:
        q, u = np.split(x, [len(self.q)])
        found = self.system.program("rates", inputs=inputs).evaluate(self.arguments(q=q, u=u))
        return np.concatenate([found["qdot"], found["udot"]])

    def differences(self, inputs: Any) -> Floats:
        x, step = np.concatenate([self.q, self.u]), 1e-3
        columns = []
        for e in step * np.eye(len(x)):
            weights = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
            slope = [w * (self.rates(x + k * e, inputs) - self.rates(x - k * e, inputs)) / step for k, w in weights]
            columns.append(np.sum(slope, axis=0))
        return np.transpose(columns)


@pytest.mark.parametrize("inputs", [None, FEEDBACK], ids=["given inputs", "feedback"])
@campaign(2)
def test_the_jacobian_is_that_of_the_rates(seed: int, inputs: Any) -> None:
    case = Case(gs.formulate(random_model(60 + seed, 3, kinds=("universal", "free", "spherical", "screw"))), seed)
    assert case.system.inputs == ("motor",)
    expected = case.differences(inputs)
    scale = np.abs(expected).max()
    found = case.system.program("rates_jacobian", inputs=inputs).evaluate(case.arguments())["jacobian"]
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8 * scale)

    along = case.system.program("rates_along", inputs=inputs)
    assert [port.name for port in along.inputs[-3:]] == ["seed_q", "seed_u", "seed_z"]
    n_q, n = len(case.q), len(case.q) + len(case.u)
    columns = [
        along.evaluate(case.arguments(seed_q=e[:n_q], seed_u=e[n_q:], seed_z=[]))["derivatives"] for e in np.eye(n)
    ]
    np.testing.assert_allclose(np.transpose(columns), found, rtol=1e-8, atol=1e-9 * scale)


@pytest.mark.parametrize("inputs", [None, FEEDBACK], ids=["given inputs", "feedback"])
def test_how_rates_change_with_time_and_inputs(inputs: Any) -> None:
    model = random_model(61, 3, kinds=("universal", "free", "spherical", "screw"))
    model.add(gs.Torque("shaking", "b0", (0, "3*sin(7*t)", "t**2")))
    case, step = Case(gs.formulate(model), 1), 1e-4
    rates = case.system.program("rates", inputs=inputs)

    def slope(**change: float) -> Floats:
        found = []
        for way in (step, -step):
            known = case.arguments(
                t=T + way * change.get("t", 0), inputs=[case.inputs[0] + way * change.get("motor", 0)]
            )
            values = rates.evaluate(known)
            found.append(np.concatenate([values["qdot"], values["udot"]]))
        return np.asarray((found[0] - found[1]) / (2 * step))

    in_time = case.system.program("rates_in_time", inputs=inputs).evaluate(case.arguments())["derivatives"]
    scale = np.abs(in_time).max()
    assert scale > 1
    np.testing.assert_allclose(in_time, slope(t=1.0), atol=1e-5 * scale)
    by_inputs = case.system.program("rates_by_inputs", inputs=inputs)
    found = by_inputs.evaluate(case.arguments(seed_inputs=[2.0]))["derivatives"]
    expected = 0 * in_time if inputs else slope(motor=2.0)
    np.testing.assert_allclose(found, expected, atol=1e-5 * max(1.0, np.abs(expected).max()))


def test_systems_without_time_have_no_slope_in_time() -> None:
    assert gs.formulate(_chain(3)).program("rates_in_time").operations == 0


def test_feedback_changes_the_jacobian() -> None:
    case = Case(gs.formulate(random_model(60, 3, kinds=("universal", "free", "spherical", "screw"))), 0)
    plain, fed = (
        case.system.program("rates_jacobian", inputs=inputs).evaluate(case.arguments())["jacobian"]
        for inputs in (None, FEEDBACK)
    )
    assert np.abs(plain - fed).max() > 1e-3


def test_what_does_not_depend_is_not_stored() -> None:
    model = gs.Model("two pendulums", gravity=(0, -9.81, 0))
    for name in "ab":
        model.add(gs.Body(name, mass=1, inertia=(1, 1, 1), com=(0.5, 0, 0)))
        model.add(gs.Revolute(f"hinge_{name}", "ground", name))
        model.add(gs.TorsionSpring(f"damper_{name}", f"hinge_{name}", damping=0.3))
    system = gs.formulate(model)
    (port,) = system.program("rates_jacobian").outputs
    assert port.pattern is not None
    stored = set(zip(*(axis.tolist() for axis in port.pattern), strict=True))
    assert stored == {(0, 2), (1, 3), (2, 0), (3, 1), (2, 2), (3, 3)}
    model.add(gs.Actuator("motor", "hinge_a"))
    coupled = gs.formulate(model).program("rates_jacobian", inputs={"motor": Formula.of("hinge_b")})
    (port,) = coupled.outputs
    assert port.pattern is not None
    assert (2, 1) in set(zip(*(axis.tolist() for axis in port.pattern), strict=True))


def _chain(n: int) -> gs.Model:
    model = gs.Model("chain", gravity=(0, -9.81, 0))
    for i in range(n):
        model.add(gs.Body(f"b{i}", mass=1, inertia=(0.1, 0.1, 0.1), com=(0.5, 0, 0), points={"tip": (1, 0, 0)}))
        model.add(gs.Revolute(f"a{i}", f"b{i - 1}.tip" if i else "ground", f"b{i}"))
    model.add(gs.Actuator("motor", "a0"))
    return model


def test_long_jacobians_come_column_by_column() -> None:
    """Both ways give the same; the choice is made by length, and the ports are the same but for the pattern."""
    short, long = (gs.formulate(_chain(n)) for n in (4, 26))
    assert not jacobian_is_long(short.coordinates)
    assert jacobian_is_long(long.coordinates)
    case = Case(short, 0)
    inputs = {"motor": Formula.of("-2*a3 - b3.tip.velocity.y")}
    whole = short.program("rates_jacobian", inputs=inputs)
    by_columns = jacobian_by_columns(short.program("rates_along", inputs=inputs), "rates_jacobian", SEEDS)
    assert whole.inputs == by_columns.inputs
    expected, found = (program.evaluate(case.arguments())["jacobian"] for program in (whole, by_columns))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    port = long.program("rates_jacobian").outputs[0]
    assert (port.name, port.shape, port.pattern) == ("jacobian", (52, 52), None)
