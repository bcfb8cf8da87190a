"""Speeds that move no mass, held by constraints: points and slender rods in absolute coordinates."""

from __future__ import annotations

import numpy as np
from choices import Instant

import gyrostat as gs


def _arm() -> gs.Model:
    """Return two slender rods and a point mass; rods have no inertia about their own axes, the point has none."""
    model = gs.Model("arm", gravity=(0, 0, -9.81))
    model.add(gs.Body("upper", gs.slender_rod(1, 1, along="x"), points={"end": (0.5, 0, 0)}))
    model.add(gs.Body("lower", gs.slender_rod(1, 1, along="x"), points={"end": (0.5, 0, 0)}))
    model.add(gs.Body("tip", gs.point_mass(0.3)))
    model.add(gs.Revolute("a1", "ground", ("upper", (-0.5, 0, 0)), axis="z"))
    model.add(gs.Revolute("a2", "upper.end", ("lower", (-0.5, 0, 0)), axis="y"))
    model.add(gs.Weld("w", "lower.end", "tip"))
    return model


def test_rods_and_points_move_in_absolute_coordinates_as_in_joint_coordinates() -> None:
    joint = Instant(gs.formulate(_arm()), np.array([0.3, -0.7]), np.array([1.1, 0.4]), 0.0, {})
    absolute = joint.seen_in(gs.formulate(_arm(), "absolute"))
    np.testing.assert_allclose(absolute.factored_udot, absolute.udot, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(absolute.accelerations, joint.accelerations, rtol=1e-10, atol=1e-10)
    for name, load in joint.reactions.items():
        np.testing.assert_allclose(absolute.reactions[name], load, rtol=1e-9, atol=1e-9)
