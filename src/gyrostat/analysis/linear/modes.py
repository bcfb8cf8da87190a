"""Modes: the natural motions of a linear model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from gyrostat.analysis.linear.mode_shapes import mode_energy, point_motions
from gyrostat.analysis.linear.mode_table import mode_frame, mode_text, modes_html, modes_text
from gyrostat.analysis.linear.state_space import Ignored
from gyrostat.analysis.variations.observation import observe
from gyrostat.analysis.variations.spectrum import Complexes, Eigen, spectrum
from gyrostat.analysis.variations.stability import Stability, Verdict
from gyrostat.analysis.variations.variations import variation_names
from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.lazy import LaterModule, later
from gyrostat.once import cached_property
from gyrostat.results.text_table import NotebookText

if TYPE_CHECKING:
    import xarray

    from gyrostat.shown import linear_plots, mode_pictures
else:
    xarray = LaterModule("xarray")
    linear_plots, mode_pictures = later("gyrostat.shown", "linear_plots", "mode_pictures")

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.axes import Axes

    from gyrostat.analysis.linear.linear_model import LinearModel

_AXIS_TOLERANCE = 1e-9
"""Real parts below this, relative to the largest eigenvalue, are rounding errors of an undamped motion."""


class ModeKind(Enum):
    """Kinds of natural motions."""

    RIGID_BODY = "rigid body"
    """Eigenvalue zero, defective: a position without stiffness, whose speed lasts."""
    ZERO = "zero"
    """Eigenvalue zero: a position, or a speed, without restoring load."""
    REAL = "real"
    """Grows or decays without oscillation."""
    OSCILLATION = "oscillation"
    """A pair of eigenvalues."""


@dataclass(frozen=True, eq=False)
class Mode(NotebookText):
    """One natural motion, x(t) = Re(right · e^(λt)).

    Vectors are those of the linear model's states; a pair of eigenvalues is one mode, with positive frequency.
    """

    linear: LinearModel = field(repr=False)
    number: int
    """Its place among the modes, from 0."""
    eigen: Eigen = field(repr=False)
    kind: ModeKind
    size: float = field(repr=False)
    """The largest eigenvalue of the linear model, in which small numbers are measured."""

    @property
    def eigenvalue(self) -> complex:
        """λ, in 1/s."""
        return self.eigen.value

    @property
    def right(self) -> Complexes:
        """The right eigenvector x on the states, A x = λ x; scaled so that the largest part of its shape is one."""
        return self.eigen.right

    @property
    def left(self) -> Complexes:
        """The left eigenvector y, yᴴ A = λ yᴴ, with yᴴ x = 1 unless the eigenvalue is defective."""
        return self.eigen.left

    @property
    def multiplicity(self) -> int:
        """The algebraic multiplicity of the eigenvalue."""
        return self.eigen.multiplicity

    @property
    def defective(self) -> bool:
        """Whether the eigenvalue has fewer eigenvectors than it occurs: powers of time come with the exponential."""
        return self.eigen.defective

    @property
    def oscillates(self) -> bool:
        """Whether it is an oscillation."""
        return self.kind is ModeKind.OSCILLATION

    @property
    def frequency(self) -> float:
        """The damped frequency in Hz; zero without oscillation."""
        return abs(self.eigenvalue.imag) / (2 * np.pi)

    @property
    def undamped_frequency(self) -> float:
        """|λ| in Hz, the frequency that the mode would have without damping; zero without oscillation."""
        return abs(self.eigenvalue) / (2 * np.pi) if self.oscillates else 0.0

    @property
    def damping_ratio(self) -> float:
        """−Re λ/|λ|: zero undamped, one at the limit of oscillation, negative where the motion grows."""
        return -self.eigenvalue.real / abs(self.eigenvalue) if self.eigenvalue else float("nan")

    @property
    def time_constant(self) -> float:
        """−1/Re λ in s, in which the motion decays to 37 %; negative where it grows, infinite where it does neither."""
        return -1.0 / self.eigenvalue.real if self.eigenvalue.real else float("inf")

    @property
    def period(self) -> float:
        """The period in s; infinite without oscillation."""
        return 1.0 / self.frequency if self.frequency else float("inf")

    @property
    def verdict(self) -> Verdict:
        """Whether this motion decays, grows or is neutral."""
        limit = _AXIS_TOLERANCE * self.size
        if self.eigenvalue.real > limit:
            return Verdict.UNSTABLE
        return Verdict.STABLE if self.eigenvalue.real < -limit else Verdict.NEUTRAL

    # --- shapes -------------------------------------------------------------------------------------------------

    @cached_property
    def motion(self) -> Complexes:
        """The displacements of all coordinates, dependent ones too: δθ, one number for each speed of the system."""
        return self.linear.flow.theta @ whole_vector(self.linear, self.eigen)

    @cached_property
    def states(self) -> Complexes:
        """The changes of all state variables of components, algebraic ones too."""
        return self.linear.flow.z @ whole_vector(self.linear, self.eigen)

    @cached_property
    def shape(self) -> xarray.DataArray:
        """The displacements of all coordinates by name: complex numbers with magnitude and phase."""
        names = list(variation_names(self.linear.flow.variations.system))
        return xarray.DataArray(self.motion, coords={"coordinate": names}, dims="coordinate", name="shape")

    @property
    def magnitude(self) -> xarray.DataArray:
        """The amplitude of each coordinate by name; the largest is one (lengths relative to the mechanism's size)."""
        return abs(self.shape).rename("magnitude")

    @property
    def phase(self) -> xarray.DataArray:
        """The phase lead of each coordinate by name (rad); zero where it does not move."""
        angles = np.where(np.abs(self.motion) > 1e-9 * np.abs(self.motion).max(), np.angle(self.motion), 0.0)
        return xarray.DataArray(angles, coords=self.shape.coords, dims="coordinate", name="phase")

    def points(self) -> xarray.Dataset:
        """Return the motion of all bodies, points and frames: complex `displacement`, `turn` of bodies, world axes."""
        return point_motions(self)

    def outputs(self, *names: str) -> xarray.DataArray:
        """Return the amplitudes of outputs by name: complex numbers; all outputs of a linear model."""
        labels, _, varied = observe(self.linear.flow, names)
        moved = varied @ whole_vector(self.linear, self.eigen)
        return xarray.DataArray(moved, coords={"output": list(labels)}, dims="output", name="mode")

    def participation(self) -> xarray.DataArray:
        """Return the part of each state in the mode: conj(y) x, summing to one (complex; read its size)."""
        weights = self.left.conj() * self.right
        total = weights.sum()
        parts = weights / total if abs(total) > 1e-12 else np.full(len(weights), np.nan)
        return xarray.DataArray(parts, coords={"state": list(self.linear.states)}, dims="state", name="participation")

    def energy(self) -> xarray.Dataset:
        """Return the shares of bodies in the kinetic energy, and of elements in the work of stiffness and damping."""
        return mode_energy(self)

    def plot(
        self, *, path: str | PathLike[str] | None = None, dark: bool = False, axes: Any = None
    ) -> tuple[Axes, ...]:
        """Plot the shape: bars are magnitudes, squares phases, for each coordinate."""
        return linear_plots.plot_shape(self, path=path, dark=dark, axes=axes)

    def __str__(self) -> str:
        return mode_text(self)


@dataclass(frozen=True, eq=False)
class Modes(Sequence[Mode]):
    """All modes of a linear model: those with eigenvalue zero, real ones, then oscillations by frequency.

    They print as a table.
    """

    linear: LinearModel = field(repr=False)
    items: tuple[Mode, ...]

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, place: int) -> Mode: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Mode, ...]: ...
    def __getitem__(self, place: int | slice) -> Mode | tuple[Mode, ...]:
        """Return a mode by number, or several."""
        return self.items[place]

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.items)

    @property
    def eigenvalues(self) -> Complexes:
        """All eigenvalues, both of each pair, as often as they occur; zeros first."""
        zeros = self.items[0].multiplicity if self.items and self.items[0].eigenvalue == 0 else 0
        others = [mode.eigenvalue for mode in self.items if mode.eigenvalue != 0]
        pairs = [value for each in others for value in ((each, each.conjugate()) if each.imag else (each,))]
        return np.array([0.0] * zeros + pairs, dtype=complex)

    @property
    def frequencies(self) -> Floats:
        """The damped frequencies of the oscillations in Hz, in order."""
        return np.array([mode.frequency for mode in self.items if mode.oscillates])

    @cached_property
    def stability(self) -> Stability:
        """The stability of small motions, and the mode that decides it."""
        worst = max(self.items, key=lambda mode: mode.eigenvalue.real)
        values = self.eigenvalues
        if worst.verdict is Verdict.UNSTABLE:
            reason = f"mode {worst.number} grows, with eigenvalue {eigenvalue_text(worst.eigenvalue)} 1/s"
            return Stability(Verdict.UNSTABLE, reason, values)
        even = [mode for mode in self.items if mode.verdict is Verdict.NEUTRAL]
        if not even:
            reason = f"all modes decay, the slowest with a time constant of {worst.time_constant:.4g} s"
            return Stability(Verdict.STABLE, reason, values)
        drifting = [mode for mode in even if mode.eigenvalue == 0]
        if drifting and len(drifting) == len(even):
            return Stability(Verdict.NEUTRAL, f"{len(drifting)} zero, all other modes decay", values)
        return Stability(Verdict.UNDECIDED, "some modes neither grow nor decay in the linear model", values)

    def table(self) -> pandas.DataFrame:
        """Return the table as a pandas DataFrame."""
        return mode_frame(self)

    def plot(
        self, *, path: str | PathLike[str] | None = None, dark: bool = False, axes: Any = None
    ) -> tuple[Axes, ...]:
        """Plot the eigenvalues in the complex plane."""
        return linear_plots.plot_eigenvalues(self, path=path, dark=dark, axes=axes)

    def animate(
        self,
        mode: int,
        path: str | PathLike[str],
        *,
        amplitude: float | None = None,
        paths: Sequence[str] = (),
        dark: bool = False,
    ) -> Path:
        """Write an animation of a mode (.html, .gif, .mp4) and return its path; `amplitude` is of its largest part."""
        return mode_pictures.animate_mode(self.numbered(mode), path, amplitude=amplitude, paths=paths, dark=dark)

    def numbered(self, number: int) -> Mode:
        """Return a mode by number; an invalid number is an error."""
        if not -len(self.items) <= number < len(self.items):
            raise StateError(f"There is no mode {number}. The modes are numbered from 0 to {len(self.items) - 1}.")
        return self.items[number]

    def __str__(self) -> str:
        return modes_text(self)

    def _repr_html_(self) -> str:
        return modes_html(self)


def modes_of(linear: LinearModel) -> Modes:
    """Return the modes of a linear model."""
    found = [one for one in spectrum(linear.form.A) if one.value.imag >= 0]
    size = max((abs(one.value) for one in found), default=0.0)
    modes = (Mode(linear, i, one, _kind(one), size) for i, one in enumerate(_normalised(linear, found)))
    return Modes(linear, tuple(modes))


def _kind(one: Eigen) -> ModeKind:
    if one.value == 0:
        return ModeKind.RIGID_BODY if one.chain > 1 else ModeKind.ZERO
    return ModeKind.OSCILLATION if one.value.imag else ModeKind.REAL


def _normalised(linear: LinearModel, found: list[Eigen]) -> Iterator[Eigen]:
    """Yield eigenvalues with right vectors scaled so that the largest part of their shape is one."""
    if not found:
        return
    scales = Closer(linear.flow.variations.system).scales
    shapes = linear.flow.theta @ np.array([whole_vector(linear, one) for one in found]).T / scales[:, None]
    for one, shape in zip(found, shapes.T, strict=True):
        largest = shape[int(np.argmax(np.abs(shape)))] if shape.any() else one.right[int(np.argmax(np.abs(one.right)))]
        right, left = one.right / largest, one.left * np.conj(largest)
        yield Eigen(one.value, right, left, one.multiplicity, one.vectors, one.chain)


def whole_vector(linear: LinearModel, one: Eigen) -> Complexes:
    """Return an eigenvector on the columns of the flow; states that were left out follow from those that are there."""
    flow, form = linear.flow, linear.form
    k = flow.acting.count
    names = flow.state_names
    vector = np.zeros(flow.theta.shape[1], dtype=complex)
    if form.states == names:
        vector[: len(names)] = one.right
    else:
        present = dict(zip(form.states, one.right, strict=True))
        vector[: len(names)] = [present.get(name, 0.0) for name in names]
    for i, channel in enumerate(linear.channels.items):
        if channel.by_acceleration:
            present = dict(zip(form.states, one.right, strict=True))
            vector[flow.states + i] = present.get(channel.driver, 0.0)
            vector[flow.states + k + i] = present.get(f"{channel.driver}.rate", 0.0)
    if linear.ignored is not None and linear.ignored.names and one.value != 0:
        _restore(vector, linear.ignored, flow.state_rates[:, : flow.states], names, form.states, one.value)
    return vector


def _restore(
    vector: Complexes, ignored: Ignored, A: Floats, names: Sequence[str], states: Sequence[str], value: complex
) -> None:
    """Enter the states that were left out, and their contributions to the others."""
    dropped = [names.index(name) for name in ignored.names]
    own = [(i, names.index(name)) for i, name in enumerate(states) if name in names]
    places, shares = [place for _, place in own], ignored.shares[[i for i, _ in own]]
    through = A[np.ix_(dropped, places)]
    block = value * np.eye(len(dropped)) - A[np.ix_(dropped, dropped)] - through @ shares
    vector[dropped] = np.linalg.solve(block, through @ vector[places])
    vector[places] += shares @ vector[dropped]


def eigenvalue_text(value: complex) -> str:
    """Write an eigenvalue.

    >>> eigenvalue_text(-1 + 2j), eigenvalue_text(3.0)
    ('-1 ± 2i', '3')
    """
    return f"{value.real:.5g} ± {value.imag:.5g}i" if value.imag else f"{value.real:.5g}"
