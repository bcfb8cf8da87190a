"""Motion in independent speeds: the embedded equations integrated, the independent set changed as the mechanism moves.

`simulate` gives the same motion faster. This module integrates the embedded equations of McPhee literally:
no multipliers, dependent speeds from independent ones. Its steps know nothing of switches and pulses in laws: a warning
tells where its result differs from that of `simulate`.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.assembly.assemble import assemble
from gyrostat.analysis.integrators import DOP853
from gyrostat.analysis.simulation.contact_points import contact_points
from gyrostat.analysis.simulation.simulate import output_times, simulate
from gyrostat.closing.closing import Closer
from gyrostat.closing.embedding import EmbeddedState, Embedding
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.model.states import Delay, Sampled
from gyrostat.program.warning import GyrostatWarning
from gyrostat.results.text_table import NotebookText
from gyrostat.system import System, system_of

if TYPE_CHECKING:
    import xarray

_CONDITION_RATIO = 10.0
"""Ratio of condition numbers, to the best choice, at which the independent speeds are chosen anew."""
_DIFFERENCE_LIMIT = 1e5
"""Difference from the motion of `simulate`, in tolerances, of which a warning tells."""
_CLOSURE_TOLERANCE = 1e-11
"""Position residual, relative to the size of the mechanism, above which loops are closed again."""


@dataclass(frozen=True)
class ChangeOfIndependent:
    """A change of the independent speeds at a time."""

    time: float
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class EmbeddedMotion(NotebookText):
    """A motion in independent speeds: all coordinates and speeds over time, and which speeds were independent."""

    system: System
    times: Floats
    q: Floats
    u: Floats
    z: Floats
    independent: tuple[str, ...]
    """The speeds that were independent at the start."""
    changes: tuple[ChangeOfIndependent, ...]

    def __getitem__(self, name: str) -> xarray.DataArray:
        """Return a coordinate, speed or state over time, by name."""
        import xarray

        places = self.system.coordinates.place_of
        if name not in places:
            raise StateError(
                f"There is no coordinate, speed or state {name!r} in this motion. Known: {', '.join(places)}; for "
                "further outputs use gs.simulate."
            )
        part, place = places[name]
        values = getattr(self, part)[:, place]
        return xarray.DataArray(values, dims="time", coords={"time": self.times}, name=name)

    def __str__(self) -> str:
        lines = [f"Motion of {self.system.model.name!r} in independent speeds {', '.join(self.independent)}"]
        lines += [f"  from t = {one.time:.6g}: {', '.join(one.after)}" for one in self.changes]
        return "\n".join(lines)


def embedded_motion(
    system: System | Model,
    *,
    duration: float | None = None,
    step: float | None = None,
    times: Sequence[float] | None = None,
    initial: Mapping[str, object] | None = None,
    independent: Sequence[str] | None = None,
    inputs: Mapping[str, float] | None = None,
    parameters: Mapping[str, object] | None = None,
    rtol: float = 1e-9,
    atol: float = 1e-10,
) -> EmbeddedMotion:
    """Integrate GᵀMG u̇_i = Gᵀ(forcing − M c) and return the motion at the times of outputs.

    Independent speeds are those given, or chosen by pivoted QR and changed where the choice becomes a bad one. Inputs
    are constant. A warning tells where the motion differs from that of `simulate`.
    """
    system = system_of(system)
    if system.coordinates.algebraic:
        names = ", ".join(repr(system.state_names[place]) for place in system.coordinates.algebraic)
        raise StateError(f"embedded_motion() cannot solve the equations of {names}. Use gs.simulate with gs.Rodas5P().")
    timed = next((name for name, block in system.model.states.items() if isinstance(block, Delay | Sampled)), None)
    if timed is not None:
        raise StateError(
            f"embedded_motion() knows no past and no sample times, which {timed!r} needs. Use gs.simulate."
        )
    if contacts := contact_points(system):
        raise StateError(
            f"embedded_motion() does not decide on the modes of rigid contacts, as of {contacts[0].name!r}. Use "
            "gs.simulate."
        )
    grid = output_times(duration, step, times)
    start = assemble(system, initial, parameters=parameters, t=float(grid[0]))
    run = _Run(system, independent is None, inputs, parameters, rtol, atol)
    chosen = run.best(start.parts, float(grid[0])) if independent is None else Embedding.of(system, independent)
    reached = _Reached(float(grid[0]), start.parts, chosen)
    rows, changes = [reached], []
    for end in grid[1:]:
        while reached.t < end:
            following = run.advanced(reached, float(end))
            if following.chosen is not reached.chosen:
                sets = reached.chosen.independent or (), following.chosen.independent or ()
                changes.append(ChangeOfIndependent(following.t, *sets))
            reached = following
        rows.append(reached)
    states = system.row.split(np.array([system.row.joined(row.state) for row in rows]))
    motion = EmbeddedMotion(system, grid, *states, chosen.independent or (), tuple(changes))
    _warn_of_difference(motion, initial, run)
    return motion


def _warn_of_difference(motion: EmbeddedMotion, initial: Mapping[str, object] | None, run: _Run) -> None:
    """Warn where a motion differs from that of `simulate`, whose steps end at switches and resolve pulses."""
    system, times = motion.system, motion.times
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GyrostatWarning)
        other = simulate(
            system,
            times=times,
            initial=initial,
            inputs=run.inputs,
            parameters=run.parameters,
            integrator=DOP853(rtol=run.rtol, atol=run.atol),
        )
    count = other.time.size
    for name, (part, place) in system.coordinates.place_of.items():
        values = getattr(motion, part)[:count, place]
        difference = np.abs(values - getattr(other, part)[:, place])
        allowed = _DIFFERENCE_LIMIT * (run.atol + run.rtol * np.abs(values).max(initial=0.0))
        if (difference > allowed).any():
            worst = int(np.argmax(difference > allowed))
            warnings.warn(
                f"The motion of {system.model.name!r} in independent speeds differs from that of gs.simulate: "
                f"{name!r} by {difference[worst]:.3g} at t = {times[worst]:.6g} s. Switches and short pulses in laws, "
                "or a motion that amplifies errors, can be the reason. Use gs.simulate.",
                GyrostatWarning,
                stacklevel=3,
            )
            return


@dataclass(frozen=True, eq=False)
class _Reached:
    """An intermediate state, and the independent speeds from there on."""

    t: float
    state: StateParts
    chosen: Embedding


@dataclass(frozen=True, eq=False)
class _Run:
    system: System
    changing: bool
    inputs: Mapping[str, float] | None
    parameters: Mapping[str, object] | None
    rtol: float
    atol: float

    def best(self, state: StateParts, t: float) -> Embedding:
        """Return the embedding in the speeds that are best at a state."""
        return Embedding(self.system, self._at(Embedding(self.system), state, t).independent)

    def _at(self, chosen: Embedding, state: StateParts, t: float) -> EmbeddedState:
        return chosen.at(state.q, state.u, z=state.z, t=t, inputs=self.inputs, parameters=self.parameters)

    def advanced(self, start: _Reached, end: float) -> _Reached:
        """Return the state at a time, or before it where loops have been closed again or speeds been chosen anew."""
        from scipy import integrate

        chosen = start.chosen
        places = [self.system.speed_names.index(name) for name in chosen.independent or ()]
        y = np.concatenate((start.state.q, start.state.u[places], start.state.z))
        solver = integrate.DOP853(self._rates(chosen, places), start.t, y, end, rtol=self.rtol, atol=self.atol)
        while True:
            message = solver.step()
            if message is not None:
                raise StateError(
                    f"The embedded equations cannot be integrated beyond t = {solver.t:.6g} s: {message} Give looser "
                    "tolerances, or use gs.simulate."
                )
            t = float(solver.t)
            state = self._expanded(solver.y, places)
            q, closed = self._closed(state.q, t)
            state = state._replace(q=q)
            state = state._replace(u=self._at(chosen, state, t).speeds)
            better = self._better_embedding(chosen, state, t)
            if closed or better is not None or t >= end:
                return _Reached(t, state, better or chosen)

    def _expanded(self, y: Floats, places: list[int]) -> StateParts:
        """Return the state of coordinates, independent speeds at some places, and state variables; others are zero."""
        n_q, u = self.system.coordinates.n_q, np.zeros(self.system.coordinates.n_u)
        u[places] = y[n_q : n_q + len(places)]
        return StateParts(y[:n_q], u, y[n_q + len(places) :])

    def _rates(self, chosen: Embedding, places: list[int]) -> Any:
        def rates(t: float, y: Floats) -> Floats:
            state = self._expanded(y, places)
            found = self._at(chosen, state, t)
            moving = self.system.coordinate_rates(state.q, found.speeds, t=t, parameters=self.parameters)
            own = self.system.state_rates(
                state.q, found.speeds, z=state.z, t=t, inputs=self.inputs, parameters=self.parameters
            )
            return np.concatenate((moving, found.rates, own))

        return rates

    def _closed(self, q: Floats, t: float) -> tuple[Floats, bool]:
        """Return coordinates with loops closed, and whether that moved them."""
        if not self.system.constrained:
            return q, False
        closer = Closer(self.system, t, self.parameters)
        gap = np.abs(closer.at(q, np.zeros(self.system.coordinates.n_u)).residuals).max(initial=0.0)
        if gap <= _CLOSURE_TOLERANCE * self.system.model_size:
            return q, False
        return closer.closed(q)[0], True

    def _better_embedding(self, chosen: Embedding, state: StateParts, t: float) -> Embedding | None:
        if not self.changing:
            return None
        best = self._at(Embedding(self.system), state, t)
        now = self._at(chosen, state, t)
        return Embedding(self.system, best.independent) if now.condition > _CONDITION_RATIO * best.condition else None
