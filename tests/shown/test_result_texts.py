"""Results print as tables, and notebooks show them in a monospaced font."""

from __future__ import annotations

import numpy as np
import pytest

import gyrostat as gs


@pytest.fixture(scope="module")
def linear() -> gs.LinearModel:
    model = gs.Model("oscillator", parameters={"c": 1.0})
    model.add(gs.Body("mass", gs.point_mass(2.0)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    model.add(gs.JointSpring("spring", "x", stiffness=50, damping="c"))
    model.add(gs.Actuator("push", "x"))
    return gs.linearize(model, inputs=["push"], outputs=["x", "x.rate"])


def test_frequency_responses_print_as_tables(linear: gs.LinearModel):
    text = str(linear.frequency_response([0.1, 0.5, 1.0]))
    lines = text.splitlines()
    assert lines[0] == "Frequency response of 'oscillator', 3 frequencies: magnitude ∠ phase"
    assert lines[1].split() == ["f", "in", "Hz", "x/push", "x.rate/push"]
    size = 1 / abs(50 - 2 * (2 * np.pi * 0.5) ** 2 + 2j * np.pi * 0.5)
    assert f"{size:.4g} ∠" in lines[3]
    assert "m/N at" in lines[5], "the unit of the ratio"
    assert "m/s/N at" in lines[6] or "(m/s)/N at" in lines[6]


def test_root_loci_time_responses_and_spectra_print_as_tables(linear: gs.LinearModel):
    locus = gs.root_locus(linear.system, {"c": np.linspace(0, 2, 30)})
    lines = str(locus).splitlines()
    assert lines[0] == "Eigenvalues in 1/s over c, 30 values"
    assert len(lines) == 14, "some rows of many"
    assert "0 + 5i" in lines[2]
    steps = str(linear.step_response("push", 2.0)).splitlines()
    assert steps[1].split() == ["t", "in", "s", "x", "x.rate"]
    run = gs.simulate(linear.system, duration=20, step=0.05, initial={"x": 0.1})
    found = str(run.spectrum("x", linear))
    assert found.startswith("Spectrum of x up to 9.9751 Hz")
    assert "mode" in found.splitlines()[2]


def test_notebooks_show_tables_in_a_monospaced_font(linear: gs.LinearModel):
    for result in (linear, linear.frequency_response([1.0, 2.0]), linear.modes()[0], linear.point):
        shown = result._repr_html_()
        assert "monospace" in shown or "<table" in shown, type(result)


def test_inputs_carry_units(linear: gs.LinearModel):
    assert linear.channel_units == {"push": "N"}
    run = gs.simulate(linear.system, duration=0.1, step=0.1, inputs={"push": 3.0})
    assert run["push"].attrs["units"] == "N"
    motor = gs.Model("wheel")
    motor.add(gs.Body("wheel", gs.cylinder(1, 0.1, 0.1)))
    motor.add(gs.Revolute("a", "ground", "wheel"))
    motor.add(gs.Actuator("motor", "a"))
    assert gs.simulate(motor, duration=0.1, step=0.1)["motor"].attrs["units"] == "N·m"


def test_models_and_instants_show_pictures_in_notebooks(linear: gs.LinearModel):
    run = gs.simulate(linear.system, duration=1, step=0.1, initial={"x": 0.1})
    picture = run.picture(0.5)
    assert picture._repr_png_().startswith(b"\x89PNG")
    assert repr(picture).startswith("Picture(")
    assert 'src="data:image/png;base64,' in linear.system.model._repr_html_()
    broken = gs.Model("broken")
    broken.add(gs.Body("a", mass=1))
    broken.add(gs.Revolute("h", "ground", "nowhere"))
    assert "<img" not in broken._repr_html_(), "a model with faults has its tables"
    assert "<table" in broken._repr_html_()


def test_pictures_are_saved_as_pixels(linear: gs.LinearModel, tmp_path):
    picture = gs.picture(linear.system)
    assert picture.save(tmp_path / "a.png").read_bytes() == picture.png
    with pytest.raises(gs.PictureError, match=r"ends in \.png"):
        picture.save(tmp_path / "a.svg")
