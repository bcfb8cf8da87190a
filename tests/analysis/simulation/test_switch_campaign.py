"""Random piecewise laws against SciPy, integrated piece by piece and restarted at each switch."""

from __future__ import annotations

from functools import cache

import numpy as np
from campaign import campaign
from scipy.integrate import solve_ivp
from switching_models import slider

import gyrostat as gs

Floats = np.ndarray

SHAPES = {
    # law as a formula, and the switching functions of t, x, v
    "zones": (
        "-k*angle - where(angle > a, where(rate > b, f, g), where(angle < -a, h, 0))",
        lambda p: [
            lambda t, x, v: x - p["a"],
            lambda t, x, v: x + p["a"],
            lambda t, x, v: v - p["b"],
        ],
        lambda p, t, x, v, m: -p["k"] * x - ((p["f"] if m[2] else p["g"]) if m[0] else (0.0 if m[1] else p["h"])),
    ),
    "pulses": (
        "-k*angle + where((t > a) and (t < a + b), f, 0) + where(angle > g, -h*(angle - g), 0)",
        lambda p: [
            lambda t, x, v: t - p["a"],
            lambda t, x, v: t - p["a"] - p["b"],
            lambda t, x, v: x - p["g"],
        ],
        lambda p, t, x, v, m: (
            -p["k"] * x + (p["f"] if m[0] and not m[1] else 0.0) - (p["h"] * (x - p["g"]) if m[2] else 0.0)
        ),
    ),
    "ramps": (
        "-k*min(max(angle, -a), a) - h*abs(rate - b)*0.1 + max(min(t - g, f), 0)",
        lambda p: [
            lambda t, x, v: x - p["a"],
            lambda t, x, v: x + p["a"],
            lambda t, x, v: v - p["b"],
            lambda t, x, v: t - p["g"],
            lambda t, x, v: t - p["g"] - p["f"],
        ],
        lambda p, t, x, v, m: (
            -p["k"] * (p["a"] if m[0] else (x if m[1] else -p["a"]))
            - 0.1 * p["h"] * (v - p["b"] if m[2] else p["b"] - v)
            + (0.0 if not m[3] else (t - p["g"] if not m[4] else p["f"]))
        ),
    ),
}
DURATION = 6.0


@cache
def system_of(shape: str) -> gs.System:
    return slider(SHAPES[shape][0], **dict.fromkeys("kabfgh", 1.0))


def drawn(seed: int) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    ranges = {"k": (1, 9), "a": (0.1, 0.9), "b": (0.02, 0.8), "f": (0.1, 1.5), "g": (0.1, 1.2), "h": (0.1, 4)}
    return {name: float(rng.uniform(*ends)) for name, ends in ranges.items()}


def reference(shape: str, p: dict[str, float], start: list[float]) -> Floats | None:
    """Return x and v at the end; None where the motion slides or grazes, which this reference cannot follow."""
    functions, load = SHAPES[shape][1](p), SHAPES[shape][2]
    t, y = 0.0, np.array(start)
    values = [function(t, *y) for function in functions]
    modes = [value > 0 for value in values]
    last = -1.0
    for _ in range(200):
        events = []
        for function in functions:
            event = lambda t, y, function=function: function(t, y[0], y[1])  # noqa: E731
            events.append(event)
            event.terminal = True
        found = solve_ivp(
            lambda t, y: [y[1], load(p, t, y[0], y[1], modes)], (t, DURATION), y, rtol=1e-11, atol=1e-13, events=events,
            method="DOP853", max_step=0.05,
        )  # fmt: skip
        t, y = float(found.t[-1]), found.y[:, -1]
        if t >= DURATION:
            return y
        hit = [i for i, times in enumerate(found.t_events) if len(times)]
        if t - last < 1e-6:
            return None
        last = t
        for i in hit:
            modes[i] = not modes[i]
        rates = [y[1], load(p, t, y[0], y[1], modes)]
        y, t = y + 1e-12 * np.array(rates), t + 1e-12  # beyond the zero, so that it is not found again
        if any((functions[i](t, *y) > 0) != modes[i] for i in hit):
            return None
    return None


@campaign(1000)
def test_random_piecewise_laws(seed: int) -> None:
    shape = sorted(SHAPES)[seed % 3]
    p, rng = drawn(seed), np.random.default_rng([seed, 1])
    start = [float(rng.uniform(-1.5, 1.5)), float(rng.uniform(-1, 1))]
    expected = reference(shape, p, start)
    integrator = (gs.DOP853(rtol=1e-10, atol=1e-11), gs.RKF45(rtol=1e-10, atol=1e-11))[seed // 3 % 2]
    run = gs.simulate(
        system_of(shape), times=[0, DURATION], parameters=p, initial={"x": start[0], "x.rate": start[1]},
        integrator=integrator,
    )  # fmt: skip
    assert run.status.success
    assert run.status.steps < 3000
    if expected is not None:
        assert np.abs(np.append(run.q[-1], run.u[-1]) - expected).max() < 1e-6
