"""The energy account: friction written as a force is dissipated, other forces are supplied."""

from __future__ import annotations

import numpy as np

import gyrostat as gs


def _run(law: str, **changes: object) -> gs.Trajectory:
    model = gs.Model("block")
    model.add(gs.Body("b", mass=1))
    model.add(gs.Prismatic("x", "ground", "b", axis="x", initial={"rate": 2}))
    model.add(gs.Input("u", law=changes.get("u", 0)))
    model.add(gs.Force("f", "b", (law, 0, 0)))
    return gs.simulate(model, 1, step=0.1)


def test_a_force_against_the_motion_is_dissipated() -> None:
    for law in ("-0.5*x.rate", "-0.3*tanh(b.velocity.x/0.01)"):
        energy = _run(law).energy()
        assert list(energy.damper.values) == ["f"]
        assert float(energy.dissipated[-1, 0]) > 0.1
        assert np.abs(energy.balance).max() < 1e-7
        assert (np.diff(energy.dissipated[:, 0]) > 0).all()


def test_other_forces_are_supplied() -> None:
    """A constant force that happens to brake, one that drives for some time, and a braking input are no friction."""
    for law, u in (("-0.5", 0), ("0.5*x.rate*cos(4*t)", 0), ("0.2*x.rate", 0), ("u", "-0.5*x.rate")):
        energy = _run(law, u=u).energy()
        assert "f" in energy.supplier.values, law
        assert not energy.damper.size
