"""Bonds that break: when they break, what is left of them, and the account of energy and momentum."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from campaign import campaign

import gyrostat as gs

METHODS = (gs.DOP853(), gs.RK4(step=2e-4), gs.Rodas5P())
SHARP = gs.DOP853(rtol=1e-11, atol=1e-13)


def pair(limit: float | str = 15, **bond: Any) -> gs.Model:
    """Return two lumps on a vertical line: the upper one on a spring, the lower one held by a bond."""
    model = gs.Model("lumps", gravity=(0, 0, -9.81), parameters={"strength": 15})
    model.add(gs.Body("upper", mass=2))
    model.add(gs.Body("lower", mass=1))
    model.add(gs.Prismatic("z1", "ground", "upper", axis="z"))
    model.add(gs.Prismatic("z2", ("ground", (0, 0, -0.5)), "lower", axis="z"))
    model.add(gs.SpringDamper("spring", ("ground", (0, 0, 5)), "upper", 1000, 3, length=5))
    model.add(gs.Bond("bond", "upper", "lower", limit, stiffness=1e4, axis="-z", length=0.5, **bond))
    return model


def test_a_bond_holds_at_rest() -> None:
    point = gs.equilibrium(pair())
    assert point["bond.force"] == pytest.approx(9.81, rel=1e-9)
    assert point["bond.load"] == pytest.approx((9.81 / 15) ** 2, rel=1e-9)
    assert abs(point["bond.broken"]) < 1e-12
    assert point["z2"] - point["z1"] == pytest.approx(-9.81 / 1e4, rel=1e-9)


@pytest.mark.parametrize("method", METHODS, ids=lambda one: type(one).__name__)
def test_it_breaks_at_its_limit_and_does_not_heal(method: gs.Integrator) -> None:
    start = {"z1.rate": 1.5, "z2.rate": 1.5}
    run = gs.simulate(pair(damping=5), duration=1, step=1e-3, initial=start, integrator=method)
    broken = run["bond.broken"].values
    assert set(broken) == {0, 1}
    assert (np.diff(broken) >= 0).all()
    at = int(np.argmax(broken))
    assert run["bond.load"].values[:at].max() < 1
    assert run["bond.force"].values[at:].max() <= 0
    np.testing.assert_allclose(np.diff(run["z2.rate"].values[at + 1 :]), -9.81e-3, atol=1e-7)  # free fall
    assert run["bond.released"].values[-1] == pytest.approx(15**2 / 2e4, rel=1e-9)
    energy = run.energy()
    assert abs(energy["balance"].values).max() < 1e-5
    assert energy["dissipated"].sel(damper="bond").values[-1] > 15**2 / 2e4
    assert energy["stored"].sel(store="bond").values[-1] == pytest.approx(0, abs=1e-12)
    assert not run.status.notes


def lump(axis: str, **bond: Any) -> gs.Model:
    """Return a lump of 1 kg that slides along x, with a bond to the ground that has its normal along an axis."""
    model = gs.Model("lump")
    model.add(gs.Body("lump", mass=1))
    model.add(gs.Prismatic("x", "ground", "lump", axis="x"))
    model.add(gs.Bond("bond", "ground", "lump", stiffness=100, axis=axis, **bond))
    return model


def test_the_instant_of_breaking_is_exact() -> None:
    at = np.arcsin(0.8) / 10  # x = sin(10 t)/5, and 100 x = 16
    model = lump("x", limit=16)
    run = gs.simulate(model, times=[0, at - 1e-8, at + 1e-8, 1], initial={"x.rate": 2}, integrator=SHARP)
    assert run["bond.broken"].values.tolist() == [0, 0, 1, 1]
    np.testing.assert_allclose(run["bond.force"].values, (0, 16, 0, 0), atol=1e-5)
    assert run["x.rate"].values[-1] == pytest.approx(2 * 0.6, rel=1e-10)


def test_it_shears() -> None:
    at = np.arcsin(0.8) / 5
    model = lump("z", limit=1e9, shear_stiffness=25, shear_limit=8)
    run = gs.simulate(model, times=[0, at - 1e-8, at + 1e-8, 1], initial={"x.rate": 2}, integrator=SHARP)
    np.testing.assert_allclose(run["bond.shear"].values[:, 0], (0, 8, 0, 0), atol=1e-5)
    assert run["x.rate"].values[-1] == pytest.approx(2 * 0.6, rel=1e-10)
    assert run["bond.released"].values[-1] == pytest.approx(8**2 / 50, rel=1e-9)


def test_a_bond_between_places_of_given_motion_is_refused() -> None:
    model = gs.Model("pull")
    model.add(gs.Body("lump", mass=1))
    model.add(gs.Prismatic("x", "ground", "lump", axis="x", driven="0.3*t"))
    model.add(gs.Bond("bond", "ground", "lump", 60, stiffness=1e3, axis="x"))
    with pytest.raises(gs.StateError, match="Bond 'bond' holds places whose motion is given"):
        gs.simulate(model, duration=1)


def test_a_broken_bond_still_bears_compression() -> None:
    model = gs.Model("stack", gravity=(0, 0, -9.81))
    model.add(gs.Body("lump", mass=3))
    model.add(gs.Prismatic("z", "ground", "lump", axis="z"))
    model.add(gs.Bond("bond", "ground", "lump", 5, stiffness=1e4, damping=50))
    run = gs.simulate(model, duration=3, initial={"z": 0, "z.rate": 1}, integrator=SHARP)
    assert run["bond.broken"].values[-1] == 1
    assert run["bond.force"].values[-1] == pytest.approx(-3 * 9.81, rel=1e-3)
    assert abs(run.energy()["balance"].values).max() < 1e-8


@campaign(20)
def test_momentum_and_energy_are_kept_while_bonds_break(seed: int) -> None:
    draw = np.random.default_rng(seed)
    first, second = 0.3 * draw.normal(size=(2, 3))
    model = gs.Model("lumps")
    model.add(gs.Body("first", mass=2, inertia=(1, 1.2, 1.4), points={"eye": tuple(first)}))
    model.add(gs.Body("second", mass=1, inertia=(0.5, 0.4, 0.6), points={"eye": tuple(second)}))
    for name in ("first", "second"):
        model.add(gs.Free(name[0], "ground", name))
    axis = tuple(draw.normal(size=3))
    for name, a, b in (("glue", "first.eye", "second.eye"), ("frost", ("first", tuple(first - second)), "second")):
        bond = {"stiffness": 500, "axis": axis, "shear_limit": draw.uniform(5, 60)}
        model.add(gs.Bond(name, a, b, draw.uniform(5, 60), **bond))
    pairs = [(f"{joint}.{label}", x) for joint in "fs" for label, x in zip(_SPEEDS, draw.normal(size=6), strict=True)]
    start = {**dict(pairs), **dict(zip(("s.x", "s.y", "s.z"), first - second, strict=True))}
    run = gs.simulate(model, duration=1, initial=start, integrator=SHARP)
    assert run["glue.broken"].values[-1] + run["frost.broken"].values[-1] > 0
    momentum = run.momentum()
    for kind in ("linear", "angular"):
        np.testing.assert_allclose(momentum[kind].values, [momentum[kind].values[0]] * len(run.time), atol=1e-8)
    energy = run.energy()
    assert abs(energy["balance"].values).max() < 1e-8 * max(1.0, abs(energy["total"].values).max())


_SPEEDS = ("w1", "w2", "w3", "v1", "v2", "v3")


def test_the_state_is_kept_in_files_and_in_runs_that_go_on(tmp_path: Any) -> None:
    start = {"z1.rate": 1.5, "z2.rate": 1.5}
    run = gs.simulate(pair(), duration=0.5, initial=start)
    run.save(tmp_path / "run.nc")
    again = gs.load(tmp_path / "run.nc")
    np.testing.assert_array_equal(again["bond.broken"].values, run["bond.broken"].values)
    later = gs.simulate(pair(), duration=0.5, initial=run)
    assert later["bond.broken"].values.min() == 1
    assert later["bond.released"].values[0] == run["bond.released"].values[-1] > 0
    pair().save(tmp_path / "pair.yaml")
    model = gs.Model.load(tmp_path / "pair.yaml")
    assert model.forces["bond"] == pair().forces["bond"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"limit": 0}, "limit: it is 0: a bond without strength is broken. Give the tension that it bears"),
        ({"limit": -3}, "limit: it is -3: a bond without strength is broken"),
        ({"limit": "strength - 15"}, "limit: it is 0: a bond without strength is broken"),
        ({"shear_limit": 0}, "shear_limit: it is 0: a bond without strength is broken. Give the shear"),
        ({"damping": -1}, "damping: it is -1. It cannot be negative"),
    ],
)
def test_bonds_without_strength_are_explained(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(gs.ModelError, match=message):
        gs.formulate(pair(**wrong))


def test_bonds_need_two_bodies_and_a_stiffness() -> None:
    with pytest.raises(gs.ModelError, match="stiffness: it is missing"):
        gs.Bond("bond", "a", "b", 3)
    with pytest.raises(gs.ModelError, match="both places are on 'a'"):
        gs.Bond("bond", "a.eye", "a", 3, stiffness=1)


def test_an_overloaded_bond_does_not_begin() -> None:
    with pytest.raises(gs.StateError, match=r"bond 'bond' is loaded 2 times its limit at t = 0 s. Begin with less"):
        gs.simulate(pair(), duration=1, initial={"z2": -0.003})
    run = gs.simulate(pair(), duration=0.1, initial={"z2": -0.003, "bond.broken": 1})
    assert run["bond.force"].values.max() == 0
