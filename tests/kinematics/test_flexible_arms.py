"""Arms of beams: modes and their rates are derivatives of the pose; steps end where the integrals of strains do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from beam_models import TWISTED, UNIT
from numpy.polynomial import Legendre
from scipy.integrate import solve_ivp

import gyrostat as gs
from gyrostat.model.flexible.displacement import SectionField
from gyrostat.model.flexible.station_arm import StationArm
from gyrostat.model.flexible.strain_energy import strains
from gyrostat.model.kinds import End

VALUE = gs.Model("numbers").evaluator()
ALL = {"v": 2, "w": 2, "phi": 2, "u": 1}


def _arm(at: float = 0.7, **changed: Any) -> StationArm:
    beam = gs.Beam("beam", **(UNIT | TWISTED | {"terms": ALL, "rotary_inertia": True} | changed))
    return StationArm("arm", End("beam"), End("place"), beam=beam.properties, at=at)


def _pose(arm: StationArm, q: Any) -> tuple[Any, Any]:
    pose = arm.pose(list(q), VALUE)
    return np.array(pose.R_PC, dtype=float), np.array(pose.r_PC_P, dtype=float)


def _velocity(arm: StationArm, q: Any, u: Any) -> Any:
    """Return angular velocity and velocity in the axes of the place, from the modes."""
    modes = arm.motion_space(list(q), VALUE)
    return sum(rate * np.array((*m.angular, *m.linear), dtype=float) for rate, m in zip(u, modes, strict=True))


@pytest.mark.parametrize("order", [1, 2, "exact"])
def test_modes_and_rates_are_derivatives_of_the_pose(order: Any) -> None:
    arm = _arm(order=order, curvature=(0.3, -0.2, 0.4) if order == "exact" else (0, 0, 0))
    rng = np.random.default_rng(3)
    q, u = 0.3 * rng.normal(size=7), rng.normal(size=7)
    h = 1e-5
    (R1, r1), (R2, r2), (R, _) = _pose(arm, q - h * u), _pose(arm, q + h * u), _pose(arm, q)
    spin = R.T @ (R2 - R1) / (2 * h)
    expected = np.array([spin[2, 1], spin[0, 2], spin[1, 0], *(R.T @ (r2 - r1) / (2 * h))])
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(_velocity(arm, q, u), expected, atol=1e-8)
    rate = arm.motion_rate(list(q), list(u), VALUE)
    expected = (_velocity(arm, q + h * u, u) - _velocity(arm, q - h * u, u)) / (2 * h)
    np.testing.assert_allclose(np.array((*rate.angular, *rate.linear), dtype=float), expected, atol=1e-8)


def test_second_order_agrees_with_strains_to_second_order() -> None:
    """A beam bent by constant curvatures: both fields describe the same small deflection up to third order."""
    errors = []
    for size in (0.1, 0.05):
        exact = _arm(at=1.0, order="exact", terms={"v": 1, "w": 1})
        second = _arm(at=1.0, terms={"v": 1, "w": 1})
        q = np.array([size, 0.7 * size])
        poses = _pose(exact, q), _pose(second, q / 2)  # v = κ x²/2
        errors.append(max(float(np.abs(a - b).max()) for a, b in zip(*poses, strict=True)))
    assert errors[0] < 1e-3
    assert errors[0] / errors[1] > 7.5


@pytest.mark.parametrize("at", [0.05, 0.7, 1.0])
def test_stations_of_order_exact_are_integrals_of_the_strains(at: float) -> None:
    q = np.array([0.9, -0.5, 0.6, 0.3, 0.4, -0.2, 0.1])
    natural = np.array([0.2, 0.1, -0.3])
    P = [Legendre.basis(i, domain=[0, 1]) for i in range(2)]

    def rates(x: float, y: Any) -> Any:
        R = y[3:].reshape(3, 3)
        v, w, phi = (q[2 * k] * P[0](x) + q[2 * k + 1] * P[1](x) for k in range(3))
        k = natural + np.array([phi, -w, v])
        skew = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
        return np.concatenate([R[:, 0] * (1 + q[6]), (R @ skew).ravel()])

    start = np.concatenate([np.zeros(3), np.eye(3).ravel()])
    end = solve_ivp(rates, (0, at), start, rtol=1e-12, atol=1e-13).y[:, -1]
    R, r = _pose(_arm(at=at, order="exact", curvature=tuple(natural)), q)
    np.testing.assert_allclose(r, end[:3], atol=2e-8)
    np.testing.assert_allclose(R.ravel(), end[3:], atol=2e-8)


def test_curvatures_are_those_of_the_sections_rotations_to_second_order() -> None:
    """κ = axial vector of Rᵀ dR/dx, with R of the stations; the difference is of third order."""
    beam = _arm().beam
    rng = np.random.default_rng(4)
    direction = rng.normal(size=7)
    direction[6] = 0.0  # stretch enters curvatures, which the strain energy leaves out
    errors = []
    for size in (0.04, 0.02):
        q, h = list(size * direction), 1e-5
        (R1, _), (R2, _), (R, _) = (_pose(_arm(at=0.6 + step), q) for step in (-h, h, 0.0))
        spin = R.T @ (R2 - R1) / (2 * h)
        found = [strain.at(q) for strain in strains(SectionField(beam, 0.6, VALUE))[1:]]
        errors.append(float(np.abs(np.array([spin[2, 1], spin[0, 2], spin[1, 0]]) - found).max()))
    assert errors[0] / errors[1] > 6
