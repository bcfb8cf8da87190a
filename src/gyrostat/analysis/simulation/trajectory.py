"""A trajectory: the motion of a system over time, labelled by the model's own names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.analysis.integrators import Integrator
from gyrostat.analysis.simulation.energy_balance import energy_balance
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.occurrence import Occurrence
from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.analysis.simulation.recorded import Recorded
from gyrostat.analysis.simulation.spectrum import Spectrum, spectrum_of
from gyrostat.analysis.simulation.status import Status
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.model.names import counted
from gyrostat.once import cached_property
from gyrostat.results.text_table import monospaced
from gyrostat.system import System

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.axes import Axes

    from gyrostat.analysis.simulation import beam_line, trajectory_file
    from gyrostat.pictures.stills import Picture
    from gyrostat.shown import beam_plots, scene_marks, trajectory_pictures, trajectory_plots
else:
    beam_line, trajectory_file = later("gyrostat.analysis.simulation", "beam_line", "trajectory_file")
    beam_plots, scene_marks, trajectory_pictures, trajectory_plots = later(
        "gyrostat.shown", "beam_plots", "scene_marks", "trajectory_pictures", "trajectory_plots"
    )


@dataclass(frozen=True, eq=False)
class Trajectory:
    """States at output times, and everything that follows from them by name.

    `trajectory["a1"]` is an xarray array over time: a coordinate, its `.rate` or `.acc`, a state or its `.rate`, a body
    or point (position), `.velocity`, `.omega`, `.quaternion`, an input, a force's `.force`, `.length`, `.rate`, a
    constraint's `.force` where it has but one, a joint's `.reaction.force` and `.reaction.moment`. Vectors have world
    axes.
    """

    system: System
    integrator: Integrator
    time: Floats
    """Shape (N,)."""
    q: Floats
    """Shape (N, number of coordinates)."""
    u: Floats
    """Shape (N, number of speeds)."""
    z: Floats
    """Shape (N, number of state variables)."""
    events: tuple[Occurrence, ...]
    status: Status
    motion: Motion = field(repr=False)
    modes: Floats = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    """Modes of switching functions, shape (N, number): 0 or 1, or between them while a condition slides."""

    @staticmethod
    def of(motion: Motion) -> Trajectory:
        """Return the trajectory of a motion at its output times."""
        return _at(motion, motion.times, motion.states, motion.modes)

    @property
    def states(self) -> StateParts:
        """Coordinates, speeds and state variables of components."""
        return StateParts(self.q, self.u, self.z)

    @cached_property
    def rows(self) -> Floats:
        """Rows of t, q, u, z, parameters, inputs, as all programs of the system take them; formed on first access."""
        return self.motion.rows(self.time, self.states, self.modes)

    @property
    def inputs(self) -> Floats:
        """Inputs, shape (N, number of inputs)."""
        return self.rows[:, self.system.row.inputs]

    @property
    def parameters(self) -> Floats:
        """Parameters, shape (N, number of parameters)."""
        return self.rows[:, self.system.row.parameters]

    @cached_property
    def _outputs(self) -> Outputs:
        return Outputs(self.system, self.rows, self.recorded)

    @cached_property
    def recorded(self) -> Recorded:
        """All signals at the output times, with the conditions of laws as they were in the motion."""
        return self.motion.recorded(self.rows, self.modes)

    # --- outputs by name ----------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> xarray.DataArray:
        """Return an output by name, over time."""
        return self._outputs[name]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all outputs."""
        return tuple(self.system.signal_table.outputs)

    def __contains__(self, name: object) -> bool:
        return name in self.system.signal_table

    def dataset(self, *names: str) -> xarray.Dataset:
        """Return outputs as one labelled dataset; without names all coordinates, speeds, states and inputs."""
        import xarray

        own = self.system.coordinates.measures, self.system.speed_names, self.system.state_names, self.system.inputs
        chosen = names or [name for part in own for name in part]
        attributes = {"model": self.system.model.name, "status": str(self.status)}
        return xarray.Dataset({name: self[name] for name in chosen}, attrs=attributes)

    def to_pandas(self, *names: str) -> pandas.DataFrame:
        """Return outputs as a table over time; vectors have a column for each component."""
        import pandas

        columns: dict[str, Floats] = {}
        for name in map(str, self.dataset(*names).data_vars):
            values = self._outputs.values(name).T
            parts = self.system.signal_table[name].scalar_names
            columns |= {name: values} if values.ndim == 1 else dict(zip(parts, values, strict=True))
        return pandas.DataFrame(columns, index=pandas.Index(self.time, name="time"))

    # --- between outputs ----------------------------------------------------------------------------------------

    def at(self, t: ArrayLike) -> Trajectory:
        """Return the trajectory at other times, as exact as the integration: the steps they lie in are repeated.

        At the time of an event it is the state before it.
        """
        times = np.atleast_1d(np.asarray(t, dtype=float))
        begin, end = float(self.time[0]), float(self.time[-1])
        slack = 1e-12 * max(abs(begin), abs(end))
        if times.ndim != 1 or not len(times) or (np.diff(times) <= 0).any():
            raise StateError("Times must be a number, or a row of numbers that rise.")
        outside = times[(times < begin - slack) | (times > end + slack) | ~np.isfinite(times)]
        if len(outside):
            raise StateError(f"t = {outside[0]:g} is outside the trajectory, which goes from {begin:g} to {end:g} s.")
        times = np.clip(times, begin, end)
        return _at(self.motion, times, *self.motion.instants_at(times))

    # --- mechanics ----------------------------------------------------------------------------------------------

    def energy(self) -> xarray.Dataset:
        """Return kinetic and potential energy by element, dissipated and supplied energy, and the balance (J).

        `balance` is total + dissipated − supplied minus its first value: zero but for the error of integration.
        """
        return energy_balance(self)

    def momentum(self, about: tuple[float, float, float] | None = None) -> xarray.Dataset:
        """Return linear momentum, angular momentum about a fixed point (the world's origin), and the mass centre."""
        return self._outputs.momentum(about or (0.0, 0.0, 0.0))

    def reaction(self, joint: str) -> xarray.Dataset:
        """Return force and moment of a joint's parent on its child, at the child's joint point, in world axes."""
        return self._outputs.reaction(joint)

    def constraint(self, name: str) -> xarray.Dataset:
        """Return the loads of a constraint, or of a joint that closes a loop, by direction.

        They act in the direction of growing residuals: of a `Distance` or `Cable` it is the tension.
        """
        return self._outputs.constraint(name)

    def along(self, beam: str, x: Sequence[float] | None = None) -> xarray.Dataset:
        """Return positions, deflections, curvatures and section moments of a beam over time and distance from its root.

        `x` are the distances (m); without them 33 places from root to tip.
        """
        return beam_line.BeamLine.of(self.system, self.recorded, beam, x).dataset()

    def grains(self, name: str) -> xarray.Dataset:
        """Return positions and velocities of grains at the output times of the simulation, with radii and masses."""
        known = self.motion.grains
        if name not in known:
            raise StateError(f"There are no grains {name!r}. The trajectory has {', '.join(known) or 'none'}.")
        return known[name].dataset()

    def residuals(self) -> xarray.Dataset:
        """Return the largest residuals of the constraints over time: `position` (m or rad), `speed` (m/s or rad/s)."""
        return self._outputs.residuals()

    def spectrum(self, name: str, modes: object = None) -> Spectrum:
        """Return the amplitudes of an output over frequency; modes of a linear model (or `Modes`) are marked in it."""
        return spectrum_of(self[name], modes)

    def driver_load(self, coordinate: str) -> xarray.DataArray:
        """Return the load of the driver of a driven coordinate."""
        return self._outputs.driver_load(coordinate)

    @property
    def state(self) -> dict[str, float]:
        """The last state by name, after events at its time, to continue from: simulate(…, initial=trajectory.state)."""
        jumps = [one for one in self.events if one.time == self.time[-1] and one.changed]
        state = jumps[-1].after if jumps else self.states.at(-1)
        return dict(zip(self.system.coordinates.place_of, np.concatenate(state).tolist(), strict=True))

    def at_event(self, name: str) -> tuple[Occurrence, ...]:
        """Return the occurrences of an event."""
        return tuple(one for one in self.events if one.event == name)

    # --- pictures -----------------------------------------------------------------------------------------------

    def plot(
        self,
        *names: str,
        against: str | None = None,
        compare: Mapping[str, Trajectory] | None = None,
        path: str | PathLike[str] | None = None,
        dark: bool = False,
        events: bool = True,
        axes: Any = None,
    ) -> tuple[Axes, ...]:
        """Plot outputs over time, or `against` another output; without names all coordinates. Return the axes.

        There is a panel for each unit. Against an output of the same unit both axes have one scale, and a dot is where
        a run begins. `compare` has other trajectories by name. With a `path` (.svg, .pdf, .png) the figure is written.
        """
        if against is not None:
            return trajectory_plots.plot_against(self, names, against, compare=compare, path=path, dark=dark, axes=axes)
        return trajectory_plots.plot(self, names, compare=compare, path=path, dark=dark, events=events, axes=axes)

    def plot_phase(
        self,
        *names: str,
        compare: Mapping[str, Trajectory] | None = None,
        path: str | PathLike[str] | None = None,
        dark: bool = False,
        axes: Any = None,
    ) -> tuple[Axes, ...]:
        """Plot rates against coordinates, a panel for each; a dot is where a run begins. Return the axes."""
        return trajectory_plots.plot_phase(self, names, compare=compare, path=path, dark=dark, axes=axes)

    def plot_energy(
        self,
        *,
        path: str | PathLike[str] | None = None,
        dark: bool = False,
        events: bool = True,
        axes: Any = None,
    ) -> tuple[Axes, ...]:
        """Plot energies, dissipated and supplied energy, and the balance in a panel of its own. Return the axes."""
        return trajectory_plots.plot_energy(self, path=path, dark=dark, events=events, axes=axes)

    def plot_reaction(
        self,
        joint: str,
        *,
        compare: Mapping[str, Trajectory] | None = None,
        path: str | PathLike[str] | None = None,
        dark: bool = False,
        events: bool = True,
        axes: Any = None,
    ) -> tuple[Axes, ...]:
        """Plot force and moment in a joint. Return the axes."""
        return trajectory_plots.plot_reaction(
            self, joint, compare=compare, path=path, dark=dark, events=events, axes=axes
        )

    def plot_beam(
        self,
        beam: str,
        times: Sequence[float] | None = None,
        *,
        path: str | PathLike[str] | None = None,
        dark: bool = False,
        axes: Any = None,
    ) -> tuple[Axes, ...]:
        """Plot the deflection of a beam along its length at some times, by default five. Return the axes."""
        return beam_plots.plot_beam(self, beam, times, path=path, dark=dark, axes=axes)

    def animate(
        self,
        path: str | PathLike[str],
        *,
        paths: Iterable[str] = (),
        plots: Iterable[str] | None = None,
        compare: Mapping[str, Trajectory] | None = None,
        title: str | None = None,
        view: ArrayLike | None = None,
        forces: Iterable[str] = (),
        vectors: Iterable[str] = (),
        frames: Iterable[str] = (),
        colour: str | None = None,
        beside: bool = False,
        poster: float | None = None,
        dark: bool = False,
    ) -> Path:
        """Write an animation and return its path: a page that any browser opens (.html), or a film (.gif, .mp4).

        `paths` are bodies and points whose traces are drawn, `plots` outputs that are plotted beside (by
        default the first coordinates), `compare` other trajectories by name, superimposed or `beside` this one, `view`
        the direction to the camera. `forces` are contacts, joints, ropes and forces whose loads are drawn as arrows,
        or "all"; `vectors` outputs such as bar.tip.velocity, `frames` bodies and frames whose axes are drawn. `colour`
        is "speed" or "energy" of bodies, or "moment" of beams. A page opens paused at the time `poster`.
        """
        marks = scene_marks.SceneMarks(
            forces=forces, vectors=vectors, frames=frames, colour=colour, beside=beside, poster=poster
        )
        return trajectory_pictures.animate(
            self, path, paths=paths, plots=plots, compare=compare, title=title, view=view, marks=marks, dark=dark
        )

    def picture(
        self,
        t: ArrayLike,
        path: str | PathLike[str] | None = None,
        *,
        paths: Iterable[str] = (),
        compare: Mapping[str, Trajectory] | None = None,
        view: ArrayLike | None = None,
        forces: Iterable[str] = (),
        vectors: Iterable[str] = (),
        frames: Iterable[str] = (),
        colour: str | None = None,
        beside: bool = False,
        dark: bool = False,
    ) -> Path | Picture:
        """Write a still (.png, .svg, .pdf) at time `t` and return its path; without a path return it, for a notebook.

        At several times it is stroboscopic: all instants in one picture, the earlier the lighter. The other options
        are those of `animate`.
        """
        marks = scene_marks.SceneMarks(forces=forces, vectors=vectors, frames=frames, colour=colour, beside=beside)
        return trajectory_pictures.trajectory_picture(
            self, t, path, paths=paths, compare=compare, view=view, marks=marks, dark=dark
        )

    # --- keeping and showing ------------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str], *, outputs: Iterable[str] = (), force: bool = False) -> None:
        """Write a NetCDF file with outputs, model, parameters, settings and versions; `gs.load` reads it again.

        Coordinates, speeds, states and inputs are in it by name, and other `outputs` by request. A file that is there
        is replaced only with `force`, and only when the new one is complete.
        """
        trajectory_file.save(self, path, outputs=outputs, force=force)

    def __str__(self) -> str:
        system = self.system
        lines = [
            f"Trajectory of {system.model.name!r}: t = {self.time[0]:g} … {self.time[-1]:g} s, "
            f"{counted(len(self.time), 'output', 'outputs')}, {type(self.integrator).__name__}",
            *(f"  {line}" for line in str(self.status).splitlines()),
        ]
        if self.events:
            lines.append(f"  {counted(len(self.events), 'event', 'events')}: {_listed(self.events)}")
        lines.append("  " + f"{'':24}{'first':>12}{'last':>12}{'smallest':>12}{'largest':>12}")
        names = tuple(system.coordinates.place_of)
        values = np.column_stack(self.states)
        for name, column in list(zip(names, values.T, strict=True))[:12]:
            numbers = (column[0], column[-1], column.min(), column.max())
            lines.append("  " + f"{name:24}" + "".join(f"{number:12.5g}" for number in numbers))
        if len(names) > 12:
            lines.append(f"  … {len(names) - 12} more")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"{trajectory_pictures.notebook_html(self)}{monospaced(str(self))}"


def _at(motion: Motion, times: Floats, states: StateParts, modes: Floats) -> Trajectory:
    """Return the trajectory of a motion with its states and modes at some times.

    Python functions of inputs are called at these times at once, so that their exceptions belong to this call.
    """
    trajectory = Trajectory(
        motion.problem.system,
        motion.problem.integrator,
        times,
        *states,
        tuple(sorted(motion.occurrences, key=lambda one: one.time)),
        motion.status,
        motion,
        modes,
    )
    if any(segment.plan.functions for segment in motion.segments):
        _ = trajectory.rows
    return trajectory


def _listed(events: tuple[Occurrence, ...]) -> str:
    counts: dict[str, int] = {}
    for one in events:
        counts[one.event] = counts.get(one.event, 0) + 1
    return ", ".join(f"{name} ×{count}" if count > 1 else name for name, count in counts.items())
