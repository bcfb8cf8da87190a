"""Functions that cross zero several times within a step: none is lost, none counted twice, on every integrator."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from campaign import campaign
from random_trees import Floats
from simulations import TIGHT

import gyrostat as gs

STEPPED = [
    gs.RK4(step=0.21),
    gs.RK2(step=0.11),
    gs.Euler(step=0.05),
    gs.GaussLegendre(step=0.3),
]
CONTROLLED = [
    gs.DOP853(rtol=1e-9, atol=1e-9),
    gs.RKF45(rtol=1e-9, atol=1e-9),
    gs.Rodas5P(rtol=1e-9, atol=1e-9),
    gs.CVODE(rtol=1e-9, atol=1e-9),
]


@cache
def _cart() -> gs.System:
    model = gs.Model("cart")
    model.add(gs.Body("cart", gs.point_mass(2.0)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x", initial={"displacement.rate": 1.0}))
    return gs.formulate(model)


@pytest.mark.parametrize("start", [0.0, 0.01, 0.25, 0.499])
@pytest.mark.parametrize("step", [10.0, 1.0, 0.5, 0.03, 0.005])
@pytest.mark.parametrize("integrator", [*STEPPED, *CONTROLLED, gs.RK4(step=10.0)], ids=lambda one: type(one).__name__)
def test_a_cart_at_constant_speed_passes_all_zeros_of_a_sine(
    integrator: gs.Integrator, step: float, start: float
) -> None:
    """Steps grow without bound, and outputs may coincide with the period or half of it.

    The end belongs to the motion: from x = 0, the twentieth zero lies there.
    """
    events = [gs.Event("z", "sin(2*pi*x)"), gs.Event("top", "cos(2*pi*x) - 0.99", "rising")]
    run = gs.simulate(_cart(), 10, step=step, initial={"x": start}, events=events, integrator=integrator)
    expected = np.arange(0.5, 10.3, 0.5) - start
    expected = expected[(expected > 0) & (expected <= 10)]
    found = run.at_event("z")
    np.testing.assert_allclose([one.time for one in found], expected, atol=1e-11)
    assert [one.direction for one in found] == np.where(np.arange(len(found)) % 2, 1, -1).tolist()
    tops = np.arange(0, 11) - np.arccos(0.99) / (2 * np.pi) - start
    np.testing.assert_allclose([one.time for one in run.at_event("top")], tops[(tops > 0) & (tops < 10)], atol=1e-10)


@pytest.mark.parametrize("integrator", [*STEPPED, *CONTROLLED], ids=lambda one: type(one).__name__)
def test_a_zero_at_the_end_is_not_counted_again_after_it(integrator: gs.Integrator) -> None:
    """It counts in the run that ends there, also where rounding errors leave the state a little before it."""
    event, state = gs.Event("z", "sin(2*pi*x)"), {"x": 0.0, "x.rate": 3.0}
    for _ in range(2):
        run = gs.simulate(_cart(), 10 / 3, initial=state, events=[event], integrator=integrator)
        assert len(run.events) == 20
        state = run.state


@pytest.mark.parametrize("integrator", [gs.DOP853(), gs.RK4(step=3.0), gs.CVODE()], ids=lambda one: type(one).__name__)
def test_the_number_of_crossings_in_a_step_has_no_limit(integrator: gs.Integrator) -> None:
    run = gs.simulate(
        _cart(), 3, step=3.0, initial={"x": 1e-5}, events=[gs.Event("z", "sin(1000*pi*x)")], integrator=integrator
    )
    times = np.array([one.time for one in run.events])
    np.testing.assert_allclose(times, np.arange(1, 3001) / 1000 - 1e-5, atol=1e-11)
    assert run.status.steps < 12
    np.testing.assert_allclose([one.q[0] for one in run.events], np.arange(1, 3001) / 1000, atol=1e-11)


def test_a_function_far_from_zero_takes_no_evaluations() -> None:
    """Steps far from all zeros need no polynomial of the method's own order, which takes three stages more."""
    pendulum = gs.Model("pendulum", gravity=(0, -9.81, 0))
    pendulum.add(gs.Body("bar", gs.rod(1.0, 1.0, along="y")))
    pendulum.add(gs.Revolute("a", "ground", ("bar", (0, 0.5, 0)), axis="z", initial={"angle": 2.0}))
    system, method = gs.formulate(pendulum), gs.DOP853(rtol=1e-9, atol=1e-9)
    plain, far, near = (
        gs.simulate(system, 20, step=20, events=[gs.Event("z", when)] if when else [], integrator=method)
        for when in (None, "a - 100", "a - 1.9")
    )
    assert far.status.steps == near.status.steps == plain.status.steps > 100
    assert far.status.evaluations < 1.01 * plain.status.evaluations + 3
    assert near.status.evaluations > plain.status.evaluations + 20
    fine = gs.simulate(system, 20, step=1e-3, integrator=method)["a"].values - 1.9
    assert len(near.events) == np.count_nonzero(np.diff(np.sign(fine)))


@pytest.mark.parametrize("place", [0.5, 2.9, 4.1, 5.5, 7.3, 8.8])
def test_short_pulses_in_steps_without_outputs_are_found(place: float) -> None:
    """Steps take seconds here; looked at in three places only, one of these pulses was passed over."""
    cart = gs.Model("cart")
    cart.add(gs.Body("body", mass=1, inertia=(1, 1, 1)))
    cart.add(gs.Prismatic("x", "ground", "body", axis="x"))
    pulse = gs.Event("pulse", f"1 - 1.5*exp(-((x - {place})/0.25)**2)")
    run = gs.simulate(cart, times=[0, 10], initial={"x.rate": 1.0}, events=[pulse])
    assert len(run.events) == 2


# --- random functions ------------------------------------------------------------------------------------------------

SHAPES: dict[str, tuple[str, Callable[..., Floats]]] = {
    "sine": ("sin(a*x + b) - c", lambda v, a, b, c: np.sin(a * v["x"] + b) - c),
    "product": ("(x - c)*(y - b/7)*(x + c/2)", lambda v, a, b, c: (v["x"] - c) * (v["y"] - b / 7) * (v["x"] + c / 2)),
    "sines": ("sin(a*x) + cos(b*y) - c", lambda v, a, b, c: np.sin(a * v["x"]) + np.cos(b * v["y"]) - c),
    "cubic": ("x**3 + c*y - x.rate*b/50", lambda v, a, b, c: v["x"] ** 3 + c * v["y"] - v["x.rate"] * b / 50),
    "beat": ("cos(a*t)*x - c*y", lambda v, a, b, c: np.cos(a * v["time"]) * v["x"] - c * v["y"]),
    "power": ("x*y.rate - c", lambda v, a, b, c: v["x"] * v["y.rate"] - c),
    "bump": ("exp(-(x - c)**2*b*b) - 0.5", lambda v, a, b, c: np.exp(-((v["x"] - c) ** 2) * b * b) - 0.5),
}
END, FINE = 5.0, 40_001


@cache
def _swing() -> gs.System:
    """Two coupled springs and masses."""
    model = gs.Model("swing", parameters={"a": 1.0, "b": 1.0, "c": 0.0})
    for name, before, stiffness in (("x", "ground", 3.0), ("y", "ground", 11.0)):
        model.add(gs.Body(f"m{name}", gs.point_mass(1.0), points={"far": (0, 0, 1)}))
        model.add(gs.Prismatic(name, before, f"m{name}", axis=name))
        model.add(gs.TorsionSpring(f"k{name}", name, stiffness))
    model.add(gs.SpringDamper("link", "mx", "my.far", 2.0, length=0.8))
    return gs.formulate(model)


def _events() -> list[gs.Event]:
    return [gs.Event(name, text) for name, (text, _) in SHAPES.items()]


@pytest.mark.filterwarnings("ignore:The energy drifts")  # of the methods of low order
@campaign(500, few=[*range(19, 500, 20), 56])
def test_random_functions_cross_as_often_as_fine_samples_show(seed: int) -> None:
    """The samples are those of a tight run, for fixed steps those of the run itself."""
    _check_crossings(seed, [*STEPPED, *CONTROLLED][(seed + seed // 20) % 8])


@pytest.mark.filterwarnings("ignore:The energy drifts")
@campaign(150, few=[64, 142])
@pytest.mark.parametrize(
    "integrator", [gs.Euler(step=0.15), gs.RK2(step=0.3), gs.RK4(step=0.5)], ids=lambda one: type(one).__name__
)
def test_functions_that_the_equations_of_motion_do_not_describe(integrator: gs.Integrator, seed: int) -> None:
    """Steps so large that the rates along their polynomials are far from those of the equations of motion."""
    _check_crossings(seed, integrator)


def _check_crossings(seed: int, choice: gs.Integrator) -> None:
    rng = np.random.default_rng(seed)
    a, b, c = rng.uniform(1, 12) * rng.choice([1, 10]), rng.uniform(0, 6.28), rng.uniform(-0.9, 0.9)
    parameters = {"a": a, "b": b, "c": c}
    initial = {name: rng.uniform(-1, 1) for name in ("x", "y", "x.rate", "y.rate")}
    options = {"parameters": parameters, "initial": initial}
    step = rng.choice([END, 0.5, 0.1])
    run = gs.simulate(_swing(), END, step=step, events=_events(), integrator=choice, **options)
    assert run.status.success
    reference = run if choice not in CONTROLLED else gs.simulate(_swing(), END, step=END, integrator=TIGHT, **options)
    times = np.linspace(0.0, END, FINE)
    fine = reference.at(times)
    values = {"time": times, **{name: fine[name].values for name in initial}}
    for name, (_, function) in SHAPES.items():
        f = function(values, a, b, c)
        _compare(name, f, times, [(one.time, one.direction) for one in run.at_event(name)], seed)


def _compare(name: str, f: Floats, times: Floats, found: list[tuple[float, int]], seed: int) -> None:
    """Compare crossings with the changes of sign of samples, except where a turning point touches zero."""
    places = np.flatnonzero(f[1:] * f[:-1] < 0)
    turns = np.flatnonzero(np.diff(f)[1:] * np.diff(f)[:-1] <= 0) + 1
    touching = times[turns[np.abs(f[turns]) < 1e-5 * np.abs(f).max()]]
    spacing = times[1]

    def is_clear(t: float) -> bool:
        return bool((np.abs(touching - t) > 0.02).all()) and 2 * spacing < t < times[-1] - 2 * spacing

    expected = [(float(times[i] + spacing * f[i] / (f[i] - f[i + 1])), int(np.sign(f[i + 1]))) for i in places]
    expected = [one for one in expected if is_clear(one[0])]
    kept = [one for one in found if is_clear(one[0])]
    assert [one[1] for one in kept] == [one[1] for one in expected], (seed, name)
    np.testing.assert_allclose([one[0] for one in kept], [one[0] for one in expected], atol=2 * spacing)
