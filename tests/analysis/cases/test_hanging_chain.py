"""A hanging chain of many links: its frequencies tend to those of Bernoulli's heavy chain."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from cases import case, value
from random_trees import Floats
from scipy.optimize import minimize_scalar
from scipy.special import j0

import gyrostat as gs

AMPLITUDE = 1e-4


def _chain(links: int) -> gs.System:
    p = case("hanging_chain_bessel")["parameters"]
    length = p["L"] / links
    model = gs.Model("chain", gravity=(0, -p["g"], 0))
    above = "ground"
    for i in range(links):
        points = {"top": (0, length / 2, 0), "tip": (0, -length / 2, 0)}
        model.add(gs.Body(f"link{i}", gs.slender_rod(length, length, along="y"), points=points))
        model.add(gs.Revolute(f"a{i}", above, f"link{i}.top"))
        above = f"link{i}.tip"
    return gs.formulate(model)


def _frequency(time: Floats, signal: Floats, guess: float) -> float:
    """Return where the spectrum of a signal, seen through a smooth window, has its peak."""
    window = np.sin(np.pi * time / time[-1]) ** 4

    def strength(w: float) -> float:
        return -float(np.abs((window * signal * np.exp(-1j * w * time)).sum()))

    found = minimize_scalar(strength, bounds=(0.97 * guess, 1.03 * guess), method="bounded", options={"xatol": 1e-11})
    return float(found.x)


@pytest.mark.parametrize(("mode", "tolerance"), [(0, 1e-7), (1, 3e-5), (2, 5e-4)])
def test_frequencies_of_many_links_tend_to_zeros_of_bessel(mode: int, tolerance: float) -> None:
    found = case("hanging_chain_bessel")
    expected, zero, length = value(found, "natural_frequencies")[mode], value(found, "j0k")[mode], 2.0
    found_at = []
    for links in (8, 16, 32):
        # hung out in the shape of the continuous chain's mode, each link a chord of it
        height = np.linspace(length, 0, links + 1)
        slopes = np.diff(j0(zero * np.sqrt(height / length))) / (length / links) * AMPLITUDE
        angles = np.diff(slopes, prepend=0.0)
        motion = gs.simulate(
            _chain(links),
            duration=40 * np.pi / expected,
            step=0.1 / expected,
            initial={f"a{i}": angle for i, angle in enumerate(angles)},
            integrator=gs.DOP853(rtol=1e-8, atol=1e-12),
        )
        tip = motion[f"link{links - 1}.tip.x"].values
        found_at.append(_frequency(motion.time, tip, expected))
    errors = np.array(found_at) - expected
    assert 3 < errors[1] / errors[2] < 5  # the error falls with the square of the links' length
    first, second = (4 * fine - coarse for coarse, fine in pairwise(found_at))
    extrapolated = (16 * second - first) / 45
    assert np.isclose(extrapolated, expected, rtol=tolerance)
