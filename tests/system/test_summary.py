"""Summaries and comparisons of coordinates."""

from __future__ import annotations

import pytest
from slider_cranks import slider_crank

import gyrostat as gs

TREES = gs.Trees(["h8", "h9", "h10"], ["h8", "h10", "s11"])


def test_a_summary_counts_every_choice() -> None:
    found = gs.formulate(slider_crank(), TREES).summary()
    counts = {one.choice: (one.coordinates, one.speeds, one.constraints, one.equations) for one in found}
    assert counts["joint"] == (3, 3, 2, 5)
    assert counts["absolute"] == (9, 9, 8, 17)
    assert counts["branch"] == (2, 2, 1, 3)
    assert counts["trees [h8, h9, h10], [h8, h10, s11]"] == (2, 2, 1, 3)
    assert found["joint"].equations == 5
    assert found.planar
    lines = str(found).splitlines()
    assert lines[0] == "'slider-crank', planar; mobility by counting: -2 in space, 1 if all motion is in one plane"
    assert [line.endswith("← this system") for line in lines] == [False] * 5 + [True]
    assert "<table" in found._repr_html_()


def test_driven_coordinates_are_not_counted() -> None:
    model = gs.Model("driven pendulum")
    model.add(gs.Body("bar", gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0)}))
    model.add(gs.Body("tip", gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0)}))
    model.add(gs.Revolute("a1", "ground", "bar.top", driven="sin(t)"))
    model.add(gs.Revolute("a2", ("bar", (0, -0.5, 0)), "tip.top"))
    found = gs.formulate(model).summary()
    assert (found["joint"].coordinates, found["joint"].constraints) == (1, 0)
    assert (found["absolute"].coordinates, found["absolute"].constraints) == (6, 5)
    assert (found["branch"].coordinates, found["branch"].constraints) == (1, 0)


def test_a_comparison_recommends_with_its_reason() -> None:
    found = gs.compare_coordinates(slider_crank(), ["joint", "absolute", "branch", TREES])
    assert found.recommended == "branch"
    assert found["branch"].operations < 0.6 * found["joint"].operations
    assert found["absolute"].multipliers == 8
    assert all(1.0 <= one.condition < 1e3 for one in found)
    assert found.reason.startswith(f"{found['branch'].operations} operations for the right-hand side against ")
    assert f"Use 'branch': {found.reason}." in str(found)
    assert "<table" in found._repr_html_()


def test_a_tree_is_best_in_joint_or_branch_coordinates() -> None:
    model = gs.Model("arm", gravity=(0, 0, -9.81))
    model.add(gs.Body("upper", gs.rod(1, 1, along="x"), points={"end": (0.5, 0, 0)}))
    model.add(gs.Body("lower", gs.rod(1, 1, along="x")))
    model.add(gs.Revolute("a1", "ground", ("upper", (-0.5, 0, 0)), axis="z"))
    model.add(gs.Revolute("a2", "upper.end", ("lower", (-0.5, 0, 0)), axis="y"))
    found = gs.compare_coordinates(model)
    assert found.recommended == "joint"
    assert found["absolute"].constraints == 10
    assert 1.0 <= found["absolute"].condition < 1e3  # 'upper.w1' moves no mass, but the hinges hold it


def test_unknown_coordinates_are_refused() -> None:
    with pytest.raises(
        gs.TopologyError, match=r"'polar' are not known. Use 'joint', 'absolute', 'branch', or gs\.Trees"
    ):
        gs.compare_coordinates(slider_crank(), ["polar"])


def test_of_choices_alike_the_one_with_fewer_equations_is_taken() -> None:
    from gyrostat.analysis.assembly.compare_coordinates import ComparedChoice, _recommended

    few, many, poor = (
        ComparedChoice("few", 2, 2, 1, 110, 10.0),
        ComparedChoice("many", 9, 9, 8, 100, 10.0),
        ComparedChoice("poor", 1, 1, 0, 50, 1e12),
    )
    best, reason = _recommended([many, few, poor])
    assert best == "few"
    assert "about as few as any, with only 3 equations" in reason
    assert reason.endswith("poor is badly conditioned here")
    with pytest.raises(gs.StateError, match="None of the choices can be used: no inertia"):
        _recommended([ComparedChoice("bad", 1, 1, 0, 0, float("inf"), "no inertia")])
