"""McPherson strut and twist-beam axle: frequencies by linearization, differences and Fourier, as Trom's table 4.2."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gyrostat as gs

EXAMPLES = Path(__file__).parent.parent / "examples"
STEP = 1e-5


@cache
def equilibrium(name: str) -> gs.OperatingPoint:
    return gs.equilibrium(gs.formulate(gs.Model.load(EXAMPLES / f"{name}.yaml")))


@cache
def frequencies(name: str) -> np.ndarray:
    """Angular frequencies of the linear model (rad/s), in rising order."""
    point = equilibrium(name)
    return np.sort([abs(mode.eigenvalue) for mode in gs.linearize(point.system, point).modes()])


def accelerations(name: str, moved: dict[str, float]) -> np.ndarray:
    """Return the accelerations of coordinates in the assembled position with some of them given."""
    point = equilibrium(name)
    guess = {name: value for name, value in point.coordinates.items() if name not in moved}
    found = gs.assemble(point.system, moved, guess=guess)
    speeds = dict(zip(point.system.speed_names, point.system.forward_dynamics(found.q, 0 * point.u), strict=True))
    return np.array([speeds[f"{joint}.rate"] for joint in moved])


def test_the_strut_has_the_frequency_of_differences() -> None:
    at = equilibrium("mcpherson_strut").state["swing"]
    ahead, behind = (accelerations("mcpherson_strut", {"swing": at + h})[0] for h in (STEP, -STEP))
    assert np.sqrt(-(ahead - behind) / (2 * STEP)) == pytest.approx(frequencies("mcpherson_strut")[0], rel=1e-6)


@pytest.mark.parametrize(
    ("name", "initial", "output"),
    [
        ("mcpherson_strut", {"swing.rate": 0.02}, "carrier.patch"),
        ("twist_beam_axle", {"pivot.w2": 0.02}, "left_arm.patch"),
        ("twist_beam_axle", {"twist.rate": 0.04}, "left_arm.patch"),
    ],
)
def test_a_simulated_motion_oscillates_with_the_frequencies(name: str, initial: dict[str, float], output: str) -> None:
    """The phase of a small oscillation advances by ω t: a fit of sinusoids with these frequencies leaves nothing."""
    point = equilibrium(name)
    times = np.linspace(0, 1.5, 400)
    tight = gs.DOP853(rtol=1e-10, atol=1e-12)
    run = gs.simulate(point.system, times=times, initial={**point.coordinates, **initial}, integrator=tight)
    height = run[output].values[:, 2]
    waves = [wave(omega * times) for omega in frequencies(name) for wave in (np.sin, np.cos)]
    basis = np.stack([np.ones_like(times), *waves], axis=1)
    fit, *_ = np.linalg.lstsq(basis, height, rcond=None)
    assert np.abs(height - basis @ fit).max() < 2e-3 * np.abs(height - height.mean()).max()


def test_the_axle_bounces_as_one_rigid_body() -> None:
    """Bounce turns the whole axle about the line of the pivots: one freedom, with its energies written by hand."""
    p = gs.Model.load(EXAMPLES / "twist_beam_axle.yaml").values()

    def potential(angle: float) -> float:
        """Return the energy of one side; a positive angle raises the wheel."""
        rise = np.sin(angle)
        seat = np.array([-p["s"] * np.cos(angle), p["s"] * rise])
        length = np.hypot(*(np.array([-p["s"], p["tall"]]) - seat))
        patch = p["l"] * rise - p["radius"] * np.cos(angle) + p["radius"]  # height above the road
        spring = p["k_s"] * (length - p["tall"] - p["F_s"] / p["k_s"]) ** 2 / 2
        return spring + p["k_t"] * patch**2 / 2 - p["load"] * patch + p["m"] * p["g"] * p["x_m"] * rise

    h = 1e-4
    slope = (potential(h) - potential(-h)) / (2 * h)
    stiffness = (potential(h) - 2 * potential(0) + potential(-h)) / h**2
    assert abs(slope) < 1e-3 * stiffness  # it is at rest in its design position
    inertia = 1.3 + p["m"] * p["x_m"] ** 2
    assert frequencies("twist_beam_axle")[0] == pytest.approx(np.sqrt(stiffness / inertia), rel=1e-5)
