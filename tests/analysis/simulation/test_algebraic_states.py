"""Algebraic states: consistent at the start and after events, integrated by Rodas5P, explained where they fail."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from campaign import campaign
from scipy.integrate import solve_ivp
from scipy.optimize import root

import gyrostat as gs
from gyrostat.analysis.simulation.consistency import require_regular
from gyrostat.model.formula import Formula

STIFF = gs.Rodas5P(rtol=1e-10, atol=1e-12)


def block(**states: dict[str, Any]) -> gs.Model:
    """Return a block on a slide with states by name, and their first one as a force on it."""
    model = gs.Model("block", parameters={"p": 1.0})
    model.add(gs.Body("block", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x", initial={"displacement": 0.2}))
    for name, options in states.items():
        model.add(gs.State(name, **options))
    model.add(gs.TorsionSpring("push", "x", 4.0, torque=next(iter(states))))
    return model


@cache
def valve() -> gs.System:
    """Return a block pushed by an algebraic state that obeys a cubic equation."""
    return gs.formulate(block(w={"equation": "w**3 + w + p*x - sin(3*t)", "initial": 5.0}))


def test_variables_are_consistent_at_the_start_and_everywhere() -> None:
    run = gs.simulate(valve(), duration=2, step=0.1, integrator=STIFF, most_steps=20_000)
    w, x, t = run["w"].values, run["x"].values, run.time
    assert abs(w[0] ** 3 + w[0] + 0.2) < 1e-14
    np.testing.assert_allclose(w**3 + w + x - np.sin(3 * t), 0, atol=1e-9)
    np.testing.assert_allclose(
        run["w.rate"].values, (3 * np.cos(3 * t) - run["x.rate"].values) / (1 + 3 * w**2), atol=1e-8
    )

    def rates(t: float, y: Any) -> list[float]:
        root = -2 / np.sqrt(3) * np.sinh(np.arcsinh(1.5 * np.sqrt(3) * (y[0] - np.sin(3 * t))) / 3)
        return [y[1], -4 * y[0] + root]

    exact = solve_ivp(rates, (0, 2), [0.2, 0.0], method="Radau", rtol=1e-10, atol=1e-12, t_eval=t)
    np.testing.assert_allclose(x, exact.y[0], atol=1e-8)


def test_variables_are_made_consistent_after_an_event() -> None:
    jump = gs.Event.at_time("jump", 0.5, gs.SetParameter("p", 8.0))
    run = gs.simulate(valve(), duration=1, step=0.5, events=[jump], integrator=STIFF)
    before, after = (run.at(0.5 + shift) for shift in (-1e-9, 1e-9))
    for there, p in ((before, 1.0), (after, 8.0)):
        w, x = float(there["w"].values[0]), float(there["x"].values[0])
        assert w**3 + w + p * x - np.sin(1.5) == pytest.approx(0, abs=1e-7)
    assert abs(float(after["w"].values[0]) - float(before["w"].values[0])) > 0.1


def test_the_default_integrator_solves_equations_and_others_refuse_by_name() -> None:
    assert isinstance(gs.simulate(valve(), 0.1).integrator, gs.Rodas5P)
    for integrator in (gs.DOP853(), gs.RK4(step=1e-3), gs.CVODE()):
        with pytest.raises(gs.StateError) as error:
            gs.simulate(valve(), 0.1, integrator=integrator)
        name = type(integrator).__name__
        assert f"{name} cannot solve the equations of the algebraic states w. Use integrator=gs.Rodas5P()." in str(
            error.value
        )
    with pytest.raises(gs.StateError, match=r"the states w\. Use another integrator, such as"):
        gs.simulate(valve(), 0.1, integrator=gs.GaussLegendre(step=1e-3))
    with pytest.raises(gs.StateError, match=r"embedded_motion\(\) cannot solve the equations of 'w'"):
        gs.embedded_motion(valve(), duration=0.1)
    with pytest.raises(gs.StateError, match=r"Event 'e' sets 'w', which is algebraic: its equation determines it\."):
        gs.simulate(valve(), 1, events=[gs.Event("e", "x", action=gs.SetState("w", 1))])


@pytest.mark.parametrize(
    ("states", "message"),
    [
        (
            {"w": {"equation": "w**2 + 1 + 0*x", "initial": 0.5}},
            "At t = 0 s no values of the algebraic states obey their equations near the initial values: the residuals "
            "w ",
        ),
        (
            {"w": {"equation": "w + v - x", "initial": 1}, "v": {"equation": "2*v + 2*w - 1", "initial": 2}},
            "The equations of w, v do not determine the algebraic states w, v: the matrix of their derivatives is "
            "singular.",
        ),
        (
            {"w": {"equation": "sqrt(w) - x", "initial": -1}},
            "At t = 0 s the equations of the algebraic states w have no finite value or derivative.",
        ),
    ],
    ids=["no solution", "dependent", "no value"],
)
def test_failures_at_the_start_name_the_equations(states: dict[str, Any], message: str) -> None:
    with pytest.raises(gs.StateError) as error:
        gs.simulate(block(**states), 1.0)
    assert message in str(error.value)


def test_a_failure_after_an_event_ends_the_run_with_the_reason() -> None:
    model = block(w={"equation": "w**2 - p", "initial": 1.0})
    jump = gs.Event.at_time("jump", 0.25, gs.SetParameter("p", -0.7))
    with pytest.warns(gs.GyrostatWarning, match=r"At t = 0\.25 s no values of the algebraic states obey"):
        run = gs.simulate(model, 1.0, step=0.125, events=[jump])
    assert run.status.outcome is gs.Outcome.NOT_CONVERGED
    assert len(run.time) == 3


# --- random systems against SciPy's Radau -----------------------------------------------------------------------------

RATES = {
    "linear": {"z1": "c0*z1 + c1*z2 + c2*a + c3*a.rate", "z2": "c4*z1 + c5*z2 + c6*sin(2*t)"},
    "nonlinear": {"z1": "tanh(c0*z2) - z1 + c1*a*z2", "z2": "c2*sin(a) - z2**3 + c3*z1*a.rate + c4*exp(-z1**2)"},
    "algebraic": {"z1": "c0*w - z1 + c1*a.rate", "w": "0 = w + 0.3*w**3 + c2*z1 + c3*sin(a) - cos(t)"},
    "two equations": {
        "z1": "-z1 + c0*v + c1*a",
        "w": "0 = 3*w + sin(v) + c2*z1 - 1",
        "v": "0 = 2*v + 0.5*w**2 + c3*a.rate + c4*cos(a)",
    },
}
"""Rates of states by name; after "0 =" an equation."""


@cache
def random_system(kind: str, closed: bool) -> gs.System:
    """Return a double pendulum, or a four-bar, with states that act on it; coefficients are parameters."""
    model = gs.Model(kind, gravity=(0, -9.81, 0), parameters=dict.fromkeys([f"c{i}" for i in range(7)], 1.0))
    length = {"b1": 0.5, "b2": 1.0, "b3": 0.8}
    for name in ("b1", "b2", "b3")[: 3 if closed else 2]:
        points = {"p": (-length[name] / 2, 0, 0), "d": (length[name] / 2, 0, 0)}
        model.add(gs.Body(name, gs.rod(1.0, length[name], along="x"), points=points))
    model.add(gs.Revolute("a", "ground", "b1.p", initial={"angle": 1.0}))
    model.add(gs.Revolute("h", "b1.d", "b2.p", initial={"angle": -0.8}))
    if closed:
        model.add(gs.Revolute("r", ("ground", (1.2, 0, 0)), "b3.p", initial={"angle": 1.6}))
        model.add(gs.Revolute("x", "b2.d", "b3.d"))
    for name, text in RATES[kind].items():
        equation = text.removeprefix("0 = ")
        options = {"equation": equation} if equation != text else {"rate": text}
        model.add(gs.State(name, **options))
    act = " + ".join(f"c{i}*{name}" for i, name in enumerate(RATES[kind]))
    model.add(gs.TorsionSpring("act", "a", 6.0, damping=0.5, torque=act))
    return gs.formulate(model)


def by_scipy(system: gs.System, values: dict[str, float], start: dict[str, float], times: list[float]) -> Any:
    """Return the states by SciPy's Radau: accelerations from the package, states from the texts of their formulas."""
    texts, (n_q, n_u) = RATES[system.model.name], (system.row.n_q, system.row.n_u)
    formulas = {name: Formula.of(text.removeprefix("0 = ")) for name, text in texts.items()}
    bound = [name for name, text in texts.items() if text.startswith("0 =")]
    free = [name for name in texts if name not in bound]

    def completed(t: float, y: Any, guess: Any) -> dict[str, float]:
        known = {**values, "t": t, "a": y[0], "a.rate": y[n_q], **dict(zip(free, y[n_q + n_u :], strict=True))}
        if bound:

            def left(w: Any) -> list[float]:
                return [formulas[name].value({**known, **dict(zip(bound, w.tolist(), strict=True))}) for name in bound]

            known |= dict(zip(bound, root(left, guess, tol=1e-13).x.tolist(), strict=True))
        return known

    def rates(t: float, y: Any) -> Any:
        known = completed(t, y, np.zeros(len(bound)))
        z = [known[name] for name in texts]
        q, u = y[:n_q], y[n_q : n_q + n_u]
        udot = system.forward_dynamics(q, u, z=z, t=t, parameters=values)
        return np.concatenate((u, udot, [formulas[name].value(known) for name in free]))

    y = np.array([start[name] for name in system.coordinates.place_of if name not in bound])
    return solve_ivp(rates, (0, times[-1]), y, method="Radau", rtol=1e-7, atol=1e-9, t_eval=times).y.T


@campaign(
    [(kind, closed, seed) for seed in range(8) for kind in RATES for closed in (False, True)],
    "drawn",
    few=[("nonlinear", False, 1), ("algebraic", True, 2), ("two equations", False, 3)],
)
def test_random_states_against_radau(drawn: tuple[str, bool, int]) -> None:
    kind, closed, seed = drawn
    system, draw, times = random_system(kind, closed), np.random.default_rng(seed), [0.1, 0.25]
    values = dict(zip(system.model.parameters, draw.uniform(-1.5, 1.5, 7).tolist(), strict=True))
    free = [name for name, text in RATES[kind].items() if not text.startswith("0 =")]
    start = gs.assemble(system, {"a.rate": float(draw.normal())}).state
    start |= dict(zip(free, draw.normal(size=len(free)).tolist(), strict=True))
    expected = by_scipy(system, values, start, times)
    run = gs.simulate(system, times=[0, *times], initial=start, parameters=values, integrator=STIFF, most_steps=20_000)
    bound = {*RATES[kind]} - {*free}
    found = np.column_stack([run[name].values[1:] for name in system.coordinates.place_of if name not in bound])
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def test_equations_that_are_dependent_but_for_rounding_are_named() -> None:
    nearly = np.array([[1.0, 2.0, 0.0], [2.0, 4.0 + 8e-15, 0.0], [0.0, 0.0, 1.0]])
    with pytest.raises(gs.StateError, match="The equations of a, b do not determine the algebraic states a, b:"):
        require_regular(nearly, ["a", "b", "c"])
    require_regular(np.diag([1.0, 1e-3, 1e3]) + 0.1, ["a", "b", "c"])
