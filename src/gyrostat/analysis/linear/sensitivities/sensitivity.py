"""Sensitivities of modes: derivatives of eigenvalues, frequencies and damping ratios (Trom 1990, appendix).

μ′ = −wᵀ [(F_x + μ F_ẋ) v]′ / wᵀ F_ẋ v with right and left null vectors v, w of the pencil; the operating point moves
with the parameter. Where an eigenvalue is repeated, its derivatives are the eigenvalues of the same on its whole space.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.analysis.linear.modes import Mode, whole_vector
from gyrostat.analysis.linear.sensitivities.changed import changed_linear_model, matching_mode
from gyrostat.analysis.linear.sensitivities.pencil import Pencil
from gyrostat.analysis.variations.spectrum import Complexes
from gyrostat.analysis.variations.variations import variation_names
from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.lazy import LaterModule
from gyrostat.model.names import did_you_mean
from gyrostat.once import cached_property
from gyrostat.results.text_table import NotebookText
from gyrostat.system.kernel_forces import refuse_kernel_forces

if TYPE_CHECKING:
    import pandas
    import xarray

    from gyrostat.analysis.linear.linear_model import LinearModel
else:
    xarray = LaterModule("xarray")

_RANK_TOLERANCE = 1e-7
"""Singular values of the pencil below this, relative to the largest, are zero."""
_ROUNDING = 1e-12
_COLUMNS = ("eigenvalue", "undamped_frequency", "relative_undamped_frequency", "damping_ratio")


@dataclass(frozen=True, eq=False)
class ModeSensitivity(NotebookText):
    """The derivatives of one mode by parameters, one entry for each of `parameters`."""

    mode: Mode
    parameters: tuple[str, ...]
    values: Floats
    """The values of the parameters."""
    eigenvalue: Complexes
    """dλ/dp. Of a repeated eigenvalue, of the part that changes least; all are in `split`."""
    split: Complexes
    """dλ/dp of all eigenvalues into which a repeated one splits, (parameters, multiplicity)."""
    work: SensitivityWork = field(repr=False)

    @property
    def frequency(self) -> Floats:
        """The derivative of the damped frequency (Hz per unit)."""
        sign = np.sign(self.mode.eigenvalue.imag)
        return np.asarray(sign * self.eigenvalue.imag / (2 * np.pi))

    @property
    def undamped_frequency(self) -> Floats:
        """The derivative of |λ|/2π (Hz per unit); zero for a mode without oscillation."""
        return self._size / (2 * np.pi) if self.mode.oscillates else np.zeros(len(self.parameters))

    @property
    def _size(self) -> Floats:
        """The derivative of |λ|."""
        value = self.mode.eigenvalue
        return np.asarray((value.conjugate() * self.eigenvalue).real / abs(value))

    @property
    def damping_ratio(self) -> Floats:
        """The derivative of −Re λ/|λ| (Trom 1990, eq. 8.8, corrected)."""
        value = self.mode.eigenvalue
        return np.asarray(-self.eigenvalue.real / abs(value) + value.real * self._size / abs(value) ** 2)

    @property
    def relative_undamped_frequency(self) -> Floats:
        """p/f₀ df₀/dp: by how many per cent the undamped frequency changes when the parameter does by one."""
        return self.values * self.undamped_frequency / (self.mode.undamped_frequency or np.nan)

    def shape(self, parameter: str) -> xarray.DataArray:
        """Return the derivative of the mode's shape; its largest part stays one (Trom 1990, eq. 8.6, corrected)."""
        return self.work.shape(self.mode, parameter)

    def second(self, parameter: str) -> complex:
        """Return d²λ/dp²: by differences of exact first derivatives, at operating points found again."""
        return self.work.second(self.mode, parameter)

    def table(self) -> pandas.DataFrame:
        """Return the derivatives as a pandas DataFrame, a row for each parameter; frequencies are undamped."""
        import pandas

        columns = {name: getattr(self, name) for name in _COLUMNS}
        return pandas.DataFrame({"value": self.values, **columns}, index=list(self.parameters))

    def __str__(self) -> str:
        mode = self.mode
        ratio = _without_rounding(mode.damping_ratio, 1.0)
        head = (
            f"Sensitivity of mode {mode.number}, undamped frequency f₀ = {mode.undamped_frequency:.6g} Hz, "
            f"damping ratio ζ = {ratio:.4g}"
        )
        rows = [("parameter", "value", "dλ/dp", "df₀/dp (Hz)", "p/f₀ df₀/dp", "dζ/dp")]
        for i, name in enumerate(self.parameters):
            size = 1.0 / (abs(self.values[i]) or 1.0)
            real, imaginary = (
                _without_rounding(x, abs(mode.eigenvalue) * size)
                for x in (self.eigenvalue[i].real, self.eigenvalue[i].imag)
            )
            rows.append(
                (
                    name,
                    f"{self.values[i]:.6g}",
                    f"{real:.4g} {'+' if imaginary >= 0 else '-'} {abs(imaginary):.4g}i",
                    f"{_without_rounding(self.undamped_frequency[i], abs(mode.eigenvalue) * size):.6g}",
                    f"{_without_rounding(self.relative_undamped_frequency[i], 1.0):.4g}",
                    f"{_without_rounding(self.damping_ratio[i], size):.4g}",
                )
            )
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        lines = ["  " + "  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([head, *lines])


def _without_rounding(x: float, size: float) -> float:
    """Return a number, or zero where it is a rounding error beside numbers of a size."""
    return 0.0 if abs(x) < _ROUNDING * size else float(x)


@dataclass(frozen=True, eq=False)
class SensitivityWork:
    """The common part of all sensitivities of one linear model."""

    linear: LinearModel

    @cached_property
    def pencil(self) -> Pencil:
        """The pencil at the operating point."""
        refuse_kernel_forces(self.linear.flow.variations.system, "Sensitivities of linear models")
        return Pencil(self.linear.flow.variations)

    def places(self, wrt: Sequence[str] | None) -> tuple[tuple[str, ...], list[int]]:
        """Return the requested parameters, or all, and their places among inputs and parameters."""
        known = self.linear.flow.variations.system.model.parameters
        names = tuple(known) if wrt is None else tuple(wrt)
        for name in names:
            if name not in self.pencil.acting:
                raise StateError(f"There is no parameter {name!r} to be sensitive to. {did_you_mean(name, known)}")
        return names, [self.pencil.acting.index(name) for name in names]

    def of_mode(self, mode: Mode, wrt: Sequence[str] | None) -> ModeSensitivity:
        """Return the sensitivity of a mode."""
        self._require_derivative(mode)
        names, places = self.places(wrt)
        right, left = self._vectors(mode)
        scale = np.array([[w @ self.pencil.rate_part(v) for v in right.T] for w in left.T])
        k = right.shape[1]
        changes = np.zeros((len(self.pencil.acting), k, k), dtype=complex)
        for i in range(k):
            for j in range(k):
                gradient = self.pencil.gradient(left[:, i], right[:, j], mode.eigenvalue)
                changes[:, i, j] = -self.pencil.total(gradient)
        split = np.array([np.linalg.eigvals(np.linalg.solve(scale, changes[place])) for place in places])
        split = split.reshape(len(places), k)
        nearest = np.argmin(np.abs(split), axis=1) if k > 1 else np.zeros(len(places), dtype=int)
        point = self.linear.flow.variations.point
        known = dict(zip(self.linear.flow.variations.system.model.parameters, self._parameters, strict=True))
        values = np.array([known.get(name, point.inputs.get(name, 0.0)) for name in names], dtype=float)
        return ModeSensitivity(mode, names, values, split[np.arange(len(places)), nearest], split, self)

    @property
    def _parameters(self) -> Floats:
        point = self.linear.flow.variations.point
        return point.system.parameter_values(point.parameters)

    def _require_derivative(self, mode: Mode) -> None:
        if mode.eigenvalue == 0:
            raise StateError(
                f"Mode {mode.number} has the eigenvalue zero, which no parameter changes: it belongs to a motion "
                "without stiffness. Choose another mode."
            )
        if mode.defective:
            raise StateError(
                f"Mode {mode.number} has a defective eigenvalue, {mode.multiplicity} times with {mode.eigen.vectors} "
                "eigenvectors: it changes like a root of the parameter and has no derivative. Change a parameter a "
                "little, or choose another mode."
            )

    def _vectors(self, mode: Mode) -> tuple[Complexes, Complexes]:
        """Return right and left null vectors of the pencil at an eigenvalue, as columns."""
        matrix = self.pencil.matrix(mode.eigenvalue)
        fixed = self.pencil.matrix(0.0)
        rows = np.linalg.norm(fixed, axis=1) + np.linalg.norm(matrix - fixed, axis=1)  # their sum may vanish
        weights = 1.0 / np.where(rows > 0, rows, 1.0)
        left, sizes, right = np.linalg.svd(weights[:, None] * matrix)
        count = int((sizes < _RANK_TOLERANCE * max(sizes[0], 1.0)).sum())
        if count != mode.multiplicity:
            raise StateError(
                f"The eigenvalue of mode {mode.number} is not one of the equations in axes fixed in space: the steady "
                "motion turns, and its linear model is one in axes that turn along. Sensitivities of such motions are "
                "found by differences: see gs.root_locus."
            )
        null_left = weights[:, None] * left[:, len(sizes) - count :].conj()
        null_right = right[len(sizes) - count :].conj().T
        if count == 1:
            own = self.pencil.vector(self.linear.flow, whole_vector(self.linear, mode.eigen))
            null_right = (null_right @ (null_right.conj().T @ own)).reshape(-1, 1)
        return null_right, null_left

    def shape(self, mode: Mode, parameter: str) -> xarray.DataArray:
        """Return the derivative of a mode's shape, its largest part kept."""
        if mode.multiplicity > 1:
            raise StateError(
                f"Mode {mode.number} belongs to an eigenvalue that occurs {mode.multiplicity} times; any combination "
                "of its shapes is one, so that a derivative has no meaning."
            )
        found = self.of_mode(mode, [parameter])
        place = self.pencil.acting.index(parameter)
        right, _ = self._vectors(mode)
        v = right[:, 0]
        size = len(v)
        gradients = (self.pencil.gradient(unit, v, mode.eigenvalue) for unit in np.eye(size, dtype=complex))
        changes = np.array([self.pencil.total(gradient)[place] for gradient in gradients])
        changes = changes + found.eigenvalue[0] * self.pencil.rate_part(v)
        n_q = self.pencil.sizes[0]
        mapping = np.linalg.pinv(self.pencil.mapping)
        scales = Closer(self.linear.flow.variations.system).scales
        shape = mapping @ v[:n_q] / scales
        largest = int(np.argmax(np.abs(shape)))
        border = np.zeros(size, dtype=complex)
        border[:n_q] = mapping[largest]
        matrix = np.vstack((self.pencil.matrix(mode.eigenvalue), border))
        moved = np.linalg.lstsq(matrix, np.append(-changes, 0.0), rcond=None)[0]
        names = list(variation_names(self.linear.flow.variations.system))
        change = mapping @ moved[:n_q] / (shape[largest] * scales[largest])
        return xarray.DataArray(change, coords={"coordinate": names}, dims="coordinate", name=f"shape by {parameter}")

    def second(self, mode: Mode, parameter: str) -> complex:
        """Return d²λ/dp² by central differences of first derivatives, extrapolated once."""
        self.places([parameter])
        known = dict(zip(self.linear.flow.variations.system.model.parameters, self._parameters, strict=True))
        value = float(known[parameter])
        step = 1e-3 * (abs(value) or 1.0)

        def first(at: float) -> complex:
            linear = changed_linear_model(self.linear, {parameter: at})
            return complex(SensitivityWork(linear).of_mode(matching_mode(mode, linear), [parameter]).eigenvalue[0])

        wide, narrow = ((first(value + h) - first(value - h)) / (2 * h) for h in (step, step / 2))
        return (4 * narrow - wide) / 3
