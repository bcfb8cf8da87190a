"""Normal laws: restitution, Hertz' stiffness, continuity at touch, and the account of energy."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from scipy.integrate import quad, solve_ivp

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.model.contacts import NORMAL_LAWS, Indentation, NormalLaw
from gyrostat.model.contacts.elliptic import axis_ratio
from gyrostat.model.contacts.restitution import impact_damping
from gyrostat.scalar import FloatScalars

S = FloatScalars()
LAWS: dict[str, NormalLaw] = {
    "HuntCrossley": gs.HuntCrossley(2e4, 1.5, restitution=0.6),
    "Hertz": gs.Hertz(1e7, 0.4, [0.2, 0.1], restitution=0.5, speed=0.3),
    "KelvinVoigt": gs.KelvinVoigt(3e3, 20, fade_depth=1e-3),
    "NormalFormula": gs.NormalFormula("where(gap < 0, 1e3*gap**2 - 5*gap*rate, 0)"),
    "Adhesion": gs.Adhesion(gs.HuntCrossley(2e4, chi=0.2), 3.0, 0.01),
}
every_law = pytest.mark.parametrize("tag", NORMAL_LAWS.tags)


def normal(law: NormalLaw, gap: float, rate: float, approach: float = 0.2):
    """Return the force of a law with its energies."""
    values = {"gap": gap, "rate": rate}
    return law.normal(Indentation(gap, rate, approach, S, lambda formula, **_: formula.evaluate(S, values.__getitem__)))


@every_law
def test_a_law_has_a_public_name_and_described_coefficients(tag: str) -> None:
    assert getattr(gs, tag) is NORMAL_LAWS.get(tag) is type(LAWS[tag])
    assert all("description" in field for field in LAWS[tag].schema()["properties"].values())


@every_law
def test_the_force_begins_at_zero(tag: str) -> None:
    before, after = (normal(LAWS[tag], gap, -0.2).force for gap in (1e-14, -1e-14))
    assert after == pytest.approx(before, abs=1e-8)


@every_law
@pytest.mark.parametrize("gap", [-2e-3, -1e-4, 0.004, 0.02])
def test_elastic_forces_are_the_gradient_of_the_stored_energy_and_the_rest_is_lost(tag: str, gap: float) -> None:
    law, h = LAWS[tag], 1e-7
    for rate in (-0.3, 0.0, 0.15):
        found = normal(law, gap, rate)
        slope = (normal(law, gap + h, rate).stored - normal(law, gap - h, rate).stored) / (2 * h)
        assert found.dissipation == pytest.approx(-(found.force + slope) * rate, rel=1e-5, abs=1e-7)
        if law.accounted:
            assert found.dissipation >= 0
            assert normal(law, gap, 0.0).force == pytest.approx(-slope, rel=1e-5, abs=1e-6)


def test_damping_for_a_restitution_is_exact() -> None:
    published = {0.9: 0.166481951, 0.8: 0.373146203, 0.5: 1.432750533, 0.3: 3.087081981}
    for e, delta in published.items():
        assert impact_damping(e, S) == pytest.approx(delta, abs=5e-10)
    for e in (0.05, 0.2, 0.7, 0.999):
        delta = impact_damping(e, S)
        left, _ = quad(lambda v, delta=delta: v / (1 + delta * v), -e, 1)  # ∫ v/(1 + χ v) dv vanishes
        assert left == pytest.approx(0, abs=1e-10)
    assert impact_damping(1, S) == 0


@pytest.mark.parametrize("zeta", [0.05, 0.3, 0.7])
def test_clipped_kelvin_voigt_returns_what_its_closed_form_says(zeta: float) -> None:
    law, root = gs.KelvinVoigt(1e4, 2 * zeta * 100.0), np.sqrt(1 - zeta**2)
    expected = np.exp(-zeta / root * (np.pi - np.arctan2(2 * zeta * root, 1 - 2 * zeta**2)))

    def leaves(_, y):
        return normal(law, y[0], y[1]).force - 1e-12 if y[1] > 0 else 1.0

    leaves.terminal = True
    motion = solve_ivp(
        lambda _, y: [y[1], normal(law, y[0], y[1]).force],
        (0, 1),
        [-1e-15, -1.0],
        rtol=1e-10,
        atol=1e-14,
        events=leaves,
    )
    assert motion.y[1, -1] == pytest.approx(expected, abs=1e-6)


def test_elliptic_contacts_are_those_of_the_case() -> None:
    found = case("crous_hertz_elliptic")
    for one in found["quantities"]:
        if one["name"] == "k_exact" and one["how"] == "root of (B.2)":
            assert axis_ratio(one["B_over_A"], S) == pytest.approx(one["value"], rel=one["tol_rel"])
    assert axis_ratio(1.0, S) == pytest.approx(1.0, rel=1e-14)
    value = {one["name"]: one["value"] for one in found["quantities"]}
    spheres = gs.Hertz(210e9, 0.3, [0.05], radii_b=[0.1])
    crossed = gs.Hertz(210e9, 0.3, [0.02, 0], radii_b=[0.06, 0], angle="90*deg")
    assert normal(spheres, -1e-5, 0).force == pytest.approx(
        value["Psi sphere-sphere steel R=50/100 mm"] * 1e-5**1.5, rel=1e-9
    )
    assert normal(crossed, -1e-5, 0).force == pytest.approx(value["F(10 um) crossed cylinders"], rel=1e-9)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gs.HuntCrossley(-1), "HuntCrossley, stiffness: -1 is not positive."),
        (lambda: gs.HuntCrossley(1, restitution=1.2), "restitution: 1.2 is not above 0 and up to 1. A body returns"),
        (lambda: gs.HuntCrossley(1, restitution=0.5, chi=1), "it has a restitution and a damping factor."),
        (lambda: gs.HuntCrossley(1, speed=1), "speed: there is no restitution that it belongs to."),
        (lambda: gs.HuntCrossley(1, chi=-1), "chi: -1 is negative."),
        (lambda: gs.HuntCrossley(1, restitution=0.5, speed=0), "speed: 0 is not positive."),
        (lambda: gs.Hertz(1e9, 0.6, [0.1]), "nu: 0.6 is not between -1 and 0.5. Steel has 0.3, rubber nearly 0.5."),
        (lambda: gs.Hertz(1e9, 0.3, [0.1], E_b=0, nu_b=-1), "nu_b: -1 is not between -1 and 0.5."),
        (lambda: gs.Hertz(1e9, 0.3, [0.1], E_b=0), "E_b: 0 is not positive."),
        (lambda: gs.KelvinVoigt(1, 1, fade_depth=0), "fade_depth: 0 is not positive."),
        (lambda: gs.NormalFormula("3*rate"), "force: 3*rate does not depend on gap."),
        (lambda: gs.Hertz(2e11, 0.3, [1, 2, 3]), "radii: it has 3 radii. Give one radius for a sphere"),
        (lambda: gs.Hertz(2e11, 0.3, [0.1, 0], radii_b=[0.1, 0]), "the surfaces do not touch at a point"),
        (lambda: gs.Hertz(2e11, 0.3, [0.1], radii_b=[-0.05]), "a hollow must be less curved"),
        (lambda: gs.Bristle(0.3, 0.4, 1e4, 1, 0.1, damping_speed=0), "damping_speed: 0 is not positive."),
    ],
)
def test_laws_that_cannot_be(make, message: str) -> None:
    with pytest.raises(ModelError) as error:
        make()
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("values", "fact"),
    [
        ({"e": 1.2}, r"force 'c', normal\.HuntCrossley\.restitution: e = 1\.2 is not above 0 and up to 1\. A body"),
        ({"mu": -0.3}, r"force 'c', friction\.Coulomb\.mu: mu = -0\.3 is negative\. Give a value of zero or more\."),
    ],
)
def test_coefficients_given_by_parameters_have_limits(values: dict[str, float], fact: str) -> None:
    model = gs.Model("ball", parameters={"e": 0.5, "mu": 0.3, **values})
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Plane()}))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Free("free", "ground", "ball"))
    law = gs.HuntCrossley(1e5, restitution="e")
    model.add(gs.Contact("c", "ball", "ground.floor", law, gs.Coulomb("mu", 0.01)))
    with pytest.raises(gs.ModelError, match=fact):
        gs.formulate(model)


LAW = gs.HuntCrossley(1e5, chi=0.1)


@pytest.mark.parametrize(
    ("force", "fact"),
    [
        (
            gs.Contacts("c", among=["ground", "ball"], normal=gs.HuntCrossley("k")),
            "normal.HuntCrossley.stiffness: k = -5",
        ),
        (
            gs.Contacts("c", among=["ground", "ball"], normal=LAW, friction=gs.Coulomb("k", 1)),
            "friction.Coulomb.mu: k = ",
        ),
        (gs.Contact("c", "ball", "ground.floor", LAW, rolling=gs.RollingResistance("k")), "rolling.rolling: k = -5 is"),
        (
            gs.Contact("c", "ball", "ground.floor", gs.Adhesion(gs.HuntCrossley("k"), 1, 1)),
            "normal.Adhesion.law.HuntCrossley",
        ),
        (
            gs.Contact("c", "ball", "ground.floor", gs.Hertz(1e7, "1 + k/50", [0.1])),
            "nu: 1 + k/50 = 0.9 is not between",
        ),
        (
            gs.JointLimit("c", "h", gs.KelvinVoigt(1, 1, fade_depth="k"), lower=0),
            "law.KelvinVoigt.fade_depth: k = -5 is",
        ),
        (
            gs.JointFriction("c", "h", gs.Bristle(0.3, 0.4, "k", 1, 0.1)),
            "law.Bristle.stiffness: k = -5 is not positive",
        ),
        (
            gs.Tyre("c", "ball", "ground.floor", gs.LinearTyre("k"), radius=1, normal=LAW),
            "law.LinearTyre.cornering: k = ",
        ),
    ],
)
def test_laws_of_all_elements_have_limits_by_the_model_and_by_changed_parameters(force, fact: str) -> None:
    model = gs.Model("ball", gravity=(0, 0, -9.81), parameters={"k": -5.0})
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Plane()}))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("h", "ground", "ball", axis="z"))
    if isinstance(force, gs.Contacts):
        model.replace(gs.Translation("h", "ground", "ball"))
    model.add(force)
    with pytest.raises(gs.ModelError) as error:
        gs.formulate(model)
    assert fact in str(error.value)
    model.set_parameter("k", -35.0 if "nu" in fact else 5.0)
    system = gs.formulate(model)
    with pytest.raises(gs.StateError) as later:
        system.parameter_values({"k": -5.0})
    assert fact in str(later.value)


def test_negative_coefficients_of_friction_are_refused() -> None:
    with pytest.raises(gs.ModelError, match=r"Coulomb, mu: -0\.3 is negative\. Give a value of zero or more\."):
        gs.Coulomb(-0.3, 0.01)
    with pytest.raises(gs.ModelError, match=r"Stribeck, mu_static: -1 is negative\."):
        gs.Stribeck(0.3, -1, 0.1, 0.01)
    with pytest.raises(gs.ModelError, match=r"Bristle, damping: -5 is negative\."):
        gs.Bristle(0.3, 0.4, 1e4, -5, 0.1)
