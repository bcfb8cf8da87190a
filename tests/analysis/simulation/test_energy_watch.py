"""Notes on energy that drifts more than the integrator explains, and runs that must not be flagged."""

from dataclasses import replace

import numpy as np
import pytest
from campaign import campaign
from loop_models import four_bar

import gyrostat as gs
from gyrostat.analysis.simulation.energy_law import EnergyLaw, energy_law, energy_laws
from gyrostat.analysis.simulation.energy_watch import note_on_energy
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.segment import Segment


def chain(count=2, **spring):
    """Return a pendulum of rods, with a spring on its first hinge."""
    model, outer = gs.Model("chain", gravity=(0, -9.81, 0), parameters={"k": 3.0, "d": 0.0}), "ground"
    for i in range(count):
        model.add(gs.Body(f"rod{i}", gs.slender_rod(1.0, 1.0, along="y"), points={"a": (0, 0.5, 0), "b": (0, -0.5, 0)}))
        model.add(gs.Revolute(f"h{i}", outer, f"rod{i}.a", initial=1.0 + 0.3 * i))
        outer = f"rod{i}.b"
    if spring:
        model.add(gs.TorsionSpring("spring", "h0", **spring))
    return model


def law_of(model, **options):
    run = gs.simulate(model, duration=0.01, step=0.01, integrator=gs.Rodas5P(), **options)
    return energy_law(run.system, run.motion.segments[0])


def changed(run, speed):
    """Return the motion of a run whose last state has all speeds multiplied by a factor."""
    motion = run.motion
    last = motion.segments[-1]
    final = last.final.copy()
    final[run.system.coordinates.n_q :] *= speed
    motion.segments[-1] = replace(last, final=final)
    return motion


@pytest.mark.parametrize(
    ("spring", "law"),
    [
        ({}, EnergyLaw.CONSTANT),
        ({"stiffness": "k"}, EnergyLaw.CONSTANT),
        ({"stiffness": 3.0, "damping": "d"}, EnergyLaw.CONSTANT),
        ({"stiffness": 3.0, "damping": 0.1}, EnergyLaw.NOT_RISING),
        ({"stiffness": 3.0, "damping": -0.1}, EnergyLaw.SUPPLIED),
        ({"stiffness": "3 + sin(t)"}, EnergyLaw.SUPPLIED),
        ({"stiffness": 3.0, "torque": "angle**3"}, EnergyLaw.SUPPLIED),
        ({"torque": 2.0}, EnergyLaw.SUPPLIED),
    ],
)
def test_systems_that_are_watched(spring, law):
    assert law_of(chain(**spring)) is law


def test_drivers_and_inputs_supply_energy():
    driven = chain(1)
    driven.add(gs.Body("wheel", gs.box(1.0, (0.1, 0.1, 0.1))))
    driven.add(gs.Revolute("w", "ground", "wheel", driven="2*t"))
    assert law_of(driven) is EnergyLaw.SUPPLIED
    motor = chain(1)
    motor.add(gs.Actuator("motor", "h0"))
    assert law_of(motor) is EnergyLaw.CONSTANT
    assert law_of(motor, inputs={"motor": 1.0}) is EnergyLaw.SUPPLIED
    assert law_of(motor, inputs={"motor": "sin(t)"}) is EnergyLaw.SUPPLIED


def test_bushings_and_springs_between_points_keep_energy():
    model = chain(1)
    model.add(gs.SpringDamper("line", ("ground", (1, 0, 0)), "rod0.b", stiffness=5.0, length=0.5))
    model.add(gs.Bushing("mount", "ground", "rod0.a", stiffness=(1, 1, 1)))
    assert law_of(model) is EnergyLaw.CONSTANT
    model.add(gs.Bushing("oil", "ground", "rod0.b", rotational_damping=(0, 0, 0.1)))
    assert law_of(model) is EnergyLaw.NOT_RISING
    model.add(gs.Force("wind", "rod0.b", components=(1, 0, 0)))
    assert law_of(model) is EnergyLaw.SUPPLIED


def test_a_drift_beyond_the_tolerance_is_reported_with_its_time():
    run = gs.simulate(chain(), duration=2, step=0.5, integrator=gs.DOP853(1e-9, 1e-9))
    assert run.status.notes == ()
    begin = run.motion.segments[-1].times[-1]
    note = note_on_energy(changed(run, 1 + 1e-5))
    assert note.startswith("The energy drifts by ")
    assert "the tolerance does not explain this" in note
    assert f"is between t = {begin:.6g} s and 2 s. Use smaller tolerances or another integrator" in note


def test_a_drift_within_the_tolerance_is_not_reported():
    run = gs.simulate(chain(), duration=2, step=0.5, integrator=gs.DOP853(1e-4, 1e-4))
    assert note_on_energy(changed(run, 1 + 1e-5)) is None


def test_dampers_take_energy_away_but_give_none():
    damped = chain(stiffness=3.0, damping=0.1)
    run = gs.simulate(damped, duration=2, step=0.5, integrator=gs.Rodas5P(1e-9, 1e-9))
    assert note_on_energy(changed(run, 0.5)) is None
    run = gs.simulate(damped, duration=2, step=0.5, integrator=gs.Rodas5P(1e-9, 1e-9))
    assert note_on_energy(changed(run, 3.0)).startswith("The energy rises, although nothing supplies energy, by ")


@pytest.mark.parametrize("method", [gs.DOP853, gs.RKF45])
@pytest.mark.parametrize("factor", [1 - 1e-4, 1 + 1e-4])
def test_the_work_of_dampers_counts_where_the_integrator_adds_it_up(method, factor):
    run = gs.simulate(chain(stiffness=3.0, damping=0.1), duration=2, step=0.5, integrator=method(1e-9, 1e-9))
    assert run.status.notes == ()
    assert run.motion.segments[0].carries_work
    assert note_on_energy(changed(run, factor)).startswith(
        "The energy differs from the work that loads, drivers and sources do"
    )


def test_coarse_fixed_steps_are_reported_by_simulate():
    with pytest.warns(gs.GyrostatWarning, match="The energy drifts by .* the steps are too long.* Use a smaller step"):
        run = gs.simulate(chain(), duration=5, step=0.5, integrator=gs.Euler(step=0.02))
    assert run.status.success
    assert run.status.notes[0].startswith("The energy drifts by")
    fine = gs.simulate(chain(), duration=1, step=0.5, integrator=gs.Euler(step=1e-4))
    assert fine.status.notes == ()


def test_impacts_take_energy_away_between_segments():
    ball = gs.Model("ball", gravity=(0, -9.81, 0))
    ball.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    ball.add(gs.Prismatic("h", "ground", "ball", axis="y", initial=1.0))
    run = gs.simulate(
        ball,
        duration=1,
        step=0.1,
        events=[gs.Event("bounce", when="h", direction="falling", action=gs.Restitution(0.5))],
    )
    assert len(run.motion.segments) > 2
    assert run.status.notes == ()


@pytest.mark.parametrize("number", [0, 5, 12, 20])
def test_all_of_many_segments_with_a_constant_energy_are_watched(number):
    ball = gs.Model("ball", gravity=(0, -9.81, 0))
    ball.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    ball.add(gs.Prismatic("h", "ground", "ball", axis="y", initial=1.0))
    bounce = gs.Event("bounce", when="h", direction="falling", action=gs.Restitution(0.95))
    run = gs.simulate(ball, duration=12, step=1, events=[bounce], integrator=gs.DOP853(1e-9, 1e-9))
    segments = run.motion.segments
    assert len(segments) > 20
    assert run.status.notes == ()
    final = segments[number].final.copy()
    final[1] *= 1 + 1e-4
    segments[number] = replace(segments[number], final=final)
    assert note_on_energy(run.motion) is not None


METHODS = [gs.DOP853, gs.RKF45, gs.Rodas5P, gs.CVODE]
SANE = [
    (name, method, tolerance, share)
    for name in ("one", "two", "three", "spring", "loop")
    for method in METHODS
    for tolerance in (1e-3, 1e-5, 1e-7, 1e-9, 1e-11)
    for share in (1.0, 1e-3)
]


@campaign(SANE, "case", few=[case for case in SANE if case[0] in ("two", "loop") and case[2] in (1e-3, 1e-7)])
def test_sane_runs_are_not_flagged(case):
    name, method, tolerance, share = case
    models = {"one": chain(1), "two": chain(2), "three": chain(3), "spring": chain(1, stiffness=1e5)}
    model = four_bar(0.4, 1.0, 0.8, 1.0) if name == "loop" else models[name]
    initial = {"h1": 0.3} if name == "loop" else None
    run = gs.simulate(
        model, duration=5, step=5, initial=initial, integrator=method(rtol=tolerance, atol=share * tolerance)
    )
    assert run.status.success
    assert not any("energy" in note for note in run.status.notes)
    assert np.isfinite(run.energy().total.values).all()


def test_laws_of_many_motions_are_those_of_each():
    model = chain(1, stiffness="k", damping="d", torque="max(k - 4, 0)")
    model.add(gs.Actuator("motor", "h0"))
    system, rng = gs.formulate(model), np.random.default_rng(0)
    values = {"k": rng.uniform(3, 5, 40), "d": rng.choice([-0.1, 0.0, 0.1], 40)}
    motor = rng.choice([0.0, 1.0], 40, p=[0.8, 0.2])
    found = energy_laws(system, InputPlan(), values, {"motor": motor}, 40)
    for i in range(40):
        segment = Segment(
            0.0, 1.0, {name: column[i] for name, column in values.items()}, InputPlan({"motor": motor[i]})
        )
        law = energy_law(system, segment)
        assert (law is EnergyLaw.SUPPLIED) == found.supplied[i]
        assert law is EnergyLaw.SUPPLIED or (law is EnergyLaw.NOT_RISING) == found.falling[i]
