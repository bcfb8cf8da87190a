"""Spans of a `Reeving` that hang: catenaries, elastic ones, sheaves, drums, accounts of energy, what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from cases import case, value
from scipy.optimize import fsolve

import gyrostat as gs

G = 9.81
LEVEL = case("catenary_level")


def slider(*, pull: object, at: float, rise: float = 0.0, **rope: object) -> gs.Model:
    """Return a rope from the origin to a body that slides level at a height, with a load along its way."""
    model = gs.Model("slider", gravity=(0, 0, -G))
    model.add(gs.Body("end", gs.point_mass(1)))
    model.add(gs.Prismatic("x", ("ground", (0, 0, rise)), "end", axis="x", initial=at))
    model.add(gs.Force("pull", "end", (pull, 0, 0)))
    model.add(gs.Reeving("rope", ["ground", "end"], sag=True, **rope))
    return model


def test_the_level_catenary():
    """The published case, as an equilibrium found from another position and as a motion that stays at rest."""
    of = LEVEL["parameters"]
    H = value(LEVEL, "horizontal_tension")
    system = gs.formulate(slider(pull=H, at=2.3, length=of["L"], EA=1e12, density=of["rho"]))
    point = gs.equilibrium(system)
    assert point["x"] == pytest.approx(of["span"], rel=1e-10)
    run = gs.simulate(system, initial=point, duration=1, step=0.5, integrator=gs.Rodas5P())
    assert run["rope.span1.horizontal"].values == pytest.approx(H, rel=1e-10)
    assert run["rope.span1.first"].values == pytest.approx(value(LEVEL, "support_tension"), rel=1e-10)
    assert run["rope.span1.last"].values == pytest.approx(value(LEVEL, "support_tension"), rel=1e-10)
    assert run["rope.span1.sag"].values == pytest.approx(value(LEVEL, "sag"), rel=1e-10)
    cosine = run["rope.span1.horizontal"].values / run["rope.span1.first"].values
    assert np.arccos(cosine) == pytest.approx(value(LEVEL, "end_slope_angle"), rel=1e-10)


def elastic(h: float, v: float, length: float, EA: float, weight: float) -> tuple[float, float]:
    """Return the forces H and V at the first end of an elastic catenary (Irvine), which has no uniform strain."""

    def gaps(x: np.ndarray) -> list[float]:
        H, first = x
        last = first + weight * length
        spread = math.asinh(last / H) - math.asinh(first / H)
        tall = (math.hypot(H, last) - math.hypot(H, first)) / weight + (last**2 - first**2) / (2 * EA * weight)
        return [H * length / EA + H / weight * spread - h, tall - v]

    H, first = fsolve(gaps, [weight * length, -weight * length / 2], xtol=1e-13)
    return float(H), float(first)


@pytest.mark.parametrize(("length", "rise"), [(50.0, 0.0), (52.0, 10.0), (70.0, 30.0), (53.0, -20.0)])
def test_a_steel_rope_is_the_elastic_catenary(length, rise):
    """With the strains of a wire rope, uniform strain makes 1e-4 of difference."""
    EA, rho = 5e6, 1.5
    system = gs.formulate(slider(pull=0, at=50.0, rise=rise, length=length, EA=EA, density=rho))
    rope = system.force_outputs([50.0], [0.0])["rope"]
    H, first = elastic(50.0, rise, length, EA, rho * G)
    assert rope["span1.horizontal"] == pytest.approx(H, rel=1e-4)
    assert rope["span1.first"] == pytest.approx(math.hypot(H, first), rel=1e-4)
    assert rope["span1.last"] == pytest.approx(math.hypot(H, first + rho * G * length), rel=1e-4)
    assert rope["mismatch"] < 1e-12


def crane(density: float = 2.0, *, sag: bool = True, damping: float = 0.0, length: float = 16.6) -> gs.Model:
    """Return a load on a rope over the sheave of a body on springs, from a drum on a spring."""
    model = gs.Model("crane", gravity=(0, -G, 0))
    model.add(gs.Body("trolley", mass=30, inertia=(1, 1, 1)))
    model.add(gs.Planar("way", "ground", "trolley", initial={"x": 12.0}))
    for name, at, place in (("k1", (11, 3, 0), (0, 0.3, 0)), ("k2", (14, 3, 0), (0.2, 0, 0))):
        model.add(gs.SpringDamper(name, ("ground", at), ("trolley", place), stiffness=5000, length=3))
    model.add(gs.Body("load", gs.point_mass(20)))
    model.add(gs.Planar("j", "ground", "load", initial={"x": 12.5, "y": -4.0}, driven={"angle": "0"}))
    model.add(gs.Body("drum", mass=10, inertia=(0.5, 0.5, 0.5)))
    model.add(gs.Revolute("spin", ("ground", (0, 1, 0)), "drum"))
    model.add(gs.JointSpring("hold", "spin", 200.0))
    top = gs.Pulley("top", "trolley", 0.3, "right")
    rope = {"length": length, "EA": 2e5, "density": density, "damping": damping}
    model.add(gs.Reeving("rope", ["ground", top, "load"], sag=sag, **rope))
    model.add(gs.Winch("winch", "rope", "spin", 0.2, turns=20))
    return model


@pytest.fixture(scope="module")
def hoist() -> gs.System:
    """Return the crane, formulated."""
    return gs.formulate(crane())


def test_forces_are_the_gradient_of_the_energy(hoist):
    """On bodies, sheave and drum, in a position at which nothing is at rest."""
    q, rest = np.array([12.01, 0.02, 0.1, 12.5, -4.0, 0.3]), np.zeros(6)

    def potential(at: np.ndarray) -> float:
        return float(hoist.energy(at, rest).potential)

    steps = np.eye(6) * 1e-4
    close = [(potential(q + d) - potential(q - d)) / 2e-4 for d in steps]
    wide = [(potential(q + 2 * d) - potential(q - 2 * d)) / 4e-4 for d in steps]
    gradient = (4 * np.array(close) - np.array(wide)) / 3
    np.testing.assert_allclose(hoist.inverse_dynamics(q, rest, rest), gradient, rtol=1e-9, atol=1e-6)


def test_energy_is_kept_while_a_load_swings_on_a_sagging_rope(hoist):
    """Rope, load, sheave and drum exchange some hundred joules."""
    run = gs.simulate(hoist, duration=0.6, step=0.1, integrator=gs.Rodas5P(1e-9, 1e-11))
    energy = run.energy()
    assert np.ptp(energy["kinetic"].values) > 50
    assert np.abs(energy["balance"].values).max() < 1e-5
    assert run["rope.span1.sag"].values.min() > 0.1


def test_damping_takes_energy(hoist):
    """Viscous tension acts on the share of the rate that stretches the rope, and is accounted for."""
    run = gs.simulate(crane(damping=2e3), duration=0.6, step=0.1, integrator=gs.Rodas5P(1e-9, 1e-11))
    lost = run.energy()["dissipated"].sel(damper="rope").values
    assert (np.diff(lost) > 0).all()
    assert lost[-1] > 0.1
    assert np.abs(run.energy()["balance"].values).max() < 1e-4


def test_without_weight_the_rope_is_straight():
    """A taut rope of a thousandth of the load has the tension of a straight one."""
    q, rest = [12.0, 0.0, 0.0, 12.5, -4.0, 0.3], [0.0] * 6
    found = [
        gs.formulate(crane(1e-3, sag=sag, length=15.9)).force_outputs(q, rest)["rope"]["tension"]
        for sag in (True, False)
    ]
    assert found[1] > 1000
    assert found[0] == pytest.approx(found[1], rel=1e-6)


def test_tension_over_a_free_sheave_differs_by_the_weight_between():
    """T − w y is the same at both ends of the path; the loads of a block at rest carry the whole rope."""
    q, rest = np.array([12.01, 0.02, 0.1, 12.5, -4.0, 0.3]), [0.0] * 6
    system = gs.formulate(crane())
    rope = system.force_outputs(q, rest)["rope"]
    weight = 2.0 * G / (1 + rope["tension"] / 2e5)
    assert rope["span2.last"] - rope["span1.first"] == pytest.approx(weight * -4.0, rel=1e-9)


def test_a_hanging_rope_that_runs_off_is_noted():
    """Two loops over a free sheave are no equilibrium: the longer one takes all of the rope."""
    model = gs.Model("loops", gravity=(0, -G, 0))
    model.add(gs.Body("end", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "end", axis="x", driven="20"))
    top = gs.Pulley("top", ("ground", (8, 0, 0)), 0.2, "right")
    model.add(gs.Reeving("rope", ["ground", top, "end"], length=30, EA=1e6, density=1.0, sag=True))
    with pytest.warns(gs.GyrostatWarning, match=r"The shape in which rope 'rope' hangs is found to .* only at t = 0 s"):
        gs.simulate(model, duration=0.1, step=0.1)


def test_a_rope_that_sags_off_its_pulley_is_noted():
    """A sheave above the rope does not hold it."""
    model = gs.Model("above", gravity=(0, -G, 0))
    model.add(gs.Body("end", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "end", axis="x", driven="20"))
    top = gs.Pulley("top", ("ground", (10, -0.0999, 0)), 0.1, "left")
    model.add(gs.Reeving("rope", ["ground", top, "end"], length=20.0, EA=1e4, density=2.0, sag=True))
    with pytest.warns(gs.GyrostatWarning, match=r"Rope 'rope' sags off pulley 'top' at t = 0 s \(its wrap angle is -"):
        gs.simulate(model, duration=0.1, step=0.1)


@pytest.mark.parametrize(
    ("rope", "message"),
    [
        ({"EA": 1e5}, "sag: the rope has no density. Give density=…, or leave out sag."),
        ({"inextensible": True, "density": 1.0}, "sag: the rope does not stretch. Give EA=…; a large one is as good."),
    ],
)
def test_refused_ropes(rope, message):
    """A shape needs weight, and a stiffness."""
    with pytest.raises(gs.ModelError) as caught:
        gs.Reeving("rope", ["ground", "a"], length=1, sag=True, **rope)
    assert message in str(caught.value)


def test_refused_grip():
    """A sprocket that a loose rope passes is not in the law."""
    wheel = gs.Pulley("wheel", "ground", 0.1, "left", grip=True)
    with pytest.raises(
        gs.ModelError, match=r"pulley .wheel. has grip=True\. A rope that sags runs freely over its pul"
    ):
        gs.Reeving("rope", ["ground", wheel, "a"], length=1, EA=1e5, density=1.0, sag=True)


def test_refused_without_gravity():
    """Nothing hangs without weight."""
    model = gs.Model("free")
    model.add(gs.Body("a", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "a", axis="x", initial=1))
    model.add(gs.Reeving("rope", ["ground", "a"], length=1, EA=1e5, density=1.0, sag=True))
    with pytest.raises(
        gs.ModelError, match=r"there is no gravity in which the rope could hang\. Give the model gravity"
    ):
        gs.formulate(model)
