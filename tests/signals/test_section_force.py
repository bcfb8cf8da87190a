"""Forces in the sections of beams: statics, and reactions of joints at the ends in motion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gyrostat as gs

WEIGHT = 9.81 * 1000 * 1e-2
"""Weight per length (N/m)."""
GIVEN: dict[str, Any] = {
    "length": "L",
    "area": 1e-2,
    "Iz": 1e-5,
    "Iy": 2e-5,
    "J": 2e-5,
    "E": 2e9,
    "G": 8e8,
    "density": 1000,
    "stations": {"mid": "L/2", "far": "0.75*L"},
}


def test_cantilever_under_its_weight_and_loads_at_stations() -> None:
    model = gs.Model("cantilever", gravity=(0, -9.81, 0), parameters={"L": 1.2})
    model.add(gs.Beam("beam", terms={"v": 4}, **GIVEN))
    model.add(gs.Weld("clamp", "ground", "beam"))
    model.add(gs.Force("pull", "beam.tip", (3, 0, 0)))
    model.add(gs.Force("lift", "beam.far", (0, 40, 0)))
    run = gs.simulate(model, duration=1e-5, step=1e-5, initial=gs.equilibrium(model))
    x = np.array([0.0, 0.3, 0.6, 0.9, 0.91, 1.2])
    found = run.along("beam", x)["section_force"].values[0]
    np.testing.assert_allclose(found[:, 1], 40 * (x <= 0.9) - WEIGHT * (1.2 - x), atol=0.1)
    np.testing.assert_allclose(found[:, 0], 3, atol=0.5)
    moments = run.along("beam", [0.2999, 0.3001])["section_moment"].values[0, :, 2]
    assert -np.diff(moments)[0] / 2e-4 == pytest.approx(found[1, 1], rel=0.1)  # strains have no kink at the load


@pytest.mark.parametrize("choice", ["joint", "branch"])
@pytest.mark.parametrize("order", [1, 2, "exact"])
def test_forces_at_the_ends_are_the_reactions_of_joints_in_motion(order: Any, choice: str) -> None:
    model = gs.Model("swung", gravity=(0, -9.81, 0.5), parameters={"L": 1.2})
    model.add(gs.Beam("beam", terms={"v": 1, "w": 1, "phi": 1}, order=order, **(GIVEN | {"E": 2e7, "G": 8e6})))
    model.add(gs.Revolute("hinge", "ground", "beam"))
    model.add(gs.Body("bob", mass=2, inertia=(0.01, 0.02, 0.03), com=(0.1, 0.05, 0)))
    model.add(gs.Revolute("eye", "beam.tip", "bob", axis="y"))
    model.add(gs.SpringDamper("spring", "ground", "beam.mid", stiffness=200, length=0.2))
    initial = {"hinge": -0.5, "hinge.rate": 2.0, "eye": 0.2, "beam.v1": 0.02, "beam.v1.rate": 0.5, "beam.w1.rate": 0.3}
    found = gs.simulate(gs.formulate(model, choice), duration=1e-4, step=1e-4, initial=initial)
    for section, joint in (("beam", "hinge"), ("beam.tip", "eye")):
        R = np.array(found[f"{section}.rotation"]).reshape(-1, 3, 3)
        expected = -np.einsum("nji,nj->ni", R, np.array(found[f"{joint}.force"]))
        np.testing.assert_allclose(found[f"{section}.section_force"], expected, atol=1e-9)
    spring = np.array(found["spring.force"])
    inner, outer = (np.array(found.along("beam", [0.6 - 1e-9, 0.6 + 1e-9])["section_force"])[0, k] for k in range(2))
    assert np.linalg.norm(inner - outer) == pytest.approx(np.linalg.norm(spring[0]), rel=1e-6)


def test_stations_are_beyond_a_section_by_the_values_of_parameters() -> None:
    model = gs.Model("moved", parameters={"L": 1.0, "s": 0.3})
    model.add(gs.Beam("beam", terms={"v": 1}, **(GIVEN | {"stations": {"here": "L/2", "load": "s"}})))
    model.add(gs.Weld("clamp", "ground", "beam"))
    model.add(gs.Force("push", "beam.load", (0, 5, 0)))
    system = gs.formulate(model)
    for s, expected in ((0.3, 0.0), (0.7, 5.0)):
        at = gs.equilibrium(system, parameters={"s": s})
        run = gs.simulate(system, duration=1e-6, step=1e-6, initial=at, parameters={"s": s})
        assert float(run["beam.here.section_force.y"][0]) == pytest.approx(expected, abs=1e-3)


def test_laws_cannot_use_them_and_measures_can() -> None:
    model = gs.Model("law", parameters={"L": 1.0})
    model.add(gs.Beam("beam", terms={"v": 1}, **GIVEN))
    model.add(gs.Weld("clamp", "ground", "beam"))
    model.add(gs.Measure("shear", "2*beam.mid.section_force.y"))
    run = gs.simulate(model, duration=1e-4, step=1e-4, initial={"beam.v1": 0.01})
    np.testing.assert_allclose(run["shear"], 2 * run["beam.mid.section_force.y"])
    model.add(gs.Force("answer", "beam.tip", (0, "beam.section_force.y", 0)))
    with pytest.raises(gs.ModelError, match="section_force"):
        gs.formulate(model)
