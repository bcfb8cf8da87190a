"""The examples with constraints agree with their descriptions."""

from pathlib import Path

import numpy as np
import pytest

import gyrostat as gs

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_the_disc_keeps_its_lean():
    trajectory = gs.simulate(
        gs.Model.load(EXAMPLES / "rolling_disc.yaml"),
        duration=3,
        step=0.1,
        integrator=gs.DOP853(rtol=1e-11, atol=1e-12),
    )
    assert float(trajectory.motion.problem.system.rank.general) == 3
    height = trajectory["disc.pole.z"].values - trajectory["disc.z"].values
    assert height == pytest.approx(np.full(len(height), 0.15), abs=1e-9)
    heading = trajectory["disc.velocity"].values
    turned = np.unwrap(np.arctan2(heading[:, 1], heading[:, 0]))
    assert turned - turned[0] == pytest.approx(3 * trajectory.time, abs=1e-8)


def test_the_gear_train_has_one_motion():
    model = gs.Model.load(EXAMPLES / "gear_train.yaml")
    assert gs.check(model).notes[-1] == "The mechanism has 1 degree of freedom."
    system = gs.formulate(model)
    J1, J2, J3, r, load, g, torque = 0.02, 0.15, 2.5, 0.2, 300, 9.81, 40.0
    n1, n2 = -1 / 4, -1 / 5
    n3 = n1 * n2 * r
    wanted = (torque - n3 * load * g) / (J1 + n1**2 * J2 + (n1 * n2) ** 2 * J3 + n3**2 * load)
    found = system.forward_dynamics({}, {}, inputs={"motor": torque})
    assert found == pytest.approx([wanted, n1 * wanted, n1 * n2 * wanted, n3 * wanted])
    loads = system.multipliers({}, {}, inputs={"motor": torque})
    assert loads["rope: force on the rack"] == pytest.approx(load * (g + n3 * wanted))
    assert {row.name: row.unit for row in system.constraints} == {
        "first_stage: load on b": "N·m",
        "second_stage: load on b": "N·m",
        "rope: force on the rack": "N",
    }
