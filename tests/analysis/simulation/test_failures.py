"""Failed runs return the motion so far, with the reason; invalid input is refused before the run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from simulations import ball, oscillator

import gyrostat as gs
from gyrostat.analysis.integrators.run import CHECKPOINT_NUMBERS
from gyrostat.analysis.simulation import stiffness
from gyrostat.program.warning import GyrostatWarning


def _slider(*forces: Any, mass: Any = 1.0) -> gs.Model:
    model = gs.Model("slider", parameters={"m": mass})
    model.add(gs.Body("block", gs.point_mass("m")))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    for force in forces:
        model.add(force)
    return model


def _failed(model: gs.Model, duration: float, match: str, **options: Any) -> gs.Trajectory:
    with pytest.warns(GyrostatWarning, match=match):
        return gs.simulate(model, duration, **options)


def test_a_spring_whose_ends_meet_is_named() -> None:
    model = _slider(gs.SpringDamper("cord", "ground", "block", 10.0, length=0.5))
    motion = _failed(
        model, 2, "The simulation of 'slider' ended at t = 0 s: at t = 0 s Force 'cord' has no finite value"
    )
    assert motion.status.outcome is gs.Outcome.NON_FINITE
    assert "its ends coincide" in motion.status.message
    assert motion.time.tolist() == [0]
    assert motion["x"].values.tolist() == [0]


@pytest.mark.parametrize("integrator", [gs.DOP853(), gs.RK4(step=0.01)], ids=["DOP853", "RK4"])
def test_a_force_that_leaves_its_domain_is_named(integrator: gs.Integrator) -> None:
    # decelerating by √x the block still reaches x = 0 with v² = 9 − 4/3, beyond which the root has no value
    model = _slider(gs.Force("wind", "block", ("sqrt(x)", 0, 0)))
    motion = _failed(model, 2, "Force 'wind'", initial={"x": 1, "x.rate": -3}, integrator=integrator, step=0.01)
    assert motion.status.outcome is gs.Outcome.NON_FINITE
    assert "a formula leaves its domain" in motion.status.message
    reached = 0.02 if isinstance(integrator, gs.RK4) else 1e-12
    assert 0 <= motion["x"][-1] < 3 * reached
    assert motion.time[-1] == motion.status.time
    if integrator == gs.DOP853():
        assert np.isclose(motion["x.rate"][-1], -np.sqrt(9 - 4 / 3), rtol=1e-8)


def test_a_mass_that_vanishes_is_named() -> None:
    model = _slider(gs.TorsionSpring("spring", "x", 1.0))
    motion = _failed(model, 1, "'x.rate' moves no mass", initial={"x": 1}, parameters={"m": 0})
    assert motion.status.outcome is gs.Outcome.NON_FINITE
    gone = gs.Event.at_time("gone", 0.5, gs.SetParameter("m", 0))
    motion = _failed(model, 1, "'x.rate' moves no mass", initial={"x": 1}, events=[gone], step=0.1)
    assert np.isclose(motion.status.time, 0.5)
    np.testing.assert_allclose(motion["x"][:6], np.cos(motion.time[:6]), atol=1e-8)


def test_gimbal_lock_is_named() -> None:
    model = gs.Model("gimbal")
    model.add(gs.Body("b", mass=1, inertia=(1, 2, 2.5)))
    model.add(gs.Spherical("j", "ground", "b", angles="zxz"))
    motion = _failed(model, 1, "singular at this position: 'j.angle1.rate' and 'j.angle3.rate' together move nothing")
    assert motion.status.time == 0


def test_a_motion_that_explodes_ends_at_its_pole() -> None:
    # x″ = 2 x³ with x = x′ = 1 at the start has the solution 1/(1 − t)
    model = _slider(gs.Force("push", "block", ("2*x**3", 0, 0)))
    motion = _failed(model, 5, "the step fell below", initial={"x": 1, "x.rate": 1}, step=0.1)
    assert motion.status.outcome is gs.Outcome.STEP_UNDERFLOW
    assert "'x.rate' changes ever faster, as near a singular position" in motion.status.message
    assert np.isclose(motion.status.time, 1, atol=1e-7)
    np.testing.assert_allclose(motion["x"][:10], 1 / (1 - motion.time[:10]), rtol=1e-6)
    blind = _failed(model, 5, "overflowed", initial={"x": 1, "x.rate": 1}, integrator=gs.RK4(step=0.01))
    assert blind.status.outcome is gs.Outcome.NON_FINITE
    assert "Use a smaller step than 0.01 s" in blind.status.message


def test_growth_without_bound_ends_where_numbers_end() -> None:
    model = _slider(gs.TorsionSpring("repelling", "x", -1.0))
    motion = _failed(model, 2000, "the value of .x. overflowed", initial={"x": 1, "x.rate": 1}, step=100)
    assert motion.status.outcome is gs.Outcome.NON_FINITE
    assert np.isclose(motion.status.time, np.log(np.finfo(float).max), atol=5)  # weights of stages reach 50
    np.testing.assert_allclose(np.log(motion["x"].values[1:7]), motion.time[1:7], rtol=1e-6)


@pytest.mark.parametrize("integrator", [gs.DOP853(), gs.RKF45()], ids=["DOP853", "RKF45"])
def test_stiffness_is_reported_with_its_remedy(integrator: gs.Integrator) -> None:
    model = _slider(gs.TorsionSpring("spring", "x", 1.0, 1e4))
    with pytest.warns(GyrostatWarning, match=r"the system is stiff. Use integrator=gs.Rodas5P\(\)"):
        motion = gs.simulate(model, 2, initial={"x": 1}, integrator=integrator)
    assert motion.status.success
    (note,) = motion.status.notes
    assert "fastest decay about 1e+04 1/s" in note
    assert np.isclose(motion["x"][-1], np.exp(-2e-4), rtol=1e-6)


def _beam(damping: float = 0.0) -> gs.System:
    """Return a cantilever of ten rods of 0.1 m and 0.1 kg with torsion springs, let go straight in gravity."""
    model = gs.Model("beam", gravity=(0, -9.81, 0))
    last = "ground"
    for i in range(10):
        model.add(gs.Body(f"b{i}", gs.rod(0.1, 0.1, along="x"), points={"a": (-0.05, 0, 0), "b": (0.05, 0, 0)}))
        model.add(gs.Revolute(f"j{i}", last, f"b{i}.a"))
        model.add(gs.TorsionSpring(f"s{i}", f"j{i}", 79.5, damping))
        last = f"b{i}.b"
    return gs.formulate(model)


@pytest.mark.parametrize("largest", [24, 10])
def test_an_undamped_beam_oscillates_fast_and_does_not_decay(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large Jacobians are not compiled for a note: their eigenvalues are those of differences."""
    monkeypatch.setattr(stiffness, "_STATE_LIMIT", largest)
    beam = _beam()
    eigenvalues = gs.linearize(beam, gs.equilibrium(beam)).modes().eigenvalues
    with pytest.warns(GyrostatWarning, match="Stability limited the step: an oscillation of about"):
        motion = gs.simulate(beam, 1, integrator=gs.DOP853(rtol=1e-3, atol=1e-3))
    (note,) = motion.status.notes
    assert "decay" not in note
    assert "stiff" not in note
    named = float(note.split("oscillation of about ")[1].split()[0])
    assert named == pytest.approx(np.abs(eigenvalues).max(), rel=0.01)
    assert np.abs(eigenvalues.real).max() < 1e-6
    assert ("rates_jacobian" in beam._compiled._known) is (largest == 24)
    assert gs.simulate(beam, 1).status.notes == ()  # accuracy limits the step


def test_a_damped_beam_is_named_by_its_fastest_decay() -> None:
    beam = _beam(1.0)
    eigenvalues = gs.linearize(beam, gs.equilibrium(beam)).modes().eigenvalues
    with pytest.warns(GyrostatWarning, match="the system is stiff"):
        motion = gs.simulate(beam, 0.2)
    (note,) = motion.status.notes
    assert float(note.split("fastest decay about ")[1].split()[0]) == pytest.approx(-eigenvalues.real.min(), rel=0.01)


def test_a_step_too_large_for_stiffness_says_so() -> None:
    model = _slider(gs.TorsionSpring("spring", "x", 1.0, 1e4))
    with pytest.warns(GyrostatWarning) as heard:
        motion = gs.simulate(model, 5, initial={"x": 1}, integrator=gs.RK4(step=0.01))
    assert motion.status.outcome is gs.Outcome.NON_FINITE
    assert any("Use a smaller step than 0.01 s, or integrator=gs.Rodas5P()" in str(one.message) for one in heard)


def test_motions_that_are_not_stiff_are_not_called_stiff() -> None:
    # a step within the limit of stability, long after the fast part has died out
    model = _slider(gs.TorsionSpring("spring", "x", 1.0, 1e4))
    assert gs.simulate(model, 2, initial={"x": 1}, integrator=gs.RK4(step=2e-4)).status.notes == ()
    for integrator in (gs.DOP853(), gs.DOP853(rtol=1e-3, atol=1e-4), gs.RKF45()):
        assert gs.simulate(oscillator(), 100, initial={"x": 1}, integrator=integrator).status.notes == ()


def test_two_million_steps_fit_into_memory() -> None:
    model = gs.Model("top")
    model.add(gs.Body("body", mass=1, inertia=(1, 2, 3)))
    model.add(gs.Free("f", "ground", "body"))
    start = {"f.w1": 0.1, "f.w2": 1.0, "f.v1": 1.0}
    method = gs.Euler(step=5e-6)
    times = [0, 1.2345678, 5.4321, 9.87654321, 10]
    motion = gs.simulate(model, times=times, initial=start, integrator=method)
    assert motion.status.steps == 2_000_000
    (segment,) = motion.motion.segments
    assert segment.states.size <= CHECKPOINT_NUMBERS
    assert segment.stride > 1
    again = motion.at(times)
    np.testing.assert_allclose(again.q, motion.q, atol=1e-10)
    np.testing.assert_allclose(again.u, motion.u, atol=1e-10)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"duration": -1}, "The duration is -1. It must be a positive number of seconds."),
        ({"duration": 0}, "The duration is 0."),
        ({"duration": "long"}, "The duration is 'long'."),
        ({"duration": np.inf}, "The duration is inf."),
        ({"duration": True}, "The duration is True."),
        ({}, "Give either a duration or the times of outputs"),
        ({"duration": 1, "times": [0, 1]}, "Give either a duration or the times of outputs"),
        ({"times": [0, 1], "step": 0.1}, "so that step has no meaning. Leave one of them out."),
        ({"duration": 1, "step": 0}, "The step is 0. It must be a positive number of seconds."),
        ({"duration": 1, "step": 1e-12}, "has 1e\\+12 outputs. Use a longer step"),
        ({"times": [0, 1, 1]}, "must be a row of finite numbers that rise. Sort them, each once."),
        ({"times": [1, 0]}, "must be a row of finite numbers that rise"),
        ({"times": []}, "must be a row of finite numbers that rise"),
        ({"times": [[0, 1]]}, "must be a row of finite numbers that rise"),
        ({"times": [0, np.nan]}, "must be a row of finite numbers that rise"),
        ({"times": ["now"]}, "The times \\['now'\\] cannot be read as numbers."),
        ({"duration": 1, "initial": {"zz": 1}}, "no coordinate or speed 'zz' for an initial value. Did you mean 'z'"),
        ({"duration": 1, "initial": {"z": np.nan}}, "The initial value of 'z' is nan. Give a finite number"),
        ({"duration": 1, "initial": {"z": None}}, "The initial value of 'z' is None."),
        ({"duration": 1, "initial": {"z": "1/0"}}, "The initial value of 'z' is '1/0'. Give a finite number"),
        (
            {"duration": 1, "initial": {"z": "h"}},
            "The initial value of 'z' uses 'h', which is not a parameter. Known: g.",
        ),
        ({"duration": 1, "parameters": {"gg": 1}}, "parameter 'gg': there is no such parameter. Did you mean 'g'"),
        ({"duration": 1, "outputs": ["z.accelerations"]}, "There is no output 'z.accelerations'"),
        ({"duration": 1, "integrator": "RK4"}, r"The integrator is 'RK4'. Use an object such as gs.DOP853\(\)"),
        ({"duration": 1, "integrator": gs.RK4}, r"Use an object such as gs.DOP853\(\)"),
        ({"duration": 1, "events": gs.Event("e", "z")}, "Events are given as a list"),
        ({"duration": 1, "events": [gs.Event("e", "w")]}, "'w'"),
    ],
)
def test_bad_arguments_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(gs.GyrostatError, match=message):
        gs.simulate(ball(), **options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gs.RK4(step=0), r"RK4\(step=0\): the step must be a positive number"),
        (lambda: gs.RK4(step=-1), r"RK4\(step=-1\): the step must be a positive number"),
        (lambda: gs.RK4(step=np.nan), r"RK4\(step=nan\): the step must be a positive number"),
        (lambda: gs.DOP853(rtol=0), r"DOP853\(rtol=0\): the rtol must be a positive number"),
        (lambda: gs.DOP853(atol=0), r"DOP853\(atol=0\): the atol must be a positive number"),
        (lambda: gs.RKF45(atol="small"), r"RKF45\(atol='small'\): the atol must be a positive number"),
        (lambda: gs.DOP853(largest_step=0), r"DOP853\(largest_step=0\): the largest_step must be a positive number"),
    ],
)
def test_bad_settings_are_refused(make: Any, message: str) -> None:
    with pytest.raises(gs.StateError, match=message):
        make()


def test_unknown_outputs_are_refused_before_anything_runs() -> None:
    calls = []
    with pytest.raises(gs.StateError, match="There is no output 'y'"):
        gs.simulate(oscillator(), 1, inputs={"motor": lambda t: calls.append(t) or 0.0}, outputs=["x", "y"])
    assert calls == []


def test_driven_coordinates_have_no_initial_values() -> None:
    model = ball()
    model.add(gs.Body("arm", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("turn", "ground", "arm", driven="0.5*t"))
    for name in ("turn", "turn.rate"):
        message = f"The initial value of '{name}' contradicts the model: 'turn' is driven, its motion is"
        with pytest.raises(gs.StateError, match=message):
            gs.simulate(model, 1, initial={name: 1})


def test_euler_parameters_have_unit_norm() -> None:
    model = gs.Model("top")
    model.add(gs.Body("body", mass=1, inertia=(1, 2, 3)))
    model.add(gs.Spherical("j", "ground", "body"))
    with pytest.raises(gs.StateError, match=r"The Euler parameters of joint 'j' have norm 1.41421; it must be 1."):
        gs.simulate(model, 1, initial={"j.e1": 1})
    nearly = gs.simulate(model, 1, initial={"j.e0": 0.6, "j.e1": 0.8 + 1e-8})
    assert abs(np.linalg.norm(nearly.q[0]) - 1) < 1e-15


def test_times_outside_a_trajectory() -> None:
    motion = gs.simulate(ball(), 1, step=0.5)
    with pytest.raises(gs.StateError, match=r"t = 1\.5 is outside the trajectory, which goes from 0 to 1 s"):
        motion.at(1.5)
    with pytest.raises(gs.StateError, match="Times must be a number, or a row of numbers that rise"):
        motion.at([0.5, 0.2])
    with pytest.raises(gs.StateError, match="There is no output 'y'"):
        motion["y"]
    with pytest.raises(gs.StateError, match="There is no joint 'y' to have a reaction"):
        motion.reaction("y")
    with pytest.raises(gs.StateError, match=r"The coordinate 'z' is not driven\. The model has no driven coordinates"):
        motion.driver_load("z")


def test_a_load_that_chatters_is_given_up(monkeypatch):
    monkeypatch.setattr("gyrostat.analysis.simulation.budget._PACE_STEPS", 5000)
    model = gs.Model("block")
    model.add(gs.Body("block", gs.box(1.0, (1, 1, 1))))
    model.add(gs.Prismatic("x", "ground", "block", axis="x", initial={"displacement.rate": 3.0}))
    model.add(gs.Actuator("friction", "x"))
    with pytest.warns(GyrostatWarning, match=r"'x.rate' changes ever faster.*smooth sign\(v\) to tanh"):
        run = gs.simulate(model, duration=2, inputs={"friction": lambda t, state: -10 * np.sign(state["x.rate"])})
    assert run.status.outcome is gs.Outcome.STEP_UNDERFLOW
    assert run.status.time == pytest.approx(0.3, abs=1e-2)


def test_settings_that_make_no_sense_are_refused():
    with pytest.raises(gs.StateError, match=r"RK4\(step=inf\): the step must be a positive number"):
        gs.RK4(step=float("inf"))
    with pytest.raises(gs.StateError, match=r"update of rotations is 'x'. Use 'exponential' or 'normalised'"):
        gs.RK4(step=1e-3, rotations="x")
