"""Linear equations of kernels: against NumPy, with pivots kept among the coordinates' rows, and with dependent rows."""

import numpy as np
import pytest

from gyrostat.analysis.kernels.native_kernel import NativeKernel

factorise = NativeKernel("linear_equations", "factorise", bool)
solve = NativeKernel("linear_equations", "solve", int)
solve_dependent = NativeKernel("linear_equations", "solve_dependent", int)


def solution(matrix, right, first):
    factors, pivots = np.ascontiguousarray(matrix.T), np.zeros(len(right), np.int64)
    assert factorise(factors, first, pivots)
    found = right.copy()
    solve(factors, pivots, found)
    return found


@pytest.mark.parametrize(("n_q", "n_u"), [(0, 1), (0, 9), (3, 3), (7, 6), (40, 35), (0, 129), (70, 60), (75, 76)])
def test_solutions(n_q, n_u):
    draw = np.random.default_rng(n_q + 100 * n_u)
    n = n_q + n_u
    matrix = draw.standard_normal((n, n))
    matrix[:n_q, :n_q] = np.diag(draw.uniform(1, 3, n_q))
    matrix[:n_q, :n_q] += np.triu(draw.standard_normal((n_q, n_q)), 1) * (draw.random((n_q, n_q)) < 0.1)
    right = draw.standard_normal(n)
    expected = np.linalg.solve(matrix, right)
    np.testing.assert_allclose(solution(matrix, right, n_q), expected, atol=1e-11 * np.linalg.cond(matrix))


def test_rows_are_exchanged():
    matrix = np.array([[0.0, 2.0, 1.0], [1.0, 1.0, 0.0], [3.0, 0.0, 1e-20]])
    right = np.array([1.0, -2.0, 0.5])
    np.testing.assert_allclose(solution(matrix, right, 0), np.linalg.solve(matrix, right), rtol=1e-13)
    # among the first two rows alone the same is found in another order
    np.testing.assert_allclose(solution(matrix, right, 2), np.linalg.solve(matrix, right), rtol=1e-13)


@pytest.mark.parametrize("matrix", [np.zeros((2, 2)), np.ones((3, 3)), np.full((2, 2), np.nan)])
def test_singular_matrices_are_noticed(matrix):
    assert not factorise(np.ascontiguousarray(matrix.T), 0, np.zeros(len(matrix), np.int64))


@pytest.mark.parametrize("rank", [1, 3, 5])
def test_dependent_equations_are_solved_all_the_same(rank):
    draw = np.random.default_rng(rank)
    rows = draw.standard_normal((5, rank))
    matrix = rows @ rows.T
    right = matrix @ draw.standard_normal(5)
    found = np.empty(5)
    solve_dependent(np.ascontiguousarray(matrix.T), right.copy(), np.zeros(5, np.int64), found)
    np.testing.assert_allclose(matrix @ found, right, atol=1e-10)
    assert (found != 0).sum() == rank
