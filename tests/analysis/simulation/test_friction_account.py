"""The energy account: friction written as a force is dissipated, other forces are supplied."""

from __future__ import annotations

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.model.friction import FrictionLaw


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


@pytest.mark.parametrize(
    "law",
    [
        gs.Bristle(0.3, 0.4, 1e4, 60, 0.05, viscous=0.2, damping_speed=0.05),
        gs.LuGre(0.3, 0.4, 1e4, 60, 0.05),
        gs.FixedBristle(0.3, 10, 1e-3, 1e-3),
    ],
)
def test_bristles_of_a_joint_store_energy_and_lose_the_rest(law: FrictionLaw) -> None:
    model = gs.Model("oscillator", gravity=(0, 0, 0))
    model.add(gs.Body("mass", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x", initial=0.05))
    model.add(gs.JointSpring("spring", "x", stiffness=200))
    model.add(gs.JointFriction("rub", "x", law, load=10))
    run = gs.simulate(model, duration=0.6, step=2e-4, integrator=gs.Rodas5P(1e-8, 1e-11))
    account = run.energy()
    assert abs(account.balance.values).max() < 1e-7 * 0.25
    assert np.diff(account.dissipated.sel(damper="rub").values).min() > -1e-12  # decreased by up to 2.4e-4 J
    stored = account.stored.sel(store="rub").values
    assert stored.max() > 1e-5
    if not isinstance(law, gs.FixedBristle):
        np.testing.assert_allclose(stored, 10 * 1e4 * run["rub.bristle"].values ** 2 / 2, rtol=1e-9, atol=1e-18)
