"""Plots of outputs against each other, statistics of sweeps, break points, waterfalls, phase portraits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gyrostat as gs

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.fixture(scope="module")
def run() -> gs.Trajectory:
    return gs.simulate(gs.Model.load(EXAMPLES / "double_pendulum.yaml"), duration=1, step=0.02, initial={"a1": 1.0})


def oscillator() -> gs.Model:
    model = gs.Model("oscillator", parameters={"c": 1.0, "k": 50.0})
    model.add(gs.Body("mass", gs.point_mass(2.0)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    model.add(gs.JointSpring("spring", "x", stiffness="k", damping="c"))
    return model


def test_one_output_against_another(run: gs.Trajectory):
    (ax,) = run.plot("bar2.tip.y", against="bar2.tip.x")
    (line, dot) = ax.lines
    np.testing.assert_array_equal(line.get_xdata(), run["bar2.tip.x"].values)
    np.testing.assert_array_equal(line.get_ydata(), run["bar2.tip.y"].values)
    assert dot.get_xdata()[0] == run["bar2.tip.x"].values[0]
    assert ax.get_aspect() == 1.0, "a path in space is not distorted"
    assert "(m)" in ax.get_xlabel()
    axes = run.plot("a1", "a1.rate", against="a2", compare={"again": run})
    assert len(axes) == 2
    assert all(ax.get_aspect() == "auto" for ax in axes[1:])
    with pytest.raises(gs.PictureError, match=r"'bar2\.tip' is a vector"):
        run.plot("a1", against="bar2.tip")


def test_break_points_have_no_kinks():
    locus = gs.root_locus(oscillator(), {"c": np.linspace(10, 30, 6)})
    critical = 2 * np.sqrt(50 * 2)
    fine = locus.refined()
    assert np.abs(fine.values - critical).min() < 1e-6, "the break point is found"
    two = fine.eigenvalues.values
    at = int(np.argmin(np.abs(fine.values - critical)))
    np.testing.assert_allclose(two[at], -critical / 4, atol=2e-3)
    roots = np.array([np.sort_complex(np.roots([2, c, 50])) for c in fine.values])
    np.testing.assert_allclose(np.sort_complex(two), roots, atol=1e-5)
    across = two[(fine.values >= 18) & (fine.values <= 22)]
    assert np.abs(np.diff(across, axis=0)).max() < 1.0, "steps about the break point are small"
    assert np.abs(locus.eigenvalues.values[3] - locus.eigenvalues.values[2]).max() > 2.5
    (ax,) = locus.plot()
    labels = [text.get_text() for text in ax.get_legend().get_texts()] if ax.get_legend() else []
    assert all("(x)" in label for label in labels), "modes are named by what moves"


def test_loci_have_the_unit_of_their_parameter():
    model = oscillator()
    model.set_parameter("k", gs.Parameter(50.0, unit="N/m"))
    locus = gs.root_locus(model, {"k": [50.0, 60.0]})
    assert locus.plot_over()[-1].get_xlabel() == "k (N/m)"
    assert locus.campbell(orders=())[0].get_xlabel() == "k (N/m)"
    with pytest.raises(gs.PictureError, match=r"in rad/s; 'k' is in N/m\. .* campbell\(orders=\(\)\)"):
        locus.campbell()
    assert gs.root_locus(oscillator(), {"c": [1.0, 2.0]}).campbell()[0].get_xlabel() == "c (rad/s)", "not stated"


def test_bode_plots_have_units():
    model = oscillator()
    model.add(gs.Actuator("push", "x"))
    linear = gs.linearize(model, inputs=["push"], outputs=["x", "x.acc"])
    axes = linear.frequency_response().plot()
    assert [ax.get_ylabel() for ax in axes] == ["magnitude (m/N)", "magnitude (m/s²/N)", "phase (°)"]


def test_sweeps_have_histograms_and_bands():
    plan = {"k": gs.normal(50, 5)}
    analysis = gs.Simulation(duration=2.0, step=0.1, initial={"x": 0.1}, outputs=["x"])
    sweep = gs.sweep(oscillator(), plan, analysis, points=gs.LatinHypercube(40, seed=1))
    name = sweep.names[0]
    (ax,) = sweep.plot_bands(name)
    values = sweep[name].transpose("time", ...).values.reshape(21, -1)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), np.median(values, axis=1))
    assert len(ax.collections) == 2
    (histogram,) = sweep.plot_histogram(name, bins=7)
    heights = histogram.lines[-1].get_ydata()
    counts, _ = np.histogram(values.ravel(), bins=7)
    np.testing.assert_array_equal(heights[1:-1:2], counts)
    assert {text.get_text() for text in histogram.texts} == {"mean", "5 %", "95 %"}
    with pytest.raises(gs.StateError, match="no axis 'speed'"):
        sweep.plot_bands(name, over="speed")


def test_waterfalls_rise_with_the_parameter():
    spectra = {}
    for k in (50.0, 100.0, 200.0):
        motion = gs.simulate(oscillator(), duration=20, step=0.05, initial={"x": 0.1}, parameters={"k": k, "c": 0.1})
        spectra[k] = motion.spectrum("x")
    (ax,) = gs.waterfall(spectra, over="k (N/m)", orders=[1])
    ridges = {line.get_ydata().min(): line for line in ax.lines[:3]}
    for k, spectrum in spectra.items():
        line = min(ridges.values(), key=lambda one: abs(one.get_ydata().min() - k))
        assert line.get_xdata()[np.argmax(line.get_ydata())] == pytest.approx(spectrum.peaks(1)[0], abs=0.05)
    with pytest.raises(gs.PictureError, match="two values or more"):
        gs.waterfall({1.0: spectra[50.0]})


def test_phase_portraits_of_multiple_scales_stand_beside_the_simulation():
    problem = gs.Oscillators("x'' + w0**2*x + eps*alpha*x**3 = 0")
    answer = gs.multiple_scales(problem, order=1)
    values = {"w0": 5.0, "alpha": 20.0, "eps": 0.1}
    simulated = gs.simulate(oscillator(), duration=2, step=0.01, initial={"x": 0.1}, parameters={"c": 0.0})
    (ax,) = answer.plot_phase(2.0, {"x": 0.1, "x.rate": 0.0}, simulated=simulated, values=values)
    approximate, exact = ax.lines[:2]
    assert approximate.get_xdata()[0] == pytest.approx(0.1, rel=1e-3)
    assert np.abs(approximate.get_ydata()).max() == pytest.approx(np.abs(exact.get_ydata()).max(), rel=0.01)
    with pytest.raises(gs.StateError, match="no coordinate 'z' with a phase portrait"):
        answer.plot_phase(2.0, {"x": 0.1, "x.rate": 0.0}, "z", values=values)
