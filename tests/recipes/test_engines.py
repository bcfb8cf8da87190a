"""Plain numbers, CasADi's virtual machine and native code compute the same from the same formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
from campaign import campaign
from float_system import FloatSystem, virtual_outputs
from random_models import random_inputs, random_model
from random_trees import Draw, Floats, relative_error

import gyrostat as gs
from gyrostat.recipes.table import RECIPES

T = 0.6
TOLERANCE = 1e-11


class Everything:
    """All outputs of a system at one state, by engine."""

    def __init__(self, model: gs.Model, seed: int) -> None:
        self.system = gs.formulate(model)
        self.floats = FloatSystem(self.system)
        draw = Draw(seed)
        self.q, self.u = draw.state(self.system)
        self.inputs = random_inputs(draw, self.system)
        self.udot = draw.random.normal(size=len(self.u))

    def by_floats(self) -> dict[str, Floats]:
        q, u, a, known = self.q, self.u, self.udot, {"t": T, "inputs": self.inputs}
        energy, poses = self.floats.energy(q, u, **known), self.floats.poses(q, t=T)
        reactions = self.floats.reactions(q, u, a, **known)
        joints = [self.system.topology.tree.parent_edge[body] for body in self.system.bodies]
        return {
            "qdot": self.floats.coordinate_rates(q, u, t=T),
            "udot": self.floats.forward_dynamics(q, u, **known),
            "loads": self.floats.inverse_dynamics(q, u, a, **known),
            "mass_matrix": self.floats.mass_matrix(q, t=T),
            "kinetic": np.array([energy.kinetic], dtype=float),
            "gravity": np.array([energy.gravity], dtype=float),
            "stored": np.array(list(energy.stored.values()), dtype=float),
            "rotations": np.concatenate([poses[body][0].reshape(-1) for body in self.system.bodies]),
            "positions": np.concatenate([poses[body][1] for body in self.system.bodies]),
            "forces": np.concatenate([reactions[joint][0] for joint in joints]),
            "moments": np.concatenate([reactions[joint][1] for joint in joints]),
            "drivers": np.array(list(self.floats.driver_loads(q, u, a, **known).values()), dtype=float),
        }

    def arguments(self) -> dict[str, Any]:
        inputs = [self.inputs[name] for name in self.system.inputs]
        return {"t": [T], "q": self.q, "u": self.u, "parameters": [], "inputs": inputs, "udot": self.udot}

    def by_native_code(self) -> dict[str, Floats]:
        q, u, a, known = self.q, self.u, self.udot, {"t": T, "inputs": self.inputs}
        energy, poses = self.system.energy(q, u, **known), self.system.poses(q, t=T)
        reactions = self.system.reactions(q, u, a, **known).values()
        return {
            "qdot": self.system.coordinate_rates(q, u, t=T),
            "udot": self.system.forward_dynamics(q, u, **known),
            "loads": self.system.inverse_dynamics(q, u, a, **known),
            "mass_matrix": self.system.mass_matrix(q, t=T),
            "kinetic": energy.kinetic[None],
            "gravity": energy.gravity[None],
            "stored": np.array(list(energy.stored.values())),
            "rotations": poses.rotations.reshape(-1),
            "positions": poses.positions.reshape(-1),
            "forces": np.concatenate([r.force for r in reactions]),
            "moments": np.concatenate([r.moment for r in reactions]),
            "drivers": np.array(list(self.system.driver_loads(q, u, a, **known).values())),
        }


@campaign(12)
def test_the_virtual_machine_agrees_with_plain_numbers(seed: int) -> None:
    everything = Everything(random_model(seed, 3 + seed % 3), seed)
    expected = everything.by_floats()
    for name in RECIPES:
        if RECIPES[name].outputs.module in ("momenta", "linear_programs"):
            continue  # momenta in the place of speeds; derivatives under names of values
        for output, found in virtual_outputs(everything.system, name, everything.arguments()).items():
            if output in expected:
                shaped = found if output == "mass_matrix" else found.reshape(-1)
                assert relative_error(shaped, expected[output]) < TOLERANCE, (name, output)


@campaign(4)
def test_native_code_agrees_with_plain_numbers(seed: int) -> None:
    everything = Everything(random_model(100 + seed, 4), seed)
    expected, found = everything.by_floats(), everything.by_native_code()
    assert found.keys() == expected.keys()
    for output, value in expected.items():
        assert relative_error(found[output], value) < TOLERANCE, output


@campaign(2)
def test_derivatives_of_forward_dynamics_are_its_differences(seed: int) -> None:
    everything = Everything(random_model(200 + seed, 2), seed)
    system, floats, q, u = everything.system, everything.floats, everything.q, everything.u
    inputs = np.array([everything.inputs[name] for name in system.inputs])
    found = system.forward_dynamics_derivatives(q, u, t=T, inputs=inputs)
    np.testing.assert_allclose(
        found["udot"], floats.forward_dynamics(q, u, t=T, inputs=everything.inputs), rtol=1e-9, atol=1e-10
    )

    def forward(x: Floats) -> Floats:
        parts = np.split(x, [len(q), len(q) + len(u)])
        given = dict(zip(system.inputs, parts[2].tolist(), strict=True))
        return floats.forward_dynamics(parts[0], parts[1], t=T, inputs=given)

    x = np.concatenate([q, u, inputs])
    exact = np.concatenate([found["q"], found["u"], found["inputs"]], axis=1)
    assert exact.shape == (len(u), len(x))
    for j in range(len(x)):
        step = np.zeros(len(x))
        step[j] = 1e-3
        slope = (
            45 * (forward(x + step) - forward(x - step))
            - 9 * (forward(x + 2 * step) - forward(x - 2 * step))
            + (forward(x + 3 * step) - forward(x - 3 * step))
        ) / 60e-3
        size = max(1.0, np.abs(exact[:, j]).max())
        np.testing.assert_allclose(exact[:, j], slope, atol=1e-6 * size)
