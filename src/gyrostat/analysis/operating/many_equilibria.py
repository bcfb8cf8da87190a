"""Equilibria of one mechanism with many values of its parameters and inputs, found together.

The method is that of `equilibrium`, in arrays. It is limited to trees of joints whose speeds are rates of coordinates,
without time, drivers and state variables, and to regular equilibria; what is beyond these limits is left to
`equilibrium`, as are all points at which no equilibrium is found.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.operating.batched_newton import Places, solve_many
from gyrostat.analysis.operating.equilibrium import LONGEST_SETTLING, SETTLING_STEPS, SETTLING_TOLERANCE
from gyrostat.analysis.operating.trim import LONGEST_TURN, ROUNDING
from gyrostat.analysis.variations.steadiness import BALANCE_TOLERANCE
from gyrostat.analysis.variations.steadiness import ROUNDING as LEAST_ACCELERATION
from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats
from gyrostat.once import cached_property
from gyrostat.system import System

_RANK_TOLERANCE = 1e-11
"""Singular values of Jacobians below this, relative to the largest, count as zero."""
_REGULARITY_THRESHOLD = 1e-6
"""Least eigenvalue of a mass matrix, relative to the largest in units of its own entries, that is surely positive."""


def allows_many(system: System) -> bool:
    """Tell whether equilibria of a system can be found together."""
    coordinates, model = system.coordinates, system.model
    return not (
        system.constrained
        or system.state_names
        or coordinates.all_driven
        or model.driving_inputs
        or model.solved_inputs
        or model.input_laws
        or system.time_formulas
        or system.kernel_forces
    ) and (0 < coordinates.n_u == coordinates.n_q and all(name.endswith(".rate") for name in system.speed_names))


@dataclass(frozen=True, eq=False)
class ManyEquilibria:
    """Equilibria at rows of t, q, u = 0, parameters and inputs: see `allows_many`."""

    rows: Floats
    """The rows at equilibrium, NaN where none was found, shape (N, size of a row)."""
    by_position: Floats
    """∂u̇/∂q there, shape (N, n, n)."""
    by_speed: Floats
    """∂u̇/∂u there, shape (N, n, n)."""
    mass: Floats
    """Mass matrices there, shape (N, n, n)."""

    @staticmethod
    def near(system: System, starts: Floats, distance: float) -> ManyEquilibria:
        """Search from rows; those within a distance (radians, or sizes of the mechanism) of the start are accepted.

        Where none is so near, the mechanism settles first, as under heavy damping.
        """
        search = _Search(system, starts)
        first = search.solved(starts[:, system.row.q])
        moved = np.abs(first - starts[:, system.row.q]).max(axis=1)
        far = np.flatnonzero(~(moved <= distance * max(1.0, system.model_size)))
        first[far] = search.solved(search.settled(far), far)
        rows = starts.copy()
        rows[:, system.row.q] = first
        rows[~np.isfinite(rows).all(axis=1)] = np.nan
        return search.finished(rows)

    @property
    def solved(self) -> NDArray[np.bool_]:
        """Which points have an equilibrium."""
        return np.asarray(np.isfinite(self.rows).all(axis=1))


@dataclass(frozen=True, eq=False)
class _Search:
    """The equations of rest u̇ = 0 of all rows, in displacements scaled by `scales`."""

    system: System
    rows: Floats

    @cached_property
    def scales(self) -> Floats:
        return Closer(self.system).scales

    def solved(self, q: Floats, places: Places | None = None) -> Floats:
        """Return the solutions of Newton's method near coordinates (N, n), NaN where there is none that is balanced."""
        places = np.arange(len(q)) if places is None else places
        equations = _At(self, places)
        found = solve_many(equations, q / self.scales, longest=LONGEST_TURN, dependent=_RANK_TOLERANCE) * self.scales
        known = np.flatnonzero(np.isfinite(found).all(axis=1))
        rates, by_position, _ = self.linear(places[known], found[known])
        weight = LEAST_ACCELERATION / max(self.system.model_size, 1e-12)
        allowed = BALANCE_TOLERANCE * np.abs(by_position) @ self.scales + weight * self.scales
        found[known[~(np.abs(rates) <= allowed).all(axis=1)]] = np.nan
        return found

    def finished(self, rows: Floats) -> ManyEquilibria:
        """Return equilibria with their linear terms; those without a regular mass matrix are left out."""
        n = self.system.coordinates.n_u
        known = np.isfinite(rows).all(axis=1)
        blocks = np.full((3, len(rows), n, n), np.nan)
        _, blocks[0, known], blocks[1, known] = self.linear(np.flatnonzero(known), rows[known][:, self.system.row.q])
        program = self.system.program("mass_matrix")
        blocks[2, known] = program.matrix("mass_matrix", program.loop(rows[known]))
        rows[known] = np.where(_are_regular(blocks[2, known])[:, None], rows[known], np.nan)
        return ManyEquilibria(rows, *blocks)

    def accelerations(self, places: Places, q: Floats) -> Floats:
        """Return u̇ at rest."""
        return self.system.program("forward_dynamics").loop(self._at(places, q))

    def linear(self, places: Places, q: Floats) -> tuple[Floats, Floats, Floats]:
        """Return u̇ at rest with its derivatives by q and u."""
        row, program = self.system.row, self.system.program("rates_jacobian")
        lower = program.matrix("jacobian", program.loop(self._at(places, q)))[:, row.n_q : row.n_q + row.n_u]
        return self.accelerations(places, q), lower[:, :, : row.n_q], lower[:, :, row.n_q : row.n_q + row.n_u]

    def _at(self, places: Places, q: Floats) -> Floats:
        rows = self.rows[places]
        rows[:, self.system.row.q] = q
        return rows

    def settled(self, places: Places) -> Floats:
        """Return positions at which mechanisms have settled under heavy damping: see `equilibrium.settled`."""
        now = self.rows[places][:, self.system.row.q]
        with np.errstate(all="ignore"):
            pull = np.abs(self.accelerations(places, now) / self.scales).max(axis=1, initial=0.0)
        steps = 0.1 / np.maximum(1e-6, pull)
        now[~np.isfinite(steps)] = np.nan
        rest = np.flatnonzero(np.isfinite(steps))
        unit = np.eye(len(self.scales))
        for _ in range(SETTLING_STEPS):
            if not len(rest):
                break
            udot, stiffness, _ = self.linear(places[rest], now[rest])
            udot, stiffness = udot / self.scales, stiffness * self.scales / self.scales[:, None]
            defined = np.isfinite(udot).all(axis=1) & np.isfinite(stiffness).all(axis=(1, 2))
            now[rest[~defined]] = np.nan
            rest, udot, stiffness = rest[defined], udot[defined], stiffness[defined]
            growth = np.linalg.eigvals(stiffness).real.max(axis=1, initial=0.0)
            with np.errstate(divide="ignore"):
                steps[rest] = np.where(growth > 0.0, np.minimum(steps[rest], 0.5 / growth), steps[rest])
            changes = np.linalg.solve(unit / steps[rest, None, None] - stiffness, udot[:, :, None])[:, :, 0]
            lengths = np.abs(changes).max(axis=1)
            going = ~((lengths <= SETTLING_TOLERANCE) & (growth <= 0.0))
            rest, changes, lengths = rest[going], changes[going], lengths[going]
            long = lengths > LONGEST_SETTLING
            changes[long] *= (LONGEST_SETTLING / lengths[long])[:, None]
            steps[rest] *= np.where(long, 0.5, 3.0)
            now[rest] += changes * self.scales
        return now


@dataclass(frozen=True, eq=False)
class _At:
    """Accelerations at rest of some rows of a search, as equations of scaled displacements."""

    search: _Search
    places: Places

    def residuals(self, places: Places, x: Floats) -> Floats:
        return self.search.accelerations(self.places[places], x * self.search.scales)

    def jacobians(self, places: Places, x: Floats) -> Floats:
        scales = self.search.scales
        _, found, _ = self.search.linear(self.places[places], x * scales)
        relative = found * scales / scales[:, None]
        size = np.abs(relative).max(axis=(1, 2), keepdims=True, initial=0.0)
        kept: Floats = np.where(np.abs(relative) < ROUNDING * size, 0.0, relative) * scales[:, None]
        return kept


def _are_regular(mass: Floats) -> NDArray[np.bool_]:
    """Tell which mass matrices are surely regular, whatever the units of the speeds."""
    with np.errstate(all="ignore"):
        sizes = np.sqrt(np.abs(np.diagonal(mass, axis1=1, axis2=2)))
        scaled = mass / (sizes[:, :, None] * sizes[:, None, :])
    defined = np.isfinite(scaled).all(axis=(1, 2))
    found = np.zeros(len(mass), dtype=bool)
    values = np.linalg.eigvalsh(scaled[defined])
    found[defined] = values[:, 0] > _REGULARITY_THRESHOLD * values[:, -1]
    return found
