"""The kinematic contract of every registered joint, on random coordinates.

Derivatives come from dual numbers: the joints' formulas run on an engine that knows nothing of mechanics.
"""

import math

import numpy as np
import pytest
from joint_cases import CASES, DUAL, EVERY, SEEDS, SEQUENCES, VALUE, along_path, columns, parts, state

from gyrostat.model.joints import JOINTS, Revolute, Screw, Spherical


def test_every_registered_joint_is_here():
    assert {type(joint) for joint in CASES.values()} == set(JOINTS)
    assert len(SEQUENCES) == 12


@EVERY
@pytest.mark.parametrize("seed", SEEDS)
def test_pose_is_a_rotation_and_a_position(case, seed):
    joint = CASES[case]
    pose = joint.pose(state(joint, seed)[0], VALUE)
    R = np.array(pose.R_PC, float)
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(R) == pytest.approx(1)
    assert np.array(pose.r_PC_P, float).shape == (3,)


@EVERY
def test_frames_coincide_at_rest(case):
    joint = CASES[case]
    pose = joint.pose([float(coordinate.rest) for coordinate in joint.coordinates], VALUE)
    np.testing.assert_array_equal(np.array(pose.R_PC, float), np.eye(3))
    np.testing.assert_array_equal(np.array(pose.r_PC_P, float), np.zeros(3))


@EVERY
@pytest.mark.parametrize("seed", SEEDS)
def test_motion_space_is_the_derivative_of_the_pose(case, seed):
    joint = CASES[case]
    q, u = state(joint, seed)
    pose = joint.pose(along_path(joint, q, u), DUAL)
    R, R_rate = parts(pose.R_PC)
    _, r_rate = parts(pose.r_PC_P)
    spin = R.T @ R_rate  # the skew matrix of the angular velocity in child axes
    np.testing.assert_allclose(spin, -spin.T, atol=1e-12)
    twist = columns(joint.motion_space(q, VALUE)) @ u
    np.testing.assert_allclose(twist[:3], [spin[2, 1], spin[0, 2], spin[1, 0]], atol=1e-12)
    np.testing.assert_allclose(twist[3:], R.T @ r_rate, atol=1e-12)


@EVERY
@pytest.mark.parametrize("seed", SEEDS)
def test_motion_rate_is_the_derivative_of_the_motion_space(case, seed):
    joint = CASES[case]
    q, u = state(joint, seed)
    expected = np.zeros(6)
    for mode, speed in zip(joint.motion_space(along_path(joint, q, u), DUAL), u, strict=True):
        expected += speed * parts([*mode.angular, *mode.linear])[1]
    rate = joint.motion_rate(q, u, VALUE)
    np.testing.assert_allclose(np.array([*rate.angular, *rate.linear], float), expected, atol=1e-12)


@EVERY
@pytest.mark.parametrize("seed", SEEDS)
def test_reactions_are_orthonormal_complementary_and_do_no_work(case, seed):
    joint = CASES[case]
    q, _ = state(joint, seed)
    motion = columns(joint.motion_space(q, VALUE))
    reaction = columns(joint.reaction_space(joint.pose(q, VALUE), VALUE))
    assert motion.shape[1] == len(joint.speed_labels)
    assert motion.shape[1] + reaction.shape[1] == 6
    np.testing.assert_allclose(reaction.T @ reaction, np.eye(reaction.shape[1]), atol=1e-14)
    np.testing.assert_allclose(reaction.T @ motion, 0, atol=1e-14)
    assert np.linalg.matrix_rank(np.hstack([motion, reaction])) == 6


@EVERY
@pytest.mark.parametrize("seed", SEEDS)
def test_rates_of_coordinates_determine_the_speeds(case, seed):
    joint = CASES[case]
    q, u = state(joint, seed)
    units = np.eye(len(u)).tolist()
    N = np.array([joint.coordinate_rates(q, unit, VALUE) for unit in units], float).reshape(len(u), len(q)).T
    np.testing.assert_allclose(N @ u, np.array(joint.coordinate_rates(q, u, VALUE), float), atol=1e-14)
    np.testing.assert_allclose(np.linalg.pinv(N) @ N, np.eye(len(u)), atol=1e-12)
    if joint.speeds_are_rates:
        np.testing.assert_array_equal(N, np.eye(len(u)))


@pytest.mark.parametrize("case", ["Spherical", "Free"])
@pytest.mark.parametrize("seed", SEEDS)
def test_euler_parameters_keep_their_length(case, seed):
    joint = CASES[case]
    q, u = state(joint, seed)
    rates = np.array(joint.coordinate_rates(q, u, VALUE), float)
    assert np.array(q[-4:]) @ rates[-4:] == pytest.approx(0, abs=1e-14)


def test_euler_parameters_are_hamilton_scalar_first():
    half = math.radians(40) / 2
    turned = np.array(Spherical("j", "ground", "b").pose([math.cos(half), 0, 0, math.sin(half)], VALUE).R_PC, float)
    hinge = np.array(Revolute("j", "ground", "b").pose([2 * half], VALUE).R_PC, float)
    np.testing.assert_allclose(turned, hinge, atol=1e-15)


def test_a_hinge_about_z_is_the_textbook_rotation():
    pose = Revolute("j", "ground", "b").pose([math.pi / 2], VALUE)
    np.testing.assert_allclose(np.array(pose.R_PC, float) @ [1, 0, 0], [0, 1, 0], atol=1e-15)


def test_a_screw_advances_by_its_pitch_in_one_turn():
    pose = Screw("j", "ground", "b", "-x", pitch="p").pose([2 * math.pi], VALUE)
    np.testing.assert_allclose(np.array(pose.r_PC_P, float), [-0.05, 0, 0])


@pytest.mark.parametrize(("axis", "k"), [("x", 0), ("y", 1), ("z", 2), ("-z", 2), ((0, 0, 3), 2), ((0, -0.5, 0), 1)])
def test_a_hinge_about_a_coordinate_axis_keeps_literal_zeros(axis, k, symbols):
    joint = Revolute("j", "ground", "b", axis)
    angle = symbols.lookup("q")
    R = joint.pose([angle], symbols).R_PC
    others = [i for i in range(3) if i != k]
    assert [R[k][k], *(R[k][i] for i in others), *(R[i][k] for i in others)] == [1, 0, 0, 0, 0]
    assert all(type(x) is int for x in (R[k][k], *(R[k][i] for i in others), *(R[i][k] for i in others)))
    assert all(not isinstance(R[i][j], int) for i in others for j in others)
    for mode in (*joint.motion_space([angle], symbols), *joint.reaction_space(joint.pose([angle], symbols), symbols)):
        entries = [*mode.angular, *mode.linear]
        assert all(type(x) is int for x in entries)
        assert sorted(map(abs, entries)) == [0, 0, 0, 0, 0, 1]
