"""Sparse linear equations of stiff steps: the same solutions as dense ones, in fewer operations."""

from __future__ import annotations

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.analysis.integrators import elimination
from gyrostat.analysis.integrators.elimination import SparseElimination
from gyrostat.analysis.kernels.sparse_factors import factorise_sparse, solve_sparse


def random_equations(seed: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Return J, masses and the number of coordinates: coordinates, speeds, and algebraic variables without diagonal."""
    random = np.random.default_rng(seed)
    n_q, n_w = int(random.integers(0, 8)), int(random.integers(0, 6))
    n = 2 * n_q + n_w + int(random.integers(1, 12))
    J = np.where(random.uniform(size=(n, n)) < 3 / n, random.normal(size=(n, n)), 0.0)
    J[:n_q] = 0.0
    J[np.arange(n_q), n_q + np.arange(n_q)] = 1.0
    masses = np.ones(n)
    for i in range(n - n_w, n):
        J[i, i] = masses[i] = 0.0
        other = int(random.integers(n_q, n - n_w)) if n - n_w > n_q else i
        J[i, other], J[other, i] = 1.0, -1.0
    return J, masses, n_q


@pytest.mark.parametrize("seed", range(40))
def test_solutions_are_those_of_dense_equations(seed: int) -> None:
    J, masses, n_q = random_equations(seed)
    n = len(J)
    W = np.diag(masses) * 3.0 - J
    found = SparseElimination.of((J != 0) | (np.diag(masses) != 0), n_q, np.abs(W))
    if found is None or np.linalg.cond(W) > 1e8:
        assert np.linalg.cond(W) > 1e8
        return
    sparse = found.factors()
    if not factorise_sparse(sparse, np.ascontiguousarray(J.T), masses, 3.0, n_q):
        return  # a pivot became small: dense equations take over
    right = np.random.default_rng(seed).normal(size=n)
    solution = right.copy()
    solve_sparse(sparse, solution)
    assert np.allclose(W @ solution, right, atol=1e-7 * np.abs(solution).max())


def test_most_random_equations_are_solved_in_the_chosen_order() -> None:
    solved = 0
    for seed in range(40):
        J, masses, n_q = random_equations(seed)
        found = SparseElimination.of((J != 0) | (np.diag(masses) != 0), n_q, np.abs(J) + np.diag(masses))
        solved += found is not None and factorise_sparse(found.factors(), np.ascontiguousarray(J.T), masses, 3.0, n_q)
    assert solved >= 34


def test_stiffness_does_not_reject_the_pivots_of_coordinates() -> None:
    """The pivot 1/(hγ) = 3 of a coordinate is small beside a stiffness of 1e9; rounding stays at 1e-16 of 1/3."""
    J, masses = np.array([[0.0, 1.0], [-1e9, -2.0]]), np.ones(2)
    found = SparseElimination.of((J != 0) | np.eye(2, dtype=bool), 1, np.abs(J))
    assert found is not None
    assert not factorise_sparse(found.factors(), np.ascontiguousarray(J.T), masses, 3.0, 0)
    sparse, solution = found.factors(), np.array([0.3, -0.7])
    assert factorise_sparse(sparse, np.ascontiguousarray(J.T), masses, 3.0, 1)
    solve_sparse(sparse, solution)
    np.testing.assert_allclose(solution, np.linalg.solve(3.0 * np.eye(2) - J, [0.3, -0.7]), rtol=1e-12, atol=1e-16)


def test_neighbours_alone_couple_in_a_line() -> None:
    """Tridiagonal equations have no fill: one entry beside each pivot."""
    n = 50
    pattern = np.eye(n, dtype=bool) | np.eye(n, k=1, dtype=bool) | np.eye(n, k=-1, dtype=bool)
    shuffled = np.random.default_rng(1).permutation(n)
    found = SparseElimination.of(pattern[np.ix_(shuffled, shuffled)], 0, np.ones((n, n)))
    assert found is not None
    assert found.operations == 2 * (n - 1)
    assert found.pays(0)


def test_equations_without_the_unknown_have_no_elimination() -> None:
    pattern = np.eye(3, dtype=bool)
    pattern[2] = False
    assert SparseElimination.of(pattern, 0, np.ones((3, 3))) is None


def test_runs_with_sparse_and_dense_factors_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    model = gs.Model("diffusion")
    model.add(gs.Body("cart", gs.sphere(1, 0.5)))
    model.add(gs.Free("flight", "ground", "cart"))
    count = 36
    for i in range(count):
        left, right = f"z{i - 1}" if i else "flight.x", f"z{i + 1}" if i < count - 1 else "sin(3*t)"
        model.add(gs.State(f"z{i}", rate=f"500*({left} - 2*z{i} + {right})"))
    model.add(gs.Force("pull", "cart", ("3*z2 - flight.x.rate", "-z5", "0")))
    system = gs.formulate(model)

    def run() -> gs.Trajectory:
        return gs.simulate(system, duration=1, integrator=gs.Rodas5P(rtol=1e-6, atol=1e-8))

    sparse = run()
    monkeypatch.setattr(elimination, "_SPARSE_SIZE", 1000)
    dense = run()
    assert sparse.status.steps == dense.status.steps
    assert np.allclose(sparse["z7"], dense["z7"], rtol=1e-10)
    assert np.allclose(sparse["flight.x"], dense["flight.x"], rtol=1e-10)
