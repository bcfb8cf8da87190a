"""Stiff closed loops: exact derivatives of accelerations that satisfy the constraints."""

import numpy as np
import pytest
from campaign import campaign
from closed_models import closed_system
from loop_models import closed_chain, four_bar, four_bars

import gyrostat as gs
from gyrostat.program import jacobian_by_columns
from gyrostat.recipes import trace

SEEDS = range(6)


@campaign(SEEDS)
def test_derivatives_are_those_of_the_accelerations(seed):
    closed = closed_system(seed)
    if closed is None:
        pytest.skip("the constraints leave no motion")
    system, q, u, step = closed.system, closed.q, closed.u, 1e-5
    found = system.forward_dynamics_derivatives(q, u)
    np.testing.assert_allclose(found["udot"], system.forward_dynamics(q, u), rtol=1e-9, atol=1e-9)
    moves = np.array(
        [system.coordinate_rates(q, unit) for unit in np.eye(len(u))]
    )  # Euler parameters keep their length
    by_q = [
        (system.forward_dynamics(q + step * m, u) - system.forward_dynamics(q - step * m, u)) / (2 * step)
        for m in moves
    ]
    by_u = [
        (system.forward_dynamics(q, u + step * e) - system.forward_dynamics(q, u - step * e)) / (2 * step)
        for e in np.eye(len(u))
    ]
    size = max(1.0, np.abs(by_q).max(), np.abs(by_u).max())
    np.testing.assert_allclose(found["q"] @ moves.T, np.transpose(by_q), atol=1e-6 * size)
    np.testing.assert_allclose(found["u"], np.transpose(by_u), atol=1e-6 * size)


@pytest.mark.parametrize("model", [four_bars(3), closed_chain(12)], ids=lambda model: model.name)
def test_columns_are_those_of_the_whole_jacobian(model):
    system = gs.formulate(model)
    state = gs.assemble(system, guess={"h0": 0.7} if "h0" in model.joints else {"c0": 0.4}).q
    u = np.linspace(-1, 1, system.coordinates.n_u)
    arguments = {"t": 0.0, "q": state, "u": u, "z": [], "parameters": system.parameter_values(), "inputs": []}
    columns = jacobian_by_columns(system.program("rates_along"), "columns", trace.SEEDS).evaluate(arguments)
    slopes = system.forward_dynamics_derivatives(state, u)
    whole = np.hstack((slopes["q"], slopes["u"]))
    np.testing.assert_allclose(columns["jacobian"][len(state) :], whole, atol=1e-8 * np.abs(whole).max())


def test_a_stiff_loop_takes_few_steps_and_stays_closed():
    model = four_bar(0.4, 1.0, 0.8, 1.0)
    for name in list(model.joints):
        model.add(gs.TorsionSpring(f"damper_{name}", name, damping=3e3))
    system = gs.formulate(model)
    start = {"h1": 1.0}
    run = gs.simulate(system, duration=1, step=0.1, initial=start, integrator=gs.CVODE(rtol=1e-7, atol=1e-9))
    with pytest.warns(match="the system is stiff"):
        explicit = gs.simulate(system, duration=1, step=0.1, initial=start, integrator=gs.DOP853(rtol=1e-4, atol=1e-6))
    assert run.status.evaluations < explicit.status.evaluations / 50
    np.testing.assert_allclose(run.q, explicit.q, atol=1e-6)
    assert float(run.residuals()["position"].max()) < 1e-10 * system.model_size


def test_a_damped_closed_chain():
    system = gs.formulate(closed_chain(10, damping=1.0))
    run = gs.simulate(system, duration=2, step=0.1, integrator=gs.CVODE(rtol=1e-7, atol=1e-9))
    with pytest.warns(match="the system is stiff"):
        explicit = gs.simulate(system, duration=2, step=0.1, integrator=gs.DOP853(rtol=1e-6, atol=1e-8))
    assert run.status.evaluations < explicit.status.evaluations / 10
    np.testing.assert_allclose(run.q, explicit.q, atol=2e-5)
    assert float(run.residuals()["position"].max()) < 1e-10 * system.model_size
