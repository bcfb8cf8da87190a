"""The watch on the energy where loads, inputs and drivers do work: what it sees, and what it must not flag."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from campaign import campaign

import gyrostat as gs
from gyrostat.analysis.simulation.energy_law import EnergyLaw, energy_law
from gyrostat.analysis.simulation.energy_watch import note_on_energy
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.supplied_work import Stretch, exact_work, work_at_checkpoints

EXAMPLES = Path(__file__).parents[3] / "examples"


def machine(friction: str = "-mu*tanh(rate/0.1)", mass: float = 1.0) -> gs.Model:
    """Return a double pendulum on a driven cart, with a motor, wind, friction and a spring."""
    parameters = {"a": 0.0, "w": 2.0, "drag": 0.0, "mu": 0.0, "gust": 0.0, "k": 3.0}
    model = gs.Model("machine", gravity=(0, -9.81, 0), parameters=parameters)
    model.add(gs.Body("cart", gs.box(2.0, (0.2, 0.1, 0.1))))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x", driven="a*sin(w*t)"))
    outer = "cart"
    for i in range(2):
        points = {"a": (0, 0.5, 0), "b": (0, -0.5, 0)}
        model.add(gs.Body(f"rod{i}", gs.slender_rod(mass, 1.0, along="y"), points=points))
        model.add(gs.Revolute(f"h{i}", outer, f"rod{i}.a", initial=0.8 + 0.3 * i))
        outer = f"rod{i}.b"
    model.add(gs.Actuator("motor", "h0"))
    model.add(gs.TorsionSpring("spring", "h1", stiffness="k", damping="drag"))
    model.add(gs.TorsionSpring("brake", "h0", torque=friction))
    model.add(gs.Force("wind", "rod1.b", components=("gust*sin(3*t)", 0, 0)))
    return model


@pytest.fixture(scope="module")
def system() -> gs.System:
    return gs.formulate(machine())


@pytest.fixture(scope="module")
def switching() -> gs.System:
    return gs.formulate(machine("-mu*sign(rate)"))


ACTING = {"a": 0.2, "gust": 1.0, "mu": 0.1, "drag": 0.02}
TIGHT = gs.DOP853(1e-10, 1e-10)


def simulated(system: gs.System, **options: Any) -> gs.Trajectory:
    options = {"duration": 3, "step": 0.5, "parameters": ACTING, "integrator": TIGHT, **options}
    return gs.simulate(system, **options)


def with_faster_end(run: gs.Trajectory, factor: float) -> Motion:
    """Return the motion of a run whose last state has all speeds multiplied by a factor."""
    motion = run.motion
    final = motion.segments[-1].final.copy()
    final[run.system.coordinates.n_q :] *= factor
    motion.segments[-1] = replace(motion.segments[-1], final=final)
    return motion


INPUTS: dict[str, Any] = {
    "number": 2.0,
    "formula": "3*sin(2*t) - h0.rate",
    "pulse": "where((t > 1) and (t < 1.2), 20, 0)",
    "kinked table": (np.linspace(0, 3, 7), [0.0, 3.0, -1.0, 2.0, 0.0, 0.0, 5.0]),
    "smooth table": gs.Table(np.linspace(0, 3, 7), [0.0, 3.0, -1.0, 2.0, 0.0, 0.0, 5.0], interpolation="cubic"),
}


@pytest.mark.parametrize("course", INPUTS)
def test_work_at_checkpoints_is_that_of_the_motion_between(system: gs.System, course: str) -> None:
    run = simulated(system, inputs={"motor": INPUTS[course]})
    (segment,) = run.motion.segments
    stretch = Stretch(segment, 0, len(segment.times))
    found, (exact, uncertainty) = work_at_checkpoints(run.motion, stretch), exact_work(run.motion, stretch)
    energy = run.energy()
    assert uncertainty < 1e-6
    np.testing.assert_allclose(found, exact, atol=2e-6 * np.ptp(exact))
    assert exact[-1] == pytest.approx(float(energy.total[-1] - energy.total[0]), abs=1e-6)


def test_inputs_of_python_functions_are_not_accounted_for(system: gs.System) -> None:
    run = simulated(system, inputs={"motor": lambda t: np.sin(t)})
    assert energy_law(system, run.motion.segments[0]) is EnergyLaw.UNKNOWN
    segment = simulated(system, inputs={"motor": "sin(t)"}).motion.segments[0]
    assert energy_law(system, segment) is EnergyLaw.SUPPLIED


@pytest.mark.parametrize("course", INPUTS)
def test_a_state_that_no_work_explains_is_reported_with_its_time(system: gs.System, course: str) -> None:
    run = simulated(system, inputs={"motor": INPUTS[course]})
    assert run.status.notes == ()
    begin = run.motion.segments[-1].times[-1]
    note = note_on_energy(with_faster_end(run, 1 + 1e-3))
    assert note is not None
    assert note.startswith("The energy differs from the work that loads, drivers and sources do by ")
    assert "the tolerance does not explain this" in note
    assert f"is between t = {begin:.6g} s and 3 s. Use smaller tolerances or another integrator" in note


def test_a_drift_within_the_tolerance_is_not_reported(system: gs.System) -> None:
    run = simulated(system, integrator=gs.DOP853(1e-4, 1e-4))
    assert note_on_energy(with_faster_end(run, 1 + 2e-5)) is None


def test_wrong_accelerations_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rates are those of rods that are heavier by 1e-4; energies and powers are those of the model."""
    system, wrong = gs.formulate(machine()), gs.formulate(machine(mass=1 + 1e-4))
    own = type(system).ready_program

    def program(self: gs.System, name: str, **options: Any) -> Any:
        return own(wrong if self is system and name == "rates" else self, name, **options)

    monkeypatch.setattr(type(system), "ready_program", program)
    with pytest.warns(gs.GyrostatWarning, match="differs from the work"):
        run = simulated(system)
    assert run.status.success
    assert any("differs from the work" in note for note in run.status.notes)


@dataclass(frozen=True)
class Optimist(gs.DOP853):
    """A method whose errors are far larger than the tolerance that it claims."""

    @property
    def control(self) -> tuple[bool, float, float, float]:
        adaptive, relative, absolute, largest = super().control
        return adaptive, 1e5 * relative, 1e5 * absolute, largest


def test_errors_larger_than_claimed_are_reported(system: gs.System) -> None:
    assert simulated(system, integrator=gs.DOP853(1e-5, 1e-5)).status.notes == ()
    with pytest.warns(gs.GyrostatWarning, match="the tolerance does not explain this"):
        simulated(system, integrator=Optimist(1e-10, 1e-10))


def test_coarse_fixed_steps_are_reported(system: gs.System) -> None:
    with pytest.warns(gs.GyrostatWarning, match="differs from the work .* the steps are too long.* Use a smaller step"):
        simulated(system, integrator=gs.Euler(step=0.02))
    assert simulated(system, integrator=gs.RK4(step=0.005)).status.notes == ()


def test_parts_of_long_runs_are_watched(system: gs.System) -> None:
    run = simulated(system, duration=20, integrator=gs.RKF45(1e-10, 1e-10))
    assert run.status.steps > 3000
    assert run.status.notes == ()
    assert note_on_energy(with_faster_end(run, 1 + 1e-4)) is not None


@pytest.mark.parametrize("name", ["crank_slider", "gyrostat_satellite"])
def test_net_power_is_the_sum_of_all_powers(name: str) -> None:
    system = gs.formulate(gs.Model.load(EXAMPLES / f"{name}.yaml"))
    run = gs.simulate(system, 0.01, step=0.005)
    powers = run.recorded.found("powers")
    total = sum(values.sum(axis=1) for port, values in powers.items() if port != "supplied_powers")
    assert run.recorded.found("net_power")["power"][:, 0] == pytest.approx(total, rel=1e-9, abs=1e-9)


METHODS = (gs.DOP853, gs.RKF45, gs.Rodas5P, gs.CVODE)


@pytest.mark.filterwarnings("ignore:CVODE restarted")
@campaign(200)
def test_sane_runs_are_not_flagged(system: gs.System, switching: gs.System, seed: int) -> None:
    rng = np.random.default_rng(seed)
    acting = dict(zip(("a", "gust", "mu", "drag", "w"), rng.uniform(0, 1, 5) * (0.3, 3, 0.5, 0.3, 9), strict=True))
    knots = np.unique(np.concatenate(([0.0, 3.0], rng.uniform(0, 3, 5))))
    motor = rng.choice(["number", "kinked", "smooth"])
    courses = {
        "number": float(rng.normal(scale=3)),
        "kinked": (knots, rng.normal(scale=3, size=len(knots))),
        "smooth": gs.Table(knots, rng.normal(scale=3, size=len(knots)), interpolation="cubic"),
    }
    tolerance = 10.0 ** -rng.uniform(3, 11)
    method = METHODS[seed % 4](rtol=tolerance, atol=tolerance * 10.0 ** -rng.uniform(0, 3))
    chosen = switching if seed % 3 == 0 else system
    run = simulated(chosen, parameters=acting, inputs={"motor": courses[motor]}, integrator=method)
    assert run.status.success
    assert not any("energy" in note for note in run.status.notes)
