"""Observations of a system's motion: against plain numbers, and against differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from campaign import campaign
from float_system import FloatSystem, virtual_outputs
from random_models import random_inputs, random_model
from random_trees import Draw, Floats

import gyrostat as gs
from gyrostat.model.kinds import End

T = 0.6


class Observed:
    """A system at a state with its accelerations."""

    def __init__(self, model: gs.Model, seed: int) -> None:
        self.system = gs.formulate(model)
        self.floats = FloatSystem(self.system)
        draw = Draw(seed)
        self.q, self.u = draw.state(self.system)
        self.inputs = random_inputs(draw, self.system)
        self.udot = draw.random.normal(size=len(self.u))

    def virtual(self, name: str) -> dict[str, Floats]:
        arguments: dict[str, Any] = {"t": T, "q": self.q, "u": self.u, "udot": self.udot}
        arguments |= {"parameters": self.system.parameter_values(), "inputs": list(self.inputs.values())}
        return {port: found[:, 0] for port, found in virtual_outputs(self.system, name, arguments).items()}


@campaign(6)
def test_body_motion_is_that_of_the_bodies_frames(seed: int) -> None:
    observed = Observed(random_model(seed, 4), seed)
    system, motion = observed.system, observed.floats.motion(observed.q, observed.u, T)
    ends = [motion.end(End(body)) for body in system.bodies]
    expected = {
        "positions": [end.position for end in ends],
        "rotations": [end.rotation for end in ends],
        "velocities": [end.velocity for end in ends],
        "omegas": [end.omega for end in ends],
    }
    found = observed.virtual("body_motion")
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], np.reshape(value, -1).astype(float), rtol=1e-11, atol=1e-12)


def test_body_motion_is_found_by_name_and_keeps_leading_axes() -> None:
    observed = Observed(random_model(3, 3), 3)
    system = observed.system
    u = np.random.default_rng(0).normal(size=(5, 2, len(observed.u)))
    motions = system.body_motion(observed.q, u, t=T)
    assert list(motions) == list(system.bodies)
    assert len(motions) == 3
    assert motions.positions.shape == motions.velocities.shape == motions.omegas.shape == (5, 2, 3, 3)
    assert motions.rotations.shape == (5, 2, 3, 3, 3)
    poses = system.poses(observed.q, t=T)
    for body in system.bodies:
        moving = motions[body]
        end = observed.floats.motion(observed.q, u[3, 1], T).end(End(body))
        np.testing.assert_allclose(moving.velocity[3, 1], np.array(end.velocity, float), rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(moving.omega[3, 1], np.array(end.omega, float), rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(moving.position[3, 1], poses[body].position, rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(moving.rotation[3, 1], poses[body].rotation, rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(moving.quaternion[3, 1], poses[body].quaternion, rtol=1e-9, atol=1e-12)
    with pytest.raises(KeyError):
        motions["wheel"]


def test_driven_coordinates_with_rates_and_accelerations() -> None:
    model = gs.Model("driven")
    model.add(gs.Body("a", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Cylindrical("c", "ground", "a", driven={"displacement": "3*t**2"}))
    model.add(gs.Revolute("r", "a", "b", driven="sin(2*t)"))
    observed = Observed(model, 0)
    assert list(observed.system.coordinates.driven) == ["c.displacement", "r"]
    found = observed.virtual("driven")
    np.testing.assert_allclose(found["values"], [3 * T**2, np.sin(2 * T)])
    np.testing.assert_allclose(found["rates"], [6 * T, 2 * np.cos(2 * T)])
    np.testing.assert_allclose(found["accelerations"], [6, -4 * np.sin(2 * T)])


def test_force_outputs_keep_leading_axes() -> None:
    observed = Observed(random_model(1, 3), 1)
    u = np.random.default_rng(0).normal(size=(40, len(observed.u)))
    found = observed.system.force_outputs(observed.q, u, t=T, inputs=observed.inputs)
    assert found["spring"]["length"].shape == (40,)
    assert found["push"]["force"].shape == found["mount"]["moment"].shape == (40, 3)
