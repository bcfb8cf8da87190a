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
}
every_law = pytest.mark.parametrize("tag", FRICTION_LAWS.tags)


def friction(law: FrictionLaw, velocity: tuple[float, ...], load: float, bristle: tuple[float, ...]):
    """Return force and rates of a law."""
    state = bristle if law.has_bristle else ()
    return law.friction(Sliding(velocity, load, state, FloatScalars(), lambda formula: formula.value()))


@every_law
def test_a_law_has_a_public_name_and_described_coefficients(tag: str) -> None:
    assert getattr(gs, tag) is FRICTION_LAWS.get(tag) is type(LAWS[tag])
    assert all("description" in field for field in LAWS[tag].schema()["properties"].values())


@every_law
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


@every_law
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


@pytest.mark.parametrize(
    ("cls", "arguments", "message"),
    [
        (gs.Coulomb, (0.4, 0), "Coulomb, speed: 0 is not positive. Give a small speed"),
        (gs.LimitedViscous, (), "LimitedViscous: it has no coefficient of friction and no damping. Give mu=…"),
        (gs.LimitedViscous, (0.4, -1), "LimitedViscous, damping: -1 is not positive."),
        (gs.Stribeck, (0.4, 0.3, 0, 1e-4), "Stribeck, speed: 0 is not positive."),
        (gs.Stribeck, (0.4, 0.3, 0.1, 0), "Stribeck, smoothing: 0 is not positive."),
        (gs.LuGre, (0.3, 0.4, 0, 1, 0.1), "LuGre, stiffness: 0 is not positive."),
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
