"""Relative equilibria: motions that a rotation of the system continues, and one linearization for all analyses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import linear_models
import numpy as np
import operating_models
import pytest
from campaign import examples_by_size

import gyrostat as gs

EXAMPLES = examples_by_size(path.stem for path in (Path(__file__).parents[3] / "examples").glob("*.yaml"))
NO_LINEAR_MODEL = {"autoparametric_absorber", "parametric_pendulum"}
"""Examples whose coefficients depend on time; their operating points say so."""


def example(name: str) -> gs.System:
    """Return the system of an example."""
    return gs.formulate(gs.Model.load(Path(__file__).parents[3] / "examples" / f"{name}.yaml"))


def own_motion(system: gs.System, **options: object) -> gs.OperatingPoint:
    """Return the steady motion with the speeds that the model starts with."""
    speeds = {name: speed for name, speed in gs.operating_point(system, {}).speeds.items() if speed}
    return gs.steady_motion(system, speeds, **options)


def require_agreement(point: gs.OperatingPoint) -> gs.LinearModel:
    """Demand that the linear model about an operating point has its eigenvalues and its stability."""
    linear = gs.linearize(point.system, point)
    modes = linear.without_ignorable().modes()
    left, size = list(modes.eigenvalues), max(1e-3, *np.abs(point.stability.eigenvalues))
    assert len(left) == len(point.stability.eigenvalues)
    for eigenvalue in point.stability.eigenvalues:
        nearest = min(left, key=lambda other: abs(other - eigenvalue))
        assert abs(nearest - eigenvalue) <= 1e-9 * size
        left.remove(nearest)
    unstable = [found.verdict is gs.Verdict.UNSTABLE for found in (point.stability, modes.stability)]
    assert unstable[0] == unstable[1]
    if modes.stability.verdict is gs.Verdict.STABLE:
        assert point.stability.verdict in (gs.Verdict.STABLE, gs.Verdict.NEUTRAL)  # the latter along a family
    return linear


def accepted(find: Callable[[], gs.OperatingPoint]) -> gs.OperatingPoint | None:
    """Return the operating point that is found, if one is."""
    try:
        return find()
    except gs.StateError:
        return None


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_have_one_linearization(name: str) -> None:
    """An equilibrium or steady motion that is accepted has a linear model with its eigenvalues."""
    system = example(name)
    for find in (gs.equilibrium, own_motion):
        point = accepted(lambda find=find: find(system))
        if point is None:
            continue
        if name in NO_LINEAR_MODEL:
            with pytest.raises(gs.StateError, match="are not constant along this motion"):
                gs.linearize(system, point)
        else:
            require_agreement(point)


def test_a_stiffness_of_rounding_errors_is_neutral() -> None:
    """In absolute coordinates the weights of two shafts with a universal joint cancel to rounding errors."""
    model = gs.Model("two shafts", gravity=(0, -9.81, 0))
    for name in ("front", "rear"):
        ends = {"a": (0, 0, -0.2), "b": (0, 0, 0.2)}
        model.add(gs.Body(name, mass=2, inertia=(0.02, 0.02, 0.005), points=ends))
    model.add(gs.Revolute("bearing", "ground", "front.a"))
    model.add(gs.Universal("cross", "front.b", "rear.a", initial={"angle1": 0.3}))
    along = (0, -np.sin(0.3), np.cos(0.3))
    model.add(gs.PointOnLine("guide", "rear.b", ("ground", (0, 0.4 * along[1], 0.4 + 0.4 * along[2])), along))
    point = gs.equilibrium(gs.formulate(model, "absolute"))
    assert str(point.stability) == "neutral: the potential energy does not change in one direction."
    require_agreement(point)


def satellite(spin: float) -> gs.Model:
    """Return a ball on a circular orbit of radius 2 about a centre that attracts by 4/r²."""
    model = gs.Model("satellite")
    model.add(gs.Body("ball", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Free("orbit", "ground", "ball", initial={"x": 2.0, "v2": np.sqrt(2.0), "w3": spin}))
    model.add(gs.SpringDamper("attraction", "ground", "ball", force="4/length**2"))
    return model


def conical_pendulum() -> gs.Model:
    """Return a bob in a spherical joint, in motion on a cone."""
    model = gs.Model("conical pendulum", gravity=(0, 0, -9.81))
    model.add(gs.Body("bob", gs.sphere(2.0, 0.05), points={"top": (0, 0, 1.0)}))
    angle = 0.5
    rate = np.sqrt(9.81 / np.cos(angle))
    initial = {"e0": np.cos(angle / 2), "e1": np.sin(angle / 2), "w2": rate * np.sin(angle), "w3": rate * np.cos(angle)}
    model.add(gs.Spherical("ball", "ground", "bob.top", initial=initial))
    return model


MOTIONS: dict[str, Callable[[], gs.OperatingPoint]] = {
    "rotating pendulum": lambda: gs.steady_motion(
        operating_models.rotating_pendulum(10, 0.5, 9.81), {"turn.rate": 5.0}, guess={"swing": 0.4}
    ),
    "absolute coordinates": lambda: gs.steady_motion(
        gs.formulate(turning_ball(), coordinates="absolute"), {"turn.rate": 5.0}, guess={"swing": 0.5}
    ),
    "bead on a hoop": lambda: gs.steady_motion(
        operating_models.bead_on_hoop(0.5, 9.81, 1.0, 6.0), guess={"angle": 1.2}
    ),
    "sleeping top": lambda: own_motion(linear_models.sleeping_top(False)),
    "disc in a circle": lambda: gs.steady_motion(
        operating_models.disc_in_a_circle(1.0, 0.3, 9.81),
        {"azimuth.rate": 3.0},
        fixed={"tilt": "60*deg"},
        guess={"spin.rate": -4.0},
    ),
    "upright disc": lambda: own_motion(linear_models.upright_disc()),
    "free disc": lambda: gs.steady_motion(
        operating_models.free_disc(1.0, 0.3, 9.81, 0.045, 0.0225), {"flight.w2": 4.0}
    ),
    "vehicle": lambda: gs.steady_motion(operating_models.vehicle(), {"road.v1": 20.0}, solve_for=["drive"]),
    "planar vehicle": lambda: gs.steady_motion(
        operating_models.planar_vehicle(),
        {"road.x.rate": 20.0},
        fixed={"road.angle": 0.0},
        solve_for=["drive", "road.y.rate", "road.angle.rate"],
    ),
    "governor": lambda: gs.steady_motion(operating_models.governor(), {"turn.rate": 25.0}),
    "conical pendulum": lambda: gs.steady_motion(
        conical_pendulum(), solve_for=["ball.w1", "ball.w2", "ball.w3"], guess={"ball.w2": 1.5, "ball.w3": 2.8}
    ),
    "satellite": lambda: own_motion(
        gs.formulate(satellite(0.3)), fixed={"orbit.x": 2.0, "orbit.y": 0.0, "orbit.z": 0.0}
    ),
    "truss": lambda: gs.equilibrium(operating_models.truss()),
    "spatial four-bar": lambda: gs.equilibrium(linear_models.spatial_four_bar()),
}


def turning_ball() -> gs.Model:
    """Return a ball on a rod that turns about the vertical, all bodies with inertia."""
    model = gs.Model("turning ball", gravity=(0, 0, -9.81))
    model.add(gs.Body("plane", mass=1, inertia=(0.1, 0.1, 0.1)))
    model.add(gs.Body("ball", gs.sphere(10, 0.05), points={"pivot": (0, 0, 0.5)}))
    model.add(gs.Revolute("turn", "ground", "plane"))
    model.add(gs.Revolute("swing", "plane", "ball.pivot", axis="x"))
    return model


@pytest.mark.parametrize("name", MOTIONS)
def test_models_have_one_linearization(name: str) -> None:
    point = MOTIONS[name]()
    assert len(point.stability.eigenvalues)
    require_agreement(point)


@pytest.mark.parametrize("length", [0.0, 0.4])
def test_a_puck_on_a_spring_circles(length: float) -> None:
    """The radial frequency is ω² = 3 Ω² + k/m, with the angular velocity Ω² = k/m (1 − length/radius)."""
    stiffness, radius = 50.0, 1.0
    system = gs.formulate(operating_models.puck(stiffness, length, radius))
    point = gs.steady_motion(system, gs.operating_point(system, {}).speeds, fixed={"p.x": radius, "p.y": 0.0})
    squared = stiffness * (1 - length / radius)
    expected = np.sqrt(3 * squared + stiffness)
    linear = require_agreement(point)
    modes = linear.modes()
    assert [mode.eigenvalue for mode in modes if mode.oscillates] == pytest.approx([1j * expected], rel=1e-11)
    assert (modes.eigenvalues == 0).sum() == 4
    assert linear.certificate().passed  # small nonlinear motions agree with it
    found = gs.floquet(system, point, 2 * np.pi / np.sqrt(squared))
    assert np.abs(found.multipliers - np.exp(1j * expected * found.period)).min() < 1e-6


def test_a_circular_orbit() -> None:
    """On a circular orbit radial, tangential and lateral frequencies are the orbital one (Kepler)."""
    rate = np.sqrt(2.0) / 2.0
    linear = gs.linearize(satellite(0.0))
    assert linear.point.kind is gs.OperatingKind.STEADY_MOTION
    values = linear.modes().eigenvalues
    assert np.abs(values[values != 0]) == pytest.approx(rate, rel=1e-9)
    assert linear.certificate().passed
    with pytest.raises(gs.StateError, match=r"no steady motion of 'satellite': accelerations are not zero: orbit\.v"):
        gs.linearize(satellite(0.0), {"orbit.v1": 0.5})
