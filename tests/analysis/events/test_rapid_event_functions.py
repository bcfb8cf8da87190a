"""Event functions that vary rapidly: all crossings in steps that are longer than many periods or pulses of a function.

A cart at constant speed takes steps of any length, whatever its events are. Zeros are known in closed form.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from campaign import campaign

import gyrostat as gs

INTEGRATORS = (
    gs.DOP853(),
    gs.RKF45(rtol=1e-9, atol=1e-9),
    gs.Rodas5P(),
    gs.CVODE(rtol=1e-8, atol=1e-8),
    gs.RK4(step=5.0),
    gs.GaussLegendre(step=10.0),
)


@cache
def cart() -> gs.System:
    model = gs.Model("cart", parameters={"w": 1.0, "c": 0.0, "d": 0.0})
    model.add(gs.Body("cart", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x", initial={"displacement.rate": 1.0}))
    return gs.formulate(model)


def comb(w: float, c: float, d: float) -> tuple[str, np.ndarray]:
    """Return peaks of a cosine with their zeros: a part `d` of its amplitude lies above zero."""
    half, centres = np.arccos(1 - d) / w, (np.arange(-10, 5000) * 2 * np.pi + c) / w
    return "cos(w*x - c) - 1 + d", np.sort(np.concatenate([centres - half, centres + half]))


def pulses(w: float, c: float, d: float) -> tuple[str, np.ndarray]:
    """Return two narrow pulses with their zeros."""
    half, first, second = np.sqrt(np.log(1 / d)) / w, 2 + c, 5 + c
    zeros = np.array([first - half, first + half, second - half, second + half])
    return "exp(-(w*(x-2-c))**2) + exp(-(w*(x-5-c))**2) - d", zeros


def chirp(w: float, c: float, d: float) -> tuple[str, np.ndarray]:
    """Return an oscillation of growing frequency with its zeros."""
    return "sin(w*x**2/10 + d)", np.sqrt(10 * (np.pi * np.arange(1, 5000) - d) / w)


@campaign(300, few=(0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233))
def test_all_crossings_are_found(seed: int) -> None:
    random = np.random.default_rng(seed)
    kind, integrator = random.choice(np.array([comb, pulses, chirp])), INTEGRATORS[random.integers(len(INTEGRATORS))]
    w = 10 ** random.uniform(1.5, 4) if kind is pulses else 10 ** random.uniform(0, 2)
    c, d = random.uniform(0, 3), 10 ** random.uniform(-3, -0.3)
    formula, zeros = kind(w, c, d)
    start, duration = random.uniform(0, 0.5), 10.0
    run = gs.simulate(
        cart(),
        duration,
        step=duration,
        initial={"x": start},
        parameters={"w": w, "c": c, "d": d},
        events=[gs.Event("zero", formula)],
        integrator=integrator,
    )
    expected = zeros[(zeros > start) & (zeros < start + duration)] - start
    np.testing.assert_allclose([one.time for one in run.events], expected, atol=1e-9)


@pytest.mark.parametrize(
    "integrator", [gs.DOP853(), gs.CVODE(rtol=1e-8, atol=1e-8)], ids=lambda one: type(one).__name__
)
def test_events_do_not_change_the_steps(integrator: gs.Integrator) -> None:
    """A function that varies rapidly is searched within the steps that the motion needs."""
    alone = gs.simulate(cart(), 10, step=10, integrator=integrator)
    watched = gs.simulate(
        cart(), 10, step=10, parameters={"w": 300.0}, events=[gs.Event("zero", "sin(w*x)")], integrator=integrator
    )
    assert watched.status.steps == alone.status.steps
    assert len(watched.events) == int(300 * 10 / np.pi)
