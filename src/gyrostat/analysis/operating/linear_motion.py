"""The linear motion near an operating point, reduced to what constraints allow, and what it says of stability.

States are displacements ξ, carried along by the motion, and changes of speeds. Where the motion is steady the matrix is
constant. Displacements that change nothing, such as turning about the vertical, are left out of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.operating.neighbourhood import Neighbourhood, Slopes
from gyrostat.analysis.operating.stability import Stability, Verdict
from gyrostat.closing.null_space import null_space, unit_rows
from gyrostat.coordinates.arguments import Floats
from gyrostat.once import cached_property

_FLAT = 1e-9
"""Stiffness below this part of the largest counts as none."""
_EVEN = 1e-7
"""What may be lacking to symmetry."""
_ON_AXIS = 1e-7
"""Real parts below this part of the largest eigenvalue count as zero."""
_UNRESOLVED = 3e-5
"""Eigenvalues below this part of the largest count as zero where slopes of constraints are by differences: double zeros
part by the root of their errors."""
_KERNEL = 1e-11
"""Singular values below this part of the largest are zero."""
_SLOWEST = 1e-3
"""The least of largest eigenvalues (1/s): what is slower by far is no motion."""


@dataclass(frozen=True, eq=False)
class LinearMotion:
    """Slopes at a state, and the displacements and speeds that constraints allow, as columns."""

    around: Neighbourhood
    q: Floats
    u: Floats
    slopes: Slopes
    displacements: Floats
    """A basis of the displacements that constraints allow, (n_u, d)."""
    symmetries: Floats
    """Those of them that change no acceleration and no constraint, (n_u, s)."""
    states: Floats
    """A basis of (ξ, δu) that obeys the varied constraints, (2 n_u, k)."""
    turning: Floats
    """Γ of axes that turn, in which speeds are constant; zero where they are constant anyway."""

    @staticmethod
    def of(around: Neighbourhood, q: Floats, u: Floats, turning: Floats | None = None) -> LinearMotion:
        """Return the linear motion near a state."""
        slopes = around.slopes(q, u)
        displacements = around.tangent(q)
        symmetries = _symmetries(around, slopes, around.speed_slopes(q, u), displacements)
        states = constrained_states(around, q, u)
        turning = np.zeros((len(u), len(u))) if turning is None else turning
        return LinearMotion(around, q, u, slopes, displacements, symmetries, states, turning)

    def eigenvalues(self) -> NDArray[np.complex128]:
        """Return the eigenvalues without those of displacements that change nothing."""
        return deflated_eigenvalues(self.matrix)

    @cached_property
    def matrix(self) -> Floats:
        """The matrix of the linear motion, without displacements that change nothing, in scaled states."""
        n = len(self.u)
        full = np.block([[self.slopes.carried, np.eye(n)], [self.slopes.along, self.slopes.by_speed]])
        full = full + np.kron(np.eye(2), self.turning)
        neutral = np.vstack((self.symmetries, np.zeros_like(self.symmetries)))
        scales = np.concatenate((self.around.scales, self.around.scales))[:, None]
        basis, kept = self.states / scales, neutral / scales
        beyond = basis @ null_space(unit_rows((basis.T @ kept).T)) if kept.shape[1] else basis
        left, _ = np.linalg.qr(np.hstack((kept, beyond)))
        part = left[:, kept.shape[1] :]
        return np.asarray(part.T @ (full * scales.T / scales) @ part)

    # --- energy -------------------------------------------------------------------------------------------------

    def stiffness(self) -> tuple[Floats, Floats]:
        """Return reduced stiffness and damping of a state at rest, in the basis of displacements."""
        mass, basis = self.around.mass_matrix(self.q), self.displacements
        return -basis.T @ mass @ self.slopes.along @ basis, -basis.T @ mass @ self.slopes.by_speed @ basis


def deflated_eigenvalues(matrix: Floats) -> NDArray[np.complex128]:
    """Return the eigenvalues; zeros that share a direction are split off one by one, lest rounding parts them.

    >>> deflated_eigenvalues(np.array([[1.0, -1.0], [1.0, -1.0]]))
    array([0.+0.j, 0.+0.j])
    """
    zeros, least = 0, _KERNEL * float(np.linalg.norm(matrix))
    while len(matrix):
        _, sizes, right = np.linalg.svd(matrix)
        rank = int((sizes > least).sum())
        if rank == len(matrix):
            break
        zeros += len(matrix) - rank
        matrix = right[:rank] @ matrix @ right[:rank].T
    found = np.linalg.eigvals(matrix) if len(matrix) else np.zeros(0)
    return np.append(np.asarray(found, dtype=complex), np.zeros(zeros))


def constrained_states(around: Neighbourhood, q: Floats, u: Floats) -> Floats:
    """Return a basis of (ξ, δu) that obeys the varied constraints, (2 n_u, k); without constraints it is the unit."""
    n = len(u)
    if not around.system.constrained:
        return np.eye(2 * n)
    matrix, of_positions = around.constraints(q, u).matrix, around.holonomic(q)
    first = np.hstack((matrix[of_positions], np.zeros((int(of_positions.sum()), n))))
    rows = np.vstack((first, np.hstack((around.speed_slopes(q, u), matrix))))
    scales = np.concatenate((around.scales, around.scales))
    return np.asarray(scales[:, None] * null_space(unit_rows(rows * scales)))


def _symmetries(around: Neighbourhood, slopes: Slopes, bending: Floats, displacements: Floats) -> Floats:
    """Return displacements that change neither accelerations nor constraints on speeds."""
    scale = max(float(np.abs(slopes.along * around.scales / around.scales[:, None]).max(initial=0.0)), 1e-300)
    rows = np.vstack((slopes.along / around.scales[:, None] / scale, bending)) @ displacements
    return np.asarray(displacements @ null_space(rows, relative=0.0, absolute=_FLAT))


def stability_at_rest(motion: LinearMotion, family: bool) -> Stability:
    """Return the stability of an equilibrium; `family` tells whether displacements that change nothing lead to others.

    A minimum of the potential energy decides by itself (Lagrange, Dirichlet), where loads have one.
    """
    stiffness, damping = motion.stiffness()
    if not len(stiffness):
        return Stability(Verdict.STABLE, "constraints and drivers leave no freedom.")
    even = _symmetric(stiffness) and _symmetric(damping)
    drag = np.linalg.eigvalsh((damping + damping.T) / 2)
    if not even or drag.min() < -_EVEN * max(np.abs(drag).max(), 1e-300):
        return stability_of(motion)
    mass = motion.displacements.T @ motion.around.mass_matrix(motion.q) @ motion.displacements
    from scipy.linalg import eigh

    squares = eigh((stiffness + stiffness.T) / 2, mass, eigvals_only=True)
    largest = max(float(np.abs(squares).max()), 1e-300)
    values = motion.eigenvalues()
    if squares[0] < -_FLAT * largest:
        count = int((squares < -_FLAT * largest).sum())
        way = "one direction" if count == 1 else f"{count} directions"
        return Stability(Verdict.UNSTABLE, f"the potential energy falls in {way}.", values)
    flat = int((squares < _FLAT * largest).sum()) if largest > 1e-12 else len(squares)
    if not flat:
        damped = drag.min() > _EVEN * drag.max() > 0.0
        return Stability(
            Verdict.STABLE, f"the potential energy is least{', and motion is damped' if damped else ''}.", values
        )
    if family:
        rest = "" if flat == len(squares) else "; it is least in all others"
        return Stability(Verdict.NEUTRAL, f"the potential energy does not change in {_ways(flat)}{rest}.", values)
    return Stability(
        Verdict.UNDECIDED, f"the potential energy does not change to second order in {_ways(flat)}.", values
    )


def stability_of(motion: LinearMotion) -> Stability:
    """Return what the eigenvalues say."""
    values = motion.eigenvalues()
    if not len(values):
        return Stability(Verdict.STABLE, "constraints, drivers and symmetries leave no freedom.")
    largest = max(float(np.abs(values).max()), _SLOWEST)
    real = values.real
    unresolved = _UNRESOLVED if motion.around.system.constrained and motion.u.any() else 10 * _ON_AXIS
    zero = np.abs(values) <= unresolved * largest
    growing = np.where(zero, 0.0, real)
    if growing.max() > _ON_AXIS * largest:
        worst = values[int(np.argmax(growing))]
        return Stability(Verdict.UNSTABLE, f"an eigenvalue is {_written(worst)} 1/s.", values)
    on_axis = (np.abs(real) <= _ON_AXIS * largest) & ~zero
    count = int(zero.sum())
    family = f"; {count} {'is' if count == 1 else 'are'} zero, of neighbouring motions" if count else ""
    if on_axis.any():
        if _defective(motion.matrix, values[on_axis], 1e-6 * largest):
            return Stability(Verdict.UNDECIDED, "eigenvalues on the imaginary axis share one direction.", values)
        return Stability(
            Verdict.STABLE, f"to first order, undamped: no eigenvalue has a positive real part{family}.", values
        )
    if zero.all():
        return Stability(Verdict.NEUTRAL, "all eigenvalues are zero: only neighbouring motions are near.", values)
    return Stability(Verdict.STABLE, f"all eigenvalues have negative real parts{family}.", values)


def _symmetric(matrix: Floats) -> bool:
    return bool(np.abs(matrix - matrix.T).max(initial=0.0) <= _EVEN * np.abs(matrix).max(initial=0.0) + 1e-12)


def _defective(matrix: Floats, values: NDArray[np.complex128], near: float) -> bool:
    """Tell whether eigenvalues that coincide have fewer directions than they are many."""
    for value in values:
        count = int((np.abs(values - value) < near).sum())
        if count > 1:
            sizes = np.linalg.svd(matrix - value * np.eye(len(matrix)), compute_uv=False)
            if int((sizes < 10 * near).sum()) < count:
                return True
    return False


def _ways(count: int) -> str:
    return "one direction" if count == 1 else f"{count} directions"


def _written(value: complex) -> str:
    return f"{value.real:.4g}" if abs(value.imag) < 1e-9 * abs(value) else f"{value.real:.4g} ± {abs(value.imag):.4g}i"
