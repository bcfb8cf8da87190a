"""Loads and drivers that change within a step: switching times are stops of every integrator."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from campaign import campaign
from scipy.integrate import quad

import gyrostat as gs
from gyrostat.analysis.simulation.time_switches import TimeSwitches, Window
from gyrostat.model.formula import Formula

METHODS = [gs.DOP853(), gs.RKF45(), gs.Rodas5P(), gs.CVODE(), gs.RK4(step=0.037), gs.GaussLegendre(step=0.037)]
PULSE = "where((t>5) and (t<5.1), 100, 0)"


def cart(**options: object) -> gs.Model:
    model = gs.Model("cart", parameters={"push_time": 5.0})
    model.add(gs.Body("cart", gs.point_mass(2)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x", **options))
    return model


@pytest.fixture(scope="module")
def pushed() -> gs.System:
    model = cart()
    model.add(gs.Actuator("push", "x"))
    return gs.formulate(model)


def speed(system: gs.System | gs.Model, integrator: object, law: object = None, duration: float = 10.0) -> float:
    inputs = {} if law is None else {"push": law}
    run = gs.simulate(system, duration=duration, inputs=inputs, integrator=integrator)
    assert run.status.outcome is gs.Outcome.COMPLETED
    assert float(abs(run.energy().balance).max()) < 1e-5
    return float(run["x.rate"].values[-1])


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_a_short_push_is_not_stepped_over(method: object, pushed: gs.System) -> None:
    assert speed(pushed, method, PULSE) == pytest.approx(5.0, abs=1e-12)


@pytest.mark.parametrize("method", METHODS[:4], ids=lambda method: type(method).__name__)
def test_a_python_function_is_looked_at_between_outputs(method: object, pushed: gs.System) -> None:
    assert speed(pushed, method, lambda t: 100.0 * (5 < t < 5.1)) == pytest.approx(5.0, abs=1e-5)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_a_smooth_pulse_is_not_stepped_over(method: object, pushed: gs.System) -> None:
    expected = 100 * 0.005 * math.sqrt(math.pi) / 2
    assert speed(pushed, method, "100*exp(-((t-5)/0.005)**2)") == pytest.approx(expected, abs=1e-6)


def test_pushes_in_force_components_and_of_parameters() -> None:
    model = cart()
    model.add(gs.Force("push", "cart", ("where((t > push_time) and (t < push_time + 0.1), 100, 0)", 0, 0)))
    assert speed(model, gs.DOP853()) == pytest.approx(5.0, abs=1e-12)
    late = gs.simulate(model, duration=10, parameters={"push_time": 9.95})
    assert late["x.rate"].values[-1] == pytest.approx(2.5, abs=1e-11)


def test_steps_keep_their_length_between_switches(pushed: gs.System) -> None:
    run = gs.simulate(pushed, duration=10, inputs={"push": PULSE})
    assert run.status.steps + run.status.rejected < 30


def test_periodic_switches_are_found_window_by_window(pushed: gs.System) -> None:
    times = [k * math.pi / 2000 for k in range(7)]
    expected = sum(b - a for a, b in zip(times[::2], times[1::2], strict=False)) / 2
    assert speed(pushed, gs.DOP853(), "where(sin(2000*t) > 0, 1, 0)", duration=times[-1]) == pytest.approx(
        expected, rel=1e-10
    )
    switches = TimeSwitches.of(pushed, {"push": Formula.of("where(sin(1e6*t) > 0, 1, 0)")}, {"push_time": 5.0})
    window = switches.window(0.0, 10.0)
    assert window.end < 0.01
    assert len(window.stops) == pytest.approx(window.end * 1e6 / math.pi, abs=2)


def test_functions_that_differ_by_constants_are_examined_once(pushed: gs.System) -> None:
    laws = {"push": Formula.of("3*sin(2*t) - x*(5 - sin(2*t)/push_time) + exp(-t)*2")}
    courses = TimeSwitches.of(pushed, laws, {"push_time": 5.0}).courses
    assert len(courses) == 2
    assert courses[0].formula.steps == Formula.of("sin(2*t)").steps


def test_one_window_serves_all_segments_of_a_motion(pushed: gs.System, monkeypatch: pytest.MonkeyPatch) -> None:
    windows = []
    found = TimeSwitches.window

    def counted(self: TimeSwitches, start: float, end: float) -> Window:
        windows.append((start, end))
        return found(self, start, end)

    monkeypatch.setattr(TimeSwitches, "window", counted)
    mark = gs.Event("mark", "sin(3*t)", action=gs.SetParameter("push_time", 5.0))
    gs.simulate(pushed, duration=10, inputs={"push": PULSE}, events=[mark])
    assert windows == [(0.0, 10.0)]
    windows.clear()
    mark = gs.Event("mark", "t - 3", action=gs.SetParameter("push_time", 6.0))
    gs.simulate(pushed, duration=10, inputs={"push": "where(t > push_time, 1, 0)"}, events=[mark])
    assert windows == [(0.0, 10.0), (3.0, 10.0)]


def test_a_run_that_is_repeated_searches_no_stops(pushed: gs.System, monkeypatch: pytest.MonkeyPatch) -> None:
    searches, search = [], TimeSwitches.window
    monkeypatch.setattr(TimeSwitches, "window", lambda self, *span: searches.append(span) or search(self, *span))
    law = "where(t > push_time, 100, 0) - where(t > push_time + 0.1, 100, 0)"
    for value in (4.0, 4.0, 3.0, 3.0, 4.0):
        run = gs.simulate(pushed, duration=10, inputs={"push": law}, parameters={"push_time": value})
        assert float(run["x"].values[-1]) == pytest.approx(5 * (9.95 - value), abs=1e-9)
    assert searches == [(0.0, 10.0)] * 3
    gs.simulate(pushed, duration=9, inputs={"push": law}, parameters={"push_time": 4.0})
    gs.simulate(pushed, duration=9, inputs={"push": f"2*({law})"}, parameters={"push_time": 4.0})
    assert searches[3:] == [(0.0, 9.0)] * 2


@pytest.mark.parametrize(
    ("law", "force"),
    [
        ("floor(3*t)", lambda t: math.floor(3 * t)),
        ("abs(sin(7*t))", lambda t: abs(math.sin(7 * t))),
        ("max(0, sin(5*t)) - min(0.2, cos(3*t))", lambda t: max(0, math.sin(5 * t)) - min(0.2, math.cos(3 * t))),
        ("sign(t - 1.3)*ceil(t)", lambda t: math.copysign(1, t - 1.3) * math.ceil(t)),
    ],
)
def test_functions_with_kinks_and_jumps(law: str, force: object, pushed: gs.System) -> None:
    points = [k / 3 for k in range(13)] + [k * math.pi / 7 for k in range(9)] + [k * math.pi / 5 for k in range(7)]
    points += [(math.acos(0.2) + 2 * math.pi * k) / 3 for k in range(3)]
    points += [(2 * math.pi * k - math.acos(0.2)) / 3 for k in range(1, 3)] + [1.3]
    edges = np.unique([0.0, 4.0, *(p for p in points if 0 < p < 4)])
    expected = sum(quad(force, a, b, epsabs=1e-13)[0] for a, b in pairwise(edges)) / 2
    for method in (gs.DOP853(rtol=1e-10, atol=1e-12), gs.Rodas5P(rtol=1e-9, atol=1e-11)):
        assert speed(pushed, method, law, duration=4.0) == pytest.approx(expected, abs=1e-8)


def test_conditions_that_hold_between_samples_are_found(pushed: gs.System) -> None:
    """Bounds over intervals find switching times however close they are."""
    peaks = int((500 - math.pi / 2) / (2 * math.pi)) + 1
    width = 2 * math.acos(0.9999999) / 50
    assert speed(pushed, gs.DOP853(), "where(sin(50*t) > 0.9999999, 1e3, 0)") == pytest.approx(
        peaks * width * 1e3 / 2, rel=1e-7
    )
    narrow = "where(exp(-((t - 7.77)/0.0003)**2) > 0.5, 1000, 0)"
    assert speed(pushed, gs.DOP853(), narrow) == pytest.approx(0.3 * math.sqrt(math.log(2)), abs=1e-10)


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        ("sin(t) + 100*exp(-((t - 3.3)/0.001)**2)", (1 - math.cos(10) + 0.1 * math.sqrt(math.pi)) / 2),
        ("(2 + x*0)*100*exp(-((t - 5)/0.001)**2)", 0.1 * math.sqrt(math.pi)),
        ("100*exp(-((t - 5)/1e-6)**2)", 5e-5 * math.sqrt(math.pi)),
        ("where(t > 5, 100*exp(-(t - 5)/0.001), 0)", 0.05),
        ("sin(20*t) + 50*(1 - tanh((t - 3)/0.0002)**2)", (1 - math.cos(200)) / 40 + 0.01),
    ],
)
def test_pulses_beside_other_loads(law: str, expected: float, pushed: gs.System) -> None:
    assert speed(pushed, gs.DOP853(), law) == pytest.approx(expected, abs=2e-8)


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        ("where(max(0, sin(t)) > 0, 1, 0)", math.pi),
        ("where(t - t > 0, 1, 2)", 10.0),
        ("where(abs(sin(t)) - abs(sin(t)) >= 0, 1, 2)", 5.0),
    ],
)
def test_conditions_that_are_zero_for_some_time(law: str, expected: float, pushed: gs.System) -> None:
    assert speed(pushed, gs.DOP853(), law) == pytest.approx(expected, abs=1e-10)


def test_a_condition_at_the_start_holds_from_the_start(pushed: gs.System) -> None:
    assert speed(pushed, gs.DOP853(), "where(t > 0, 1, 0)", duration=2) == pytest.approx(1.0, abs=1e-12)


def test_states_between_outputs_and_files_keep_the_stops(pushed: gs.System, tmp_path: object) -> None:
    run = gs.simulate(pushed, duration=10, step=1, inputs={"push": PULSE})
    assert run.at(5.05)["x.rate"].values[0] == pytest.approx(2.5, abs=1e-12)
    path = tmp_path / "run.nc"  # type: ignore[operator]
    run.save(path)
    assert gs.load(path).at([5.02, 5.07])["x.rate"].values.tolist() == run.at([5.02, 5.07])["x.rate"].values.tolist()


def test_sweeps_stop_at_switches_of_swept_parameters() -> None:
    model = cart()
    model.add(gs.Force("push", "cart", ("where((t > push_time) and (t < push_time + 0.1), 100, 0)", 0, 0)))
    found = gs.sweep(model, {"push_time": [3.0, 9.95]}, gs.Simulation(10, outputs=["last(x.rate)"]))
    assert found["last(x.rate)"].values == pytest.approx([5.0, 2.5], abs=1e-10)


@campaign(200)
def test_random_piecewise_loads(seed: int, pushed: gs.System) -> None:
    """Jumps, ramps and pulses of random width, nested: the momentum of the cart is the integral of the load."""
    random = Random(seed)
    edges = sorted(round(random.uniform(0.1, 9.9), 4) for _ in range(random.randint(1, 6)))
    edges += [round(edges[-1] + 10 ** random.uniform(-4, -1), 6)]
    pieces = [(random.uniform(-9, 9), random.choice([0.0, random.uniform(-3, 3)])) for _ in range(len(edges) + 1)]
    law = f"{pieces[-1][0]!r} + {pieces[-1][1]!r}*t"
    for edge, (a, b) in reversed(list(zip(edges, pieces, strict=False))):
        law = f"where(t < {edge!r}, {a!r} + {b!r}*t, {law})"
    bounds = [0.0, *edges, 10.0]
    expected = sum(
        a * (right - left) + b * (right**2 - left**2) / 2
        for (a, b), left, right in zip(pieces, bounds[:-1], bounds[1:], strict=True)
    )
    method = random.choice([gs.DOP853(), gs.RKF45(), gs.Rodas5P()])
    assert speed(pushed, method, law) == pytest.approx(expected / 2, abs=1e-8)


def pendulum_on_slider(law: str, rod: bool) -> gs.Model:
    model = gs.Model("pendulum on a slider")
    model.add(gs.Body("slider", gs.point_mass(1)))
    solid = gs.slender_rod(1, 1, along="y") if rod else gs.point_mass(1)
    model.add(gs.Body("bar", solid, points={"top": (0, 0.5 if rod else 1, 0)}))
    model.add(gs.Prismatic("x", "ground", "slider", axis="x", driven=law))
    model.add(gs.Revolute("a", "slider", "bar.top", axis="z"))
    return model


@pytest.mark.parametrize("method", METHODS[:4], ids=lambda method: type(method).__name__)
@pytest.mark.parametrize(("law", "jump"), [("abs(t-0.5)", 2.0), ("where(t>0.5, t-0.5, 0)", 1.0)])
@pytest.mark.parametrize(("rod", "factor"), [(False, 1.0), (True, 1.5)])
def test_a_kink_of_a_driver_is_an_impulse(law: str, jump: float, rod: bool, factor: float, method: object) -> None:
    run = gs.simulate(pendulum_on_slider(law, rod), duration=0.6, step=0.1, integrator=method)
    rates = run["a.rate"].values
    assert rates[:4] == pytest.approx([0.0] * 4, abs=1e-12)
    assert rates[-1] == pytest.approx(-jump * factor, abs=1e-9)


def test_a_kink_of_a_driver_acts_through_a_closed_loop() -> None:
    """The impulse of the driver turns the free pendulum on the coupler; loops stay closed."""
    found = {}
    for coordinates in ("joint", "absolute"):
        system = gs.formulate(driven_slider_crank(), coordinates)
        run = gs.simulate(system, duration=0.6, step=0.1)
        assert run.status.success
        assert float(run.residuals().speed.max()) < 1e-8
        found[coordinates] = run["a.rate"].values[-1]
    assert abs(found["joint"]) > 0.1
    assert found["absolute"] == pytest.approx(found["joint"], abs=1e-7)


def driven_slider_crank() -> gs.Model:
    model = gs.Model("slider-crank with a pendulum")
    model.add(gs.Body("crank", gs.box(1, (0.5, 0.05, 0.05)), points={"a": (-0.25, 0, 0), "b": (0.25, 0, 0)}))
    model.add(gs.Body("rod", gs.box(1, (1.2, 0.05, 0.05)), points={"a": (-0.6, 0, 0), "b": (0.6, 0, 0)}))
    model.add(gs.Body("slider", gs.sphere(1, 0.05)))
    model.add(gs.Body("bar", gs.box(1, (0.05, 1, 0.05)), points={"top": (0, 0.5, 0)}))
    model.add(gs.Revolute("turn", "ground", "crank.a", driven="1 + where(t > 0.3, 2*(t - 0.3), 0)"))
    model.add(gs.Revolute("knee", "crank.b", "rod.a", initial=-1.4))
    model.add(gs.Prismatic("rail", "ground", "slider", axis="x", initial=1.4))
    model.add(gs.Revolute("pin", "slider", "rod.b", initial=-0.4))
    model.add(gs.Revolute("a", "slider", "bar.top"))
    return model


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_a_jump_of_a_driver_is_refused(coordinates: str) -> None:
    system = gs.formulate(pendulum_on_slider("where(t>0.5, 1, 0)", rod=False), coordinates)
    with pytest.raises(gs.StateError, match=r"'x' jumps by .* in position at t = 0\.5 s: no finite load"):
        gs.simulate(system, duration=1)
