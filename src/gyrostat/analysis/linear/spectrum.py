"""Eigenvalues with right and left eigenvectors, of which zero, repeated and defective ones are told apart.

Zero eigenvalues of a mechanical system are exact facts (a motion without stiffness, an ignorable coordinate) and mostly
defective: as computed numbers they would be scattered by the root of the rounding error. They are therefore split off
by rank decisions before any eigenvalue is computed; the others keep full accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gyrostat.pipeline.arguments import Floats

Complexes = NDArray[np.complex128]

_ZERO = 1e-10
"""Singular values below this, in terms of the largest, are zeros."""
_SAME = 1e-6
"""Eigenvalues nearer than this, in terms of their size, may be one that is repeated."""
_SINGLE = 1e-11
"""Singular values of A − λ below this, in terms of the norm of A, have an eigenvector each."""
_REAL = 1e-10


@dataclass(frozen=True, eq=False)
class Eigen:
    """One eigenvalue with right and left eigenvectors, A x = λ x, yᴴ A = λ yᴴ, and yᴴ x = 1 unless defective."""

    value: complex
    right: Complexes
    left: Complexes
    multiplicity: int = 1
    """How often the eigenvalue occurs, as a root of the characteristic polynomial."""
    vectors: int = 1
    """How many independent eigenvectors it has."""
    chain: int = 1
    """Of a zero eigenvalue, how many states its vector leads: two where the position drifts at constant speed."""

    @property
    def defective(self) -> bool:
        """Whether eigenvectors are missing: powers of time come with the exponential."""
        return self.vectors < self.multiplicity


def spectrum(A: Floats) -> list[Eigen]:
    """Return all eigenvalues of a matrix: zeros, real ones, then pairs, by size; of a pair, i ω first.

    Of zeros there is one entry for each eigenvector, of others one for each eigenvalue.
    """
    from scipy.linalg import matrix_balance

    n = len(A)
    if not n:
        return []
    found_balance = matrix_balance(A, permute=False, separate=True)
    balanced, weights = np.asarray(found_balance[0], dtype=float), np.asarray(found_balance[1][0], dtype=float)
    turn, levels = _without_zeros(balanced)
    zeros = sum(levels)
    form = turn.T @ balanced @ turn
    form[zeros:, :zeros] = 0.0
    found = _zero_eigen(balanced, levels) + _others(balanced, form, turn, zeros)
    scaled = [_scaled(one, weights) for one in found]
    return sorted(scaled, key=lambda one: (one.value.imag != 0, abs(one.value), one.value.imag < 0, one.value.real))


def _scaled(one: Eigen, weights: Floats) -> Eigen:
    """Return an eigenvalue with vectors of the matrix before it was balanced."""
    right, left = one.right * weights, one.left / weights
    return Eigen(one.value, right, left, one.multiplicity, one.vectors, one.chain)


def _without_zeros(matrix: Floats) -> tuple[Floats, list[int]]:
    """Return an orthogonal basis in which zero eigenvalues come first, and how many belong to each length of chain."""
    n = len(matrix)
    turn = np.eye(n)
    levels: list[int] = []
    floor = _ZERO * max(float(np.linalg.norm(matrix, 2)), 1e-300)
    rest = matrix
    while len(rest):
        _, sizes, right = np.linalg.svd(rest)
        count = int((sizes <= floor).sum())
        if not count:
            break
        basis = np.vstack((right[len(rest) - count :], right[: len(rest) - count])).T
        done = sum(levels)
        turn[:, done:] = turn[:, done:] @ basis
        levels.append(count)
        rest = (basis.T @ rest @ basis)[count:, count:]
    return turn, levels


def _zero_eigen(matrix: Floats, levels: list[int]) -> list[Eigen]:
    """Return the zero eigenvalues, one for each vector; those that lead longer chains first."""
    if not levels:
        return []
    left_of, _, right_of = np.linalg.svd(matrix)
    right, left = right_of[-levels[0] :].T, left_of[:, -levels[0] :]
    longer = levels[1] if len(levels) > 1 else 0
    _, _, turned = np.linalg.svd(left.T @ right)
    groups = [right @ turned[levels[0] - longer :].T, right @ turned[: levels[0] - longer].T]
    chains = [len([size for size in levels if size > i]) for i in range(longer)]
    found: list[Eigen] = []
    for columns, lengths in zip(groups, (chains, [1] * (levels[0] - longer)), strict=True):
        for vector, length in zip(_plain(columns).T, lengths, strict=True):
            matched = left @ (left.T @ vector) if length == 1 else left @ np.eye(levels[0])[0]
            size = float(vector @ matched)
            other = matched / size if length == 1 and abs(size) > 1e-12 else matched
            found.append(Eigen(0.0, vector.astype(complex), other.astype(complex), sum(levels), levels[0], length))
    return found


def _plain(columns: Floats) -> Floats:
    """Return combinations of columns that are easy to read: each is one in a row where all others are zero."""
    found = columns.copy()
    used: list[int] = []
    for j in range(found.shape[1]):
        open_rows = [i for i in range(len(found)) if i not in used]
        pivot = open_rows[int(np.argmax(np.abs(found[open_rows, j])))]
        used.append(pivot)
        found[:, j] /= found[pivot, j]
        for k in range(found.shape[1]):
            if k != j:
                found[:, k] -= found[pivot, k] * found[:, j]
    found[np.abs(found) < 1e-12] = 0.0
    order = np.argsort(used)
    return np.asarray(found[:, order])


def _others(balanced: Floats, form: Floats, turn: Floats, zeros: int) -> list[Eigen]:
    """Return the eigenvalues that are not zero, of the block that is left, with vectors of the whole matrix."""
    from scipy.linalg import eig

    block = form[zeros:, zeros:]
    if not len(block):
        return []
    values, lefts, rights = cast(tuple[Complexes, Complexes, Complexes], eig(block, left=True, right=True))
    norm = float(np.linalg.norm(balanced, 2))
    found: list[Eigen] = []
    for members in _clusters(values):
        value = complex(values[members].mean())
        left_of, sizes, right_of = np.linalg.svd(block - value * np.eye(len(block)))
        vectors = int((sizes <= _SINGLE * norm).sum())
        if len(members) == 1 or not vectors:
            groups = [(complex(values[i]), _complex(rights[:, [i]]), _complex(lefts[:, [i]]), 1, 1) for i in members]
        else:
            first = len(block) - vectors
            right, left = _complex(right_of[first:].conj().T), _complex(left_of[:, first:])
            groups = [(value, right, left, len(members), min(vectors, len(members)))]
        for each, right, left, multiplicity, count in groups:
            real = complex(each.real) if abs(each.imag) <= _REAL * abs(each) else each
            whole_right = _complex(turn @ np.vstack((_lifted(form, right, real, zeros), right)))
            whole_left = _complex(turn @ np.vstack((np.zeros((zeros, left.shape[1])), left)))
            found += _matched(real, whole_right, whole_left, multiplicity, count)
    return found


def _complex(array: NDArray[Any]) -> Complexes:
    return np.asarray(array, dtype=complex)


def _lifted(form: Floats, right: Complexes, value: complex, zeros: int) -> Complexes:
    """Return the part of eigenvectors on the states of zero eigenvalues."""
    if not zeros:
        return np.zeros((0, right.shape[1]), dtype=complex)
    nilpotent, coupling = form[:zeros, :zeros], form[:zeros, zeros:]
    return np.asarray(np.linalg.solve(value * np.eye(zeros) - nilpotent, coupling @ right))


def _matched(value: complex, right: Complexes, left: Complexes, multiplicity: int, vectors: int) -> list[Eigen]:
    """Return one entry for each occurrence; right and left vectors of one eigenvalue are matched to each other."""
    if vectors == multiplicity:
        overlap = left.conj().T @ right
        left = left @ np.linalg.inv(overlap).conj().T
    places = [min(i, vectors - 1) for i in range(multiplicity)]
    return [Eigen(value, right[:, i], left[:, i], multiplicity, vectors) for i in places]


def _clusters(values: Complexes) -> list[list[int]]:
    """Return the places of eigenvalues that may be the same, group by group."""
    left = list(np.lexsort((values.imag, values.real)))
    groups: list[list[int]] = []
    while left:
        group = [left.pop(0)]
        for i in group:
            near = [j for j in left if abs(values[j] - values[i]) <= _SAME * max(abs(values[i]), 1e-300)]
            group += near
            left = [j for j in left if j not in near]
        groups.append(group)
    return groups
