"""Motion in independent speeds: the embedded equations integrated, the independent set changed as the mechanism moves.

`simulate` gives the same motion faster. This module integrates the embedded equations of McPhee literally:
no multipliers, dependent speeds from independent ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.assembly.assemble import assemble
from gyrostat.analysis.simulation.simulate import output_times
from gyrostat.closing.closing import Closer
from gyrostat.closing.embedding import EmbeddedState, Embedding
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.system import System, formulate

if TYPE_CHECKING:
    import xarray

_WORSE = 10.0
"""Ratio of condition numbers, to the best choice, at which the independent speeds are chosen anew."""
_OPEN = 1e-11
"""Position residual, relative to the size of the mechanism, above which loops are closed again."""


@dataclass(frozen=True)
class ChangeOfIndependent:
    """A change of the independent speeds at a time."""

    time: float
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class EmbeddedMotion:
    """A motion in independent speeds: all coordinates and speeds over time, and which speeds were independent."""

    system: System
    times: Floats
    q: Floats
    u: Floats
    independent: tuple[str, ...]
    """The speeds that were independent at the start."""
    changes: tuple[ChangeOfIndependent, ...]

    def __getitem__(self, name: str) -> xarray.DataArray:
        """Return a coordinate or speed over time, by name."""
        import xarray

        places = self.system.coordinates.place_of
        if name not in places:
            raise StateError(
                f"There is no coordinate or speed {name!r} in this motion. Known: {', '.join(places)}; for further "
                "outputs use gs.simulate."
            )
        side, place = places[name]
        values = (self.q if side == "q" else self.u)[:, place]
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
    are constant.
    """
    if isinstance(system, Model):
        system = formulate(system)
    grid = output_times(duration, step, times)
    start = assemble(system, initial, parameters=parameters, t=float(grid[0]))
    run = _Run(system, independent is None, inputs, parameters, rtol, atol)
    chosen = run.best(start.q, start.u, float(grid[0])) if independent is None else Embedding.of(system, independent)
    reached = _Reached(float(grid[0]), start.q, start.u, chosen)
    rows, changes = [reached], []
    for end in grid[1:]:
        while reached.t < end:
            following = run.advanced(reached, float(end))
            if following.chosen is not reached.chosen:
                sets = reached.chosen.independent or (), following.chosen.independent or ()
                changes.append(ChangeOfIndependent(following.t, *sets))
            reached = following
        rows.append(reached)
    q, u = (np.array([getattr(row, side) for row in rows]) for side in ("q", "u"))
    return EmbeddedMotion(system, grid, q, u, chosen.independent or (), tuple(changes))


@dataclass(frozen=True, eq=False)
class _Reached:
    """An intermediate state, and the independent speeds from there on."""

    t: float
    q: Floats
    u: Floats
    chosen: Embedding


@dataclass(frozen=True, eq=False)
class _Run:
    system: System
    changing: bool
    inputs: Mapping[str, float] | None
    parameters: Mapping[str, object] | None
    rtol: float
    atol: float

    def best(self, q: Floats, u: Floats, t: float) -> Embedding:
        """Return the embedding in the speeds that are best at a state."""
        return Embedding(self.system, self._at(Embedding(self.system), q, u, t).independent)

    def _at(self, chosen: Embedding, q: Floats, u: Floats, t: float) -> EmbeddedState:
        return chosen.at(q, u, t=t, inputs=self.inputs, parameters=self.parameters)

    def advanced(self, start: _Reached, end: float) -> _Reached:
        """Return the state at a time, or before it where loops have been closed again or speeds been chosen anew."""
        from scipy.integrate import DOP853

        chosen, n_q = start.chosen, len(start.q)
        places = [self.system.speed_names.index(name) for name in chosen.independent or ()]
        y = np.concatenate((start.q, start.u[places]))
        solver = DOP853(self._rates(chosen, places, n_q), start.t, y, end, rtol=self.rtol, atol=self.atol)
        while True:
            message = solver.step()
            if message is not None:
                raise StateError(
                    f"The embedded equations cannot be integrated beyond t = {solver.t:.6g} s: {message} Give looser "
                    "tolerances, or use gs.simulate."
                )
            t = float(solver.t)
            q, closed = self._closed(solver.y[:n_q], t)
            u = self._full(chosen, places, q, solver.y[n_q:], t)
            better = self._better(chosen, q, u, t)
            if closed or better is not None or t >= end:
                return _Reached(t, q, u, better or chosen)

    def _rates(self, chosen: Embedding, places: list[int], n_q: int) -> Any:
        def rates(t: float, y: Floats) -> Floats:
            q, u = y[:n_q], np.zeros(self.system.coordinates.n_u)
            u[places] = y[n_q:]
            state = self._at(chosen, q, u, t)
            moving = self.system.coordinate_rates(q, state.speeds, t=t, parameters=self.parameters)
            return np.concatenate((moving, state.rates))

        return rates

    def _full(self, chosen: Embedding, places: list[int], q: Floats, rates: Floats, t: float) -> Floats:
        u = np.zeros(self.system.coordinates.n_u)
        u[places] = rates
        return self._at(chosen, q, u, t).speeds

    def _closed(self, q: Floats, t: float) -> tuple[Floats, bool]:
        """Return coordinates with loops closed, and whether that moved them."""
        if not self.system.constrained:
            return q, False
        closer = Closer(self.system, t, self.parameters)
        gap = np.abs(closer.at(q, np.zeros(self.system.coordinates.n_u)).residuals).max(initial=0.0)
        if gap <= _OPEN * self.system.model_size:
            return q, False
        return closer.closed(q)[0], True

    def _better(self, chosen: Embedding, q: Floats, u: Floats, t: float) -> Embedding | None:
        if not self.changing:
            return None
        best = self._at(Embedding(self.system), q, u, t)
        now = self._at(chosen, q, u, t)
        return Embedding(self.system, best.independent) if now.condition > _WORSE * best.condition else None
