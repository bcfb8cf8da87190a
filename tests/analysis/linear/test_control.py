"""Linear models as objects of python-control: names, poles, frequency responses."""

from __future__ import annotations

import numpy as np
import pytest
from simulations import double_pendulum

import gyrostat as gs


def test_control_has_the_same_poles_and_responses() -> None:
    control = pytest.importorskip("control", reason="python-control is not installed: pip install gyrostat[control]")
    system = gs.formulate(double_pendulum())
    lin = gs.linearize(system, gs.equilibrium(system), inputs=["motor"], outputs=["a1", "bar2.tip.x", "a1 + a2"])
    plant = lin.to_control()
    assert isinstance(plant, control.StateSpace)
    assert plant.state_labels == ["a1", "a2", "a1_rate", "a2_rate"]
    assert plant.input_labels == ["motor"]
    assert plant.output_labels == ["a1", "bar2_tip_x", "a1 + a2"]
    np.testing.assert_allclose(np.sort(plant.poles().imag), np.sort(np.linalg.eigvals(lin.form.A).imag), atol=1e-9)
    hertz = np.array([0.05, 0.3, 2.0])
    expected = lin.frequency_response(hertz).values.values
    found = control.frequency_response(plant, 2 * np.pi * hertz, squeeze=False)
    np.testing.assert_allclose(np.moveaxis(found.complex, -1, 0), expected, rtol=1e-8)
    gain, _, _ = control.lqr(plant, np.eye(4), np.eye(1))
    closed = np.linalg.eigvals(lin.form.A - lin.form.B @ gain)
    assert closed.real.max() < 0
