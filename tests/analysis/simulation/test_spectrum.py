"""Spectra of outputs: amplitudes and frequencies of known motions, and the modes of linear models marked in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from simulations import TIGHT, double_pendulum

import gyrostat as gs


@cache
def _shaken() -> gs.Trajectory:
    model = gs.Model("shaker")
    model.add(gs.Body("b", mass=1))
    model.add(gs.Prismatic("x", "ground", "b", axis="x", driven="0.3*sin(2*pi*5*t) + 0.02*cos(2*pi*11.3*t) + 4"))
    return gs.simulate(model, 10, step=0.01)


def test_a_sine_has_a_peak_of_its_amplitude_at_its_frequency() -> None:
    found = _shaken().spectrum("x")
    assert found.amplitude.attrs == {"units": "m", "long_name": "amplitude of x"}
    assert found.amplitude["frequency"].attrs["units"] == "Hz"
    assert float(found.amplitude.sel(frequency=5, method="nearest")) == pytest.approx(0.3, rel=5e-3)
    assert found.peaks(2) == pytest.approx((5, 11.3), abs=5e-3)
    assert float(found.amplitude[0]) < 1e-3  # the mean is taken out


def test_vectors_have_a_spectrum_for_each_component() -> None:
    found = _shaken().spectrum("b.acc")
    assert found.amplitude.dims == ("frequency", "axis")
    size = 0.3 * (10 * np.pi) ** 2
    assert float(found.amplitude.sel(axis="x").max()) == pytest.approx(size, rel=5e-3)
    assert found.peaks(1) == pytest.approx((5,), abs=5e-3)


def test_peaks_of_a_free_motion_are_at_the_modes(tmp_path: Path) -> None:
    """As Trom 1990 verifies modes by Fourier transforms of simulated motions."""
    system = gs.formulate(double_pendulum())
    lin = gs.linearize(system, gs.equilibrium(system))
    run = gs.simulate(system, 60, step=0.02, initial={"a1": 0.02, "a2": -0.005}, integrator=TIGHT)
    found = run.spectrum("a1", lin)
    modes = [mode for mode in lin.modes() if mode.oscillates]
    assert len(found.modes) == 2
    assert list(found.at_modes().values()) == pytest.approx([mode.frequency for mode in modes], abs=2e-3)
    assert run.spectrum("a1", lin.modes()).at_modes() == found.at_modes()
    pytest.importorskip("matplotlib")
    axes = found.plot(path=tmp_path / "spectrum.svg")
    assert len(axes[0].lines) == 3  # the curve and two modes
    run.spectrum("bar2.tip").plot(path=tmp_path / "vector.svg")
    assert (tmp_path / "vector.svg").stat().st_size > 1000


def test_what_has_no_spectrum_is_explained() -> None:
    run = _shaken()
    with pytest.raises(gs.StateError, match="'x' has 3 values, too few for a spectrum"):
        run.at([0, 1, 2]).spectrum("x")
    with pytest.raises(gs.StateError, match=r"The times of 'x' are not evenly spaced: 0\.1 to 2 s"):
        run.at([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 2.7]).spectrum("x")
    with pytest.raises(gs.StateError, match="has values that are not finite"):
        run.spectrum("sqrt(x - 4)")
    with pytest.raises(gs.StateError, match=r"The modes to mark are 3\. Give a linear model"):
        run.spectrum("x", 3)
