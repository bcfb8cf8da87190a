"""The watch on the energy of sampled systems, of contacts at rest, and of trees of many links on rolled code."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from many_contacts import balls
from rigid_contact_models import block_on_an_incline

import gyrostat as gs
from gyrostat.analysis.simulation.energy_law import EnergyLaw, energy_law
from gyrostat.analysis.simulation.energy_watch import note_on_energy
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.supplied_work import Stretch, account_of, exact_work, work_at_checkpoints

TIGHT = gs.DOP853(1e-10, 1e-10)
APART = {"b0_motion.z": 0.3, "b1_motion.z": 0.6}


def rods(count: int, **first: Any) -> gs.Model:
    """Return a pendulum of rods whose hinges turn about x and z in turn."""
    model = gs.Model("rods", gravity=(0, -9.81, 0), parameters={"gust": 1.0})
    outer = "ground"
    for i in range(count):
        points = {"a": (0, 0.15, 0), "b": (0, -0.15, 0)}
        model.add(gs.Body(f"rod{i}", gs.rod(1.0, 0.3, along="y"), points=points))
        options = first if i == 0 and first else {"initial": 0.1}
        model.add(gs.Revolute(f"h{i}", outer, f"rod{i}.a", axis="zx"[i % 2], **options))
        outer = f"rod{i}.b"
    return model


def sampled(law: Any) -> gs.Model:
    """Return a double pendulum with a digital controller, whose value is a torque and part of a stiffness."""
    model = rods(2)
    model.add(gs.Sampled("held", period=0.07, law=law, memory={"last": 0.0}, **_update(law)))
    model.add(gs.TorsionSpring("motor", "h0", torque="held"))
    model.add(gs.TorsionSpring("spring", "h1", stiffness="3 + held"))
    return model


def _update(law: Any) -> dict[str, Any]:
    return {} if callable(law) else {"update": {"last": "h0"}}


def damping(t: float, signals: Any, memory: dict[str, float]) -> float:
    memory["last"] = signals["h0"]
    return float(-2.0 * signals["h0.rate"])


def delayed() -> gs.Model:
    model = rods(2)
    model.add(gs.Delay("late", delay=0.4, input="-2*h0.rate"))
    model.add(gs.TorsionSpring("motor", "h0", torque="late"))
    return model


def long_tree(**first: Any) -> gs.Model:
    """Return a tree that runs on rolled code, with springs, dampers, friction and wind."""
    model = rods(14, **first)
    for i in range(1, 14):
        torque = "-0.1*rate**3" if i == 3 else 0
        model.add(gs.TorsionSpring(f"s{i}", f"h{i}", stiffness=1.0, damping=0.05, torque=torque))
    model.add(gs.Force("wind", "rod13.b", components=("gust*sin(3*t)", 0, 0.3)))
    return model


def flexible_crank(**drive: Any) -> gs.Model:
    """Return a slider-crank on rolled code, whose rod is a beam of order exact."""
    model = gs.Model("flexible crank", gravity=(0, -9.81, 0))
    model.add(gs.Body("crank", gs.rod(1.0, 0.1, along="x"), com=(0.05, 0, 0), points={"pin": (0.1, 0, 0)}))
    steel = {"length": 0.3, "area": 1e-4, "Iz": 1e-10, "E": 2e11, "density": 7800, "damping": 1e-4}
    model.add(gs.Beam("rod", **steel, terms={"v": 1}, order="exact"))
    model.add(gs.Body("slider", gs.point_mass(0.5)))
    model.add(gs.Revolute("drive", "ground", "crank", **drive))
    model.add(gs.Revolute("pin", "crank.pin", "rod"))
    model.add(gs.Prismatic("guide", "ground", "slider", axis="x", initial={"displacement": 0.4}))
    model.add(gs.Revolute("eye", "rod.tip", "slider"))
    model.add(gs.JointSpring("load", "guide", stiffness=200.0, length=0.3))
    return model


def moved_crank() -> gs.Model:
    """Return the flexible slider-crank moved by a constraint of time instead of a driver."""
    model = flexible_crank()
    model.add(gs.Equation("clock", residual="drive - 8*t - 0.2*sin(5*t)"))
    return model


MODELS = {
    "sampled formula": lambda: sampled("-2*h0.rate + held.last"),
    "sampled function": lambda: sampled(damping),
    "delay": delayed,
    "long tree": long_tree,
    "long driven tree": lambda: long_tree(driven="0.3*sin(2*t)"),
}


def with_faster_end(run: gs.Trajectory, factor: float, number: int = -1) -> Motion:
    """Return the motion of a run; the state at the end of a segment has all speeds multiplied by a factor."""
    segment, layout = run.motion.segments[number], run.system.row
    final = segment.final.copy()
    final[layout.n_q : layout.n_q + layout.n_u] *= factor
    run.motion.segments[number] = replace(segment, final=final)
    return run.motion


@pytest.fixture(scope="module", params=list(MODELS))
def system(request: pytest.FixtureRequest) -> gs.System:
    return gs.formulate(MODELS[request.param]())


def test_work_is_accounted_for(system: gs.System) -> None:
    run = gs.simulate(system, 1, step=0.5, integrator=TIGHT)
    assert run.status.notes == ()
    for segment in run.motion.segments[:3]:
        assert energy_law(system, segment) is EnergyLaw.SUPPLIED
        stretch = Stretch(segment, 0, len(segment.times))
        found, (exact, uncertainty) = work_at_checkpoints(run.motion, stretch), exact_work(run.motion, stretch)
        assert uncertainty < 1e-7
        np.testing.assert_allclose(found, exact, atol=1e-12 + 3e-6 * np.ptp(exact))
    number = int(np.argmax([len(segment.times) for segment in run.motion.segments]))
    note = note_on_energy(with_faster_end(run, 1 + 1e-3, number))
    assert note is not None
    assert note.startswith("The energy differs from the work that loads, drivers and sources do by ")


@pytest.mark.parametrize("method", [gs.RKF45, gs.Rodas5P])
@pytest.mark.parametrize("tolerance", [1e-4, 1e-8])
def test_sane_runs_are_not_flagged(system: gs.System, method: Any, tolerance: float) -> None:
    if method is gs.Rodas5P and system.rolls:
        method = gs.RKF45  # its Jacobian is compiled for seconds
    run = gs.simulate(system, 2, step=2, integrator=method(tolerance, 0.1 * tolerance))
    assert run.status.success
    assert run.status.notes == ()


def test_a_long_tree_needs_no_compiled_code_for_its_power() -> None:
    system = gs.formulate(long_tree())
    run = gs.simulate(system, 0.1, step=0.1)
    (segment,) = run.motion.segments
    account = account_of(run.motion.problem, segment)
    assert system.rolls
    assert account.power == "load_power"
    powers = run.recorded.found("powers")
    total = sum(powers[port].sum(axis=1) for port in ("force_powers", "driver_powers", "rotor_powers"))
    assert run.recorded.found("load_power")["power"][:, 0] == pytest.approx(total, rel=1e-9, abs=1e-9)
    assert not segment.carries_work
    assert account_of(replace(run.motion.problem, integrator=gs.Rodas5P()), segment).power == "net_power"


@pytest.mark.parametrize("model", [flexible_crank(driven="8*t + 0.2*sin(5*t)"), moved_crank()])
def test_drivers_of_rolled_loops_work_against_constraint_loads(model: gs.Model) -> None:
    system = gs.formulate(model)
    run = gs.simulate(system, 0.1, step=0.02, integrator=TIGHT)
    (segment,) = run.motion.segments
    assert system.rolls
    assert account_of(run.motion.problem, segment).power == "load_power"
    assert run.status.notes == ()
    power = system.ready_program("load_power").loop(run.recorded.rows)[:, 0]
    powers = run.recorded.found("powers")
    total = sum(powers[port].sum(axis=1) for port in ("force_powers", "driver_powers", "constraint_powers"))
    assert np.abs(total).max() > 1
    assert power == pytest.approx(total, rel=1e-7, abs=1e-7)
    note = note_on_energy(with_faster_end(run, 1 + 1e-3))
    assert note is not None


@pytest.mark.parametrize(("mu", "push"), [(0.0, 0), (0.2, 0), (0.2, 1)])
@pytest.mark.parametrize("factor", [0.999, 1.001])
def test_work_of_closed_rigid_contacts_is_accounted_for(mu: float, push: float, factor: float) -> None:
    """A block that slides on two feet, by itself and under a load."""
    model = block_on_an_incline(30.0, mu)
    if push:
        model.add(gs.TorsionSpring("wind", "p.x", torque=push))
    run = gs.simulate(gs.formulate(model), 1, step=0.5, integrator=TIGHT)
    (segment,) = run.motion.segments
    assert segment.contacts.closed == [0, 1]
    assert run.status.notes == ()
    assert run.status.unwatched == ""
    assert energy_law(run.system, segment) is EnergyLaw.SUPPLIED
    friction = mu * 9.81 * np.cos(np.pi / 6) - push
    assert segment.work == pytest.approx(-friction * float(run["p.x"][-1]), rel=1e-9, abs=1e-12)
    note = note_on_energy(with_faster_end(run, factor))
    assert note is not None
    assert note.startswith("The energy differs from the work that loads, drivers and sources do by ")


@pytest.mark.parametrize("friction", [None, gs.Coulomb(0.3, speed=0.1), gs.Bristle(0.3, 0.3, 1e5, 100.0, 0.01)])
def test_contacts_of_many_pairs_are_watched_in_small_systems(friction: Any) -> None:
    system = gs.formulate(balls([0.1, 0.1, 0.1], friction=friction))
    start = {"b0_motion.z": 0.15, "b1_motion.z": 0.37, "b1_motion.x": 0.02, "b2_motion.x": 0.3, "b2_motion.z": 0.2}
    run = gs.simulate(system, 0.5, step=0.1, initial=start, integrator=gs.DOP853(1e-9, 1e-9))
    (segment,) = run.motion.segments
    assert run["contacts.touching"].max() > 0
    assert run.status.notes == ()
    assert run.status.unwatched == ""
    stretch = Stretch(segment, 0, len(segment.times))
    found, (exact, _) = work_at_checkpoints(run.motion, stretch), exact_work(run.motion, stretch)
    np.testing.assert_allclose(found, exact, atol=1e-5 * np.ptp(exact))
    note = note_on_energy(with_faster_end(run, 1 + 1e-3))
    assert note is not None
    assert note.startswith("The energy differs from the work")


def test_a_run_that_is_not_watched_says_so() -> None:
    moreau = gs.simulate(
        balls([0.1, 0.1], gs.HuntCrossley(1e6, restitution=0.5)),
        0.05,
        step=0.05,
        integrator=gs.Moreau(step=1e-3),
        initial=APART,
    )
    assert moreau.status.unwatched == (
        "The energy balance was not watched: the work of the contacts of many pairs 'contacts' is not added up in "
        "Moreau runs of this size."
    )
    assert str(moreau.status).endswith(moreau.status.unwatched)
    model = rods(1)
    model.add(gs.Actuator("motor", "h0"))
    run = gs.simulate(model, 0.1, step=0.1, inputs={"motor": np.sin}, integrator=gs.Rodas5P())
    assert run.status.unwatched == (
        "The energy balance was not watched: input 'motor' is a Python function, whose work is not added up beside "
        "drivers or by Rodas5P."
    )
    assert gs.simulate(model, 0.1, step=0.1, inputs={"motor": "sin(t)"}).status.unwatched == ""


def test_work_of_python_functions_is_added_up() -> None:
    model = rods(2)
    model.add(gs.Actuator("motor", "h0"))
    run = gs.simulate(model, 1, step=0.1, inputs={"motor": lambda t: 3 * np.sin(5 * t)}, integrator=TIGHT)
    formula = gs.simulate(model, 1, step=0.1, inputs={"motor": "3*sin(5*t)"}, integrator=TIGHT)
    assert run.status.notes == ()
    assert run.status.unwatched == ""
    assert run.motion.segments[0].work == pytest.approx(formula.motion.segments[0].work, rel=1e-8)
    assert note_on_energy(with_faster_end(run, 1 + 1e-4)) is not None


@pytest.mark.parametrize("method", [gs.DOP853, gs.RKF45])
def test_work_of_steps_that_events_and_switches_end(method: Any) -> None:
    """A ball that bounces in wind, which changes its direction at a height: the work is the change of energy."""
    model = gs.Model("ball", gravity=(0, -9.81, 0))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("h", "ground", "ball", axis="y", initial=1.0))
    model.add(gs.Force("wind", "ball", components=(0, "where(h > 0.4, 2, -3) - 0.3*h.rate*abs(h.rate)", 0)))
    bounce = gs.Event("bounce", when="h", direction="falling", action=gs.Restitution(0.8))
    run = gs.simulate(model, 2, step=0.1, events=[bounce], integrator=method(1e-11, 1e-11))
    assert run.status.switches > 3
    assert len(run.motion.segments) > 3
    assert run.status.notes == ()
    for segment in run.motion.segments:
        (h, v), (h_end, v_end) = segment.states[0], segment.final
        change = 0.5 * (v_end**2 - v**2) + 9.81 * (h_end - h)
        assert segment.carries_work
        assert segment.work == pytest.approx(change, abs=1e-8)
        assert segment.works[0] == 0.0


def ball(when: str) -> tuple[gs.System, gs.Event]:
    """Return a ball with a pendulum above a floor, and the event of its impact."""
    model = gs.Model("ball", gravity=(0, -9.81, 0), parameters={"a": 0.01})
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("h", "ground", "ball", axis="y", initial=0.02))
    model.add(gs.Body("rod", gs.slender_rod(0.2, 1.0, along="y"), points={"top": (0, 0.5, 0)}))
    model.add(gs.Revolute("swing", "ball", "rod.top", initial=0.5))
    return gs.formulate(model), gs.Event("floor", when=when, direction="falling", action=gs.Restitution(0.2))


@pytest.mark.parametrize("when", ["h", "h - a*sin(5*t)"])
def test_contacts_at_rest_are_watched(when: str) -> None:
    """A floor that moves does work, which counts."""
    system, floor = ball(when)
    with pytest.warns(gs.GyrostatWarning, match="From there the contact rests"):
        run = gs.simulate(system, 4, step=1, events=[floor], integrator=TIGHT)
    assert len(run.status.notes) == 1
    last = run.motion.segments[-1]
    assert last.resting == ("floor",)
    assert last.end - last.start > 2
    note = note_on_energy(with_faster_end(run, 1 + 1e-3))
    assert note is not None
    assert note.startswith("The energy differs from the work")
