"""Coordinates driven by tables, inputs and formulas of them: motion, loads and constraints follow the data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, make_interp_spline

import gyrostat as gs

KNOTS = np.array([0.0, 0.2, 0.5, 0.6, 1.0, 1.3, 1.7, 2.0])
VALUES = np.array([0.0, 0.3, -0.2, 0.1, 0.5, 0.4, -0.3, 0.0])
TIMES = np.linspace(0, 2, 41)
TIGHT = gs.DOP853(rtol=1e-11, atol=1e-12)


def _crane(driven: object, *parts: object) -> gs.Model:
    model = gs.Model("crane", gravity=(0, -9.81, 0), parameters={"size": 2.0})
    model.add(gs.Body("trolley", mass=2))
    model.add(gs.Body("load", mass=1, points={"top": (0, 1, 0)}))
    model.add(gs.Prismatic("rail", "ground", "trolley", axis="x", driven=driven))
    model.add(gs.Revolute("swing", "trolley", "load.top"))
    for part in parts:
        model.add(part)  # type: ignore[type-var]
    return model


def _splined(spline: object) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return tuple(np.asarray(spline(TIMES, k)) for k in range(3))  # type: ignore[operator, return-value]


@pytest.mark.parametrize("interpolation", ["cubic", "quintic"])
@pytest.mark.parametrize("way", ["table", "input", "formula"])
def test_the_motion_follows_the_spline(interpolation: str, way: str) -> None:
    table = gs.Table(KNOTS, VALUES, interpolation)  # type: ignore[arg-type]
    if way == "table":
        model, factor = _crane(table), 1.0
    else:
        formula, factor = ("road", 1.0) if way == "input" else ("size*road + 0.1*t**2", 2.0)
        model = _crane(formula, gs.Input("road", unit="m", law=table))
    run = gs.simulate(model, times=TIMES, integrator=TIGHT)
    spline = CubicSpline(KNOTS, VALUES) if interpolation == "cubic" else make_interp_spline(KNOTS, VALUES, 5)
    x, v, a = (factor * part for part in _splined(spline))
    extra = 0.0 if way != "formula" else 0.1
    np.testing.assert_allclose(run["rail"], x + extra * TIMES**2, atol=1e-12)
    np.testing.assert_allclose(run["rail.rate"], v + 2 * extra * TIMES, atol=1e-11)
    np.testing.assert_allclose(run["trolley.acc.x"], a + 2 * extra, atol=1e-9)
    force = 2 * run["trolley.acc.x"] + run["load.acc.x"]
    np.testing.assert_allclose(run["rail.load"], force, atol=1e-9)
    assert np.abs(run.energy().balance).max() < 1e-7


def test_a_pair_is_a_cubic_spline_and_gives_what_a_formula_gives() -> None:
    times = np.linspace(0, 2, 5)
    cubic = 0.3 * times**3 - 0.4 * times  # a cubic spline through values of a cubic is that cubic
    found = gs.simulate(_crane((times, cubic)), times=TIMES, integrator=TIGHT)
    expected = gs.simulate(_crane("0.3*t**3 - 0.4*t"), times=TIMES, integrator=TIGHT)
    np.testing.assert_allclose(found["swing"], expected["swing"], atol=1e-9)
    for method in (gs.Rodas5P(rtol=1e-9, atol=1e-10), gs.GaussLegendre(step=0.01)):
        other = gs.simulate(_crane((times, cubic)), times=TIMES, integrator=method)
        np.testing.assert_allclose(other["swing"], expected["swing"], atol=1e-6)


def test_a_law_of_time_drives_with_its_rates_and_may_be_replaced() -> None:
    model = _crane("road", gs.Input("road", law="sin(3*t)/size"))
    run = gs.simulate(model, times=TIMES, integrator=TIGHT)
    expected = gs.simulate(_crane("sin(3*t)/size"), times=TIMES, integrator=TIGHT)
    np.testing.assert_allclose(run["swing"], expected["swing"], atol=1e-10)
    np.testing.assert_allclose(run["road.acc"], -4.5 * np.sin(3 * TIMES), atol=1e-12)
    still = gs.simulate(model, times=TIMES, inputs={"road": 0.3})
    np.testing.assert_array_equal(still["rail"], 0.3)
    assert not still["swing"].values.any()
    event = gs.Event("passed", "trolley.x - 0.2", action=gs.Stop())
    stopped = gs.simulate(model, 2, events=[event])
    assert stopped.time[-1] == pytest.approx(np.arcsin(0.4) / 3, abs=1e-9)


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize("by_input", [False, True])
def test_a_loop_is_driven_by_a_table(coordinates: str, by_input: bool) -> None:
    times = np.linspace(0, 1, 4)
    angles = 1.0 + 0.5 * times - 0.3 * times**3

    def four_bar(driven: object) -> gs.Model:
        model = gs.Model("four-bar", gravity=(0, -9.81, 0))
        for name, length in (("crank", 0.4), ("coupler", 1.0), ("rocker", 0.8)):
            ends = {"a": (-length / 2, 0, 0), "b": (length / 2, 0, 0)}
            model.add(gs.Body(name, gs.rod(1, length, along="x"), points=ends))
        model.add(gs.Revolute("h1", "ground", "crank.a", driven=driven))
        model.add(gs.Revolute("h2", "crank.b", "coupler.a", initial=-0.6))
        model.add(gs.Revolute("h4", ("ground", (1, 0, 0)), "rocker.a", initial=1.6))
        model.add(gs.Revolute("h3", "coupler.b", "rocker.b"))
        if by_input:
            model.add(gs.Input("turn", law=gs.Table(times, angles, "cubic")))  # type: ignore[arg-type]
        return model

    output = np.linspace(0, 1, 11)
    found, expected = (
        gs.simulate(gs.formulate(four_bar(driven), coordinates), times=output, integrator=TIGHT)
        for driven in ("turn" if by_input else (times, angles), "1.0 + 0.5*t - 0.3*t**3")
    )
    for name in ("h4", "h4.rate", "h4.acc", "h1.torque"):
        np.testing.assert_allclose(found[name], expected[name], atol=1e-7)
    assert found.residuals().position.max() < 1e-9


def test_a_table_beside_the_model_file_drives(tmp_path: Path) -> None:
    (tmp_path / "rail.csv").write_text("t,x\n0,0\n1,1\n2,0\n3,2\n")
    (tmp_path / "m.yaml").write_text(
        "gyrostat: 1\nname: m\nbodies: {b: {mass: 1}, d: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n"
        "  rail: {type: Prismatic, parent: ground, child: b, driven: {table: rail.csv, time: t, value: x}}\n"
        "  c: {type: Cylindrical, parent: ground, child: d, driven: {angle: {times: [0, 1], values: [0, 1]}}}\n"
    )
    model = gs.Model.load(tmp_path / "m.yaml")
    expected = gs.Table([0, 1, 2, 3], [0, 1, 0, 2], gs.Interpolation.CUBIC)  # type: ignore[arg-type]
    assert list(model.joints["rail"].driven.values()) == [expected]
    model.save(tmp_path / "again.yaml")
    assert gs.Model.load(tmp_path / "again.yaml") == model
    run = gs.simulate(model, 1)
    assert float(run["rail"][-1]) == pytest.approx(1)
    assert float(run["c.angle"][500]) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("driven", "parts", "message"),
    [
        (
            gs.Table([0, 1], [0, 1]),
            (),
            r"joint 'rail', driven: 'rail' is driven by a table whose rate jumps.*'quintic'",
        ),
        (
            "u",
            (gs.Input("u", law=gs.Table([0, 1], [0, 1])),),
            "input 'u', law: it drives a coordinate, and the rate of",
        ),
        ("u", (gs.Input("u", law="swing"),), "its law is one of time and parameters; it uses 'swing'. Use an actuator"),
        ("2*v", (gs.Input("u"),), r"2\*v refers to 'v', which is not known here. It may use parameters, t, inputs by"),
        ("swing", (), "swing refers to 'swing', which is not known here"),
    ],
)
def test_data_that_cannot_drive_are_faults(driven: object, parts: tuple[object, ...], message: str) -> None:
    with pytest.raises(gs.ModelError, match=message):
        _crane(driven, *parts).check()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, r"The table that drives 'rail' is given from t = 0 to 2; the simulation goes from 0 to 3"),
        ({"road": np.sin}, r"The input 'road' drives a coordinate and is a Python function, whose rates are not known"),
        ({"road": ([0, 3], [0, 1])}, "The input 'road' drives a coordinate, but with linear interpolation"),
        ({"road": "swing"}, "The input 'road' drives a coordinate, so that its formula is one of time and parameters"),
        ({"road.rate": 1}, "The input 'road.rate' follows from 'road'. Give that one alone"),
    ],
)
def test_data_that_cannot_drive_are_refused_in_a_run(given: dict[str, object], message: str) -> None:
    model = _crane((KNOTS, VALUES)) if not given else _crane("road", gs.Input("road"))
    with pytest.raises(gs.StateError, match=message):
        gs.simulate(model, 3, inputs=given)


def test_operating_points_have_drivers_at_their_time() -> None:
    model = _crane("road", gs.Input("road", law="t**2"))
    inputs = gs.operating_point(model, {}, t=1.5).inputs
    assert [inputs[name] for name in ("road", "road.rate", "road.acc")] == pytest.approx([2.25, 3, 2])
    held = gs.operating_point(model, {}, t=1.5, inputs={"road": 1}).inputs
    assert [held[name] for name in ("road", "road.rate", "road.acc")] == [1, 0, 0]
    assert gs.equilibrium(model, inputs={"road": 0.5}).inputs["road"] == 0.5


def test_engines_agree_on_a_driver_by_an_input() -> None:
    model = _crane("size*road", gs.Input("road"), gs.SpringDamper("s", "ground", "load", stiffness=3, length=0.2))
    assert gs.formulate(model).equations().verify(points=3).agrees


def test_a_driving_input_is_a_channel_of_linear_models_with_its_rates() -> None:
    outputs = ["swing", "load.acc.x", "rail.load"]
    first = gs.linearize(_crane("size*road", gs.Input("road")), {}, inputs=["road"], outputs=outputs)
    second = gs.linearize(_crane("0"), {}, inputs=["rail"], outputs=outputs)
    hertz = [0.1, 0.7, 3.0]
    found, expected = (lin.frequency_response(hertz).values.values for lin in (first, second))
    np.testing.assert_allclose(found, 2 * expected, rtol=1e-8, atol=1e-10)
    along = first.response_sensitivity("road", "load.acc.x", hertz, ["size"])
    np.testing.assert_allclose(along["response"], found[:, 1, 0], rtol=1e-8)
    np.testing.assert_allclose(along["sensitivity"][:, 0], found[:, 1, 0] / 2, rtol=1e-7)


def test_ride_comfort_is_optimised() -> None:
    """The damping of a seat on a shaken floor that lowers the largest acceleration, against a search by values."""

    def model() -> gs.Model:
        seat = gs.Model("seat", parameters={"c": 2.0, "k": 100.0, "m": 1.0})
        seat.add(gs.Body("floor", mass=1))
        seat.add(gs.Body("seat", mass="m"))
        seat.add(gs.Input("road", unit="m"))
        seat.add(gs.Prismatic("base", "ground", "floor", axis="z", driven="road"))
        seat.add(gs.Prismatic("travel", "floor", "seat", axis="z"))
        seat.add(gs.JointSpring("strut", "travel", "k", "c"))
        return seat

    peak = gs.ResponsePeak("road", "seat.acc.z", (0.2, 4.0))
    best = gs.optimize(model(), {"c": (1.0, 30.0)}, gs.Minimize(peak))
    hertz = np.linspace(0.2, 4, 400)
    s = 2j * np.pi * hertz

    def largest(c: float) -> float:
        return float(np.abs(s**2 * (c * s + 100) / (s**2 + c * s + 100)).max())

    tried = np.linspace(1, 30, 581)
    expected = tried[int(np.argmin([largest(c) for c in tried]))]
    assert best.parameters["c"] == pytest.approx(expected, abs=0.1)
