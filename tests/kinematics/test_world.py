"""Motion in world axes: velocities are derivatives of positions, and everything is found by name."""

from __future__ import annotations

import numpy as np
import pytest
from campaign import campaign
from float_system import FloatSystem, float_system
from random_models import random_model
from random_trees import Draw, relative_error

import gyrostat as gs
from gyrostat.kinematics.link_motion import link_pose
from gyrostat.model.kinds import End

T = 0.6
STEP = 1e-3


@campaign(12)
def test_velocities_are_derivatives_of_poses(seed: int) -> None:
    """Along q̇ = N u, with drivers running: ṙ is the velocity of a point, and Ṙ = ω̃ R."""
    system = float_system(random_model(seed, 2 + seed % 5))
    q, u = Draw(seed).state(system.system)
    rates = system.coordinate_rates(q, u, t=T)
    now = system.motion(q, u, T)

    def ahead(steps: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        motion = system.motion(q + steps * STEP * rates, u, T + steps * STEP)
        ends = {body: motion.end(End(body, "hinge")) for body in system.system.bodies}
        return {body: (np.array(end.position, float), np.array(end.rotation, float)) for body, end in ends.items()}

    shifted = {steps: ahead(steps) for steps in (-3, -2, -1, 1, 2, 3)}
    for body in system.system.bodies:
        end = now.end(End(body, "hinge"))
        slopes = [
            sum(w * (shifted[k][body][i] - shifted[-k][body][i]) for k, w in ((1, 45), (2, -9), (3, 1))) / (60 * STEP)
            for i in (0, 1)
        ]
        assert relative_error(slopes[0], np.array(end.velocity, float)) < 1e-9
        turning = np.cross(np.array(end.omega, float), np.array(end.rotation, float).T).T
        assert relative_error(slopes[1], turning) < 1e-9


@campaign(4)
def test_link_poses_make_up_body_poses(seed: int) -> None:
    system = float_system(random_model(seed, 4))
    q, u = Draw(seed).state(system.system)
    motion = system.motion(q, u, T)
    for link, relative in zip(system.tree.links, motion.motions, strict=True):
        R, r = link_pose(system.tree, link, motion.state)
        np.testing.assert_allclose(np.array(R, float), np.array(relative.R_PH, float), atol=1e-14)
        np.testing.assert_allclose(np.array(r, float), np.array(relative.r_PH_P, float), atol=1e-14)


@pytest.fixture(scope="module")
def satellite() -> FloatSystem:
    model = gs.Model("satellite")
    model.add(gs.Body("hull", mass=1, inertia=(1, 1, 1), rotors=[gs.Rotor("wheel", "z", 0.1, free=True)]))
    model.add(gs.Body("panel", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Free("flight", "ground", "hull"))
    model.add(gs.Revolute("hinge", "hull", "panel", driven="3*t**2"))
    return float_system(model)


def test_coordinates_and_rates_are_found_by_name(satellite: FloatSystem) -> None:
    q, u = Draw(3).state(satellite.system)
    motion = satellite.motion(q, u, T)
    assert motion.coordinate("flight.y") == q[1]
    assert motion.coordinate("hull.wheel") == q[7]
    assert motion.speed("hull.wheel") == u[6]
    assert motion.quantity("flight.w2") == u[1]
    assert motion.coordinate("hinge") == pytest.approx(3 * T**2)
    assert motion.speed("hinge") == pytest.approx(6 * T)
    assert motion.quantity("hinge") == pytest.approx(3 * T**2)
    rates = satellite.coordinate_rates(q, u, t=T)
    assert motion.speed("flight.e3") == rates[6]
    assert rates[7] == u[6]


def test_the_ground_does_not_move(satellite: FloatSystem) -> None:
    q, u = Draw(3).state(satellite.system)
    end = satellite.motion(q, u, T).end(End("ground"))
    assert end.velocity == end.omega == end.position == (0, 0, 0)


def test_children_of_links(satellite: FloatSystem) -> None:
    assert satellite.tree.children() == [[1], []]
    assert satellite.tree.index_of == {"ground": -1, "hull": 0, "panel": 1}
