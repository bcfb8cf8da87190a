"""Rotations as turns about coordinate axes: they are the rotation, and there are as few as can be."""

from __future__ import annotations

import numpy as np
import pytest
from campaign import campaign
from scipy.spatial.transform import Rotation

from gyrostat.kinematics.turns import hinge_turns
from gyrostat.spatial import IDENTITY, Matrix, PlaneTurn, product


def _matrix(R: np.ndarray) -> Matrix:
    (a, b, c), (d, e, f), (g, h, i) = R.tolist()
    return ((a, b, c), (d, e, f), (g, h, i))


def _together(turns: tuple[PlaneTurn, ...]) -> np.ndarray:
    found: Matrix = IDENTITY
    for turn in turns:
        found = product(found, turn.matrix)
    return np.array(found, dtype=float)


@pytest.mark.parametrize("axis", [0, 1, 2])
@campaign(20)
def test_turns_are_the_rotation(seed: int, axis: int) -> None:
    R = Rotation.random(random_state=seed).as_matrix()
    hinge = PlaneTurn(axis, np.cos(0.3), np.sin(0.3))
    turns = hinge_turns(_matrix(R), hinge)
    assert turns is not None
    assert len(turns) == 3
    assert turns[-1].axis == axis
    np.testing.assert_allclose(_together(turns), R @ np.array(hinge.matrix, dtype=float), atol=1e-14)


@pytest.mark.parametrize("about", "xyz")
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("angle", [0.4, -2.0, np.pi / 2, np.pi])
def test_one_constant_turn_stays_one(about: str, axis: int, angle: float) -> None:
    R = Rotation.from_euler(about, angle).as_matrix()
    hinge = PlaneTurn(axis, np.cos(0.3), np.sin(0.3))
    turns = hinge_turns(_matrix(R), hinge)
    assert turns is not None
    assert len(turns) == (1 if "xyz"[axis] == about else 2)
    np.testing.assert_allclose(_together(turns), R @ np.array(hinge.matrix, dtype=float), atol=1e-14)


def test_nothing_between_leaves_the_hinge_alone() -> None:
    hinge = PlaneTurn(1, 0.8, 0.6)
    assert hinge_turns(IDENTITY, hinge) == (hinge,)


def test_quarter_turns_are_whole() -> None:
    R = Rotation.from_euler("zyx", [np.pi / 2, np.pi, -np.pi / 2]).as_matrix()
    turns = hinge_turns(_matrix(R), PlaneTurn(2, 0.8, 0.6))
    assert turns is not None
    assert all(type(x) is int for turn in turns[:-1] for x in (turn.cosine, turn.sine))


def test_unknown_rotations_are_not_taken_apart() -> None:
    assert hinge_turns(((object(), 0, 0), (0, 1, 0), (0, 0, 1)), PlaneTurn(2, 0.8, 0.6)) is None
    assert hinge_turns(IDENTITY, None) is None
