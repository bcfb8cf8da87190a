"""Tyres: forces by slip, relaxation with the distance travelled, and a car with one track."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.model.contacts import KelvinVoigt
from gyrostat.model.tyres import TyreLaw

SPRING = KelvinVoigt(2e5, 2e3)
ROAD = gs.Body("ground", surfaces={"road": gs.shapes.Plane()})


def towed_wheel(law: TyreLaw, turn: list[tuple[str, str]], **tyre: object) -> gs.Model:
    """Return a wheel that moves along x at the speed v, turned in its guide, with an overlap of 5 mm."""
    model = gs.Model("towed", parameters={"v": 10.0, "a": 0.1})
    model.add(ROAD)
    model.add(gs.Body("wheel", gs.cylinder(20, 0.3, 0.2, along="y"), frames={"hub": gs.Frame((0, 0, 0), turn)}))
    model.add(gs.Prismatic("x", ("ground", (0, 0, 0.295)), "wheel", axis="x", driven="v*t"))
    model.add(gs.Tyre("tyre", "wheel.hub", "ground.road", law, radius=0.3, normal=SPRING, spins=False, **tyre))
    return model


def test_the_side_force_follows_with_the_distance() -> None:
    law = gs.LinearTyre(4e4, trail=0.03)
    run = gs.simulate(towed_wheel(law, [("z", "a")], relaxation=0.5), duration=0.2, step=0.01)
    left = np.array([-np.sin(0.1), np.cos(0.1), 0.0])
    grown = 1 - np.exp(-10 * np.cos(0.1) * run["tyre.angle"]["time"].values / 0.5)
    np.testing.assert_allclose(run["tyre.friction"].values @ left, 4e4 * np.tan(0.1) * grown, rtol=1e-5, atol=1e-3)
    np.testing.assert_allclose(run["tyre.angle"].values, np.arctan(np.tan(0.1) * grown), atol=1e-6)
    at_once = gs.simulate(towed_wheel(law, [("z", "a")]), duration=0.01)
    assert at_once["tyre.angle"].values[-1] == pytest.approx(0.1, rel=1e-4)
    assert np.allclose(at_once["tyre.force"].values, 2e5 * 0.005)


def test_a_cambered_wheel_touches_below_its_lowest_point() -> None:
    law = gs.TyreFormula("2e3*camber + 0*load")
    model = towed_wheel(law, [("x", "a")])
    run = gs.simulate(model, duration=0.01)
    assert run["tyre.camber"].values[-1] == pytest.approx(0.1, rel=1e-9)  # the left end of the axle is up
    assert run["tyre.gap"].values[-1] == pytest.approx(0.295 - 0.3 * np.cos(0.1), rel=1e-9)
    assert run["tyre.friction"].values[-1, 1] == pytest.approx(200.0, rel=1e-9)
    model.replace(gs.Prismatic("x", ("ground", (0, 0, 0.299)), "wheel", axis="x", driven="v*t"))
    assert gs.simulate(model, duration=0.01)["tyre.friction"].values[-1, 1] == 0.0  # it does not touch


@cache
def braked() -> gs.System:
    """Return a wheel with a load of 300 kg that runs at 20 m/s, with a brake that comes in within a second."""
    model = gs.Model("braked wheel", gravity=(0, 0, -9.81))
    model.add(ROAD)
    model.add(gs.Body("slider", mass=0))
    model.add(gs.Body("carrier", gs.point_mass(300)))
    model.add(gs.Body("wheel", gs.cylinder(20, 0.3, 0.2, along="y")))
    model.add(gs.Prismatic("x", "ground", "slider", axis="x"))
    model.add(gs.Prismatic("z", "slider", "carrier", axis="z", initial=0.285))
    model.add(gs.Revolute("spin", "carrier", "wheel", axis="y"))
    model.add(gs.TorsionSpring("brake", "spin", torque="-400*min(t, 1)"))
    law = gs.MagicFormula(gs.MagicCurve(10, 1.9, 1.0, 0.97))
    end = "wheel", "ground.road"
    model.add(gs.Tyre("tyre", *end, law, radius=0.3, normal=SPRING, relaxation_along=0.2))
    return gs.formulate(model)


def test_a_braked_wheel_slips_by_the_magic_formula() -> None:
    initial = {"x.rate": 20.0, "spin.rate": 20 / 0.285}
    run = gs.simulate(braked(), duration=2.0, step=0.1, initial=initial, integrator=gs.Rodas5P(1e-7, 1e-9))
    slip, load, force = (run[f"tyre.{one}"].values for one in ("slip", "force", "friction"))
    bent = 10 * slip - 0.97 * (10 * slip - np.arctan(10 * slip))
    np.testing.assert_allclose(force[:, 0], load * np.sin(1.9 * np.arctan(bent)), rtol=1e-9, atol=1e-9)
    # m a = F and I α = −F r − M with α r = a (1 + slip): the slip is steady
    r = run["wheel.z"].values[-1] - run["tyre.point"].values[-1, 2]
    assert (-400 - force[-1, 0] * r) / 0.9 == pytest.approx(force[-1, 0] / 320 / r * (1 + slip[-1]), rel=2e-3)
    account = run.energy()
    assert abs(account.balance.values).max() < 1e-5
    assert (np.diff(account.dissipated.sel(damper="tyre").values)[3:] > 0).all()


def test_a_car_with_one_track_has_its_textbook_eigenvalues() -> None:
    m, inertia, front, rear, c_f, c_r, v = 1500.0, 2400.0, 1.2, 1.5, 8e4, 9e4, 25.0
    model = gs.Model("car", gravity=(0, 0, 0))
    model.add(ROAD)
    model.add(gs.Body("car", mass=m, inertia=(inertia, inertia, inertia)))
    model.add(gs.Planar("p", ("ground", (0, 0, 0.29)), "car"))
    for name, place, cornering in (("f", front, c_f), ("r", -rear, c_r)):
        end, law = ("car", (place, 0, 0)), gs.LinearTyre(cornering)
        model.add(gs.Tyre(name, end, "ground.road", law, radius=0.3, normal=SPRING, spins=False, low_speed=1e-4))
    system = gs.formulate(model)
    straight = gs.steady_motion(system, {"p.x.rate": v})
    found = np.linalg.eigvals(gs.linearize(system, straight).A)
    both, moment = c_f + c_r, rear * c_r - front * c_f
    A = [
        [-both / (m * v), moment / (m * v) - v],
        [moment / (inertia * v), -(front**2 * c_f + rear**2 * c_r) / (inertia * v)],
    ]
    for expected in np.linalg.eigvals(np.array(A)):
        assert np.abs(found - expected).min() < 1e-6 * abs(expected)


def test_a_relief_carries_a_wheel_as_the_plane_that_it_is() -> None:
    def force(surface: gs.shapes.Shape) -> np.ndarray:
        model = towed_wheel(gs.LinearTyre(4e4), [("z", 0.2)])
        tyre = model.forces["tyre"]
        model.replace(
            gs.Tyre("tyre", tyre.wheel, "ground", tyre.law, radius=0.3, normal=SPRING, spins=False, surface=surface)
        )
        model.replace(gs.Body("ground"))
        return np.concatenate(
            [
                gs.simulate(model, duration=0.01)[f"tyre.{one}"].values[-1:].ravel()
                for one in ("force", "friction", "point")
            ]
        )

    flat = force(gs.shapes.Plane(turn=[("y", -np.arctan(0.1))], at=(0, 0, -0.005)))
    np.testing.assert_allclose(force(gs.shapes.Relief("0.1*x - 0.005")), flat, rtol=1e-9, atol=1e-9)
    assert flat[0] > 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: gs.Tyre("t", "car", "car.road", gs.LinearTyre(1), radius=1, normal=SPRING),
            "wheel and ground are both",
        ),
        (lambda: gs.Tyre("t", "w", "ground", gs.LinearTyre(1), radius=0, normal=SPRING), "radius: 0 is not positive."),
        (
            lambda: gs.Tyre("t", "w", "g", gs.LinearTyre(1), radius=1, normal=SPRING, relaxation=-1),
            "relaxation: -1 is not positive. Leave it out where forces follow slip at once.",
        ),
        (
            lambda: gs.Tyre("t", "w", "g", gs.LinearTyre(1), radius=1, normal=SPRING, relaxation_along=1, spins=False),
            "relaxation_along: a wheel that rolls freely has no longitudinal slip.",
        ),
        (lambda: gs.LinearTyre(-1), "cornering: -1 is negative."),
        (lambda: gs.MagicCurve(10, 1.9, 1, 1.2), "E: 1.2 exceeds 1."),
        (lambda: gs.MagicCurve(10, 0, 1), "C: 0 is not positive."),
        (lambda: gs.TyreFormula("3"), "lateral: 3 does not depend on slip, angle, load, camber."),
    ],
)
def test_tyres_that_cannot_be(make, message: str) -> None:
    with pytest.raises(gs.ModelError) as error:
        make()
    assert message in str(error.value)


def test_grounds_on_which_no_tyre_rolls() -> None:
    model = towed_wheel(gs.LinearTyre(1), [])
    model.replace(gs.Body("ground", surfaces={"road": gs.shapes.Sphere(1)}))
    with pytest.raises(gs.ModelError, match=r"ground: body 'ground' has the shape Sphere, on which tyres do not roll"):
        model.check()
    model.replace(gs.Body("ground", points={"road": (0, 0, 0)}))
    with pytest.raises(gs.ModelError, match=r"ground: body 'ground' has no single surface, on which tyres do not roll"):
        model.check()
