"""Frequency and time responses, certificates, other programs."""

from math import pi
from pathlib import Path

import numpy as np
import pytest
from linear_models import hanging_four_bar, rotating_pendulum, sleeping_top, slider_pendulum

import gyrostat as gs

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def lin() -> gs.LinearModel:
    return gs.linearize(slider_pendulum(), inputs=["slider.force.y"], outputs=["y", "theta", "theta.acc"])


def test_transfer_function_by_hand(lin: gs.LinearModel) -> None:
    """(M s² + C s + K)⁻¹ of two degrees of freedom."""
    found = lin.transfer_function("slider.force.y", "y")
    for s in (0.3j, 1.0 + 2.0j):
        matrix = np.array([[30 * s * s + 20 * s + 20, 20 * s * s], [20 * s * s, 35 * s * s + 196.2]])
        assert found(s) == pytest.approx(np.linalg.inv(matrix)[0, 0])
    assert found.static_gain == pytest.approx(1 / 20)
    assert np.sort_complex(found.zeros) == pytest.approx([-1j * np.sqrt(196.2 / 35), 1j * np.sqrt(196.2 / 35)])
    assert len(found.poles) == 4
    s = 0.7j
    product = found.gain * np.prod(s - found.zeros) / np.prod(s - found.poles)
    assert product == pytest.approx(found(s))
    acceleration = lin.transfer_function("slider.force.y", "theta.acc")
    assert acceleration.zeros == pytest.approx([0, 0, 0, 0])
    assert "gain" in str(found)


def test_poles_that_zeros_cancel_are_left_out() -> None:
    model = gs.Model("two")
    for name in ("a", "b"):
        model.add(gs.Body(name, gs.point_mass(1.0)))
        model.add(gs.Prismatic(f"x_{name}", "ground", name, axis="x"))
        model.add(gs.TorsionSpring(f"s_{name}", f"x_{name}", stiffness=4.0 if name == "a" else 9.0))
    found = gs.linearize(model, inputs=["a.force.x"], outputs=["x_a"]).transfer_function("a.force.x", "x_a")
    assert sorted(found.poles.imag) == pytest.approx([-2, 2])
    assert len(found.zeros) == 0


def test_frequency_response_and_peak(lin: gs.LinearModel, tmp_path: Path) -> None:
    response = lin.frequency_response()
    frequency, size = response.peak("slider.force.y", "theta")
    grid = np.linspace(0.9 * frequency, 1.1 * frequency, 2001)
    assert size == pytest.approx(lin.frequency_response(grid).magnitude.sel(output="theta").values.max(), rel=1e-6)
    assert response.phase.sel(output="y").values[0] == pytest.approx(0.0, abs=0.1)
    response.plot(path=tmp_path / "bode.svg")
    assert (tmp_path / "bode.svg").exists()
    with pytest.raises(gs.StateError, match="not negative"):
        lin.frequency_response([-1.0])


def test_undamped_systems_have_a_frequency_response() -> None:
    lin = gs.linearize(slider_pendulum(), parameters={"c": 0.0}, inputs=["motor"], outputs=["theta"])
    response = lin.frequency_response()
    assert np.isfinite(response.values.values).all()
    assert response.magnitude.values.max() > 10 * abs(lin.transfer_function("motor", "theta").static_gain)


def test_infinite_answer_is_explained() -> None:
    model = gs.Model("one")
    model.add(gs.Body("a", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "a", axis="x"))
    lin = gs.linearize(model, inputs=["a.force.x"], outputs=["x"])
    with pytest.raises(gs.StateError, match="infinite at one of the frequencies"):
        lin.frequency_response([0.0])
    assert lin.transfer_function("a.force.x", "x").static_gain == float("inf")


def test_small_steps_and_impulses_go_like_the_nonlinear_system(lin: gs.LinearModel, tmp_path: Path) -> None:
    for respond in (lin.step_response, lin.impulse_response):
        response = respond("slider.force.y", 5.0, size=0.1, nonlinear=True)
        for name in ("y", "theta"):
            linear = response[name].values
            assert response.nonlinear is not None
            assert response.nonlinear[name].values == pytest.approx(linear, abs=1e-4 * np.abs(linear).max())
    response.plot(path=tmp_path / "impulse.svg")
    assert response["y.rate"].values[0] == pytest.approx(0.1 * lin.form.B[2, 0])
    final = lin.step_response("slider.force.y", 200.0)["y"].values[-1]
    assert final == pytest.approx(1 / 20)


def test_free_response_decays_as_its_mode_says(lin: gs.LinearModel) -> None:
    mode = lin.modes()[1]
    start = dict(zip(lin.states, mode.right.real.tolist(), strict=True))
    response = lin.free_response(start, 3.0)
    times = response.states["time"].values
    expected = np.real(mode.right[None, :] * np.exp(mode.eigenvalue * times)[:, None])
    assert response.states.values == pytest.approx(expected, abs=1e-10)
    with pytest.raises(gs.StateError, match="no state 'z'"):
        lin.free_response({"z": 1.0}, 1.0)
    with pytest.raises(gs.StateError, match="no output or state 'z'"):
        response["z"]
    with pytest.raises(gs.StateError, match="positive number of seconds"):
        lin.free_response({}, -1.0)


def test_certificates() -> None:
    at = {"theta": pi / 6, "phi.rate": np.sqrt(9.81 / 0.5 / np.cos(pi / 6))}
    for lin in (
        gs.linearize(hanging_four_bar(2.0)),
        gs.linearize(rotating_pendulum(), at),
        gs.linearize(sleeping_top(True)),
        gs.linearize(sleeping_top(False)),
        gs.linearize(gs.Model.load(EXAMPLES / "rolling_disc.yaml")),
    ):
        found = lin.certificate()
        assert found.passed, str(found)
        assert found.order == pytest.approx(2, abs=0.3) or found.order == pytest.approx(3, abs=0.3)
        assert "agree" in str(found)


def test_certificate_of_a_wrong_model_fails() -> None:
    from dataclasses import replace

    lin = gs.linearize(hanging_four_bar(2.0))
    wrong = replace(lin, form=replace(lin.form, A=lin.form.A * 1.01))
    found = wrong.certificate()
    assert not found.passed
    assert "DO NOT agree" in str(found)


def test_frequency_of_a_small_simulated_motion() -> None:
    """The peak of the Fourier transform, as in 004 table 3.6."""
    system = hanging_four_bar(2.0)
    lin = gs.linearize(system)
    from gyrostat.analysis.linear.time_response import displaced

    run = gs.simulate(system, 60.0, step=0.01, initial=displaced(lin, np.array([1e-3, 0.0])))
    signal = run["h1"].values - run["h1"].values.mean()
    window = np.hanning(len(signal))
    padded = 16 * len(signal)
    spectrum = np.abs(np.fft.rfft(signal * window, padded))
    peak = np.fft.rfftfreq(padded, 0.01)[int(np.argmax(spectrum))]
    assert peak == pytest.approx(lin.modes().frequencies[0], abs=1.1 / (padded * 0.01))


def test_other_programs(lin: gs.LinearModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scipy.io import loadmat

    assert pytest.approx(lin.form.A) == lin.to_scipy().A
    path = lin.save_matlab(tmp_path / "model.mat")
    content = loadmat(path)
    assert content["A"] == pytest.approx(lin.form.A)
    assert [str(cell[0]) for cell in content["states"].ravel()] == list(lin.states)
    with pytest.raises(gs.StateError, match=r"ends in \.mat"):
        lin.save_matlab(tmp_path / "model.txt")
    monkeypatch.setitem(__import__("sys").modules, "control", None)
    with pytest.raises(gs.StateError, match=r"pip install gyrostat\[control\]"):
        lin.to_control()


def test_control_gets_names_it_can_take(lin: gs.LinearModel, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    import types

    fake = types.ModuleType("control")
    fake.ss = lambda *matrices, **names: (matrices, names)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "control", fake)
    matrices, names = lin.to_control()
    assert len(matrices) == 4
    assert names["states"] == ["y", "theta", "y_rate", "theta_rate"]


def test_descriptor_form_has_the_same_finite_eigenvalues() -> None:
    from scipy.linalg import eigvals

    for lin in (gs.linearize(hanging_four_bar(2.0)), gs.linearize(slider_pendulum())):
        found = eigvals(lin.descriptor.A, lin.E.values)
        finite = found[np.abs(found) < 1e6]
        expected = lin.modes().eigenvalues
        assert len(finite) == len(expected)
        for one in expected:
            assert np.abs(finite - one).min() < 1e-6
    assert "load of h4: force x" in gs.linearize(hanging_four_bar(2.0)).E.coords["state"].values


def test_printing(lin: gs.LinearModel) -> None:
    text = str(lin)
    assert text.startswith("Linear model of 'slider-pendulum' about equilibrium: 4 states, 1 input, 3 outputs")
    assert "states: y, theta, y.rate, theta.rate" in text
