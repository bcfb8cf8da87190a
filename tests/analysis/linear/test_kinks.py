"""Linear models at points where laws switch: a warning says that no linear model holds on both sides."""

from __future__ import annotations

import warnings

import pytest

import gyrostat as gs


def oscillator(torque: str, rate: str = "-current") -> gs.System:
    model = gs.Model("oscillator", parameters={"k": 4.0})
    model.add(gs.Body("mass", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    model.add(gs.State("current", rate))
    model.add(gs.TorsionSpring("spring", "x", torque=torque))
    return gs.formulate(model)


@pytest.mark.parametrize(
    "torque",
    [
        "-where(angle > 0, 10, 1)*angle",
        "-k*angle - max(angle, 0)",
        "-k*angle - 0.5*sign(rate)",
        "-k*angle - 0.1*abs(rate)",
        "-k*angle - abs(current)",
        "-k*min(abs(angle), 1e-9)*1e9*sign(angle)",
    ],
)
def test_a_kink_at_the_operating_point_is_named(torque: str) -> None:
    with pytest.warns(gs.GyrostatWarning, match=r"law of 'oscillator' switches .* 'x.rate' changes differently"):
        gs.linearize(oscillator(torque), {})


def test_a_kink_in_the_rate_of_a_state_is_named() -> None:
    with pytest.warns(gs.GyrostatWarning, match=r"'current.rate' changes differently"):
        gs.linearize(oscillator("-k*angle", "-current + 0.1*abs(x.rate)"), {})


@pytest.mark.parametrize(
    "torque",
    [
        "-k*abs(angle)*angle - angle",
        "-k*angle - 0.2*abs(rate)*rate",
        "-where(angle > 1, 10, 1)*angle",
        "-k*angle*where(k > 3, 1, 2)",
        "-max(angle, 0)**2 - angle",
    ],
)
def test_smooth_switches_and_others_elsewhere_are_not(torque: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gs.linearize(oscillator(torque), {})
