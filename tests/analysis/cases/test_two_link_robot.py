"""A two-link robot: torques that were published give the motion, and the motion gives the torques."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cases import case

import gyrostat as gs

ROWS = [row for row in case("two_link_robot_inverse_dynamics")["quantities"] if row["name"] == "M,h,G,tau"]


def _robot(*motions: str) -> gs.Model:
    p = case("two_link_robot_inverse_dynamics")["parameters"]
    model = gs.Model("robot", gravity=(0, -p["g"], 0))
    for i in (0, 1):
        inertia, points = (0.01, p["I_com"][i], p["I_com"][i]), {"tip": (p["l"][i], 0, 0)}
        model.add(gs.Body(f"link{i}", mass=p["m"][i], com=(p["com"][i], 0, 0), inertia=inertia, points=points))
    driven = [{"driven": motion} for motion in motions] or [{}, {}]
    model.add(gs.Revolute("a0", "ground", "link0", **driven[0]))
    model.add(gs.Revolute("a1", "link0.tip", "link1", **driven[1]))
    if not motions:
        model.add(gs.Actuator("m0", "a0"))
        model.add(gs.Actuator("m1", "a1"))
    return model


@pytest.mark.parametrize("row", ROWS)
def test_torques_accelerate_the_arm(row: dict[str, Any]) -> None:
    start = {"a0": row["q"][0], "a1": row["q"][1], "a0.rate": row["v"][0], "a1.rate": row["v"][1]}
    torques = dict(zip(("m0", "m1"), row["value"]["tau"], strict=True))
    motion = gs.simulate(_robot(), duration=0.01, step=0.005, initial=start, inputs=torques)
    np.testing.assert_allclose([motion[f"a{i}.acc"].values[0] for i in (0, 1)], row["a"], rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("row", ROWS)
def test_motors_need_the_torques(row: dict[str, Any]) -> None:
    motions = [f"{q!r} + {v!r}*t + {a!r}*t**2/2" for q, v, a in zip(row["q"], row["v"], row["a"], strict=True)]
    motion = gs.simulate(_robot(*motions), duration=0.01, step=0.005)
    torques = [motion.driver_load(f"a{i}").values[0] for i in (0, 1)]
    np.testing.assert_allclose(torques, row["value"]["tau"], rtol=1e-11, atol=1e-11)
    moment = motion.reaction("a0").moment.sel(axis="z").values[0]
    assert np.isclose(moment, row["value"]["tau"][0], rtol=1e-11)
