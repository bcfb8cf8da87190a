"""Friction laws: contracts over the registry, in one and two directions."""

from __future__ import annotations

import math

import pytest

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.model.friction import FRICTION_LAWS, FrictionLaw, Sliding
from gyrostat.scalar import FloatScalars

LAWS: dict[str, FrictionLaw] = {
    "Coulomb": gs.Coulomb(0.4, 1e-4),
    "LimitedViscous": gs.LimitedViscous(0.4, 1e4),
    "Stribeck": gs.Stribeck(0.4, 0.6, 0.01, 1e-4, viscous=0.1),
    "LuGre": gs.LuGre(0.4, 0.6, 1e4, 10, 0.01, viscous=0.1),
    "Bristle": gs.Bristle(0.4, 0.6, 1e4, 10, 0.01, viscous=0.1),
    "FixedBristle": gs.FixedBristle(0.4, 5.0, 1e-4, 0.01),
}
every_law = pytest.mark.parametrize("tag", FRICTION_LAWS.tags)
laws_per_load = pytest.mark.parametrize("tag", [tag for tag in FRICTION_LAWS.tags if tag != "FixedBristle"])


def friction(law: FrictionLaw, velocity: tuple[float, ...], load: float, bristle: tuple[float, ...]):
    """Return force and rates of a law."""
    state = bristle if law.has_bristle else ()
    return law.friction(Sliding(velocity, load, state, FloatScalars(), lambda formula: formula.value()))


@every_law
def test_a_law_has_a_public_name_and_described_coefficients(tag: str) -> None:
    assert getattr(gs, tag) is FRICTION_LAWS.get(tag) is type(LAWS[tag])
    assert all("description" in field for field in LAWS[tag].schema()["properties"].values())


@laws_per_load
def test_steady_sliding_has_the_coefficient_of_friction(tag: str) -> None:
    v, law = 1.0, LAWS[tag]
    force, rates, *_ = friction(law, (v,), 5.0, (0.4 / 1e4,))
    assert force[0] == pytest.approx(-5.0 * (0.4 + (0.1 if tag not in ("Coulomb", "LimitedViscous") else 0)), rel=1e-6)
    assert all(abs(rate) < 1e-9 for rate in rates)


@every_law
def test_two_directions_turn_with_the_velocity(tag: str) -> None:
    law, c, s = LAWS[tag], math.cos(0.7), math.sin(0.7)
    alone, rate, *_ = friction(law, (0.02,), 3.0, (3.9e-5,))
    force, rates, *_ = friction(law, (0.02 * c, 0.02 * s), 3.0, (3.9e-5 * c, 3.9e-5 * s))
    assert force == pytest.approx((alone[0] * c, alone[0] * s), rel=1e-12)
    assert rates == pytest.approx((rate[0] * c, rate[0] * s) if rate else (), rel=1e-9)


@laws_per_load
@pytest.mark.parametrize("v", [-0.3, -0.005, 0.002, 0.4])
def test_friction_opposes_sliding_and_scales_with_the_load(tag: str, v: float) -> None:
    steady = math.copysign((0.4 + 0.2 * math.exp(-((v / 0.01) ** 2))) / 1e4, v)
    one, two = (friction(LAWS[tag], (v,), load, (steady,)).force[0] for load in (2.0, 4.0))
    assert one * v < 0
    assert two == pytest.approx(2 * one, rel=1e-14)


@pytest.mark.parametrize(
    ("law", "v", "force"),
    [
        (gs.LimitedViscous(0.4, 50.0), -0.01, 0.5),  # below the limit of 2 N: γ v
        (gs.LimitedViscous(0.4, 50.0), 0.1, -2.0),
        (gs.LimitedViscous(damping=50.0), 0.1, -5.0),  # eq. 3.5.18
        (gs.LimitedViscous(0.4), -1e-9, 2.0),  # eq. 3.5.17
        (gs.LimitedViscous(0.4), 0.0, 0.0),
    ],
)
def test_viscous_friction_up_to_its_limit(law: gs.LimitedViscous, v: float, force: float) -> None:
    found = friction(law, (v,), 5.0, ())
    assert found.force == pytest.approx((force,))
    assert found.dissipation == pytest.approx(-force * v)
    assert friction(law, (0.0, v), 5.0, ()).force[1] == pytest.approx(force)


def test_bristles_are_elastic_below_the_breakaway_share() -> None:
    limit = 0.6 / 1e4
    for share, v in ((0.5, 1e-6), (0.969, 1e-6), (1.0, -1e-6)):
        assert friction(LAWS["Bristle"], (v,), 1.0, (share * limit,)).rates == (v,)
    assert friction(LAWS["LuGre"], (1e-6,), 1.0, (0.5 * limit,)).rates[0] == pytest.approx(0.5e-6, rel=1e-4)
    assert friction(LAWS["Bristle"], (1e-6,), 1.0, (limit,)).rates[0] == pytest.approx(0.0, abs=1e-13)


def test_fixed_bristles_are_springs_up_to_their_limit() -> None:
    """k = μ N₀/d = 2e4 N/m under any load; the limit is μ N, and beyond 1.1 of it bristles yield within 1 ms."""
    law = LAWS["FixedBristle"]
    for load in (3.0, 5.0, 20.0):
        limit = 0.4 * load
        for share in (-0.85, 0.3):
            z = share * limit / 2e4
            found = friction(law, (0.0,), load, (z,))
            assert found.force == pytest.approx((-2e4 * z,))
            assert found.rates == (0.0,)
            assert found.stored == pytest.approx(1e4 * z**2)
        for share in (1.1, 1.5, 4.0):
            assert friction(law, (0.0,), load, (share * limit / 2e4,)).force == pytest.approx((-limit,))
        z, v = 3.0 * limit / 2e4, 0.02
        assert friction(law, (v,), load, (z,)).rates == pytest.approx((v - 1000 * (z - 1.2 * limit / 2e4),))
    assert friction(law, (1.0,), 0.0, (1e-4,)).force == pytest.approx((0.0,), abs=1e-7)


@pytest.mark.parametrize("z", [-2e-4, -9.7e-5, 1e-5, 8.9e-5, 1.05e-4, 1.2e-4])
def test_fixed_bristles_keep_the_account_of_energy(z: float) -> None:
    """What friction takes at constant load is stored or lost, and nothing is gained."""
    law, v, h = LAWS["FixedBristle"], 0.03, 1e-9
    found = friction(law, (v,), 5.0, (z,))
    ahead, behind = (friction(law, (v,), 5.0, (z + s * h * found.rates[0],)).stored for s in (1, -1))
    assert -found.force[0] * v == pytest.approx((ahead - behind) / (2 * h) + found.dissipation, abs=1e-6)
    assert found.dissipation >= -1e-12


@pytest.mark.parametrize(
    ("cls", "arguments", "message"),
    [
        (gs.Coulomb, (0.4, 0), "Coulomb, speed: 0 is not positive. Give a small speed"),
        (gs.LimitedViscous, (), "LimitedViscous: it has no coefficient of friction and no damping. Give mu=…"),
        (gs.LimitedViscous, (0.4, -1), "LimitedViscous, damping: -1 is not positive."),
        (gs.Stribeck, (0.4, 0.3, 0, 1e-4), "Stribeck, speed: 0 is not positive."),
        (gs.Stribeck, (0.4, 0.3, 0.1, 0), "Stribeck, smoothing: 0 is not positive."),
        (gs.LuGre, (0.3, 0.4, 0, 1, 0.1), "LuGre, stiffness: 0 is not positive."),
        (gs.FixedBristle, (0.3, 0, 1e-3), "FixedBristle, load: 0 is not positive. Give a typical normal force."),
        (gs.FixedBristle, (0.3, 1, 0), "FixedBristle, deflection: 0 is not positive."),
        (gs.FixedBristle, (-0.3, 1, 1), "FixedBristle, mu: -0.3 is negative."),
        (gs.Bristle, (0.3, 0.4, 1e4, 1, 0.1, 0, 1.2), "Bristle, breakaway: 1.2 is not between 0 and 1."),
    ],
)
def test_laws_that_cannot_be(cls: type, arguments: tuple[float, ...], message: str) -> None:
    with pytest.raises(ModelError) as error:
        cls(*arguments)
    assert message in str(error.value)


def test_an_unknown_law_is_named() -> None:
    with pytest.raises(ModelError, match=r"law\.Lugre: there is no friction law of this name\. Did you mean 'LuGre'"):
        gs.JointFriction("f", "x", {"Lugre": {}})
