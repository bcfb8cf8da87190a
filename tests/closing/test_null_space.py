"""The least change that closes gaps: the same from sparse factors as from a singular value decomposition."""

import numpy as np
import pytest
from scipy.sparse import random_array

from gyrostat.closing.null_space import least_change


def rows(count, seed):
    """Return a banded matrix of independent rows with some random entries."""
    rng = np.random.default_rng(seed)
    scattered = random_array((count, 2 * count), density=0.02, rng=rng).toarray()
    return np.hstack((np.diag(rng.uniform(1, 2, count)), np.zeros((count, count)))) + scattered


@pytest.mark.parametrize("count", [3, 160, 300])
def test_independent_rows(count):
    matrix, gaps = rows(count, count), np.random.default_rng(1).normal(size=count)
    found = least_change(matrix, gaps)
    np.testing.assert_allclose(found, np.linalg.pinv(matrix) @ gaps, atol=1e-11)
    np.testing.assert_allclose(matrix @ found, gaps, atol=1e-12)


@pytest.mark.parametrize("consistent", [True, False])
def test_rows_that_follow_from_others(consistent):
    matrix, gaps = rows(200, 5), np.random.default_rng(2).normal(size=200)
    matrix[7], gaps[7] = 2 * matrix[3] - matrix[5], 2 * gaps[3] - gaps[5] + (0 if consistent else 1)
    np.testing.assert_allclose(least_change(matrix, gaps), np.linalg.pinv(matrix, rcond=1e-10) @ gaps, atol=1e-9)


def test_gaps_that_are_closed():
    assert not least_change(rows(200, 3), np.zeros(200)).any()
