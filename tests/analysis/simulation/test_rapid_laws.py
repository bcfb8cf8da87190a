"""Laws that vary rapidly with the state: no step passes over a narrow pulse in a load, condition, event or constraint.

The speed behind a pulse of a force follows from its work, the integral of the pulse, which is computed independently.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from campaign import campaign
from scipy.integrate import quad
from scipy.optimize import brentq
from state_models import stick_slip

import gyrostat as gs

PULSES: dict[str, tuple[str, Callable[[float], float]]] = {
    "exp(-((S-c)/w)**2)": ("gauss", lambda s: float(np.exp(-s * s))),
    "1/(1+((S-c)/w)**2)**4": ("quotient", lambda s: 1 / (1 + s * s) ** 4),
    "max(1-((S-c)/w)**2, 0)**4": ("cap", lambda s: max(1 - s * s, 0.0) ** 4),
    "(1+tanh((S-c)/w))*(1-tanh((S-c)/w))": ("tanh", lambda s: float((1 + np.tanh(s)) * (1 - np.tanh(s)))),
    "(cos((S-c)/w)+1)*exp(-((S-c)/w)**2)/2": ("cosine", lambda s: float((np.cos(s) + 1) * np.exp(-s * s) / 2)),
}
WAYS = ("force", "condition", "measure", "spring", "input", "event")
INTEGRATORS = (gs.DOP853, gs.RKF45, gs.Rodas5P, gs.Rodas4, gs.CVODE)
THRESHOLD = 0.4


@cache
def cart(pulse: str, way: str) -> gs.System:
    """Return a cart on a rail with a pulse of height A at x = c in its load."""
    model = gs.Model("cart", parameters={"c": 5.0, "w": 0.01, "A": 100.0})
    model.add(gs.Body("cart", mass=2, inertia=(1, 1, 1)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    along = pulse.replace("S", "x")
    if way == "force":
        model.add(gs.Force("push", "cart", (f"A*{along}", 0, 0)))
    elif way == "condition":
        model.add(gs.Force("push", "cart", (f"where({along} > {THRESHOLD}, A, 0)", 0, 0)))
    elif way == "measure":
        model.add(gs.Measure("bump", along))
        model.add(gs.Force("push", "cart", ("A*bump", 0, 0)))
    elif way == "spring":
        by_length = pulse.replace("S", "(length-1)")
        model.add(gs.SpringDamper("push", ("ground", (-1, 0, 0)), "cart", force=f"-A*{by_length}"))
    elif way == "input":
        model.add(gs.Actuator("push", "x"))
    return gs.formulate(model)


@pytest.mark.filterwarnings("ignore:At t = .* passes a narrow zone:gyrostat.GyrostatWarning")
@pytest.mark.filterwarnings("ignore:CVODE restarted at order one:gyrostat.GyrostatWarning")
@campaign(400, few=(0, 2, 10, 18, 25, 30, 34, 41, 52, 72))
def test_no_step_passes_over_a_pulse(seed: int) -> None:
    random = np.random.default_rng(seed)
    pulse, way = random.choice(list(PULSES)), random.choice(WAYS)
    width, centre, speed = 10 ** random.uniform(-4, -0.5), random.uniform(2, 8), 10 ** random.uniform(-0.5, 1)
    integrator, tolerance = random.choice(np.array(INTEGRATORS)), 10 ** random.uniform(-9, -4)
    profile = PULSES[pulse][1]
    if way == "condition":
        integral = 2 * width * brentq(lambda s: profile(s) - THRESHOLD, 0, 2)
    else:
        integral = width * quad(profile, -40, 40, limit=400, points=[0])[0]
    height = random.uniform(0.2, 3) * speed**2 / integral if random.random() < 0.7 else -0.5 * speed**2 / integral
    height = 0.0 if way == "event" else height
    expected = np.sqrt(speed**2 + height * integral)
    duration = 1.5 * (centre + 60 * width + 2) / min(speed, expected)
    run = gs.simulate(
        cart(pulse, way),
        duration=duration,
        step=duration / random.integers(1, 5),
        initial={"x.rate": speed},
        parameters={"c": centre, "w": width, "A": height},
        inputs={"push": f"A*{pulse.replace('S', 'x')}"} if way == "input" else {},
        events=[gs.Event("pulse", f"{pulse.replace('S', 'x')} - {THRESHOLD}")] if way == "event" else [],
        integrator=integrator(rtol=tolerance, atol=0.1 * tolerance),
        most_steps=20_000,
    )
    assert run.status.outcome is gs.Outcome.COMPLETED
    if way == "event":
        assert len(run.events) == 2
    elif integrator is gs.CVODE and way == "condition":  # notes tell how far it amplifies errors of its tolerance
        assert run["x.rate"].values[-1] == pytest.approx(expected, rel=max(0.01, 2000 * tolerance))
    else:
        assert run["x.rate"].values[-1] == pytest.approx(expected, rel=max(1e-3, 2000 * tolerance))


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("pulse", list(PULSES))
def test_no_step_passes_over_a_pulse_of_a_difference(pulse: str, integrator: type[gs.Integrator]) -> None:
    """The load acts at a distance from a base that moves on at constant speed: a Galilean transformation."""
    model = gs.Model("pair")
    for name in ("base", "cart"):
        model.add(gs.Body(name, mass=2, inertia=(1, 1, 1)))
        model.add(gs.Prismatic(name[0], "ground", name, axis="x"))
    along, width, speed = pulse.replace("S", "(c-b)").replace("-c)", "-5)"), 3e-3, 1.0
    integral = width * quad(PULSES[pulse][1], -40, 40, limit=400, points=[0])[0]
    height = 2 * speed**2 / integral
    model.add(gs.Force("push", "cart", (f"{height}*{along.replace('/w', f'/{width}')}", 0, 0)))
    run = gs.simulate(
        model, duration=9, step=9, initial={"b.rate": 20.0, "c.rate": 20.0 + speed}, integrator=integrator()
    )
    expected = 20.0 + np.sqrt(speed**2 + height * integral)
    assert run["c.rate"].values[-1] == pytest.approx(expected, rel=1e-3)


def test_terms_that_cancel_cost_no_divisions() -> None:
    """Diodes between nodes whose potentials rise together: their exponentials hardly vary, bounded by differences."""
    model = gs.Model("diodes")
    for name, rate in (("a", "100*cos(100*t) - i"), ("b", "100*cos(100*t) + i")):
        model.add(gs.State(name, rate=rate.replace("i", "1e-3*(exp(40*(a - b)) - 1)"), initial=0.1 * (name == "a")))
    programs = gs.formulate(model).rapid_functions({}, inputs=None)
    assert [list(function.arguments) for function in programs.functions] == [["sum 1"]]


@cache
def bead() -> gs.System:
    """Return a bead on a wire with a bump of height h and half a width of 1 cm, under gravity."""
    model = gs.Model("bead", gravity=(0, -9.81, 0), parameters={"h": 0.1})
    model.add(gs.Body("bead", mass=1, inertia=(0.1, 0.1, 0.1)))
    model.add(gs.Planar("p", "ground", "bead"))
    model.add(gs.Equation("wire", "p.y - h*exp(-((p.x-5)/0.01)**2)"))
    return gs.formulate(model)


@pytest.mark.parametrize("integrator", [gs.DOP853(), gs.Rodas5P()])
def test_a_bump_in_a_constraint_turns_back_what_is_too_slow(integrator: gs.Integrator) -> None:
    """The bead passes a bump of height h if v² > 2 g h."""
    for height, sign in ((0.1, -1), (0.04, 1)):
        run = gs.simulate(
            bead(), duration=8, step=8, initial={"p.x.rate": 1.0}, parameters={"h": height}, integrator=integrator
        )
        assert run["p.x.rate"].values[-1] == pytest.approx(sign, abs=1e-6)


def test_ordinary_laws_take_the_same_steps() -> None:
    """A law that steps resolve is not divided further: the pendulum's sine as a formula and by gravity."""
    plain = gs.Model("plain", gravity=(0, -9.81, 0))
    plain.add(gs.Body("bob", mass=1, inertia=(0, 0, 0), points={"top": (0, 1, 0)}))
    plain.add(gs.Revolute("a", "ground", "bob.top", initial=2.0))
    written = gs.Model("written")
    written.add(gs.Body("bob", mass=1, inertia=(0, 0, 0), points={"top": (0, 1, 0)}))
    written.add(gs.Revolute("a", "ground", "bob.top", initial=2.0))
    written.add(gs.TorsionSpring("gravity", "a", torque="-9.81*sin(angle)"))
    runs = [gs.simulate(model, duration=20, step=20) for model in (plain, written)]
    assert runs[0].status.steps == runs[1].status.steps
    assert runs[0]["a"].values[-1] == pytest.approx(runs[1]["a"].values[-1], abs=1e-6)


@pytest.mark.parametrize(
    ("integrator", "most"), [(gs.Rodas5P(rtol=1e-8, atol=1e-12), 1300), (gs.CVODE(rtol=1e-8, atol=1e-12), 4000)]
)
def test_errors_of_the_size_of_the_tolerance_are_no_variation(integrator: gs.Integrator, most: int) -> None:
    """A block that sticks by Stribeck's law moves by less than the tolerance: error control chooses its steps."""
    run = gs.simulate(stick_slip(), duration=20, step=20, integrator=integrator, most_steps=20_000)
    assert run.status.steps < most
    assert run["x"].values[-1] == pytest.approx(1.27259660, rel=1e-6)


def test_a_motion_in_independent_speeds_warns_of_zones_that_it_passes_over() -> None:
    """Its steps do not end at conditions: it passes over a moment of 500 N·m that acts over 1 mrad."""
    with pytest.warns(gs.GyrostatWarning, match=r"differs from that of gs.simulate: 'a' by .* at t = 1 s"):
        gs.embedded_motion(switched_pendulum(), times=[0, 1.0], initial={"a.rate": 2.0})


@cache
def switched_pendulum() -> gs.System:
    """Return a pendulum with a moment that acts in a narrow zone of its angle."""
    model = gs.Model("switched")
    model.add(gs.Body("bob", mass=1, inertia=(0.1, 0.1, 0.1), points={"top": (0, 1, 0)}))
    model.add(gs.Revolute("a", "ground", "bob.top"))
    model.add(gs.TorsionSpring("drive", "a", torque="where((angle > 1) and (angle < 1.001), 500, 0)"))
    return gs.formulate(model)
