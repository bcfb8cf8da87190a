"""Eigenvalues with right and left eigenvectors, with zero, repeated and defective ones distinguished.

Zero eigenvalues of a mechanical system are exact facts (a motion without stiffness, an ignorable coordinate) and mostly
defective: as computed numbers they would be scattered by the root of the rounding error. They are therefore split off
by rank decisions before any eigenvalue is computed; the others keep full accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from gyrostat.closing.null_space import null_space
from gyrostat.coordinates.arguments import Floats
from gyrostat.lazy import later

if TYPE_CHECKING:
    from scipy import linalg
    from scipy.sparse import csgraph
else:
    (linalg,) = later("scipy", "linalg")
    (csgraph,) = later("scipy.sparse", "csgraph")

Complexes = NDArray[np.complex128]

_RANK_TOLERANCE = 1e-10
"""Singular values below this, relative to the largest, are zero."""
_NILPOTENT_TOLERANCE = 1e-9
"""Singular values below this are zeros where all of them may be."""
_STRUCTURE = 1e-13
"""Entries below this, relative to the largest in their row, are rounding errors of zeros."""
_LARGEST_WEIGHT = 1e5
_DISTANCE_TOLERANCE = 1e-6
"""Eigenvalues nearer than this, relative to their size, may be one repeated eigenvalue."""
_EIGENVECTOR_TOLERANCE = 1e-11
"""Singular values of A − λ below this, relative to the norm of A, have an eigenvector each."""
_IMAGINARY_ROUNDING = 1e-10


_NO_VECTORS: tuple[Complexes, Complexes] = np.zeros((0, 0), dtype=complex), np.zeros((0, 0), dtype=complex)


@dataclass(frozen=True, eq=False)
class Eigen:
    """One eigenvalue with right and left eigenvectors, A x = λ x, yᴴ A = λ yᴴ, and yᴴ x = 1 unless defective."""

    value: complex
    right: Complexes
    left: Complexes
    multiplicity: int = 1
    """The algebraic multiplicity."""
    vectors: int = 1
    """The geometric multiplicity: the number of independent eigenvectors."""
    chain: int = 1
    """Of a zero eigenvalue, 2 where its vector leads a chain, as a position that drifts at constant speed, else 1."""

    @property
    def defective(self) -> bool:
        """Whether eigenvectors are missing: powers of time come with the exponential."""
        return self.vectors < self.multiplicity


def spectrum(A: Floats) -> list[Eigen]:
    """Return all eigenvalues of a matrix: zeros, real ones, then pairs, by size; of a pair, i ω first.

    Of zeros there is one entry for each eigenvector, of others one for each eigenvalue.
    """
    if not len(A):
        return []
    peeled = _peeled(np.abs(A) > _STRUCTURE * np.abs(A).max(axis=1, keepdims=True))
    rest = [i for i in range(len(A)) if i not in peeled]
    weights = np.ones(len(A))
    weights[rest] = _balancing(A[np.ix_(rest, rest)])
    balanced = A * weights / weights[:, None]
    sizes = np.linalg.svd(balanced, compute_uv=False)
    norm = float(sizes[0])
    if not peeled and (sizes > _RANK_TOLERANCE * norm).all():
        found = _others(norm, balanced, None, 0)
    else:
        turn = np.eye(len(A))[:, [*peeled, *rest]]
        zeros = len(peeled) + _split_zeros(balanced, turn, len(peeled), norm)
        form = turn.T @ balanced @ turn
        form[zeros:, :zeros] = 0.0
        found = _zero_eigen(form[:zeros, :zeros], balanced, turn[:, :zeros]) + _others(norm, form, turn, zeros)
    scaled = [_scaled(one, weights) for one in found]
    return sorted(scaled, key=lambda one: (one.value.imag != 0, abs(one.value), one.value.imag < 0, one.value.real))


def _scaled(one: Eigen, weights: Floats) -> Eigen:
    """Return an eigenvalue with vectors of the matrix before it was balanced."""
    right, left = one.right * weights, one.left / weights
    return Eigen(one.value, right, left, one.multiplicity, one.vectors, one.chain)


def _peeled(depends: NDArray[np.bool_]) -> list[int]:
    """Return the states that nothing depends on but those before them in the list: each has an eigenvalue zero."""
    found: list[int] = []
    left = np.arange(len(depends))
    while True:
        used = depends[np.ix_(left, left)].any(axis=0)
        if used.all():
            return found
        found += left[~used].tolist()
        left = left[used]


def _balancing(A: Floats) -> Floats:
    """Return weights of states by which rows and columns become of similar size, within limits of units."""
    if not len(A):
        return np.ones(0)
    with np.errstate(invalid="ignore"):  # SciPy casts large weights to the whole numbers of a permutation
        weights = np.asarray(linalg.matrix_balance(A, permute=False, separate=True)[1][0], dtype=float)
    middle = float(np.exp(np.log(weights).mean()))
    return np.asarray(np.clip(weights, middle / _LARGEST_WEIGHT, middle * _LARGEST_WEIGHT))


def _split_zeros(matrix: Floats, turn: Floats, done: int, norm: float) -> int:
    """Rotate the columns of a basis behind the first ones: further zero eigenvalues come first; return their number.

    A step splits off the directions that the rest takes to zero; the remaining block may have further ones.
    """
    floor = _RANK_TOLERANCE * max(norm, 1e-300)
    begin = done
    while done < len(matrix):
        block = (turn.T @ matrix @ turn)[done:, done:]
        if not (np.linalg.svd(block, compute_uv=False) <= floor).any():
            break
        _, sizes, right = np.linalg.svd(block)
        count = max(1, int((sizes <= floor).sum()))
        basis = np.vstack((right[len(block) - count :], right[: len(block) - count])).T
        turn[:, done:] = turn[:, done:] @ basis
        done += count
    return done - begin


def _zero_eigen(nilpotent: Floats, matrix: Floats, turn: Floats) -> list[Eigen]:
    """Return the zero eigenvalues, one for each vector; those that lead chains first.

    `nilpotent` is the matrix on the states of zero eigenvalues, `turn` their basis.
    """
    zeros = len(nilpotent)
    if not zeros:
        return []
    vectors = null_space(nilpotent, absolute=_NILPOTENT_TOLERANCE)
    # a vector n leads a chain if n = A x has a solution: if it is at right angles to all left null vectors
    against = null_space(nilpotent.T, absolute=_NILPOTENT_TOLERANCE)
    chains = null_space(against.T @ vectors, absolute=_NILPOTENT_TOLERANCE)
    leading, single = vectors @ chains, vectors @ _complement(chains)
    found: list[Eigen] = []
    for columns, chain in ((leading, 2), (single, 1)):
        for vector in _plain(turn @ columns).T:
            left = _left_zero(matrix, vector, chain)
            found.append(Eigen(0.0, vector.astype(complex), left.astype(complex), zeros, vectors.shape[1], chain))
    return found


def _left_zero(matrix: Floats, vector: Floats, chain: int) -> Floats:
    """Return a left eigenvector that belongs to a right one."""
    left_of, sizes, _ = np.linalg.svd(matrix)
    left = left_of[:, sizes <= _RANK_TOLERANCE * max(float(sizes.max(initial=0.0)), 1e-300)]
    if not left.shape[1]:
        return np.zeros(len(matrix))
    matched = left @ (left.T @ vector)
    size = float(vector @ matched)
    return np.asarray(matched / size if chain == 1 and abs(size) > 1e-12 else left[:, 0])


def _complement(basis: Floats) -> Floats:
    """Return an orthonormal basis of the directions at right angles to those of another."""
    return null_space(basis.T, absolute=_NILPOTENT_TOLERANCE) if basis.shape[1] else np.eye(len(basis))


def _plain(columns: Floats) -> Floats:
    """Return combinations of columns in reduced form: each is one in a row where all others are zero."""
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


def _others(norm: float, form: Floats, turn: Floats | None, zeros: int) -> list[Eigen]:
    """Return the eigenvalues that are not zero, of the block that is left, with vectors of the whole matrix.

    `turn` is the basis of the form, None where it is that of the matrix.
    """
    block = form[zeros:, zeros:]
    if not len(block):
        return []
    values, lefts, rights = cast(tuple[Complexes, Complexes, Complexes], linalg.eig(block, left=True, right=True))
    found: list[Eigen] = []
    single: list[int] = []
    for members in _clusters(values):
        value = _real_or_complex(values[members[0]] if len(members) == 1 else values[members].mean())
        left, right = _repeated_vectors(block, value, norm) if len(members) > 1 else _NO_VECTORS
        count = right.shape[1]
        if not count:
            single += members
            continue
        whole_right, whole_left = right, left
        if turn is not None:
            whole_right = _complex(turn @ np.vstack((_lifted(form, right, value, zeros), right)))
            whole_left = _complex(turn[:, zeros:] @ left)
        found += _matched(value, whole_right, whole_left, len(members), min(count, len(members)))
    all_values = [_real_or_complex(value) for value in values[single]]
    right, left = _complex(rights[:, single]), _complex(lefts[:, single])
    if turn is not None:
        inner = [_lifted(form, right[:, [i]], value, zeros) for i, value in enumerate(all_values)]
        right = turn @ np.vstack((np.hstack([np.zeros((zeros, 0)), *inner]), right))
        left = turn[:, zeros:] @ left
    left = left / np.einsum("ij,ij->j", left.conj(), right).conj()
    return found + [Eigen(value, right[:, i], left[:, i]) for i, value in enumerate(all_values)]


def _real_or_complex(value: complex) -> complex:
    """Return an eigenvalue, real where the imaginary part is a rounding error."""
    return complex(value.real) if abs(value.imag) <= _IMAGINARY_ROUNDING * abs(value) else complex(value)


def _repeated_vectors(block: Floats, value: complex, norm: float) -> tuple[Complexes, Complexes]:
    """Return the left and right eigenvectors of a repeated eigenvalue; none where it is not one."""
    left_of, sizes, right_of = np.linalg.svd(block - value * np.eye(len(block)))
    first = len(block) - int((sizes <= _EIGENVECTOR_TOLERANCE * norm).sum())
    return _complex(left_of[:, first:]), _complex(right_of[first:].conj().T)


def _complex(array: NDArray[Any]) -> Complexes:
    return np.asarray(array, dtype=complex)


def _lifted(form: Floats, right: Complexes, value: complex, zeros: int) -> Complexes:
    """Return the part of eigenvectors on the states of zero eigenvalues."""
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
    order = np.lexsort((values.imag, values.real))
    ordered = values[order]
    near = np.abs(ordered[:, None] - ordered) <= _DISTANCE_TOLERANCE * np.maximum(np.abs(ordered), 1e-300)[:, None]
    if near.sum() == len(values):
        return [[int(place)] for place in order]
    count, group_of = csgraph.connected_components(near, directed=False)
    return [order[group_of == group].tolist() for group in range(count)]
