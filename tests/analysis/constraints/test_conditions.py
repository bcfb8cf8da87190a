"""Conditions of the state in constraints, which are not watched: the warning, and what the motion is."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.program.warning import GyrostatWarning


def _bead(equation: str) -> gs.Model:
    """Return a bead that slides at 2 m/s on a track towards x = 0, where it arrives after 0.5 s."""
    model = gs.Model("bead", gravity=(0, -9.81, 0))
    model.add(gs.Body("bead", mass=1, inertia=(1e-3, 1e-3, 1e-3)))
    model.add(gs.Planar("p", "ground", "bead", initial={"x": -1, "x.rate": 2}))
    model.add(gs.PointOnCurve("track", "bead", "ground", [equation]))
    return model


METHODS = pytest.mark.parametrize(
    "integrator",
    [gs.DOP853(rtol=1e-9, atol=1e-9), gs.Rodas5P(rtol=1e-9, atol=1e-9)],
    ids=lambda one: type(one).__name__,
)


@METHODS
def test_a_bend_is_passed_within_the_tolerance_and_named(integrator: gs.Integrator) -> None:
    with pytest.warns(GyrostatWarning, match=r"Conditions of the state in constraint 'track' are not watched: no step"):
        run = gs.simulate(_bead("y - where(x > 0, 0.3*x**2, 0)"), 1, step=0.1, integrator=integrator)
    assert np.abs(run.energy().balance).max() < 1e-8


@METHODS
def test_a_corner_is_a_plastic_impact(integrator: gs.Integrator) -> None:
    """Of 2 m/s on the flat, 2 cos²α is left along x on a slope of 1/2; then gravity slows it by g tan α cos²α.

    The watch on the energy names the loss, m v² sin²α/2.
    """
    with (
        pytest.warns(GyrostatWarning, match=r"At a corner of the constraint the speeds jump as in a plastic impact"),
        pytest.warns(
            GyrostatWarning, match=r"The energy differs from the work that loads, drivers and sources do by 0\.4 J"
        ),
    ):
        run = gs.simulate(_bead("y - max(x, 0)/2"), 0.7, step=0.1, integrator=integrator)
    assert run["p.x.rate"].values[-1] == pytest.approx(2 / 1.25 - 9.81 * 0.5 / 1.25 * 0.2, abs=1e-6)


def test_conditions_of_parameters_and_smooth_formulas_are_not_named() -> None:
    model = _bead("y - max(k, 1)*0.1*hypot(x, 1)*0")
    model.set_parameter("k", 2.0)
    assert gs.simulate(model, 0.1).status.notes == ()


def test_equations_are_named_too() -> None:
    model = _bead("y")
    model.add(gs.Body("rider", gs.point_mass(1.0)))
    model.add(gs.Prismatic("h", "ground", "rider", axis="y", initial={"displacement": 1.0, "displacement.rate": -2.0}))
    model.add(gs.Equation("follows", "h - abs(p.x)"))
    with pytest.warns(GyrostatWarning, match=r"Conditions of the state in constraint 'follows' are not watched"):
        gs.simulate(model, 0.2)


@pytest.mark.parametrize(
    "analyse",
    [
        lambda system: gs.equilibrium(system, guess={"p.x": 0.1}),
        lambda system: gs.linearize(system, {"p.x": 0.0}, frozen=True),
        lambda system: gs.operating_point(system, {"p.x": 0.0}),
    ],
    ids=["equilibrium", "linearize", "operating point"],
)
def test_other_analyses_warn_once(analyse: Callable[[gs.System], object]) -> None:
    system = gs.formulate(_bead("y - where(x > 0, 0.6, 0.3)*x**2"))
    with pytest.warns(GyrostatWarning, match=r"Conditions of the state in constraint 'track' are evaluated as written"):
        analyse(system)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        analyse(system)


def test_kinematics_warns() -> None:
    model = gs.Model("cam")
    model.add(gs.Body("bead", mass=1, inertia=(1e-3, 1e-3, 1e-3)))
    model.add(gs.Planar("p", "ground", "bead", driven={"x": "t", "angle": 0}))
    model.add(gs.PointOnCurve("track", "bead", "ground", ["y - max(x - 0.5, 0)**2"]))
    with pytest.warns(GyrostatWarning, match="constraint 'track' are evaluated as written"):
        run = gs.kinematics(model, 1, step=0.25)
    assert run["p.y"].values[-1] == pytest.approx(0.25)
