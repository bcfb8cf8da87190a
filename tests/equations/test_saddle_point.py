"""Factors of equations with constraints against dense algebra."""

import numpy as np
from campaign import campaign

from gyrostat.equations.saddle_point import factorise_saddle_point


def system(seed, speeds, count, *, density=0.6):
    """Return a positive definite matrix and sparse rows of full rank."""
    rng = np.random.default_rng(seed)
    root = np.tril(rng.normal(size=(speeds, speeds)) * (rng.random((speeds, speeds)) < density))
    mass = root @ root.T + np.eye(speeds)
    rows = rng.normal(size=(count, speeds)) * (rng.random((count, speeds)) < density)
    rows[:, :count] += 3 * np.eye(count)
    return mass, rows, rng


def factors(mass, rows, **options):
    n, m = len(mass), len(rows)
    lower = {(i, j): mass[i, j] for i in range(n) for j in range(i + 1) if mass[i, j]}
    return factorise_saddle_point(lower, {k: rows[k] for k in zip(*np.nonzero(rows), strict=True)}, n, m, **options)


@campaign(20)
def test_solutions_are_those_of_dense_algebra(seed):
    mass, rows, rng = system(seed, 9, 4)
    loads, rates = rng.normal(size=9), rng.normal(size=4)
    whole = np.block([[mass, rows.T], [rows, np.zeros((4, 4))]])
    expected = np.linalg.solve(whole, np.concatenate((loads, rates)))
    a, multipliers = factors(mass, rows).solve(list(loads), list(rates))
    np.testing.assert_allclose([*a, *multipliers], expected, rtol=1e-10, atol=1e-10)


@campaign(20)
def test_multipliers_come_after_the_speeds_of_their_rows_and_have_negative_pivots(seed):
    mass, rows, _ = system(seed, 9, 4)
    found = factors(mass, rows)
    rank = {place: k for k, place in enumerate(found.factor.order.sequence)}
    assert sorted(found.factor.order.sequence) == list(range(13))
    for i, row in enumerate(rows):
        assert all(rank[j] < rank[9 + i] for j in np.flatnonzero(row))
    assert all(pivot < 0 for pivot in found.pivots)


@campaign(10)
def test_rows_that_follow_from_others_are_borne(seed):
    mass, rows, rng = system(seed, 8, 3)
    more = np.vstack((rows, rows[0] + 2 * rows[1], rows[2]))
    loads, rates = rng.normal(size=8), more @ rng.normal(size=8)
    a, multipliers = factors(mass, more, softness=1e-8).solve(list(loads), list(rates))
    expected, _ = factors(mass, rows).solve(list(loads), list(rates[:3]))
    np.testing.assert_allclose(a, expected, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(mass @ a + more.T @ multipliers, loads, atol=1e-8)
