"""Limits of stability over a parameter, against closed forms: eigenvalues that cross the axis, or meet on it."""

from math import sqrt

import numpy as np
import pytest
from cases import case
from linear_models import sleeping_top, upright_disc

import gyrostat as gs

ROUNDING = 1e-11


def stick() -> gs.Model:
    """Return an inverted uniform stick of 1 m and 1 kg on a torsion spring: λ² = (m g l/2 − k)/(m l²/3)."""
    model = gs.Model("stick", gravity=(0, -9.81, 0), parameters={"k": 5.0, "c": 0.0})
    model.add(gs.Body("stick", gs.rod(1.0, 1.0, along="y"), points={"foot": (0, -0.5, 0)}))
    model.add(gs.Revolute("a", "ground", "stick.foot"))
    model.add(gs.TorsionSpring("spring", "a", stiffness="k", damping="c"))
    return model


@pytest.mark.parametrize("angles", [True, False], ids=["angles", "Euler parameters"])
@pytest.mark.parametrize("I1", [0.3, 0.4])
def test_the_least_spin_of_a_sleeping_top(angles: bool, I1: float) -> None:
    """Two pairs meet on the axis at ω² = 4 m g l I1/I3²: 48.52 rad/s, and 56.03 rad/s with I1 = 0.4 kg·m²."""
    locus = gs.root_locus(sleeping_top(angles), {"spin": np.linspace(30, 80, 11)}, parameters={"I1": I1})
    (limit,) = locus.limits()
    assert limit == pytest.approx(sqrt(4 * 9.81 * 0.5 * I1) / 0.05, rel=ROUNDING)
    if I1 == 0.3:
        known = {quantity["name"]: quantity for quantity in case("lagrange_top")["quantities"]}
        assert limit == pytest.approx(known["sleeping_top_min_spin"]["value"], rel=ROUNDING)


def test_the_critical_speed_of_a_rolling_disc() -> None:
    """A pair meets at zero, beside zeros that belong to the position on the plane."""
    locus = gs.root_locus(upright_disc(), {"v": np.linspace(0.5, 1.5, 8)})
    (limit,) = locus.limits()
    assert limit == pytest.approx(sqrt(9.81 * 0.3 / 3), rel=ROUNDING)


@pytest.mark.parametrize(
    "values",
    [np.linspace(1, 9, 6), np.linspace(9, 1, 6), np.array([4.0, 4.905, 6.0]), np.array([4.904999, 7.0])],
    ids=["upward", "downward", "limit among the values", "limit near a value"],
)
def test_the_least_stiffness_under_an_inverted_stick(values: np.ndarray) -> None:
    locus = gs.root_locus(stick(), {"k": values})
    limits = locus.limits()
    assert list(limits) == pytest.approx([4.905], rel=ROUNDING)
    (name,) = limits.values()
    assert locus[name].values.real.max() > 0


def test_a_damped_stick_has_the_same_limit() -> None:
    locus = gs.root_locus(stick(), {"k": np.linspace(1, 9, 6)}, parameters={"c": 0.3})
    assert list(locus.limits()) == pytest.approx([4.905], rel=ROUNDING)


@pytest.mark.parametrize(
    "values", [np.linspace(-1, 1, 5), np.linspace(-1, 0, 3), np.linspace(-1, 1, 4)], ids=["inside", "end", "between"]
)
def test_damping_that_changes_its_sign_is_a_limit(values: np.ndarray) -> None:
    """At c = 0 the pair lies on the axis, alone; zero may be among the values, or the last of them."""
    locus = gs.root_locus(stick(), {"c": values}, parameters={"k": 20.0})
    assert list(locus.limits()) == pytest.approx([0.0], abs=1e-10)


def test_flutter_under_a_follower_force() -> None:
    """Ziegler's column without damping, masses 2 m and m, equal springs: flutter from P l/k = 7/2 − √2."""
    model = gs.Model("Ziegler's column", parameters={"P": 1.0})
    for name, mass in (("lower", 2.0), ("upper", 1.0)):
        model.add(gs.Body(name, mass=mass, inertia=(0, 0, 0), com=(0, 1, 0), points={"tip": (0, 1, 0)}))
    model.add(gs.Revolute("a", "ground", "lower"))
    model.add(gs.Revolute("b", "lower.tip", "upper"))
    for joint in "ab":
        model.add(gs.TorsionSpring(f"spring_{joint}", joint, stiffness=1.0))
    model.add(gs.Force("follower", "upper.tip", ("P*sin(a + b)", "-P*cos(a + b)", 0)))
    locus = gs.root_locus(model, {"P": np.linspace(0.5, 4.0, 15)})
    assert next(iter(locus.limits())) == pytest.approx(3.5 - sqrt(2), rel=ROUNDING)


def test_two_limits_between_neighbouring_values() -> None:
    model = gs.Model("two sticks", gravity=(0, -9.81, 0), parameters={"k": 5.0})
    for name, length in (("short", 1.0), ("long", 1.1)):
        model.add(gs.Body(name, gs.rod(1.0, length, along="y"), points={"foot": (0, -length / 2, 0)}))
        model.add(gs.Revolute(f"a_{name}", "ground", f"{name}.foot"))
        model.add(gs.TorsionSpring(f"spring_{name}", f"a_{name}", stiffness="k"))
    limits = gs.root_locus(model, {"k": [1.0, 4.0, 9.0]}).limits()
    assert list(limits) == pytest.approx([4.905, 4.905 * 1.1], rel=ROUNDING)
    assert len(set(limits.values())) == 2
