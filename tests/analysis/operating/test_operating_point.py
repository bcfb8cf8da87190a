"""Operating points: accepted arguments, access by name, and refusals."""

import numpy as np
import pytest
from operating_models import bead_on_hoop, hanging_four_bar
from simulations import double_pendulum

import gyrostat as gs
from gyrostat.analysis.variations.steadiness import require_equilibrium, require_steady


@pytest.fixture(scope="module")
def pendulum():
    return gs.formulate(double_pendulum())


@pytest.fixture(scope="module")
def four_bar():
    return gs.formulate(hanging_four_bar(1.0))


def test_values_by_name_are_completed(four_bar):
    point = gs.operating_point(four_bar, {"h1": -1.2, "h1.rate": 2.0})
    assert point.kind is gs.OperatingKind.INSTANT
    assert point["h4"] == pytest.approx(-1.2)  # a parallelogram
    assert point["h2.rate"] == pytest.approx(-2.0)
    assert point["h4.rate"] == pytest.approx(2.0)
    np.testing.assert_allclose(point["middle"], [0.5 + np.cos(1.2), -np.sin(1.2), 0], atol=1e-12)
    assert "h4" in point
    assert "h5" not in point
    np.testing.assert_allclose(point.udot, four_bar.forward_dynamics(point.q, point.u), atol=1e-12)
    assert set(point.multipliers) == {row.name for row in four_bar.constraints}
    assert point.state == {**point.coordinates, **point.speeds}
    with pytest.raises(gs.StateError, match="no output 'h5'"):
        point["h5"]


def test_own_values_of_the_model(pendulum):
    point = gs.operating_point(pendulum, {})
    assert point.kind is gs.OperatingKind.EQUILIBRIUM  # it hangs
    assert point.inputs == {"motor": 0.0}
    assert gs.operating_point(pendulum, {}, inputs={"motor": "2*g"}).udot[0] > 0.0
    assert gs.operating_point(pendulum, point) is point
    changed = gs.operating_point(pendulum, point, parameters={"g": 1.6})
    assert changed.parameters == {"g": 1.6}
    assert changed.kind is point.kind


def test_a_point_of_a_trajectory(pendulum):
    run = gs.simulate(pendulum, duration=1, initial={"a1": 0.3}, parameters={"m1": 3.0}, inputs={"motor": "t"})
    point = gs.operating_point(pendulum, (run, 0.731))
    there = run.at(0.731)
    np.testing.assert_array_equal(point.q, there.q[0])
    assert point.t == 0.731
    assert point.parameters == {"m1": 3.0}
    assert point.inputs["motor"] == pytest.approx(0.731)
    assert point["a1.acc"] == pytest.approx(there["a1.acc"].values[0])


def test_a_point_in_other_coordinates(four_bar):
    rest = gs.equilibrium(four_bar, guess={"h1": -1.2, "h2": 1.2})
    other = gs.formulate(four_bar.model, coordinates="absolute")
    same = gs.operating_point(other, rest)
    assert same.kind is gs.OperatingKind.EQUILIBRIUM
    assert same.stability is rest.stability
    np.testing.assert_allclose(same["middle"], rest["middle"], atol=1e-9)
    require_equilibrium(same)
    moving = gs.operating_point(other, gs.operating_point(four_bar, {"h1": -1.2, "h1.rate": 2.0}))
    assert moving["h4.rate"] == pytest.approx(2.0)


def test_text(pendulum):
    point = gs.operating_point(pendulum, {"a1": 0.5, "a2.rate": 2.0}, inputs={"motor": 3}, parameters={"g": 1.6})
    assert str(point).splitlines() == [
        "Instant of 'double pendulum'",
        "  a1           0.5 rad (28.65°)",
        "  a2           0 rad",
        "  a2.rate      2",
        "  input motor  3",
        "  parameter g  1.6",
    ]
    assert "<td>0.5 rad (28.65°)</td>" in point._repr_html_()


@pytest.mark.parametrize(
    ("at", "options", "message"),
    [
        ({"a3": 1.0}, {}, "no coordinate or speed 'a3'"),
        ([1.0, 2.0], {}, "cannot be read from"),
        (("run", 1.0), {}, "a trajectory and a time"),
        ({}, {"inputs": {"moter": 1.0}}, "no input 'moter'. Did you mean 'motor'"),
        ({}, {"inputs": {"motor": "sin(t)"}}, "must be a finite number"),
    ],
)
def test_refusals(pendulum, at, options, message):
    with pytest.raises(gs.StateError, match=message):
        gs.operating_point(pendulum, at, **options)


def test_a_point_of_another_model_is_refused(pendulum, four_bar):
    with pytest.raises(gs.StateError, match="one of 'double pendulum', not of this 'hanging four-bar'"):
        gs.operating_point(four_bar, gs.operating_point(pendulum, {}))
    with pytest.raises(gs.StateError, match="The trajectory is one of 'double pendulum'"):
        gs.operating_point(four_bar, (gs.simulate(pendulum, duration=0.1), 0.05))


def test_a_state_that_is_no_equilibrium_is_refused_with_its_loads(pendulum):
    with pytest.raises(gs.StateError, match=r"not balanced in a1: -\S+ N·m, a2: -\S+ N·m"):
        require_equilibrium(gs.operating_point(pendulum, {"a1": 0.3}))
    loads = -pendulum.inverse_dynamics({"a1": 0.3}, {}, {})
    with pytest.raises(gs.StateError, match=f"a1: {loads[0]:.4g} N·m, a2: {loads[1]:.4g} N·m"):
        require_equilibrium(gs.operating_point(pendulum, {"a1": 0.3}))
    with pytest.raises(gs.StateError, match=r"a2\.rate is 0\.1"):
        require_equilibrium(gs.operating_point(pendulum, {"a2.rate": 0.1}))
    require_equilibrium(gs.operating_point(pendulum, {"a1": np.pi}))


def test_a_motion_that_is_not_steady_is_refused(pendulum):
    with pytest.raises(gs.StateError, match="not steady: loads are not balanced in a1"):
        require_steady(gs.operating_point(pendulum, {"a1": 0.3}))
    with pytest.raises(gs.StateError, match=r"not later: .* depend on 'a1', which moves"):
        require_steady(gs.operating_point(pendulum, {"a1.rate": 1.0}))
    hoop = gs.formulate(bead_on_hoop(0.5, 9.81, 1.0, 6.0))
    require_steady(gs.operating_point(hoop, {"angle": float(np.arccos(9.81 / (36 * 0.5)))}))
    with pytest.raises(gs.StateError, match="while 'turn' is driven and moves"):
        require_equilibrium(gs.operating_point(hoop, {}))
