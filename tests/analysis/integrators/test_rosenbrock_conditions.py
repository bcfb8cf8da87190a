"""The numbers of Rodas4 and Rodas5P fulfil the conditions of order, one for each rooted tree, and of stability."""

import numpy as np
import pytest
from rooted_trees import density, rosenbrock_weights, size, trees

from gyrostat.analysis.integrators import Rodas4, Rodas5P

METHODS = [Rodas4(), Rodas5P()]
ROUNDING = 2e-13
"""Of the published numbers, with 16 digits."""


@pytest.fixture(params=METHODS, ids=lambda method: type(method).__name__)
def tableau(request):
    return request.param.tableau


def largest_defect(tableau, weights, order, theta=1.0):
    """Return by how much the worst condition of an order is missed."""
    alpha, beta = tableau.alpha, tableau.alpha + tableau.gamma_matrix
    return max(abs(weights @ rosenbrock_weights(t, alpha, beta) - theta ** size(t) / density(t)) for t in trees(order))


def test_the_order_is_that_of_the_name():
    assert [method.tableau.order for method in METHODS] == [4, 5]


def test_a_step_has_its_order(tableau):
    assert max(largest_defect(tableau, tableau.weights, n) for n in range(1, tableau.order + 1)) < ROUNDING


def test_a_step_has_no_higher_order(tableau):
    assert largest_defect(tableau, tableau.weights, tableau.order + 1) > 1e-5


def test_the_estimated_error_is_that_of_one_order_less(tableau):
    embedded = (tableau.b - tableau.error) @ tableau.gamma_matrix
    assert max(largest_defect(tableau, embedded, n) for n in range(1, tableau.order)) < ROUNDING
    assert largest_defect(tableau, embedded, tableau.order) > 1e-5
    assert tableau.error_order == tableau.order


@pytest.mark.parametrize("theta", [0.1, 0.37, 0.62, 0.9])
def test_dense_output_has_one_order_less(tableau, theta):
    weights = tableau.dense @ theta ** np.arange(1, tableau.dense.shape[1] + 1) @ tableau.gamma_matrix
    assert max(largest_defect(tableau, weights, n, theta) for n in range(1, tableau.order)) < 1e-12
    assert largest_defect(tableau, weights, tableau.order, theta) > 1e-6


def test_dense_output_ends_where_the_step_does(tableau):
    np.testing.assert_allclose(tableau.dense.sum(axis=1), tableau.b, atol=1e-13)


def test_stages_are_at_their_times_and_feel_time_as_they_feel_the_state(tableau):
    np.testing.assert_allclose(tableau.alpha.sum(axis=1), tableau.c, atol=1e-13)
    np.testing.assert_allclose(tableau.gamma_matrix.sum(axis=1), tableau.time, atol=1e-13)
    assert not np.triu(tableau.a).any()
    assert not np.triu(tableau.link).any()
    np.testing.assert_allclose(np.diag(tableau.gamma_matrix), tableau.gamma)


def test_the_last_stage_is_the_end_of_the_step(tableau):
    """Stiffly accurate, the embedded method as well: what decays at once is gone at the end of the step."""
    beta = tableau.alpha + tableau.gamma_matrix
    np.testing.assert_allclose(beta[-1], tableau.weights, atol=1e-13)
    np.testing.assert_allclose(beta[-2], (tableau.b - tableau.error) @ tableau.gamma_matrix, atol=1e-13)


def test_all_that_decays_is_damped(tableau):
    """L-stable: |R| ≤ 1 on the imaginary axis, all poles on the right, and R → 0 far out."""
    along = 1j * np.concatenate((np.linspace(0, 30, 3001), np.logspace(1.5, 6, 300)))
    assert np.abs(tableau.stability(along)).max() < 1 + 1e-10
    assert (np.linalg.eigvals(tableau.alpha + tableau.gamma_matrix).real > 0).all()
    assert np.abs(tableau.stability(np.array([-1e8 + 0j])))[0] < 1e-6


def test_growth_is_that_of_the_exponential_near_zero(tableau):
    z = np.array([-0.05, 0.03 + 0.04j])
    np.testing.assert_allclose(tableau.stability(z), np.exp(z), rtol={4: 1e-8, 5: 2e-9}[tableau.order])
