"""Closure of loops by every registered joint: residuals, and coordinates measured from a pose."""

import numpy as np
import pytest
from joint_cases import CASES, DUAL, EVERY, SEEDS, VALUE, Dual, columns, parts, state

from gyrostat.errors import TopologyError
from gyrostat.model.joints import Joint, Mode, Pose


def moving(pose, twist):
    """Return a pose as dual numbers that moves with a twist in the axes of C, angular part first."""
    R, r = np.array(pose.R_PC, float), np.array(pose.r_PC_P, float)
    x, y, z = twist[:3]
    R_rate = R @ np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    r_rate = R @ twist[3:]
    rows = [[Dual(a, b) for a, b in zip(*pair, strict=True)] for pair in zip(R, R_rate, strict=True)]
    return Pose(tuple(map(tuple, rows)), tuple(Dual(a, b) for a, b in zip(r, r_rate, strict=True)))


@EVERY
@pytest.mark.parametrize("seed", SEEDS)
def test_residuals_vanish_at_every_pose_of_the_joint(case, seed):
    joint = CASES[case]
    q, _ = state(joint, seed)
    residuals = np.array(joint.closure(joint.pose(q, VALUE), VALUE), float)
    assert len(residuals) == len(joint.reaction_space(joint.pose(q, VALUE), VALUE))
    np.testing.assert_allclose(residuals, 0, atol=1e-14)


@EVERY
@pytest.mark.parametrize("seed", SEEDS)
def test_rates_of_residuals_are_speeds_along_the_reactions(case, seed):
    joint = CASES[case]
    q, _ = state(joint, seed)
    for twist in np.eye(6):
        _, rates = parts(joint.closure(moving(joint.pose(q, VALUE), twist), DUAL))
        reactions = [[*mode.angular, *mode.linear] for mode in joint.reaction_space(joint.pose(q, DUAL), DUAL)]
        along, _ = parts(reactions) if reactions else (np.zeros((0, 6)), None)
        np.testing.assert_allclose(rates, along @ twist, atol=1e-12)


@EVERY
@pytest.mark.parametrize("seed", SEEDS)
def test_measured_coordinates_give_the_pose_again(case, seed):
    joint = CASES[case]
    q, u = state(joint, seed)
    pose = joint.pose(q, VALUE)
    measured = joint.measured(pose, VALUE)
    again = joint.pose([float(x) for x in measured], VALUE)
    np.testing.assert_allclose(np.array(again.R_PC, float), np.array(pose.R_PC, float), atol=1e-12)
    np.testing.assert_allclose(np.array(again.r_PC_P, float), np.array(pose.r_PC_P, float), atol=1e-12)
    twist = columns(joint.motion_space(q, VALUE)) @ u
    speeds = joint.measured_speeds(q, Mode("twist", tuple(twist[:3]), tuple(twist[3:])), VALUE)
    np.testing.assert_allclose(np.array(speeds, float), u, atol=1e-10)


@EVERY
def test_angles_within_half_a_turn_are_measured_as_they_are(case):
    joint = CASES[case]
    q = [0.1 * (i + 1) for i, _ in enumerate(joint.coordinates)]
    if "e0" in [coordinate.label for coordinate in joint.coordinates]:
        q[-4:] = np.array([0.9, *q[-3:]]) / np.linalg.norm([0.9, *q[-3:]])
    np.testing.assert_allclose(np.array(joint.measured(joint.pose(q, VALUE), VALUE), float), q, atol=1e-12)


def test_a_joint_without_closure_says_so():
    weld = CASES["Weld"]
    with pytest.raises(TopologyError, match=r"Joint 'j' closes a loop, but its kind, Weld, .* Cut the loop"):
        Joint.closure(weld, Pose(), VALUE)
    with pytest.raises(TopologyError, match="does not define `closure` and `measured`"):
        Joint.measured(weld, Pose(), VALUE)
