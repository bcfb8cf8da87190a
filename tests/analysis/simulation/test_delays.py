"""Delays: the method of steps, discontinuities that pass through, files, sweeps, Padé's approximation."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from block_models import block_on_a_slide

import gyrostat as gs


def decay(**parameters: float) -> gs.Model:
    """Return ẏ = −y(t − T), with y = 1 before the start."""
    return block_on_a_slide(
        gs.State("y", "-past", initial=1), gs.Delay("past", "y", "T", initial=1), T=1.0, **parameters
    )


def exact(t: float) -> float:
    """Return the solution by the method of steps: Σ (−1)ᵏ (t − k + 1)ᵏ/k! up to k = ⌊t⌋ + 1."""
    return sum((-1) ** k * (t - k + 1) ** k / math.factorial(k) for k in range(math.floor(t) + 2))


@pytest.mark.parametrize(
    ("integrator", "tolerance"),
    [(gs.DOP853(rtol=1e-10, atol=1e-12), 1e-10), (gs.Rodas5P(rtol=1e-9, atol=1e-11), 1e-8), (gs.RK4(step=0.02), 1e-7)],
    ids=["DOP853", "Rodas5P", "RK4"],
)
def test_the_method_of_steps(integrator: gs.RK4, tolerance: float) -> None:
    motion = gs.simulate(decay(), duration=6, step=0.25, integrator=integrator)
    expected = np.array([exact(t) for t in motion.time])
    np.testing.assert_allclose(motion["y"], expected, atol=tolerance)
    np.testing.assert_allclose(motion["past"].values[4:], expected[:-4], atol=tolerance)
    np.testing.assert_allclose(motion["y.rate"], -motion["past"], rtol=1e-12)


def test_a_long_step_is_limited_to_the_delay() -> None:
    slow = block_on_a_slide(gs.State("y", "-0.001*past", initial=1), gs.Delay("past", "y", 0.5, initial=1))
    motion = gs.simulate(slow, times=[0, 5], integrator=gs.DOP853())
    assert motion.status.steps >= 10
    fine = gs.simulate(slow, times=[0, 5], integrator=gs.RK4(step=1e-3))
    assert float(motion["y"][-1]) == pytest.approx(float(fine["y"][-1]), abs=1e-12)


def test_jumps_and_kinks_pass_through_delays() -> None:
    model = block_on_a_slide(
        gs.Delay("late", "where(t < 0.3, 0, 1) + max(t - 0.5, 0)", 0.4, initial="t"),
        gs.Delay("later", "late", 0.35, initial=7),
        gs.State("total", "late"),
    )
    motion = gs.simulate(model, duration=2, step=0.01)
    t = motion.time

    def course(s: np.ndarray) -> np.ndarray:
        return np.where(s < 0, s, np.where(s > 0.3, 1.0, 0.0) + np.maximum(s - 0.5, 0))

    clear = np.abs(t - 0.7) > 1e-9
    np.testing.assert_allclose(motion["late"].values[clear], course(t - 0.4)[clear], atol=1e-9)
    clear = (np.abs(t - 1.05) > 1e-9) & (np.abs(t - 0.35) > 1e-9) & (np.abs(t - 0.75) > 1e-9)
    expected = np.where(t < 0.35, 7, course(t - 0.75))
    np.testing.assert_allclose(motion["later"].values[clear], expected[clear], atol=1e-9)
    area = -0.08 + 1.3 + 0.5 * 1.1**2
    assert float(motion["total"][-1]) == pytest.approx(area, abs=1e-9)


def test_delays_of_sampled_values_and_events() -> None:
    model = block_on_a_slide(
        gs.State("y", 1), gs.Sampled("u", 0.25, "t"), gs.Delay("late", "u + y", 0.4), gs.State("total", "late")
    )
    reset = gs.Event("reset", "y - 0.6", action=gs.SetState("y", 0))
    motion = gs.simulate(model, times=[0, 0.3, 0.7, 1.05, 1.3], events=[reset])
    np.testing.assert_allclose(motion["late"], [0, 0, 0.25 + 0.3, 0.5 + 0.05, 0.75 + 0.3], atol=1e-9)


def test_two_runs_are_equal_bit_by_bit_and_files_keep_them(tmp_path: Path) -> None:
    system = gs.formulate(decay())
    one, two = (gs.simulate(system, duration=3, step=0.25) for _ in range(2))
    np.testing.assert_array_equal(one["y"], two["y"])
    one.save(tmp_path / "run.nc")
    again = gs.load(tmp_path / "run.nc")
    np.testing.assert_array_equal(again["past"], one["past"])
    np.testing.assert_array_equal(again.at([2.1])["y"], one.at([2.1])["y"])
    swept = gs.sweep(
        system, {"T": [1.0, 0.5]}, gs.Simulation(duration=3, step=0.25, outputs=["y"], integrator=gs.DOP853())
    )
    alone = gs.simulate(system, duration=3, step=0.25, integrator=gs.DOP853())
    np.testing.assert_array_equal(swept["y"].sel(T=1.0), alone["y"])


def test_a_delay_from_parameters_must_be_positive() -> None:
    with pytest.raises(gs.StateError, match=r"The delay of 'past' is 0 s\. Give a positive time\."):
        gs.simulate(decay(), duration=1, parameters={"T": 0})


def controlled() -> gs.Model:
    """Return a mass with delayed control of its place."""
    law = gs.TorsionSpring("control", "x", torque="8 - 4*past - 3*rate")
    return block_on_a_slide(gs.Delay("past", "x", "T"), gs.Actuator("push", "x"), law, T=0.3)


def test_linear_models_are_refused_or_approximated() -> None:
    with pytest.raises(gs.StateError, match=r"'past' is a delay, which no finite number of states describes\."):
        gs.linearize(controlled())
    linear = gs.linearize(controlled(), {"x": 2}, inputs=["push"], outputs=["past"], delay=gs.Pade(4))
    eigenvalues = linear.modes().eigenvalues
    slow = eigenvalues[np.argsort(-eigenvalues.real)][:2]
    np.testing.assert_allclose(slow**2 + 3 * slow + 4 * np.exp(-0.3 * slow), 0, atol=1e-8)
    point = gs.equilibrium(gs.Pade(2).applied(controlled()))
    assert (point["x"], point["past"]) == (pytest.approx(2), pytest.approx(2))


def test_coefficients_of_pade() -> None:
    assert gs.Pade(1).coefficients == ((-0.5, 1.0), (0.5, 1.0))
    assert gs.Pade(2).coefficients == (pytest.approx((1 / 12, -0.5, 1)), pytest.approx((1 / 12, 0.5, 1)))
    assert gs.Pade(2, degree=1).coefficients == (pytest.approx((-1 / 3, 1)), pytest.approx((1 / 6, 2 / 3, 1)))
    for order, degree in ((0, None), (2, 3)):
        with pytest.raises(gs.StateError, match=r"The order is 1 to 12, and the degree of the numerator at most"):
            gs.Pade(order, degree)


@pytest.mark.parametrize("cut", [0.5, 1.0, 2.5])
def test_a_run_goes_on_with_its_own_past(cut: float, tmp_path: Path) -> None:
    system = gs.formulate(decay())
    precise = {"integrator": gs.DOP853(rtol=1e-10, atol=1e-12), "step": 0.25}
    first = gs.simulate(system, duration=cut, **precise)
    first.save(tmp_path / "first.nc")
    expected = [exact(t) for t in np.arange(cut, 5.01, 0.25)]
    for known in (first, gs.load(tmp_path / "first.nc")):
        again = gs.simulate(system, duration=5 - cut, initial=known, **precise)
        np.testing.assert_allclose(again["y"], expected, atol=1e-9)


def test_a_run_from_an_operating_point_has_a_constant_past() -> None:
    model = block_on_a_slide(
        gs.JointSpring("s", "x", 4, 1, force="2 + 0.5*past"), gs.Delay("past", "x", 0.2, initial=9)
    )
    point = gs.equilibrium(model)
    run = gs.simulate(model, duration=2, step=0.5, initial=point)
    np.testing.assert_allclose(run["x"], 2 / 3.5, rtol=1e-9)


def test_segments_as_short_as_rounding_errors() -> None:
    """Ten delays of 0.2 s end a rounding error before 2 s."""
    model = block_on_a_slide(gs.State("y", "-past", initial=1), gs.Delay("past", "y", 0.2, initial=1))
    assert gs.simulate(model, duration=2, step=1).status.success


def test_signals_without_a_value_are_named() -> None:
    late = gs.Delay("late", "sqrt(0.5 - y)", 0.1)
    model = block_on_a_slide(gs.State("y", "1"), late, gs.State("total", "late"))
    with pytest.warns(gs.GyrostatWarning, match=r"the signal sqrt\(0\.5 - y\) of delay 'late' is nan at t = 0\.5"):
        run = gs.simulate(model, duration=1, step=0.1)
    assert run.status.outcome is gs.Outcome.INPUT_FAILED
    assert len(run.time) >= 6
    before = block_on_a_slide(gs.Delay("late", "x", 0.1, initial="sqrt(-1 - t)"))
    with pytest.raises(
        gs.StateError, match=r"Before the start the signal x of delay 'late' is nan at .* Delay\(…, init"
    ):
        gs.simulate(before, duration=1)
