"""Random piecewise drivers and loads, against a reference that is integrated piece by piece."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from campaign import campaign
from scipy.integrate import solve_ivp

import gyrostat as gs

PIECES = 4
END = 3.0
GRAVITY, LENGTH, MASS = 9.81, 0.7, 1.3


@pytest.fixture(scope="module")
def pendulum() -> gs.System:
    """A pendulum on a slide: at t_k the rate of the slide jumps by a_k, its acceleration by 2 b_k, a load by c_k."""
    names = [f"{name}{k}" for k in range(PIECES) for name in "tabc"]
    model = gs.Model("driven pendulum", gravity=(0, -GRAVITY, 0), parameters=dict.fromkeys(names, 0.0))
    slide = " + ".join(f"a{k}*max(0, t - t{k}) + b{k}*max(0, t - t{k})**2" for k in range(PIECES))
    push = " + ".join(f"where((t > t{k}) and (t < t{k} + 0.2), c{k}, 0)" for k in range(PIECES))
    model.add(gs.Body("cart", gs.point_mass(2)))
    model.add(gs.Body("bob", gs.point_mass(MASS), points={"top": (0, LENGTH, 0)}))
    model.add(gs.Prismatic("s", "ground", "cart", axis="x", driven=slide))
    model.add(gs.Revolute("a", "cart", "bob.top", axis="z"))
    model.add(gs.TorsionSpring("push", "a", torque=push))
    return gs.formulate(model)


def reference(t: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray, start: list[float]) -> np.ndarray:
    """Return angle and rate at the end: l θ̈ = −s̈ cos θ − g sin θ + M/(m l), and −Δṡ cos θ/l at each kink."""
    edges = np.unique(np.concatenate(([0.0, END], t, t + 0.2)))
    state = np.array(start)
    for left, right in pairwise(edges[edges <= END]):
        state[1] -= a[t == left].sum() * np.cos(state[0]) / LENGTH
        acceleration, load = 2 * b[t <= left].sum(), c[(t <= left) & (left < t + 0.2)].sum()

        def rates(_: float, y: np.ndarray, s: float = acceleration, moment: float = load) -> list[float]:
            turning = -(s * np.cos(y[0]) + GRAVITY * np.sin(y[0])) / LENGTH + moment / (MASS * LENGTH**2)
            return [y[1], turning]

        state = solve_ivp(rates, (left, right), state, method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    return state


@campaign(500)
def test_drivers_with_kinks_and_loads_that_jump(seed: int, pendulum: gs.System) -> None:
    random = np.random.default_rng(seed)
    t, a, b, c = random.uniform(0.1, END - 0.3, PIECES), *random.uniform(-1.5, 1.5, (3, PIECES))
    start = [random.uniform(-1, 1), random.uniform(-2, 2)]
    values = {f"{name}{k}": row[k] for name, row in zip("tabc", (t, a, b, c), strict=True) for k in range(PIECES)}
    method = [gs.DOP853(), gs.RKF45(rtol=1e-9, atol=1e-10), gs.Rodas5P(rtol=1e-9, atol=1e-10)][seed % 3]
    initial = {"a": start[0], "a.rate": start[1]}
    run = gs.simulate(pendulum, times=[0, END], initial=initial, parameters=values, integrator=method)
    assert [run["a"].values[-1], run["a.rate"].values[-1]] == pytest.approx(reference(t, a, b, c, start), abs=2e-6)


def test_the_account_of_energy_closes_after_a_kink(pendulum: gs.System) -> None:
    values = {"t0": 1.0, "a0": 0.5, "t1": 2.0, "b1": 1.0}
    run = gs.simulate(pendulum, duration=3, step=0.3, initial={"a": 0.5}, parameters=values)
    assert len(run.motion.segments) > 1
    assert run.status.notes == ()
    energy = run.energy()
    assert abs(float(energy.impacts[-1])) > 0.1
    assert np.abs(energy.balance).max() < 1e-7
