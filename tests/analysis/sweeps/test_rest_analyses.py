"""Equilibria and modes of many points together: those of single points, with the same failures."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from campaign import campaign

import gyrostat as gs
from gyrostat.analysis.operating.many_equilibria import ManyEquilibria, allows_many
from gyrostat.analysis.sweeps.analysis import PointAnalysis
from gyrostat.analysis.sweeps.rest_analyses import RestAnalysis
from gyrostat.analysis.variations.many_spectra import eigenvalues_at_rest, stable_at_rest


@cache
def _crane() -> gs.System:
    """Return a trolley on a spring with a double pendulum, whose second hinge has a spring and a damper."""
    values = {"m": 2.0, "M": 5.0, "l": 0.7, "k": 30.0, "c": 0.4, "kx": 400.0, "rest": 0.8}
    model = gs.Model("crane", gravity=(0, -9.81, 0), parameters=values)
    model.add(gs.Body("trolley", mass="M"))
    points = {"top": (0, "l/2", 0), "tip": (0, "-l/2", 0)}
    model.add(gs.Body("upper", gs.rod("m", "l", along="y"), points=points))
    model.add(gs.Body("lower", gs.rod("m", "l", along="y"), points=points))
    model.add(gs.Prismatic("x", "ground", "trolley", axis="x"))
    model.add(gs.Revolute("a", "trolley", "upper.top"))
    model.add(gs.Revolute("b", "upper.tip", "lower.top"))
    model.add(gs.TorsionSpring("track", "x", stiffness="kx"))
    model.add(gs.TorsionSpring("knee", "b", stiffness="k", damping="c", angle="rest"))
    model.add(gs.Actuator("push", "x"))
    return gs.formulate(model)


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the places of points that are analysed by themselves."""
    places: list[int] = []
    solve_one = PointAnalysis.solve_one

    def recorded(self: PointAnalysis, builder: Any, place: int, *others: Any) -> None:
        places.append(builder.points.start + place)
        solve_one(self, builder, place, *others)

    monkeypatch.setattr(PointAnalysis, "solve_one", recorded)
    return places


def _both(analysis: RestAnalysis, points: list[dict[str, float]], system: gs.System) -> tuple[Any, Any]:
    """Return the results of points together, and of each by itself."""
    together = gs.sweep(system, points, analysis, workers=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RestAnalysis, "solver", PointAnalysis.solver)
        return together, gs.sweep(system, points, analysis, workers=1)


def _require_equal(together: Any, alone: Any) -> None:
    assert [(one.number, one.reason) for one in together.failures] == [
        (one.number, one.reason) for one in alone.failures
    ]
    for name, values in alone.dataset.data_vars.items():
        if values.dtype.kind == "f":
            size = max(1.0, float(np.nanmax(np.abs(values.values))))
            np.testing.assert_allclose(together.dataset[name].values, values.values, rtol=0, atol=1e-12 * size)


def _points(seed: int, count: int) -> list[dict[str, float]]:
    draw = np.random.default_rng(seed).uniform
    return [
        {"m": draw(0.5, 4), "l": draw(0.3, 1.5), "k": draw(5, 80), "rest": draw(-1.5, 1.5), "push": draw(-90, 90)}
        for _ in range(count)
    ]


ANALYSES = {
    "modes": gs.ModalAnalysis(),
    "modes near a guess": gs.ModalAnalysis({"a": 0.2}),
    "upright modes": gs.ModalAnalysis({"a": 3.1}),
    "equilibria": gs.EquilibriumAnalysis(outputs=["x", "b", "lower.tip"]),
    "equilibria near a guess": gs.EquilibriumAnalysis({"a": 3.0, "b": 0.1}, inputs={"push": 3}),
}


@campaign(60)
@pytest.mark.parametrize("name", ANALYSES)
def test_points_together_are_those_of_single_points(name: str, seed: int, one_by_one: list[int]) -> None:
    together, alone = _both(ANALYSES[name], _points(seed, 5), _crane())
    _require_equal(together, alone)
    assert len(one_by_one) < 5 + 5  # five of the comparison, and not all of the sweep


def test_regular_points_are_analysed_together(one_by_one: list[int]) -> None:
    found = gs.sweep(_crane(), _points(0, 40), gs.ModalAnalysis(), workers=1)
    assert not found.failures
    assert not one_by_one


def test_impossible_points_fail_for_the_reasons_of_single_points(one_by_one: list[int]) -> None:
    points = _points(1, 4)
    points[1]["m"] = -1.0
    points[2]["l"] = 0.0
    together, alone = _both(gs.EquilibriumAnalysis(), points, _crane())
    _require_equal(together, alone)
    assert [one.number for one in together.failures] == [1, 2]
    assert one_by_one[:2] == [1, 2]


def test_points_beyond_the_method_are_analysed_by_themselves(one_by_one: list[int]) -> None:
    """A trolley without a spring has zero eigenvalues and no unique equilibrium; one without gravity neither."""
    points = [{"kx": 0.0}, {"kx": 400.0}]
    for analysis in (gs.ModalAnalysis(), gs.EquilibriumAnalysis()):
        one_by_one.clear()
        together, alone = _both(analysis, points, _crane())
        _require_equal(together, alone)
        assert one_by_one == [0, 0, 1]


def test_formulas_of_inputs_and_constraints_are_for_single_points() -> None:
    assert allows_many(_crane())
    model = gs.Model("time", parameters={"m": 1.0})
    model.add(gs.Body("body", gs.point_mass("m")))
    model.add(gs.Prismatic("x", "ground", "body", axis="x"))
    model.add(gs.TorsionSpring("spring", "x", stiffness=3.0, torque="sin(t)"))
    assert not allows_many(gs.formulate(model))
    model = gs.Model("ball", gravity=(0, 0, -9.81))
    model.add(gs.Body("body", mass=1, inertia=(1, 1, 1), points={"top": (0, 0, 1)}))
    model.add(gs.Spherical("j", "ground", "body.top"))
    assert not allows_many(gs.formulate(model))
    found = gs.sweep(_crane(), {"push": ["2*m", "3*m"]}, gs.EquilibriumAnalysis(), workers=1)
    assert found["equilibrium(x)"].values == pytest.approx([4.0 / 400.0, 6.0 / 400.0])


def test_parts_do_not_change_results() -> None:
    """A point's result does not depend on the points that are analysed with it."""
    system, points = _crane(), _points(3, 9)
    whole = gs.sweep(system, points, gs.ModalAnalysis(), workers=1)["real"].values
    single = [gs.sweep(system, [point], gs.ModalAnalysis(), workers=1)["real"].values[0] for point in points]
    np.testing.assert_array_equal(whole, single)


def test_equilibria_that_are_not_found_are_marked() -> None:
    system = _crane()
    rows = np.tile(system.row.of(0.0, system.initial_state(), system.parameter_values()), (3, 1))
    rows[1, system.row.parameters] = np.nan
    found = ManyEquilibria.near(system, rows, 1e-3)
    assert found.solved.tolist() == [True, False, True]


def test_zero_and_repeated_eigenvalues_are_left_out() -> None:
    stiffness = np.array([[[-4.0, 0.0], [0.0, -9.0]], [[-4.0, 0.0], [0.0, -1e-14]], [[-4.0, 0.0], [0.0, -4.0]]])
    found = eigenvalues_at_rest(stiffness, np.zeros((3, 2, 2)))
    assert sorted(found[0].imag) == pytest.approx([-3, -2, 2, 3])
    assert np.isnan(found[1:]).all()


def test_stability_is_decided_where_it_is_clear() -> None:
    mass, none = np.tile(np.eye(2), (5, 1, 1)), np.zeros((2, 2))
    stiff, falling, flat = np.diag([-4.0, -9.0]), np.diag([-4.0, 9.0]), np.diag([-4.0, 0.0])
    follower = np.array([[-4.0, 1.0], [-1.0, -9.0]])
    by_position = np.array([stiff, falling, flat, follower, stiff])
    by_speed = np.array([none, none, none, none, np.eye(2)])
    np.testing.assert_array_equal(stable_at_rest(mass, by_position, by_speed), [1, 0, np.nan, np.nan, np.nan])
