"""Contacts and ropes at stations of beams: static loads are those of the cantilever under a force at its tip."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gyrostat as gs

BENDING = 2e9 * 1e-6
"""E I (N·m²)."""


def _cantilever(order: Any, direction: str) -> gs.Model:
    """Return a cantilever that bends along y (v) or z (w); its clamp is 1 mm below the floor z = 0."""
    model = gs.Model("cantilever")
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Plane()}))
    given: dict[str, Any] = {"length": 1, "area": 1e-2, "Iy": 1e-6, "Iz": 1e-6, "E": 2e9, "density": 1000}
    model.add(gs.Beam("beam", order=order, terms={direction: 2}, damping=0.05, **given))
    model.add(gs.Weld("clamp", ("ground", (0, 0, -1e-3)), "beam"))
    return model


@pytest.mark.filterwarnings("ignore:Contact 'touch'. beam.tip and ground overlap by 0.0015 m:gyrostat.GyrostatWarning")
@pytest.mark.parametrize("order", [2, "exact"])
def test_a_tip_on_an_elastic_floor(order: Any) -> None:
    """A ball of 0.5 mm, its clamp 1 mm below the floor: F = 3 E I v/L³ = k (1.5 mm − v) with the deflection v."""
    model = _cantilever(order, "w")
    stiffness = 2e4
    model.add(
        gs.Contact("touch", "beam.tip", "ground.floor", gs.KelvinVoigt(stiffness, 0.0), shape_a=gs.shapes.Sphere(5e-4))
    )
    run = gs.simulate(model, duration=1.0, step=0.5, integrator=gs.Rodas5P(rtol=1e-8, atol=1e-10))
    bending = 3 * BENDING
    deflection = stiffness * 1.5e-3 / (stiffness + bending)
    assert float(run["beam.tip.deflection"][-1, 2]) == pytest.approx(deflection, rel=1e-4)
    assert float(run["touch.force"][-1]) == pytest.approx(bending * deflection, rel=1e-4)


@pytest.mark.parametrize("order", [2, "exact"])
def test_a_rope_over_a_sheave_pulls_the_tip(order: Any) -> None:
    """A weight of 20 N at the rope's other end: the tension is the weight, the deflection P L³/3 E I."""
    model = _cantilever(order, "v")
    model.add(gs.Body("weight", gs.point_mass(2)))
    model.add(gs.Prismatic("fall", ("ground", (1.2, 0, 0)), "weight", axis="y", initial=1.0))
    model.add(gs.Force("pull", "weight", (0, -20, 0)))
    sheave = gs.Pulley("sheave", ("ground", (1.1, 2, 0)), radius=0.1, side="right")
    length = 2 + 1.0 + 0.1 * np.pi
    model.add(gs.Reeving("rope", ["beam.tip", sheave, "weight"], length=length, EA=1e5, damping=2e3))
    run = gs.simulate(model, duration=6.0, step=3.0, integrator=gs.Rodas5P(rtol=1e-7, atol=1e-9))
    assert float(run["rope.tension"][-1]) == pytest.approx(20, rel=1e-3)
    assert float(run["beam.tip.deflection"][-1, 1]) == pytest.approx(20 / (3 * BENDING), rel=1e-3)
