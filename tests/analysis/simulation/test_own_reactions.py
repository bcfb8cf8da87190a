"""Friction in joints by their own reactions: loads and motion against independent computations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import gyrostat as gs

G, MU, RADIUS, SLOW = 9.81, 0.4, 0.08, 1e-3


def pendulum(mass: float = 2.0, length: float = 1.0) -> gs.Model:
    model = gs.Model("pendulum", gravity=(0, -G, 0))
    model.add(gs.Body("bar", gs.slender_rod(mass, length, along="y"), points={"top": (0, length / 2, 0)}))
    model.add(gs.Revolute("a", "ground", "bar.top", initial=1.0))
    model.add(gs.JointFriction("f", "a", gs.Coulomb(MU, SLOW), "reaction", radius=RADIUS))
    return model


def four_bar() -> gs.Model:
    model = gs.Model("four-bar", gravity=(0, -G, 0))
    for name, length in (("crank", 1.0), ("coupler", 2.0), ("rocker", 1.5)):
        ends = {"p": (-length / 2, 0, 0), "q": (length / 2, 0, 0)}
        model.add(gs.Body(name, gs.slender_rod(length, length, along="x"), points=ends))
    model.add(gs.Revolute("a", "ground", "crank.p", initial=1.2))
    model.add(gs.Revolute("b", "crank.q", "coupler.p", initial=-1.0))
    model.add(gs.Revolute("c", "coupler.q", "rocker.p", initial=-1.5))
    model.add(gs.Revolute("d", ("ground", (2, 0, 0)), "rocker.q"))
    for joint, mu in (("a", 0.3), ("c", 0.2), ("d", 0.5)):
        model.add(gs.JointFriction(f"f{joint}", joint, gs.Coulomb(mu, 0.01), "reaction", radius=0.05))
    return model


def test_a_pendulum_with_journal_friction_follows_its_equation() -> None:
    """I α = −m g l sin θ − μ ρ |R| v/√(v² + w²), where R has the acceleration α in it."""
    mass, half, inertia = 2.0, 0.5, 2.0 / 3

    def alpha(theta: float, rate: float) -> float:
        share = MU * RADIUS * RADIUS * rate / np.hypot(RADIUS * rate, SLOW)

        def residual(a: float) -> float:
            along, across = mass * (G * np.cos(theta) + half * rate**2), mass * (G * np.sin(theta) + half * a)
            return inertia * a + mass * G * half * np.sin(theta) + share * float(np.hypot(along, across))

        return float(brentq(residual, -200, 200, xtol=1e-14))

    exact = solve_ivp(lambda t, y: [y[1], alpha(*y)], (0, 2), [1.0, 0.5], "DOP853", rtol=1e-10, atol=1e-12)
    run = gs.simulate(pendulum(), duration=2, initial={"a.rate": 0.5}, integrator=gs.DOP853(rtol=1e-10, atol=1e-12))
    assert run["a"].values[-1] == pytest.approx(exact.y[0, -1], abs=1e-8)
    force = run["a.force"].values
    assert np.allclose(run["f.load"].values, np.hypot(force[:, 0], force[:, 1]), rtol=1e-13)
    energy = run.energy()
    assert abs(energy.balance.values).max() < 1e-8
    assert energy.dissipated.sel(damper="f").values[-1] > 0.1


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_loads_in_a_loop_are_the_reactions_that_they_change(coordinates: str) -> None:
    system = gs.formulate(four_bar(), coordinates=coordinates)
    run = gs.simulate(system, duration=1, step=0.1)
    assert run.status.success
    for joint in "acd":
        force = run[f"{joint}.force"].values
        assert np.allclose(run[f"f{joint}.load"].values, np.hypot(force[:, 0], force[:, 1]), rtol=1e-10)
    assert abs(run.energy().balance.values).max() < 1e-6


def slide(length: float | None = None, offset: float = 0.0, mu: float = 0.3) -> gs.Model:
    """Return a block of 1 kg on a horizontal rail, pulled with 20 N at some height above it."""
    model = gs.Model("slide", gravity=(0, -G, 0))
    model.add(gs.Body("block", gs.point_mass(1.0), points={"hook": (0, offset, 0)}))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.JointFriction("f", "x", gs.Coulomb(mu, 1e-9), "reaction", length=length))
    model.add(gs.Force("pull", "block.hook", (20, 0, 0)))
    return model


def test_a_slide_bears_its_weight_and_the_moment_across() -> None:
    run = gs.simulate(slide(), duration=1, initial={"x.rate": 1.0})
    assert run["x"].values[-1] == pytest.approx(1 + 0.5 * (20 - 0.3 * G), abs=1e-9)
    run = gs.simulate(slide(length=0.2, offset=0.15), duration=0.1, initial={"x.rate": 1.0})
    loads = abs(G / 2 + 20 * 0.15 / 0.2) + abs(G / 2 - 20 * 0.15 / 0.2)  # 2 · 15 N: each bearing 15 ± 4.9 N
    assert np.allclose(run["f.load"].values, loads)
    assert np.allclose(run["x.acc"].values, 20 - 0.3 * loads)


def test_an_offset_load_locks_a_slide() -> None:
    """Beyond 2 μ h > L a pull along the rail is less than the friction that it causes: the block stops and stays."""
    locked = gs.simulate(slide(length=0.1, offset=0.2), duration=1, initial={"x.rate": 0.5}, integrator=gs.Rodas5P())
    loads = 2 * 20 * 0.2 / 0.1
    stop = 0.5 / (0.3 * loads - 20)
    assert locked["x"].values[-1] == pytest.approx(0.25 * stop, abs=1e-6)


def test_linear_models_contain_the_change_of_the_reaction() -> None:
    """The damping of a horizontal slide by its weight: μ N/w about rest."""
    system = gs.formulate(slide(mu=0.3))
    A = gs.linearize(gs.formulate(_still()), {}).A.values
    assert A[1, 1] == pytest.approx(-0.3 * G / 0.1, rel=1e-9)
    assert system.forward_dynamics([0.0], [2.0])[0] == pytest.approx(20 - 0.3 * G)


def _still() -> gs.Model:
    model = gs.Model("still", gravity=(0, -G, 0))
    model.add(gs.Body("block", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.JointFriction("f", "x", gs.Coulomb(0.3, 0.1), "reaction"))
    return model


def test_dimensions_of_a_bearing_mean_its_own_reaction() -> None:
    written, short = (gs.Model(name, gravity=(0, -G, 0)) for name in ("written", "short"))
    for model, load in ((written, {"load": "reaction"}), (short, {})):
        model.add(gs.Body("bar", gs.slender_rod(2, 1, along="y"), points={"top": (0, 0.5, 0)}))
        model.add(gs.Revolute("a", "ground", "bar.top", initial=1))
        model.add(gs.JointFriction("f", "a", gs.Coulomb(0.4, 1e-3), radius=0.08, **load))  # type: ignore[arg-type]
    runs = [gs.simulate(model, duration=1, step=0.5) for model in (written, short)]
    assert runs[1]["f.load"].values.tolist() == runs[0]["f.load"].values.tolist()
    assert runs[1]["f.load"].values[0] > 10


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"load": 1, "radius": 0.1}, "the radius has no meaning with a given load"),
        ({"load": "reaction", "radius": -0.1}, r"radius: .*-0\.1"),
        ({"load": "reaction"}, "'a' is a hinge, in which friction acts at the radius of its journal"),
    ],
)
def test_dimensions_of_bearings_are_checked(arguments: dict[str, object], text: str) -> None:
    def formulated() -> gs.System:
        model = pendulum()
        model.remove("f")
        model.add(gs.JointFriction("f", "a", gs.Coulomb(0.3, 1e-3), **arguments))  # type: ignore[arg-type]
        return gs.formulate(model)

    with pytest.raises(gs.ModelError, match=text):
        formulated()


def test_joints_without_a_single_axis_are_refused() -> None:
    model = gs.Model("m")
    model.add(gs.Body("b", gs.sphere(1, 1)))
    model.add(gs.Planar("p", "ground", "b"))
    model.add(gs.JointFriction("f", "p.x", gs.Coulomb(0.3, 1e-3), "reaction"))
    with pytest.raises(gs.ModelError, match=r"'p\.x' is no hinge or slide"):
        gs.formulate(model)
    model = slide()
    model.remove("f")
    model.add(gs.JointFriction("f", "x", gs.Coulomb(0.3, 1e-3), "reaction", radius=0.1))
    with pytest.raises(gs.ModelError, match="'x' is a slide, which has no journal"):
        gs.formulate(model)


def test_exact_equations_are_refused() -> None:
    with pytest.raises(gs.StateError, match="cannot contain the friction 'f' by its own reaction"):
        gs.formulate(pendulum()).equations()
