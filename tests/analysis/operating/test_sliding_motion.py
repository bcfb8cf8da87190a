"""Steady sliding of a mass with a spring on a belt: unstable where friction falls with the speed."""

from __future__ import annotations

import numpy as np
import pytest
from contact_models import GRAVITY

import gyrostat as gs
from gyrostat.model.friction import FrictionLaw

MU, MU_STATIC, FALL, SMOOTHING, STIFFNESS, BELT = 0.2, 0.4, 0.2, 1e-3, 100.0, 0.3
SIGMA, DAMPING = 1e4, 100.0


def mass_on_a_belt(friction: FrictionLaw) -> gs.System:
    model = gs.Model("belt", gravity=(0, 0, -GRAVITY))
    model.add(gs.Body("belt", mass=1, inertia=(1, 1, 1), surfaces={"top": gs.shapes.Plane()}))
    model.add(gs.Prismatic("way", "ground", "belt", axis="x", driven=f"{BELT}*t"))
    model.add(gs.Body("guide", mass=0))
    model.add(gs.Body("mass", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "guide", axis="x"))
    model.add(gs.Prismatic("z", "guide", "mass", axis="z", initial=0.01))
    model.add(gs.JointSpring("spring", "x", stiffness=STIFFNESS))
    law = gs.HuntCrossley(1e6, 1, chi=0.5)
    model.add(gs.Contact("c", "mass", "belt.top", law, friction, shape_a=gs.shapes.Sphere(0.01)))
    return gs.formulate(model)


def eigenvalues(system: gs.System, point: gs.OperatingPoint) -> np.ndarray:
    return np.linalg.eigvals(gs.linearize(system, point).A)


def test_regularised_friction_has_the_damping_of_its_slope() -> None:
    system = mass_on_a_belt(gs.Stribeck(MU, MU_STATIC, FALL, SMOOTHING))
    point = gs.steady_motion(system)
    fall, size = (MU_STATIC - MU) * np.exp(-((BELT / FALL) ** 2)), np.hypot(BELT, SMOOTHING)
    mu = (MU + fall) * BELT / size
    slope = -2 * BELT / FALL**2 * fall * BELT / size + (MU + fall) * SMOOTHING**2 / size**3
    assert point["x"] == pytest.approx(mu * GRAVITY / STIFFNESS, rel=1e-9)
    assert point.stability.verdict is gs.Verdict.UNSTABLE
    found = eigenvalues(system, point)
    for expected in np.roots([1, slope * GRAVITY, STIFFNESS]):
        assert expected.real > 1.5
        assert abs(found - expected).min() < 1e-9 * abs(expected)


@pytest.mark.parametrize("law", [gs.Bristle, gs.LuGre])
def test_bristles_slide_steadily_at_the_limit(law: type[gs.Bristle] | type[gs.LuGre]) -> None:
    system = mass_on_a_belt(law(MU, MU_STATIC, SIGMA, DAMPING, FALL))
    point = gs.steady_motion(system)
    fall = (MU_STATIC - MU) * np.exp(-((BELT / FALL) ** 2))
    mu, slope = MU + fall, -2 * BELT / FALL**2 * fall
    assert point["x"] == pytest.approx(mu * GRAVITY / STIFFNESS, rel=1e-9)
    assert point.states["c.bristle.x"] == pytest.approx(-mu / SIGMA, rel=1e-9)
    rate = np.array([0, -BELT * slope / mu, -BELT * SIGMA / mu])  # of the deflection, by x, its rate and the deflection
    force = GRAVITY * (SIGMA * np.array([0, 0, 1]) + DAMPING * rate)
    expected = np.linalg.eigvals(np.array([[0, 1, 0], force - np.array([STIFFNESS, 0, 0]), rate]))
    found = eigenvalues(system, point)
    assert expected.real.max() > 1.5
    for one in expected:
        assert abs(found - one).min() < 1e-8 * abs(one)
