"""The numbers of Rodas5P fulfil the conditions of its order, one for each rooted tree, and those of stability."""

import numpy as np
import pytest
from rooted_trees import density, rosenbrock_weights, size, trees

from gyrostat.analysis.integrators import Rodas5P

TABLEAU = Rodas5P().tableau
ALPHA, GAMMA = TABLEAU.alpha, TABLEAU.gamma_matrix
BETA = ALPHA + GAMMA


def largest_defect(weights, order, theta=1.0):
    """Return by how much the worst condition of an order is missed."""
    return max(abs(weights @ rosenbrock_weights(t, ALPHA, BETA) - theta ** size(t) / density(t)) for t in trees(order))


@pytest.mark.parametrize("order", range(1, 6))
def test_a_step_has_order_five(order):
    assert largest_defect(TABLEAU.weights, order) < 2e-13


def test_a_step_has_no_higher_order():
    assert largest_defect(TABLEAU.weights, 6) > 1e-5


def test_the_estimated_error_is_that_of_order_four():
    embedded = (TABLEAU.b - TABLEAU.error) @ GAMMA
    assert max(largest_defect(embedded, n) for n in range(1, 5)) < 2e-13
    assert largest_defect(embedded, 5) > 1e-5
    assert TABLEAU.error_order == 5


@pytest.mark.parametrize("theta", [0.1, 0.37, 0.62, 0.9])
def test_dense_output_has_order_four(theta):
    weights = TABLEAU.dense @ theta ** np.arange(1, TABLEAU.dense.shape[1] + 1) @ GAMMA
    assert max(largest_defect(weights, n, theta) for n in range(1, 5)) < 1e-12
    assert largest_defect(weights, 5, theta) > 1e-6


def test_dense_output_ends_where_the_step_does():
    np.testing.assert_allclose(TABLEAU.dense.sum(axis=1), TABLEAU.b, atol=1e-13)


def test_stages_are_at_their_times_and_feel_time_as_they_feel_the_state():
    np.testing.assert_allclose(ALPHA.sum(axis=1), TABLEAU.c, atol=1e-13)
    np.testing.assert_allclose(GAMMA.sum(axis=1), TABLEAU.time, atol=1e-13)
    assert not np.triu(TABLEAU.a).any()
    assert not np.triu(TABLEAU.link).any()
    np.testing.assert_allclose(np.diag(GAMMA), TABLEAU.gamma)


def test_the_last_stage_is_the_end_of_the_step():
    """Stiffly accurate, the embedded method as well: what decays at once is gone at the end of the step."""
    np.testing.assert_allclose(BETA[-1], TABLEAU.weights, atol=1e-13)
    np.testing.assert_allclose(BETA[-2], (TABLEAU.b - TABLEAU.error) @ GAMMA, atol=1e-13)


def test_all_that_decays_is_damped():
    """L-stable: |R| ≤ 1 on the imaginary axis, all poles on the right, and R → 0 far out."""
    along = 1j * np.concatenate((np.linspace(0, 30, 3001), np.logspace(1.5, 6, 300)))
    assert np.abs(TABLEAU.stability(along)).max() < 1 + 1e-10
    assert (np.linalg.eigvals(BETA).real > 0).all()
    assert np.abs(TABLEAU.stability(np.array([-1e8 + 0j])))[0] < 1e-6


def test_growth_is_that_of_the_exponential_near_zero():
    z = np.array([-0.05, 0.03 + 0.04j])
    np.testing.assert_allclose(TABLEAU.stability(z), np.exp(z), rtol=2e-9)
