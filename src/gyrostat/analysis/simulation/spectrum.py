"""The spectrum of an output: amplitudes over frequency, with the modes of a linear model marked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.once import cached_property
from gyrostat.results.text_table import NotebookText, text_table

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes

    from gyrostat.shown import spectrum_plots
else:
    (spectrum_plots,) = later("gyrostat.shown", "spectrum_plots")

_SMALLEST_COUNT = 8
"""The smallest number of outputs of which a spectrum is formed."""
_SPACING_TOLERANCE = 1e-6
"""The largest relative deviation of the spacing of output times."""


class Oscillation(Protocol):
    """A mode of a linear model."""

    @property
    def number(self) -> int:
        """Its number in the table of modes."""

    @property
    def oscillates(self) -> bool:
        """Whether it oscillates."""

    @property
    def frequency(self) -> float:
        """The damped frequency in Hz."""


@dataclass(frozen=True, eq=False)
class Spectrum(NotebookText):
    """Amplitudes of the harmonics of an output; a sine of amplitude a has a peak of height a at its frequency."""

    amplitude: xarray.DataArray
    """Over `frequency` (Hz), in the unit of the output; vectors by components."""
    modes: tuple[Oscillation, ...] = ()
    """The oscillating modes that are marked."""

    @cached_property
    def _size(self) -> Floats:
        """The amplitude of all components together."""
        values = np.abs(self.amplitude.values)
        return np.asarray(np.linalg.norm(values.reshape(len(values), -1), axis=1))

    def peaks(self, count: int = 5) -> tuple[float, ...]:
        """Return the frequencies (Hz) of the highest peaks, the highest first; parabolas of log |A| refine them."""
        size = self._size
        inner = np.flatnonzero((size[1:-1] >= size[:-2]) & (size[1:-1] > size[2:]) & (size[1:-1] > 0)) + 1
        chosen = inner[np.argsort(-size[inner], kind="stable")][:count]
        grid = self.amplitude["frequency"].values
        return tuple(float(grid[i] + (grid[1] - grid[0]) * _shift(size[i - 1 : i + 2])) for i in chosen)

    def at_modes(self) -> dict[int, float]:
        """Return, for each marked mode by its number, the frequency of the peak nearest to it (Hz)."""
        peaks = np.array(self.peaks(len(self._size)))
        if not len(peaks):
            return {}
        return {mode.number: float(peaks[np.argmin(np.abs(peaks - mode.frequency))]) for mode in self.modes}

    def __str__(self) -> str:
        unit = self.amplitude.attrs["units"]
        grid = self.amplitude["frequency"].values
        rows = []
        for frequency in self.peaks():
            size = float(self._size[int(np.argmin(np.abs(grid - frequency)))])
            near = [f"mode {one.number}" for one in self.modes if abs(one.frequency - frequency) < 2 * grid[1]]
            rows.append([f"{frequency:.5g}", f"{size:.4g}", ", ".join(near)])
        lines = [f"Spectrum of {self.amplitude.name} up to {grid[-1]:.5g} Hz, resolution {grid[1]:.3g} Hz"]
        lines += [f"  {line}" for line in text_table(["peak in Hz", f"amplitude in {unit or '1'}", "near"], rows)]
        return "\n".join(lines)

    def plot(
        self, *, path: str | PathLike[str] | None = None, dark: bool = False, axes: Any = None
    ) -> tuple[Axes, ...]:
        """Plot the amplitudes, with a line at the frequency of each mode. Return the axes."""
        return spectrum_plots.plot_spectrum(self, path=path, dark=dark, axes=axes)


def spectrum_of(output: xarray.DataArray, modes: Any = None) -> Spectrum:
    """Return the spectrum of an output over evenly spaced times, without its mean, by Hann's window."""
    import xarray

    times = output["time"].values
    if len(times) < _SMALLEST_COUNT:
        raise StateError(f"{output.name!r} has {len(times)} values, too few for a spectrum. Use a shorter step.")
    widths = np.diff(times)
    if np.abs(widths - widths.mean()).max() > _SPACING_TOLERANCE * widths.mean():
        raise StateError(
            f"The times of {output.name!r} are not evenly spaced: {widths.min():g} to {widths.max():g} s. Use "
            "trajectory.at(…) at even times."
        )
    if not np.isfinite(output.values).all():
        raise StateError(f"{output.name!r} has values that are not finite, so that it has no spectrum.")
    values = output.values.reshape(len(times), -1)
    window = np.hanning(len(times) + 1)[:-1]
    found = 2 * np.abs(np.fft.rfft((values - values.mean(axis=0)) * window[:, None], axis=0)) / window.sum()
    grid = np.fft.rfftfreq(len(times), widths.mean())
    dims = ("frequency", *output.dims[1:])
    coords = {"frequency": ("frequency", grid, {"units": "Hz"})}
    coords |= {str(dim): output.coords[dim] for dim in output.dims[1:]}
    attributes = {"units": output.attrs.get("units", ""), "long_name": f"amplitude of {output.name}"}
    shape = (len(grid), *output.shape[1:])
    amplitude = xarray.DataArray(found.reshape(shape), coords=coords, dims=dims, name=output.name, attrs=attributes)
    return Spectrum(amplitude, _oscillations(modes))


def _oscillations(given: Any) -> tuple[Oscillation, ...]:
    """Return the oscillating modes of a linear model, or among modes."""
    if given is None:
        return ()
    modes: Iterable[Oscillation] = given.modes() if hasattr(given, "modes") else given
    try:
        return tuple(mode for mode in modes if mode.oscillates)
    except (AttributeError, TypeError):
        raise StateError(
            f"The modes to mark are {given!r:.60}. Give a linear model or its modes: gs.linearize(…).modes()."
        ) from None


def _shift(three: Floats) -> float:
    """Return where a parabola through the logarithms of three samples has its peak, from the middle one."""
    if (three <= 0).any():
        return 0.0
    left, middle, right = np.log(three)
    bend = left - 2 * middle + right
    return float(0.5 * (left - right) / bend) if bend < 0 else 0.0
