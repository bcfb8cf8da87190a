"""Newton's method for many systems at once: the method of one system, with limited steps."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.operating.batched_newton import solve_many


class _Curves:
    """One unknown for each system: a line, an arctangent, the square root of x beyond 1, and a constant."""

    def __init__(self) -> None:
        self.visited: list[np.ndarray] = []

    def residuals(self, places: np.ndarray, x: np.ndarray) -> np.ndarray:
        self.visited.append(x)
        with np.errstate(invalid="ignore"):
            values = np.stack((x - 10, np.arctan(x), np.sqrt(x - 1) - 0.1, 1 + 0 * x))
        return values[places, np.arange(len(places))]

    def jacobians(self, places: np.ndarray, x: np.ndarray) -> np.ndarray:
        with np.errstate(invalid="ignore", divide="ignore"):
            slopes = np.stack((1 + 0 * x, 1 / (1 + x * x), 0.5 / np.sqrt(x - 1), 0 * x))
        return slopes[places, np.arange(len(places))][:, :, None]


def test_all_systems_with_a_solution_reach_it():
    found = solve_many(_Curves(), np.array([[0.0], [20.0], [2.9], [1.0]]), longest=0.5, dependent=1e-11)
    np.testing.assert_allclose(found[:3, 0], [10, 0, 1.01], atol=1e-12)
    assert np.isnan(found[3])


def test_steps_are_limited():
    curves = _Curves()
    solve_many(curves, np.zeros((1, 1)), longest=0.5, dependent=1e-11)
    assert np.abs(np.diff(np.concatenate(curves.visited), axis=0)).max() <= 0.5 + 1e-12
