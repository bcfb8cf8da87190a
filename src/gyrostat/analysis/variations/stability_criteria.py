"""Criteria of stability: the potential energy at rest, and the eigenvalues of the linear motion.

The eigenvalues are those of the linear model without ignorable motions, as `LinearModel.without_ignorable` has them.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.variations.flow import Flow
from gyrostat.analysis.variations.ignorable import ignorable_motions
from gyrostat.analysis.variations.operating_point import gravity_of
from gyrostat.analysis.variations.second_order import second_order_of
from gyrostat.analysis.variations.spectrum import Eigen, spectrum
from gyrostat.analysis.variations.stability import Stability, Verdict
from gyrostat.closing.closing import Closer
from gyrostat.closing.null_space import null_space
from gyrostat.coordinates.arguments import Floats

_STIFFNESS_TOLERANCE = 1e-9
"""Stiffness below this, relative to the largest, counts as zero."""
_ROUNDING = 1e-12
"""Squares of frequencies below this are rounding errors, relative to gravity over the mechanism's size, or to 1/s²."""
_SYMMETRY_TOLERANCE = 1e-7
"""Allowed asymmetry of stiffness and damping, relative to their largest entries."""
_AXIS_TOLERANCE = 1e-7
"""Real parts below this, relative to the largest eigenvalue, count as zero."""
_EIGENVALUE_TOLERANCE = 1e-6
"""Eigenvalues below this, relative to the largest, count as zero."""
_SMALLEST_EIGENVALUE = 1e-3
"""The least size of a largest eigenvalue (1/s)."""
_CIRCLE_TOLERANCE = 1e-6
"""Distance of multipliers from the unit circle that counts as zero."""
_UNIT_TOLERANCE = 1e-4
"""Tolerance of multipliers that are one exactly: double ones are split by the root of an integration's error."""

NO_FREEDOM = Stability(Verdict.STABLE, "constraints and drivers leave no freedom.")


def eigenvalues_of(found: list[Eigen]) -> NDArray[np.complex128]:
    """Return all eigenvalues as often as they occur, zeros last."""
    zeros = next((one.multiplicity for one in found if one.value == 0), 0)
    others = [one.value for one in found if one.value != 0]
    return np.array([*others, *([0.0] * zeros)], dtype=complex)


def _without_ignorable(flow: Flow) -> Floats:
    """Return the matrix A of the linear motion without ignorable motions."""
    A = flow.state_rates[:, : flow.states]
    return ignorable_motions(A, flow.dependent_speeds, _positions(flow)).reduced(A)


def _positions(flow: Flow) -> NDArray[np.bool_]:
    """Return which states are positions."""
    return np.arange(flow.states) < len(flow.reduction.positions)


def _eigenvalues(A: Floats, dependent_speeds: Floats, positions: NDArray[np.bool_]) -> NDArray[np.complex128]:
    """Return the eigenvalues of a linear motion without ignorable motions."""
    return eigenvalues_of(spectrum(ignorable_motions(A, dependent_speeds, positions).reduced(A)))


def growth_of(flow: Flow, zeros: int) -> float:
    """Return the largest real part of the eigenvalues (1/s), the smallest of which are known to be zero.

    Beside them an eigenvalue that crosses zero keeps its sign, which a decision by rank would take from it.
    """
    values = np.linalg.eigvals(_without_ignorable(flow))
    return float(values[np.argsort(np.abs(values))[zeros:]].real.max(initial=-np.inf))


def stability_of(flow: Flow) -> Stability:
    """Return the stability by the eigenvalues of a varied motion with constant coefficients."""
    found = spectrum(_without_ignorable(flow))
    values = eigenvalues_of(found)
    if not len(values):
        return Stability(Verdict.STABLE, "constraints, drivers and symmetries leave no freedom.")
    largest = max(float(np.abs(values).max()), _SMALLEST_EIGENVALUE)
    zero = np.abs(values) <= _EIGENVALUE_TOLERANCE * largest
    growing = np.where(zero, 0.0, values.real)
    if growing.max() > _AXIS_TOLERANCE * largest:
        worst = values[int(np.argmax(growing))]
        return Stability(Verdict.UNSTABLE, f"an eigenvalue is {_written(worst)} 1/s.", values)
    on_axis = (np.abs(values.real) <= _AXIS_TOLERANCE * largest) & ~zero
    count = int(zero.sum())
    family = f"; {count} {'is' if count == 1 else 'are'} zero, of neighbouring motions" if count else ""
    if on_axis.any():
        if any(one.defective and one.value in values[on_axis] for one in found):
            return Stability(Verdict.UNDECIDED, "eigenvalues on the imaginary axis are defective.", values)
        return Stability(
            Verdict.STABLE, f"to first order, undamped: no eigenvalue has a positive real part{family}.", values
        )
    if zero.all():
        return Stability(Verdict.NEUTRAL, "all eigenvalues are zero: only neighbouring motions are near.", values)
    return Stability(Verdict.STABLE, f"all eigenvalues have negative real parts{family}.", values)


def stability_of_multipliers(
    values: NDArray[np.complex128], *, on_circle: float = _CIRCLE_TOLERANCE, at_one: float = _UNIT_TOLERANCE
) -> Stability:
    """Return the stability by the eigenvalues of the map of disturbances over one period.

    The tolerances are distances from the unit circle, and from one.
    """
    if not len(values):
        return Stability(Verdict.STABLE, "constraints and drivers leave no freedom.")
    ones = np.abs(values - 1.0) <= at_one
    others = values[~ones]
    ones_note = f"{int(ones.sum())} {'is' if ones.sum() == 1 else 'are'} one" if ones.any() else ""
    if not len(others):
        return Stability(Verdict.NEUTRAL, "all multipliers are one: only neighbouring motions are near.")
    largest = float(np.abs(others).max())
    if largest > 1.0 + on_circle:
        return Stability(Verdict.UNSTABLE, f"a multiplier has the size {largest:.4g}.")
    if largest < 1.0 - on_circle:
        tail = f", but {ones_note}" if ones_note else ""
        return Stability(Verdict.STABLE, f"all multipliers are smaller than one{tail}.")
    tail = f"; {ones_note}" if ones_note else ""
    return Stability(Verdict.STABLE, f"to first order, undamped: no multiplier is larger than one{tail}.")


def neutral_directions(flow: Flow) -> Floats:
    """Return displacements from rest that change no acceleration, as columns (n, number of them)."""
    reduction = flow.reduction
    scales = Closer(flow.variations.system).scales
    of_positions, of_speeds = (np.abs(pick) @ scales for pick in (reduction.position_pick, reduction.speed_pick))
    weights = of_speeds[:, None] * flow.mass * of_speeds  # scaled, so that units do not matter
    loads = of_speeds[:, None] * flow.needs[:, : len(of_positions)] * of_positions
    # sums of terms that cancel are compared with the terms themselves
    terms = (
        np.abs(reduction.speed_basis).T @ np.abs(flow.variations.load_by_position) @ np.abs(reduction.position_basis)
    )
    size = float(np.linalg.norm(np.linalg.solve(weights, of_speeds[:, None] * terms * of_positions)))
    size = max(size, _rounding(flow) / _STIFFNESS_TOLERANCE)
    changes = np.asarray(np.linalg.solve(weights, loads) / size, dtype=float)
    if len(flow.zdot):
        first = len(of_positions) + len(of_speeds)
        pushed = np.linalg.solve(weights, of_speeds[:, None] * flow.needs[:, first : flow.states]) / size
        own = np.hstack((flow.zdot[:, : len(of_positions)] * of_positions, flow.zdot[:, first : flow.states]))
        changes = _unit_rows(np.vstack((np.hstack((changes, pushed)), own)))
    found = null_space(changes, relative=0.0, absolute=_STIFFNESS_TOLERANCE)[: len(of_positions)]
    found = found[:, np.abs(found).max(axis=0, initial=0.0) > _STIFFNESS_TOLERANCE]
    if len(flow.zdot):  # several changes of states may go with one displacement
        left, sizes, _ = np.linalg.svd(found, full_matrices=False)
        found = left[:, sizes > _STIFFNESS_TOLERANCE * sizes.max(initial=0.0)]
    return np.asarray(reduction.position_basis @ (of_positions[:, None] * found))


def _unit_rows(matrix: Floats) -> Floats:
    """Return a matrix whose rows, where they are not zero, have entries up to one."""
    sizes = np.abs(matrix).max(axis=1, keepdims=True, initial=0.0)
    return np.asarray(matrix / np.where(sizes > _STIFFNESS_TOLERANCE, sizes, 1.0), dtype=float)


def stability_at_rest(flow: Flow, family: bool) -> Stability:
    """Return the stability of an equilibrium; `family` is true if neutral directions lead to other equilibria.

    A strict minimum of the potential energy is sufficient (Lagrange, Dirichlet), where loads have a potential.
    """
    if not flow.reduction.holonomic or len(flow.zdot):
        return stability_of(flow)
    form = second_order_of(flow)
    units = np.abs(flow.reduction.position_pick) @ Closer(flow.variations.system).scales
    mass, damping, stiffness = (units[:, None] * part * units for part in (form.mass, form.damping, form.stiffness))
    drag = np.linalg.eigvalsh((damping + damping.T) / 2)
    conservative = _symmetric(stiffness) and _symmetric(damping)
    if not conservative or drag.min() < -_SYMMETRY_TOLERANCE * max(np.abs(drag).max(), 1e-300):
        return stability_of(flow)
    from scipy.linalg import eigh

    squares = eigh((stiffness + stiffness.T) / 2, mass, eigvals_only=True)
    zero = max(_STIFFNESS_TOLERANCE * float(np.abs(squares).max()), _rounding(flow))
    values = partial(_eigenvalues, flow.state_rates[:, : flow.states], flow.dependent_speeds, _positions(flow))
    falling = int((squares < -zero).sum())
    if falling:
        return Stability(Verdict.UNSTABLE, f"the potential energy falls in {_directions(falling)}.", values)
    flat = int((squares <= zero).sum())
    if not flat:
        damped = drag.min() > _SYMMETRY_TOLERANCE * drag.max() > 0.0
        tail = ", and motion is damped" if damped else ""
        return Stability(Verdict.STABLE, f"strict minimum of the potential energy{tail}.", values)
    if family:
        rest = "" if flat == len(squares) else "; it has a strict minimum in all others"
        reason = f"the potential energy does not change in {_directions(flat)}{rest}."
        return Stability(Verdict.NEUTRAL, reason, values)
    reason = f"the potential energy does not change to second order in {_directions(flat)}."
    return Stability(Verdict.UNDECIDED, reason, values)


def _rounding(flow: Flow) -> float:
    """Return the square of a frequency (1/s²) that loads which cancel may leave."""
    point = flow.variations.point
    return _ROUNDING * max(1.0, gravity_of(point.system, point.parameters) / point.system.model_size)


def _symmetric(matrix: Floats) -> bool:
    limit = _SYMMETRY_TOLERANCE * np.abs(matrix).max(initial=0.0) + 1e-12
    return bool(np.abs(matrix - matrix.T).max(initial=0.0) <= limit)


def _directions(count: int) -> str:
    return "one direction" if count == 1 else f"{count} directions"


def _written(value: complex) -> str:
    return f"{value.real:.4g}" if abs(value.imag) < 1e-9 * abs(value) else f"{value.real:.4g} ± {abs(value.imag):.4g}i"
