"""Public URDF files, none of them written here: each is imported, or refused with link or joint and remedy.

Mass matrix, forward and inverse dynamics and energy agree with Pinocchio's and MuJoCo's on the same file, inertias
repaired alike.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from campaign import campaign, chosen
from mujoco_robots import in_mujoco
from robots import (
    energies,
    evaluated,
    files,
    hinges_and_slides,
    in_pinocchio,
    locked_joints,
    random_objects,
    without_laws,
)

import gyrostat as gs
from gyrostat.errors import GyrostatError

FEW = [
    "robots/a1_description/urdf/a1.urdf",
    "robots/allegro_hand_description/urdf/allegro_left_hand.urdf",
    "robots/double_pendulum_description/urdf/double_pendulum_continuous.urdf",
    "robots/finger_edu_description/robots/finger_edu.urdf",
    "robots/iris_description/robots/iris.urdf",
    "robots/kinova_description/robots/kinova.urdf",
    "robots/panda_description/urdf/panda.urdf",
    "robots/romeo_description/urdf/romeo_laas_small.urdf",
    "robots/so_arm_description/urdf/so101.urdf",
    "robots/tiago_description/robots/tiago_no_hand.urdf",
    "robots/ur_description/urdf/ur5_gripper.urdf",
    "robots/xarm_description/urdf/xarm7.urdf",
    "pybullet_data/cartpole.urdf",
    "pybullet_data/gripper/wsg50_one_motor_gripper_left_finger.urdf",
    "pybullet_data/humanoid/humanoid.urdf",
    "pybullet_data/kuka_iiwa/model.urdf",
    "pybullet_data/laikago/laikago_toes.urdf",
    "pybullet_data/quadruped/minitaur.urdf",
    "pybullet_data/r2d2.urdf",
    "pybullet_data/racecar/racecar.urdf",
]
ALL = list(dict.fromkeys([*files(), *FEW]))
"""All files, with the chosen ones also where their package is missing, so that the summary says so."""
MALFORMED = {
    "alex_psyonic_hands.urdf": "it mimics joint 'index_q1', which is not in the file.",
    "biped2d_pybullet.urdf": "joint 'torso_to_rightleg': lower='-1.57.' of <limit> is not a finite number.",
    "humanoid.urdf": "humanoid.urdf: it is not XML: not well-formed (invalid token): line 288",
    "husky.urdf": "it has elements or expressions of xacro. Expand it first",
    "microtaur.urdf": "joint 'dynamixel7_chassis_left': rpy='-3.14159 1.57079 0 0' of <origin> is not 3 finite",
    "torus_deform.urdf": "robot: it has no links. Is this the whole file?",
    "ur3.urdf": "robot: it has no links. Is this the whole file?",
}
"""Files that no reader should accept, and a part of the message."""


def path_of(name: str) -> Any:
    if name not in files():
        package = "example-robot-data" if name.startswith("robots") else "pybullet"
        pytest.skip(f"peer {package!r} is not installed")
    return files()[name]


def imported(name: str) -> gs.Model | None:
    """Return the model of a file; None if the file is malformed, with the right message."""
    path = path_of(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        if path.name not in MALFORMED:
            return gs.load_urdf(path, massless="lock")
    with pytest.raises(GyrostatError) as error:
        gs.load_urdf(path)
    assert MALFORMED[path.name] in str(error.value)
    return None


def test_twenty_files_are_chosen():
    assert len(set(FEW)) == 20
    assert not files() or set(FEW) <= set(files())


@campaign(ALL, "name", few=FEW)
def test_import_and_file(name, tmp_path):
    model = imported(name)
    if model is not None:
        model.check()
        model.save(tmp_path / "robot.yaml")
        assert gs.Model.load(tmp_path / "robot.yaml") == model


@pytest.mark.campaign(1)
def test_random_objects_on_the_ground_or_refused():
    """On the ground they are imported; one that moves cannot turn about the axis without a moment of inertia."""
    found = random_objects()
    if not found:
        pytest.skip("peer 'pybullet' is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        for path in chosen(found):
            assert gs.load_urdf(path)["ground"].label == f"random_obj_{path.stem}"
            message = (
                rf"'base\.w3' would have no inertia: body 'random_obj_{path.stem}' cannot resist it\. Use massless="
            )
            with pytest.raises(GyrostatError, match=message):
                gs.load_urdf(path, floating=True)
        assert len(gs.load_urdf(found[-1], floating=True, massless=(0.1, 1e-3)).joints) == 1


@campaign(ALL, "name", few=FEW)
def test_dynamics_are_those_of_pinocchio(name, pinocchio):
    model = imported(name)
    if model is None:
        return
    bare, peer = without_laws(model), in_pinocchio(pinocchio, path_of(name), locked_joints(model))
    system, of_file = gs.formulate(bare), dict(hinges_and_slides(bare))
    names = [of_file.get(coordinate, "") for coordinate in system.coordinate_names]
    if peer is None or not names or set(names) != set(peer.names):
        return  # Pinocchio refuses the file, nothing moves, or more than hinges and slides
    q, u, udot = np.random.default_rng(5).uniform(-1, 1, (3, len(names)))
    Q, V = peer.state(dict(zip(names, q, strict=True)), dict(zip(names, u, strict=True)))
    order = [names.index(each) for each in peer.names]
    M = peer.mass_matrix(Q)
    found = evaluated(system, "mass_matrix", q, u)[np.ix_(order, order)]
    np.testing.assert_allclose(found, M, rtol=0, atol=1e-12 * np.abs(M).max())
    scale = np.abs(M).max() + np.abs(peer.load(Q, V, 0 * V)).max()
    accelerations = evaluated(system, "forward_dynamics", q, u).ravel()[order]
    assert np.abs(peer.load(Q, V, accelerations)).max() < 1e-8 * (scale + np.abs(M @ accelerations).max())
    loads = evaluated(system, "inverse_dynamics", q, u, udot).ravel()[order]
    np.testing.assert_allclose(loads, peer.load(Q, V, udot[order]), rtol=0, atol=1e-12 * scale * len(names))
    rest, none = peer.state(dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0))
    compare_energies(system, q, u, peer.energies(Q, V), peer.energies(rest, none))


def compare_energies(system: gs.System, q: Any, u: Any, moved: Any, at_rest: Any) -> None:
    """Compare kinetic energies, and potential energies but for a constant."""
    names = ("kinetic", "potential")
    own, rest = (dict(zip(names, energies(system, *state), strict=True)) for state in ((q, u), (0 * q, 0 * u)))
    scale = abs(moved[1]) + abs(at_rest[1]) + moved[0]
    assert own["kinetic"] == pytest.approx(moved[0], rel=1e-10)
    assert own["potential"] - rest["potential"] == pytest.approx(moved[1] - at_rest[1], abs=1e-11 * scale)


@campaign(ALL, "name", few=FEW)
def test_dynamics_are_those_of_mujoco(name, mujoco):
    model = imported(name)
    if model is None:
        return
    bare, peer = without_laws(model), in_mujoco(mujoco, path_of(name), locked_joints(model))
    system, of_file = gs.formulate(bare), dict(hinges_and_slides(bare))
    names = [of_file.get(coordinate, "") for coordinate in system.coordinate_names]
    if peer is None or not names or set(names) != set(peer.names):
        return  # MuJoCo refuses the file, nothing moves, or more than hinges and slides
    q, u, udot = np.random.default_rng(5).uniform(-1, 1, (3, len(names)))
    order = [names.index(each) for each in peer.names]
    peer.move(0 * q, 0 * u)
    at_rest = peer.energies()
    peer.move(q[order], u[order])
    M = peer.mass_matrix()
    found = evaluated(system, "mass_matrix", q, u)[np.ix_(order, order)]
    np.testing.assert_allclose(found, M, rtol=0, atol=1e-9 * np.abs(M).max())
    theirs = peer.accelerations()
    ours = evaluated(system, "forward_dynamics", q, u).ravel()[order]
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-8 * (1 + np.abs(theirs).max()))
    compare_energies(system, q, u, peer.energies(), at_rest)
    needed = peer.load(udot[order])
    loads = evaluated(system, "inverse_dynamics", q, u, udot).ravel()[order]
    np.testing.assert_allclose(loads, needed, rtol=0, atol=1e-9 * (np.abs(M).max() + np.abs(needed).max()))
