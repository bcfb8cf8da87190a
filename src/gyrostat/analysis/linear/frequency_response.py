"""Frequency response: steady-state outputs under harmonic inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.analysis.linear.state_space import StateSpace
from gyrostat.analysis.variations.spectrum import Complexes
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.lazy import LaterModule, later
from gyrostat.model.names import did_you_mean
from gyrostat.results.text_table import NotebookText, spread_indices, text_table

if TYPE_CHECKING:
    import xarray

    from gyrostat.shown import linear_plots
else:
    xarray = LaterModule("xarray")
    (linear_plots,) = later("gyrostat.shown", "linear_plots")

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes

    from gyrostat.analysis.linear.linear_model import LinearModel

_POINTS_PER_DECADE = 100
_ROW_LIMIT, _PAIR_LIMIT = 12, 6
"""Largest numbers of frequencies and of pairs of output and input that are printed."""
_PEAK_OFFSETS = np.concatenate((-np.geomspace(3.0, 0.02, 12), [0.0], np.geomspace(0.02, 3.0, 12)))


def transfer_values(form: StateSpace, s: Complexes) -> Complexes:
    """Return C (s − A)⁻¹ B + D + s D_rate + s² D_second, shape (…, outputs, inputs)."""
    points = np.asarray(s, dtype=complex)[..., None, None]
    pencil = points * np.eye(len(form.A)) - form.A
    through = np.linalg.solve(pencil, np.broadcast_to(form.B.astype(complex), (*pencil.shape[:-2], *form.B.shape)))
    direct = form.D + points * form.D_rate + points**2 * form.D_second
    return np.asarray(form.C @ through + direct, dtype=complex)


@dataclass(frozen=True, eq=False)
class TransferFunction(NotebookText):
    """The ratio of an output to an input under e^(st): G(s) = gain · Π(s − zeros)/Π(s − poles)."""

    linear: LinearModel = field(repr=False)
    input: str
    output: str
    zeros: Complexes
    poles: Complexes
    gain: float

    def __call__(self, s: ArrayLike) -> Complexes:
        """Return its value at complex frequencies in 1/s, from the state-space form."""
        form = self.linear.form
        values = transfer_values(form, np.asarray(s, dtype=complex))
        return np.asarray(values[..., form.outputs.index(self.output), form.inputs.index(self.input)])

    @property
    def static_gain(self) -> float:
        """The response to a constant input; infinite where a position drifts."""
        return float("inf") if (np.abs(self.poles) < 1e-12).any() else float(self(0.0).real)

    def __str__(self) -> str:
        return (
            f"{self.output}/{self.input}: gain {self.gain:.6g}, zeros {_listed(self.zeros)}, "
            f"poles {_listed(self.poles)}"
        )


def transfer_function(linear: LinearModel, input: str, output: str) -> TransferFunction:
    """Return a transfer function with its zeros, poles and gain; poles that zeros cancel are left out."""
    i, o = place_of(linear, input, output)
    form = linear.form
    if form.D_rate[o, i] or form.D_second[o, i]:
        raise StateError(
            f"The output {output!r} needs rates of the input {input!r}, so that it has no transfer function with more "
            f"poles than zeros. Use the acceleration of the driver as input: inputs=[{input + '.acc'!r}]."
        )
    poles = linear.modes().eigenvalues
    zeros, gain = _zeros(form.A, form.B[:, i], form.C[o], float(form.D[o, i]))
    zeros, poles = _uncancelled(zeros, poles)
    return TransferFunction(linear, input, output, zeros, poles, gain)


def ratio_unit(above: str, below: str) -> str:
    """Return the unit of a ratio, where both units are known.

    >>> ratio_unit("rad", "N·m"), ratio_unit("m", "m"), ratio_unit("m", "")
    ('rad/(N·m)', '1', '')
    """
    if not above or not below:
        return ""
    if above == below:
        return "1"
    if below == "1":
        return above
    return f"{above}/({below})" if "·" in below or "/" in below else f"{above}/{below}"


def place_of(linear: LinearModel, input: str, output: str) -> tuple[int, int]:
    """Return the places of an input and an output; unknown names are errors."""
    for what, name, known in (("input", input, linear.inputs), ("output", output, linear.outputs)):
        if name not in known:
            remedy = did_you_mean(name, known) if known else f"It has none: give linearize(…, {what}s=[{name!r}])."
            raise StateError(f"The linear model has no {what} {name!r}. {remedy}")
    return linear.inputs.index(input), linear.outputs.index(output)


def _zeros(A: Floats, b: Floats, c: Floats, d: float) -> tuple[Complexes, float]:
    """Return the zeros, which are finite eigenvalues of the system pencil, and the factor of the highest power of s."""
    from scipy.linalg import eig

    n = len(A)
    scale = max(1.0, float(np.abs(A).max(initial=0.0)))
    pencil = np.block([[A, b[:, None]], [c[None, :], np.array([[d]])]])
    mass = np.zeros((n + 1, n + 1))
    mass[:n, :n] = np.eye(n)
    found = eig(pencil, mass, right=False, homogeneous_eigvals=True)
    finite = np.abs(found[1]) > 1e-10 * np.abs(found).max(axis=0)
    zeros = found[0][finite] / found[1][finite]
    markov, direction = [d], b
    for _ in range(n):
        markov.append(float(c @ direction))
        direction = A @ direction
    sizes = [abs(value) / scale**i for i, value in enumerate(markov)]
    largest = max(sizes, default=0.0)
    order = next((i for i, value in enumerate(sizes) if value > 1e-11 * largest), None)
    if order is None or not largest:
        return np.zeros(0, dtype=complex), 0.0
    zeros = zeros[np.argsort(np.abs(zeros))][: n - order]
    zeros[np.abs(zeros) < 1e-6 * scale] = 0.0  # a zero that is repeated is scattered by rounding
    return np.asarray(zeros, dtype=complex), markov[order]


def _uncancelled(zeros: Complexes, poles: Complexes) -> tuple[Complexes, Complexes]:
    """Return zeros and poles without those that are the same."""
    left, kept = list(poles), []
    for zero in zeros:
        near = [i for i, pole in enumerate(left) if abs(pole - zero) <= 1e-7 * max(1.0, abs(zero))]
        if near:
            left.pop(near[0])
        else:
            kept.append(zero)
    return np.array(kept, dtype=complex), np.array(left, dtype=complex)


@dataclass(frozen=True, eq=False)
class FrequencyResponse(NotebookText):
    """Complex responses over frequency: `values` has the dimensions frequency (Hz), output and input."""

    linear: LinearModel = field(repr=False)
    values: xarray.DataArray

    def __str__(self) -> str:
        grid, pairs = self.values["frequency"].values, self.pairs
        shown = pairs[:_PAIR_LIMIT]
        rows = []
        for k in spread_indices(len(grid), _ROW_LIMIT):
            found = [self.values.sel(output=output, input=each).values[k] for output, each, _ in shown]
            rows.append([f"{grid[k]:.4g}", *(f"{abs(z):.4g} ∠ {np.degrees(np.angle(z)):.1f}°" for z in found)])
        lines = [f"Frequency response of {self.linear.system.model.name!r}, {len(grid)} frequencies: magnitude ∠ phase"]
        lines += [f"  {line}" for line in text_table(["f in Hz", *(f"{o}/{i}" for o, i, _ in shown)], rows)]
        for output, each, unit in shown:
            frequency, size = self.peak(each, output)
            amount = f"{size:.5g} {unit}".rstrip()
            lines.append(f"  largest {output}/{each}: {amount} at {frequency:.5g} Hz")
        if len(pairs) > _PAIR_LIMIT:
            lines.append(f"  … {len(pairs) - _PAIR_LIMIT} more pairs of output and input: response.values")
        return "\n".join(lines)

    @property
    def pairs(self) -> list[tuple[str, str, str]]:
        """The pairs of output and input, with the unit of their ratio."""
        table, inputs = self.linear.system.signal_table, self.linear.channel_units
        return [
            (output, each, ratio_unit(table[output].unit, inputs[each]))
            for output in self.linear.outputs
            for each in self.linear.inputs
        ]

    @property
    def magnitude(self) -> xarray.DataArray:
        """The ratio of amplitudes."""
        return abs(self.values)

    @property
    def phase(self) -> xarray.DataArray:
        """The phase lead of outputs (rad), without jumps."""
        unwrapped = np.unwrap(np.angle(self.values.values), axis=0)
        return self.values.copy(data=unwrapped)

    def peak(self, input: str, output: str) -> tuple[float, float]:
        """Return frequency (Hz) and magnitude of the largest response within the range of frequencies."""
        from scipy.optimize import minimize_scalar

        i, o = place_of(self.linear, input, output)
        sizes = self.magnitude.sel(input=input, output=output).values
        grid = self.values["frequency"].values
        place = int(np.argmax(sizes))
        low, high = grid[max(place - 1, 0)], grid[min(place + 1, len(grid) - 1)]

        def smallness(frequency: float) -> float:
            return -float(abs(transfer_values(self.linear.form, np.array(2j * np.pi * frequency))[o, i]))

        if low == high:
            return float(low), float(sizes[place])
        found = minimize_scalar(smallness, bounds=(low, high), method="bounded", options={"xatol": 1e-10 * high})
        return float(found.x), float(-found.fun)

    def plot(
        self, *, path: str | PathLike[str] | None = None, dark: bool = False, axes: Any = None
    ) -> tuple[Axes, ...]:
        """Plot magnitudes (logarithmic) and phases over frequency, a curve for each pair of output and input."""
        return linear_plots.plot_frequency_response(self, path=path, dark=dark, axes=axes)


def frequency_response(linear: LinearModel, frequencies: ArrayLike | None = None) -> FrequencyResponse:
    """Return the response at frequencies in Hz; if none are given, over all modes, closely around resonances."""
    if not linear.inputs or not linear.outputs:
        raise StateError("A frequency response needs inputs and outputs: linearize(…, inputs=[…], outputs=[…]).")
    grid = suggested_frequencies(linear) if frequencies is None else np.atleast_1d(np.asarray(frequencies, float))
    if not np.isfinite(grid).all() or (grid < 0).any():
        raise StateError("Frequencies must be finite and not negative (Hz).")
    try:
        values = transfer_values(linear.form, np.asarray(2j * np.pi * grid, dtype=complex))
    except np.linalg.LinAlgError:
        raise StateError(
            "The response is infinite at one of the frequencies: an undamped mode has it. Leave it out, or add damping."
        ) from None
    labels: dict[str, Sequence[Any]] = {
        "frequency": grid.tolist(),
        "output": list(linear.outputs),
        "input": list(linear.inputs),
    }
    array = xarray.DataArray(values, coords=labels, dims=("frequency", "output", "input"), name="response")
    array["frequency"].attrs["units"] = "Hz"
    return FrequencyResponse(linear, array)


def suggested_frequencies(linear: LinearModel) -> Floats:
    """Return frequencies (Hz) from a tenth of the slowest mode to ten times the fastest, close together at peaks."""
    values = [mode.eigenvalue for mode in linear.modes() if mode.eigenvalue != 0]
    sizes = np.array([abs(value) for value in values]) / (2 * np.pi) if values else np.array([1.0])
    low, high = 0.1 * float(sizes.min()), 10 * float(sizes.max())
    count = int(_POINTS_PER_DECADE * max(1.0, np.log10(high / low))) + 1
    grid = [np.geomspace(low, high, count)]
    for value in values:
        if value.imag > 0:
            width = max(abs(value.real), 1e-4 * value.imag)
            grid.append(np.clip(value.imag + width * _PEAK_OFFSETS, 2 * np.pi * low, 2 * np.pi * high) / (2 * np.pi))
    found = np.unique(np.concatenate(grid))
    undamped = [v.imag / (2 * np.pi) for v in values if v.imag > 0 and abs(v.real) < 1e-9 * v.imag]
    apart = [np.abs(found - pole) > 1e-6 * pole for pole in undamped]  # there the response would be infinite
    return found[np.logical_and.reduce(apart)] if apart else found


def _listed(values: Complexes) -> str:
    return (
        ", ".join(f"{v.real:.4g}{v.imag:+.4g}i" if abs(v.imag) > 1e-12 else f"{v.real:.4g}" for v in values) or "none"
    )
