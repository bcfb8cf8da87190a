"""The watch on energy over networks: circuits alone, with algebraic unknowns, with switches, and on mechanisms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from networks import network, six_edge_circuit, transistor_amplifier

import gyrostat as gs
from gyrostat.analysis.simulation.energy_law import EnergyLaw, energy_law
from gyrostat.analysis.simulation.energy_watch import note_on_energy
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.supplied_work import Stretch, exact_work, work_at_checkpoints

STIFF, SMOOTH = gs.Rodas5P(1e-8, 1e-8), gs.DOP853(1e-9, 1e-9)


def oscillator() -> gs.Model:
    """Return a source, a resistor, an inductor and a capacitor in series."""
    return network(
        gs.VoltageSource("E", "a", "g", "5*sin(40*t)"),
        gs.Resistor("R", "a", "b", 1.0),
        gs.Inductor("L", "b", "c", 0.1),
        gs.Capacitor("C", "c", "g", 5e-3, 2.0),
    )


def rectifier() -> gs.Model:
    """Return a diode that charges a capacitor under a load; above a voltage the current is limited."""
    return network(
        gs.VoltageSource("E", "a", "g", "5*sin(40*t)"),
        gs.Switch("S", "a", "b", "C.voltage < 2", on=2, off=5),
        gs.Diode("D", "b", "c", 1e-9),
        gs.Capacitor("C", "c", "g", 5e-3),
        gs.Resistor("load", "c", "g", 20.0),
    )


def machine(*elements: Any, domain: str = "electrical") -> gs.Model:
    """Return elements that act on a mass with a spring and a damper."""
    model = network(*elements, domain=domain)
    model.add(gs.Body("mass", gs.point_mass(2.0)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    model.add(gs.TorsionSpring("guide", "x", stiffness=300, damping=4))
    return model


FEED = gs.VoltageSource("E", "a", "g", "5*sin(20*t)"), gs.Resistor("R", "a", "b", 2.0)
MODELS: dict[str, tuple[Callable[[], gs.Model], Any, float]] = {
    "oscillator": (oscillator, SMOOTH, 1.0),
    "amplifier": (transistor_amplifier, STIFF, 0.05),
    "rectifier": (rectifier, STIFF, 0.5),
    "motor": (lambda: machine(*FEED, gs.Inductor("L", "b", "c", 0.1), gs.Motor("M", "c", "g", "x", 8)), SMOOTH, 1.0),
    "solenoid": (lambda: machine(*FEED, gs.Solenoid("M", "b", "g", "x", "0.4/(1 + x/0.5)")), SMOOTH, 1.0),
    "piezo stack": (lambda: machine(*FEED, gs.PiezoStack("M", "b", "g", "x", 2e-3, 3.0)), STIFF, 1.0),
    "cylinder": (
        lambda: machine(
            gs.CurrentSource("pump", "g", "a", "1e-4*(1 + sin(9*t))"),
            gs.Capacitor("oil", "a", "g", 1e-10),
            gs.Piston("M", "a", "g", "x", 2e-3),
            gs.Valve("leak", "a", "g", 3e-7),
            domain="hydraulic",
        ),
        STIFF,
        0.5,
    ),
}


@pytest.fixture(scope="module", params=list(MODELS))
def run(request: pytest.FixtureRequest) -> gs.Trajectory:
    make, integrator, duration = MODELS[request.param]
    return gs.simulate(make(), duration, step=duration / 4, integrator=integrator)


def with_changed_end(run: gs.Trajectory, factor: float) -> Motion:
    """Return the motion of a run whose last state is multiplied by a factor."""
    segments = [*run.motion.segments]
    segments[-1] = replace(segments[-1], final=factor * segments[-1].final)
    return replace(run.motion, segments=segments)


def test_the_work_of_sources_and_resistors_explains_the_energy(run: gs.Trajectory) -> None:
    assert run.status.notes == ()
    for segment in run.motion.segments[:3]:
        assert energy_law(run.system, segment) is EnergyLaw.SUPPLIED
        stretch = Stretch(segment, 0, len(segment.times))
        found, (exact, uncertainty) = work_at_checkpoints(run.motion, stretch), exact_work(run.motion, stretch)
        assert uncertainty < 1e-6 * np.ptp(exact)
        np.testing.assert_allclose(found, exact, atol=1e-3 * np.ptp(exact))
    energy = run.energy()
    np.testing.assert_allclose(energy["balance"].values, 0, atol=1e-5 * float(np.ptp(energy["total"].values)))


def test_a_state_that_no_work_explains_is_reported_with_its_time(run: gs.Trajectory) -> None:
    begin = run.motion.segments[-1].times[-1]
    note = note_on_energy(with_changed_end(run, 1.02))
    assert note is not None
    assert note.startswith("The energy differs from the work that loads, drivers and sources do by ")
    assert f"is between t = {begin:.6g} s and {run.time[-1]:.6g} s." in note


def test_errors_within_the_tolerance_are_not_reported(run: gs.Trajectory) -> None:
    assert note_on_energy(with_changed_end(run, 1 + 1e-9)) is None


@pytest.mark.parametrize("tolerance", [1e-3, 1e-5, 1e-10])
@pytest.mark.parametrize("name", MODELS)
def test_sane_runs_are_not_flagged(name: str, tolerance: float) -> None:
    make, integrator, duration = MODELS[name]
    run = gs.simulate(make(), duration, step=duration, integrator=replace(integrator, rtol=tolerance, atol=tolerance))
    assert run.status.notes == ()


def test_wrong_rates_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rates are those of an oscillator whose resistance is larger by one part in 500."""
    right, wrong = gs.formulate(oscillator()), oscillator()
    wrong.replace(gs.Resistor("R", "a", "b", 1.002))
    other, own = gs.formulate(wrong), type(right).ready_program

    def program(self: gs.System, name: str, **options: Any) -> Any:
        return own(other if self is right and name == "rates" else self, name, **options)

    monkeypatch.setattr(type(right), "ready_program", program)
    with pytest.warns(gs.GyrostatWarning, match="differs from the work"):
        gs.simulate(right, 1, step=1, integrator=SMOOTH)


@pytest.mark.parametrize("integrator", [gs.DOP853(1e-10, 1e-10), gs.RK4(step=1e-3)])
def test_rounding_in_networks_that_store_nothing_is_not_reported(integrator: Any) -> None:
    """All of the power is lost at once, with rounding errors that no state explains."""
    circuit = six_edge_circuit()
    circuit.replace(gs.VoltageSource("E1", "a", "d", "1e4*sin(3*t)"))
    circuit.add(gs.Inductor("tiny", "x", "d", 1e-9))
    circuit.add(gs.Resistor("with_it", "x", "d", 1e-9))
    assert gs.simulate(circuit, 2, step=1, integrator=integrator).status.notes == ()


def test_coarse_fixed_steps_are_reported() -> None:
    with pytest.warns(gs.GyrostatWarning, match="differs from the work .* the steps are too long"):
        gs.simulate(oscillator(), 1, step=1, integrator=gs.Euler(step=0.01))
