"""Linear models, operating points and periodic motions of systems with state variables."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from cases import case, value
from random_trees import Floats
from state_models import dc_motor, driven_four_bar, servo

import gyrostat as gs
from gyrostat.analysis.linear.time_response import displaced

STIFF = gs.Rodas5P(rtol=1e-12, atol=1e-14)

each_four_bar = pytest.mark.parametrize("algebraic", [False, True], ids=["rates", "equations"])


@cache
def resting_four_bar(algebraic: bool) -> gs.OperatingPoint:
    """Return the equilibrium of the driven four-bar."""
    return gs.equilibrium(driven_four_bar(algebraic=algebraic), guess={"c": 0.5})


def test_steady_motion_and_eigenvalues_of_a_dc_motor() -> None:
    found = case("dc_motor_step")
    point = gs.steady_motion(dc_motor(), solve_for=["shaft.rate"])
    np.testing.assert_allclose([point["current"], point["shaft.rate"]], value(found, "steady i,omega"), rtol=1e-12)
    linear = gs.linearize(dc_motor(), point, inputs=["U"], outputs=["current", "current.rate"])
    assert linear.states == ("shaft", "shaft.rate", "current")
    decaying = np.sort(linear.modes().eigenvalues.real)[:2]
    np.testing.assert_allclose(decaying, value(found, "eigenvalues"), rtol=1e-10)
    np.testing.assert_allclose(linear.C.values, [[0, 0, 1], [0, -25, -600]], rtol=1e-13)
    np.testing.assert_allclose(linear.D.values[:, 0], [0, 500], rtol=1e-13)
    assert linear.transfer_function("U", "current").poles.real.min() == pytest.approx(decaying[0], rel=1e-9)


def test_an_equilibrium_solves_for_the_states() -> None:
    point = gs.equilibrium(servo())
    hold = 0.5 * 9.81 * 0.2 * np.sin(0.6)
    assert point["a"] == pytest.approx(0.6, abs=1e-12)
    assert (point["current"], point["integral"]) == (pytest.approx(hold, rel=1e-12), pytest.approx(1.2 * hold / 20))
    assert point.stability is not None
    assert point.stability.stable
    assert "current   0.553914" in str(point)
    with pytest.raises(
        gs.StateError, match=r"is not steady: current changes by 3394 A/s, integral changes by 0\.6 1/s"
    ):
        gs.linearize(servo(), {"current": 0.01, "integral": 0.1})


def test_states_may_destabilise_a_minimum_of_the_potential_energy() -> None:
    model = gs.Model("lagging force", parameters={"gain": 5.0})
    model.add(gs.Body("block", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.State("y", "3*(x - y)"))
    model.add(gs.TorsionSpring("spring", "x", 4.0, damping=0.5, torque="gain*y"))
    point = gs.equilibrium(model, guess={"x": 0.05})
    assert point.stability is not None
    assert not point.stability.stable
    assert gs.equilibrium(model, guess={"x": 0.05}, parameters={"gain": 1.0}).stability.stable


def flow_by_differences(point: gs.OperatingPoint, times: float) -> Floats:
    """Return the map of small disturbances of the linear model's states over a time, by differences of simulations."""
    system, linear = point.system, gs.linearize(point.system, point)

    def end(deviation: Floats) -> Floats:
        run = gs.simulate(system, times=[0, times], initial=displaced(linear, deviation), integrator=STIFF)
        return np.array([float(run[name].values[-1]) for name in linear.states])

    size = len(linear.states)
    return np.array([(end(push) - end(-push)) / 2e-5 for push in 1e-5 * np.eye(size)]).T


@each_four_bar
def test_eigenvalues_of_a_four_bar_are_those_of_the_flow(algebraic: bool) -> None:
    point = resting_four_bar(algebraic)
    linear = gs.linearize(point.system, point)
    assert linear.states == ("c", "c.rate", "i")
    moved = np.linalg.eigvals(flow_by_differences(point, 0.03))
    expected = np.exp(0.03 * np.linalg.eigvals(linear.A.values))
    np.testing.assert_allclose(np.sort_complex(moved), np.sort_complex(expected), rtol=1e-6, atol=1e-8)
    finite = np.linalg.eigvals(np.linalg.solve(linear.descriptor.A, linear.descriptor.E))
    finite = 1 / finite[np.abs(finite) > 1e-6]
    np.testing.assert_allclose(np.sort_complex(finite), np.sort_complex(np.linalg.eigvals(linear.A.values)), rtol=1e-8)


@each_four_bar
def test_inputs_act_on_states_and_outputs(algebraic: bool) -> None:
    point = resting_four_bar(algebraic)
    outputs = ["i.rate", "c.acc", "coupler.x", *(["v", "v.rate"] if algebraic else [])]
    linear = gs.linearize(point.system, point, inputs=["push", "U"], outputs=outputs)
    for place, (kind, name) in enumerate((("inputs", "push"), ("parameters", "U"))):
        base = {"push": 0.0, "U": 2.0}[name]
        sides = []
        for sign in (1, -1):
            changed = {kind: {name: base + sign * 1e-5}}
            run = gs.simulate(point.system, times=[0, 1e-6], initial=point.state, integrator=STIFF, **changed)
            sides.append([float(run[output].values[0]) for output in outputs])
        slopes = (np.array(sides[0]) - np.array(sides[1])) / 2e-5
        np.testing.assert_allclose(linear.D.values[:, place], slopes, rtol=1e-6, atol=1e-7)


@each_four_bar
def test_sensitivities_of_modes_are_those_of_differences(algebraic: bool) -> None:
    point = resting_four_bar(algebraic)
    linear = gs.linearize(point.system, point, inputs=["U"], outputs=["c"])
    mode = linear.modes()[-1]
    exact = linear.sensitivity(mode, ["R", "L", "K", "U"])
    for name, slope in zip(exact.parameters, exact.eigenvalue, strict=True):
        base = point.system.model.values()[name]
        sides = []
        for sign in (1, -1):
            changed = {name: base * (1 + sign * 1e-5)}
            there = gs.equilibrium(point.system, guess={**point.coordinates, **point.states}, parameters=changed)
            sides.append(gs.linearize(point.system, there).modes()[-1].eigenvalue)
        assert slope == pytest.approx((sides[0] - sides[1]) / (2e-5 * base), rel=2e-5, abs=2e-6)
    answer = linear.response_sensitivity("U", "i", [3.0], ["L"])
    sides = [
        gs.linearize(point.system, point, inputs=["U"], outputs=["i"], parameters={"L": 0.01 * (1 + sign * 1e-5)})
        .frequency_response([3.0])
        .values.values.ravel()[0]
        for sign in (1, -1)
    ]
    assert answer["sensitivity"].values.ravel()[0] == pytest.approx((sides[0] - sides[1]) / 2e-7, rel=1e-6)


def test_modes_name_states_where_no_body_moves() -> None:
    model = gs.Model("block with a filter")
    model.add(gs.Body("block", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.TorsionSpring("spring", "x", 4.0))
    model.add(gs.State("y", "3*(x - y)", unit="m"))
    modes = gs.linearize(model, {}).modes()
    assert modes[0].eigenvalue == pytest.approx(-3.0)
    assert "y 1" in str(modes).splitlines()[2]
    with pytest.raises(gs.StateError, match=r"In mode 0 no body moves, so that it has no mechanical energy\."):
        modes[0].energy()
    certificate = gs.linearize(model, {}).certificate()
    assert certificate.errors.max() < 1e-6


@each_four_bar
def test_continuation_follows_states(algebraic: bool) -> None:
    branch = gs.continuation(driven_four_bar(algebraic=algebraic), over="U", to=3.0, points=3, guess={"c": 0.5})
    last = branch.points[-1]
    assert last["c.rate"] == 0.0
    voltage = last["v"] if algebraic else 3.0
    assert last["i"] == pytest.approx(voltage / 1.2, rel=1e-9)
    direct = gs.equilibrium(last.system, guess=last.coordinates, parameters={"U": 3.0})
    np.testing.assert_allclose(last.q, direct.q, atol=1e-9)


def test_floquet_multipliers_with_states() -> None:
    model = gs.Model("forced filter", parameters={"a": 0.4, "b": 1.3})
    model.add(gs.Body("block", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.TorsionSpring("spring", "x", 4.0, damping=0.2, torque="cos(2*t)"))
    model.add(gs.State("y", "-a*y + b*x"))
    model.add(gs.State("w", equation="w + 0.5*w**3 - y"))
    found = gs.floquet(model, {}, "pi")
    period = np.pi
    expected = np.exp(period * np.array([-0.1 + 1j * np.sqrt(4 - 0.01), -0.1 - 1j * np.sqrt(4 - 0.01), -0.4]))
    np.testing.assert_allclose(np.sort_complex(found.multipliers), np.sort_complex(expected), atol=1e-8)
    assert found.state_names == ("x", "x.rate", "y")
    orbit = found.orbit
    np.testing.assert_allclose(orbit.z[-1], orbit.z[0], atol=1e-8)


def test_optimisation_finds_a_controller_gain() -> None:
    model = gs.Model("controlled block", parameters={"k": 1.0, "d": 0.3})
    model.add(gs.Body("block", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.State("f", "10*(-k*x - d*x.rate - f)"))
    model.add(gs.TorsionSpring("act", "x", torque="f", damping=0.4))
    found = gs.optimize(model, {"k": (0.5, 4.0)}, gs.Target(gs.ModeFrequency(1), 0.2))
    values = np.roots([1.0, 10.4, 4.0 + 3.0, 10 * found.parameters["k"]])
    assert abs(values[values.imag > 0][0]) / (2 * np.pi) == pytest.approx(0.2, rel=1e-5)
