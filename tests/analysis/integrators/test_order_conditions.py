"""Every tableau fulfils the conditions of its order, one for each rooted tree, also in between the ends of a step."""

import numpy as np
import pytest
from rooted_trees import density, size, stage_weights, trees

from gyrostat.analysis.integrators import DOP853, RK2, RK4, RKF45, Euler

TABLEAUS = {
    "Euler": Euler(1.0).tableau,
    "RK2": RK2(1.0).tableau,
    "RK2 midpoint": RK2(1.0, alpha=0.5).tableau,
    "RK2 Ralston": RK2(1.0, alpha=2 / 3).tableau,
    "RK4": RK4(1.0).tableau,
    "RKF45": RKF45().tableau,
    "DOP853": DOP853().tableau,
}
DENSE_ORDERS = {"RK4": 3, "RKF45": 4, "DOP853": 7}
ERROR_ORDERS = {"RKF45": (4,), "DOP853": (5, 3)}
"""Up to which order the errors of each row of weights vanish."""

each_tableau = pytest.mark.parametrize("name", TABLEAUS)


def up_to(order):
    return [tree for n in range(1, order + 1) for tree in trees(n)]


def largest_defect(weights, a, order, theta=1.0):
    """Return by how much the worst condition up to an order is missed."""
    return max(abs(weights @ stage_weights(t, a) - theta ** size(t) / density(t)) for t in up_to(order))


@each_tableau
def test_a_step_has_its_order_and_no_more(name):
    tableau = TABLEAUS[name]
    assert largest_defect(tableau.b, tableau.a, tableau.order) < 1e-14
    assert largest_defect(tableau.b, tableau.a, tableau.order + 1) > 1e-7


@each_tableau
def test_stages_are_at_their_times(name):
    a, c = TABLEAUS[name].all_stages
    np.testing.assert_allclose(a.sum(axis=1), c, atol=1e-14)
    assert not np.triu(a).any(), "each stage needs earlier ones only"


@each_tableau
def test_dense_output_has_its_order(name):
    tableau = TABLEAUS[name]
    a, _ = tableau.all_stages
    order = DENSE_ORDERS.get(name, tableau.order)
    for theta in (0.1, 0.37, 0.62, 0.9):
        weights = tableau.dense_weights @ theta ** np.arange(1, tableau.dense_weights.shape[1] + 1)
        assert largest_defect(weights, a, order, theta) < 1e-13
        if name in DENSE_ORDERS:
            assert largest_defect(weights, a, order + 1, theta) > 1e-7


@each_tableau
def test_dense_output_meets_states_and_rates_at_both_ends(name):
    tableau = TABLEAUS[name]
    weights, s = tableau.dense_weights, tableau.stages
    powers = np.arange(1, weights.shape[1] + 1)
    expected = np.zeros((3, len(weights)))
    expected[0, :s], expected[1, 0], expected[2, s] = tableau.b, 1, 1
    np.testing.assert_allclose(weights.sum(axis=1), expected[0], atol=1e-13)
    np.testing.assert_allclose(weights[:, 0], expected[1], atol=1e-13)
    np.testing.assert_allclose(weights @ powers, expected[2], atol=1e-12)


@pytest.mark.parametrize("name", ERROR_ORDERS)
def test_the_estimated_error_falls_with_its_order(name):
    tableau = TABLEAUS[name]
    a, _ = tableau.all_stages
    end = tableau.stages + 1
    for weights, order in zip(tableau.error, ERROR_ORDERS[name], strict=True):
        assert abs(weights.sum()) < 1e-15
        missed = {n: max(abs(weights @ stage_weights(t, a[:end, :end])) for t in trees(n)) for n in range(1, order + 2)}
        assert max(missed[n] for n in range(1, order + 1)) < 1e-14
        assert missed[order + 1] > 1e-6


def test_the_classical_tableaus_are_those_of_document_003():
    # eqs 3.6.4 (with the meaning of α and γ put right), 3.6.5, 3.6.6
    np.testing.assert_array_equal(RK2(1.0, alpha=0.5).tableau.b, [0, 1])
    np.testing.assert_allclose(6 * RK4(1.0).tableau.b, [1, 2, 2, 1])
    fehlberg = RKF45().tableau
    np.testing.assert_allclose(fehlberg.a[5, :5], [-8 / 27, 2, -3544 / 2565, 1859 / 4104, -11 / 40])
    fourth = fehlberg.b - fehlberg.error[0, :-1]
    np.testing.assert_allclose(fourth, [25 / 216, 0, 1408 / 2565, 2197 / 4104, -1 / 5, 0], atol=1e-16)


@each_tableau
def test_stability_function_is_the_growth_of_one_step(name):
    tableau = TABLEAUS[name]
    s = tableau.stages
    for z in (-0.7 + 0.3j, -2.5, 1.3j, 0.4 - 2.1j):
        stages = np.linalg.solve(np.eye(s) - z * tableau.a, np.ones(s))
        direct = 1 + z * tableau.b @ stages
        assert abs(tableau.stability(np.array([z]))[0] - direct) < 1e-13 * max(1, abs(direct))


@pytest.mark.parametrize(("name", "limit"), [("Euler", 2.0), ("RK2", 2.0), ("RK4", 2.785293563)])
def test_reach_of_stability_on_the_real_axis(name, limit):
    assert TABLEAUS[name].real_limit == pytest.approx(limit, abs=2e-3)
