"""Continuation: folds and changes of stability against closed forms, over parameters, inputs and speeds."""

from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from cases import case, value
from operating_models import bead_on_hoop, hanging_four_bar, top, truss
from scipy.optimize import minimize_scalar
from simulations import double_pendulum

import gyrostat as gs

HOOP, TOP = case("bead_on_rotating_hoop"), case("lagrange_top")


def load(y):
    """Return the load that holds the truss at a height."""
    return -200 * (1 - np.hypot(1, 0.5) / np.hypot(1, y)) * y


@pytest.fixture(scope="module")
def snap():
    return gs.continuation(truss(), over="F", to=8.0, points=16, within=(-8.0, 8.0))


def test_a_truss_snaps_through(snap):
    most = -minimize_scalar(lambda y: -load(y), bounds=(0, 0.5), method="bounded", options={"xatol": 1e-10}).fun
    assert [turn.value for turn in snap.folds] == pytest.approx([most, -most], rel=1e-9)
    assert [turn.value for turn in snap.stability_changes] == pytest.approx([most, -most], rel=1e-6)
    assert snap.values[[0, -1]].tolist() == [0.0, 8.0]
    heights = snap.dataset("y")["y"].values
    np.testing.assert_allclose(load(heights), snap.values, atol=1e-9)
    assert (np.diff(heights) < 0).all()


def test_text_and_dataset(snap):
    lines = str(snap).splitlines()
    assert lines[0].startswith("Branch of equilibria of 'truss' over F: 0 … 8, ")
    assert lines[1] == "  fold at F = 4.29143"
    assert [line.rpartition(": ")[2] for line in lines[-3:]] == ["stable", "unstable", "stable"]
    data = snap.dataset()
    assert set(data.data_vars) == {"y", "y.rate", "stability", "growth"}
    assert data["F"].dims == ("point",)
    np.testing.assert_array_equal(data["stability"] == "unstable", data["growth"] > 1e-9)
    assert snap.dataset("mass")["mass"].dims == ("point", "axis")


def test_plot(snap, tmp_path):
    (panel,) = snap.plot(path=tmp_path / "snap.svg")
    assert (tmp_path / "snap.svg").stat().st_size > 1000
    assert [line.get_label() for line in panel.get_lines()] == ["stable", "not stable", "fold", "stability changes"]
    assert panel.get_xlabel() == "F"
    stable = panel.get_lines()[0].get_ydata()
    assert np.nanmax(stable) == pytest.approx(0.5, abs=1e-9)
    assert np.isnan(stable).any()
    with pytest.raises(gs.PictureError, match=r"'mass' is a vector. Plot its components, such as 'mass\.x'"):
        snap.plot("mass")


def test_within_the_range_it_turns_back():
    branch = gs.continuation(truss(), over="F", to=8.0, points=12)
    assert branch.values[-1] == 0.0
    assert len(branch.folds) == 1
    assert branch[-1]["y"] == pytest.approx(0.0, abs=1e-9)


def test_a_bead_leaves_the_bottom():
    given = HOOP["parameters"]
    system = gs.formulate(bead_on_hoop(given["R"], given["g"], given["m"], 3.0))
    bottom = gs.continuation(system, over="rate", to=6.0, points=5)
    critical = value(HOOP, "critical_speed")
    assert [turn.value for turn in bottom.turns] == pytest.approx([critical], rel=1e-9)
    assert bottom.turns[0].kind is gs.TurnKind.STABILITY
    up = gs.continuation(system, over="rate", to=4.5, parameters={"rate": 6.0}, guess={"angle": 1.0}, points=3)
    assert up.values[-1] == 4.5
    np.testing.assert_allclose(np.cos(up.dataset("angle")["angle"]), (critical / up.values) ** 2, atol=1e-9)
    assert not up.turns


def test_a_top_wakes_up():
    branch = gs.continuation(top(TOP["parameters"], None), over="tip.w3", to=60.0, speeds={"tip.w3": 40.0}, points=5)
    assert [turn.value for turn in branch.turns] == pytest.approx([value(TOP, "sleeping_top_min_spin")], rel=1e-9)
    assert branch.dataset()["over tip.w3"].values[-1] == 60.0


def test_a_bicycle_runs_by_itself_between_two_speeds():
    """It is the one of Meijaard, Papadopoulos, Ruina and Schwab: upright and straight on at every speed."""
    system = gs.formulate(gs.Model.load(Path(__file__).parents[3] / "examples" / "whipple_bicycle.yaml"))
    branch = gs.continuation(system, over="free.v1", to=7.0, speeds={"free.v1": 4.0}, points=3)
    known = case("whipple_bicycle")
    expected = [value(known, "weave_speed"), value(known, "capsize_speed")]
    assert [turn.value for turn in branch.turns] == pytest.approx(expected, rel=1e-8)
    verdicts = [point.stability.verdict.value for point in branch.points]
    assert [verdict for verdict, _ in groupby(verdicts)] == ["unstable", "stable", "unstable"]
    assert max(abs(branch[-1][name]) for name in ("steer", "free.e1", "free.e2", "free.e3")) < 1e-9


def test_over_an_input():
    branch = gs.continuation(double_pendulum(), over="motor", to=15.0, points=6)
    weight = (1.2 * 0.5 + 0.7) * 9.81
    assert [turn.value for turn in branch.folds] == pytest.approx([weight], rel=1e-9)
    np.testing.assert_allclose(np.sin(branch.dataset("a1")["a1"]) * weight, branch.values, atol=1e-8)


def test_loops_over_a_length():
    """A hanging four-bar whose pivots part: the rods' angle follows in closed form."""
    model = hanging_four_bar(1.0)
    other = gs.Model("widening", gravity=model.gravity, parameters={"base": 1.5})
    for component in model.components.values():
        if component.name != "ground" and component.name != "h4":
            other.add(component)
    other.add(gs.Revolute("h4", ("ground", ("base", 0, 0)), "right.a"))
    branch = gs.continuation(other, over="base", to=2.5, guess={"h1": -1.3, "h2": 1.3}, points=4)
    np.testing.assert_allclose(np.cos(branch.dataset("h1")["h1"]), (branch.values - 1) / 2, atol=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"over": "G", "to": 1.0}, "no parameter, input or chosen speed 'G'"),
        ({"over": "F", "to": 0.0}, "'F' is 0 already"),
        ({"over": "F", "to": 1.0, "within": (0.5, 2.0)}, "does not hold 0 and 1"),
        ({"over": "F", "to": 30.0, "parameters": {"F": 1e9}}, "No point with F = 1e\\+09 was found to begin with"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(gs.StateError, match=message):
        gs.continuation(truss(), **options)


def test_what_has_no_influence_changes_nothing():
    model = truss()
    other = gs.Model("truss", parameters={"F": 0, "idle": 1.0})
    for component in model.components.values():
        if component.name != "ground":
            other.add(component)
    branch = gs.continuation(other, over="idle", to=2.0, points=2)
    np.testing.assert_allclose(branch.dataset("y")["y"], 0.5, atol=1e-9)
