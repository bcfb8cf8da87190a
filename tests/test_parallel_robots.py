"""The examples of parallel robots: counts of equations, and kinematics and statics from plain geometry."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gyrostat as gs

EXAMPLES = Path(__file__).parent.parent / "examples"


def model_of(name: str) -> gs.Model:
    return gs.Model.load(EXAMPLES / f"{name}.yaml")


@pytest.mark.parametrize(
    ("name", "choice", "speeds", "constraints"),
    [
        ("stewart_platform", "joint", 21, 15),
        ("stewart_platform", "absolute", 78, 72),
        ("stewart_platform", "branch", 16, 10),
        ("delta_robot", "joint", 18, 15),
        ("delta_robot", "absolute", 60, 57),
        ("delta_robot", "branch", 18, 15),
    ],
)
def test_counts_of_equations(name: str, choice: str, speeds: int, constraints: int) -> None:
    system = gs.formulate(model_of(name), choice)
    assert (len(system.speed_names), len(system.constraints)) == (speeds, constraints)


def test_legs_of_the_stewart_platform_reach_from_base_to_platform() -> None:
    """Forward kinematics: with given lengths of the legs the platform is where plain geometry has these distances."""
    model = model_of("stewart_platform")
    values = model.values()
    system = gs.formulate(model)
    lengths = {f"leg{k + 1}": values["L"] + 0.06 * np.sin(2.0 * k) for k in range(6)}
    found = gs.assemble(system, lengths)
    place = system.poses(found.q)["platform"]
    for k, length in enumerate(lengths.values()):  # points of base and platform by hand
        side = -1 if k % 2 == 0 else 1
        middle = np.radians(60 + 120 * (k // 2))
        base, top = middle + side * values["beta"], middle + side * values["alpha"]
        foot = values["R"] * np.array([np.cos(base), np.sin(base), 0])
        head = place.position + place.rotation @ (values["r"] * np.array([np.cos(top), np.sin(top), 0]))
        assert np.linalg.norm(head - foot) == pytest.approx(length, rel=1e-9)
    assert np.linalg.norm(place.rotation - np.eye(3)) > 0.05  # it has turned


def test_the_platform_of_the_delta_robot_is_where_three_spheres_meet() -> None:
    model = model_of("delta_robot")
    values = model.values()
    system = gs.formulate(model)
    angles = {"shoulder1": 0.2, "shoulder2": 0.45, "shoulder3": 0.6}
    found = gs.assemble(system, angles)
    place = system.poses(found.q)["platform"]
    centres = []
    for k, angle in enumerate(angles.values()):
        reach = values["R"] - values["r"] + values["a"] * np.cos(angle)
        about = np.radians(120 * k)
        centres.append([reach * np.cos(about), reach * np.sin(about), -values["a"] * np.sin(angle)])
    distances = np.linalg.norm(np.array(centres) - place.position, axis=1)
    assert distances == pytest.approx([values["b"]] * 3, rel=1e-9)
    assert place.rotation == pytest.approx(np.eye(3), abs=1e-9)
