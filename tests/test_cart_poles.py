"""The example of a batch of cart-poles: its steps are those of a simulation; gymnasium accepts the environment."""

from __future__ import annotations

import numpy as np
import pytest

import gyrostat as gs
from examples import cart_poles


def test_a_step_is_one_of_the_simulation() -> None:
    poles = cart_poles.CartPoles(3, rng=np.random.default_rng(1))
    start, forces = poles.states.copy(), np.array([2.0, -30.0, 0.0])
    fallen, cut = poles.step(forces)
    assert not fallen.any()
    assert not cut.any()
    names = ("x", "a", "x.rate", "a.rate")
    for row, force, found in zip(start, [2.0, -cart_poles.LARGEST_FORCE, 0.0], poles.states, strict=True):
        run = gs.simulate(
            poles.system,
            times=[0, cart_poles.PERIOD],
            initial=dict(zip(names, row.tolist(), strict=True)),
            inputs={"push": force},
            integrator=gs.RK4(step=cart_poles.PERIOD),
        )
        np.testing.assert_allclose(found, [float(run[name][-1]) for name in names], rtol=1e-12, atol=1e-14)


def test_episodes_end_and_start_again() -> None:
    poles = cart_poles.CartPoles(2, rng=np.random.default_rng(1))
    poles.states[1] = (0, 0.2, 0, 3)
    poles.steps[0] = cart_poles.LONGEST - 1
    fallen, cut = poles.step(np.zeros(2))
    assert fallen.tolist() == [False, True]
    assert cut.tolist() == [True, False]
    kept = poles.states[0].copy()
    poles.reset(fallen)
    np.testing.assert_array_equal(poles.states[0], kept)
    assert np.abs(poles.states[1]).max() <= 0.05
    assert poles.steps.tolist() == [cart_poles.LONGEST, 0]


def test_the_environment_of_gymnasium(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("gymnasium", reason="gymnasium is not installed: pip install gymnasium")
    every = cart_poles.environment(4)
    states, information = every.reset(seed=3)
    assert states in every.observation_space
    assert information == {}
    np.testing.assert_array_equal(every.reset(seed=3)[0], states)
    every.poles.states[2] = (0, 0.2, 0, 3)
    actions = np.zeros_like(every.action_space.sample())
    states, rewards, fallen, cut, _ = every.step(actions)
    assert (rewards.tolist(), fallen.tolist(), cut.tolist()) == ([1] * 4, [False, False, True, False], [False] * 4)
    states, rewards, fallen, _, _ = every.step(actions)
    assert rewards.tolist() == [1, 1, 0, 1]
    assert not fallen.any()
    assert np.abs(states[2]).max() <= 0.05
    cart_poles.main()
    assert capsys.readouterr().out == "0 of 64 poles have fallen in 10 s\n"
