"""Grains that the native kernels move."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from gyrostat.analysis.kernels.grain_tables import (
    COUNT,
    CROWDED,
    DEEPEST,
    DISSIPATED,
    DONE,
    ELASTIC,
    FOUND,
    MEMORY,
    NEAR_WALLS,
    PAIRS,
    STIFFEST,
    SUM_FORCE,
    SUMS,
    SUPPLIED,
    TOUCH,
    VALID,
    GrainLists,
    GrainMotion,
    GrainTables,
)
from gyrostat.analysis.kernels.library import advance_grains, load_grains, nearest_wall
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.simulation.grain_laws import contact_stiffness
from gyrostat.analysis.simulation.wall_elements import wall_tables
from gyrostat.model.granular import GranularBed

_SKIN = 0.3
"""Reach of lists beyond contact, by the mean radius."""
_NEIGHBOURS, _WALLS_PER_GRAIN = 12, 4
"""Room in lists for each grain at first."""
_CELLS = 8
"""Cells of the broad phase for each grain, at most."""


class NativeGrains:
    """Grains of a bed, with all that their kernels need."""

    def __init__(self, bed: GranularBed) -> None:
        n, radii = len(bed.radii), np.ascontiguousarray(bed.radii, float)
        skin = _SKIN * float(radii.mean())
        self._step, self._stiffness = bed.step, contact_stiffness(bed.laws[1], float(radii.min()))
        grains = GrainMotion(
            radii, bed.masses.copy(), 0.4 * bed.masses * radii**2, np.array(bed.positions, float),
            np.array(bed.velocities, float), np.zeros((n, 3)), np.zeros((n, 6)), np.array(bed.gravity, float),
        )  # fmt: skip
        self._tables = GrainTables(
            grains, _lists(n, skin), wall_tables(bed.walls, float(radii.max()) + skin, n), bed.laws.copy(),
            np.zeros(TOUCH), np.zeros(SUMS),
        )  # fmt: skip
        self._restore(bed.state)
        self._advance = advance_grains.bind(self._tables)
        self._begun = bool(bed.state)

    @property
    def positions(self) -> Floats:
        """Positions of the centres."""
        return self._tables.grains.x

    @property
    def velocities(self) -> Floats:
        """Velocities of the centres."""
        return self._tables.grains.v

    @property
    def omegas(self) -> Floats:
        """Angular velocities."""
        return self._tables.grains.w

    def advance(self, walls: Floats, duration: float) -> Floats:
        """Advance by equal steps, none longer than the granular step; return impulses on walls."""
        frames, impulses = self._tables.walls.frames, self._tables.walls.impulses
        frames[:], impulses[:] = walls, 0.0
        if not self._begun:
            self._evaluate()
        steps = max(1, math.ceil(duration / self._step - 1e-9))
        while (outcome := self._advance(steps, duration / steps)) != DONE:
            self._enlarge(outcome)
        return impulses.copy()

    def _evaluate(self) -> None:
        """Evaluate contacts at the start."""
        while (outcome := load_grains(self._tables)) != DONE:
            self._enlarge(outcome)
        self._begun = True

    def wall_depths(self, frames: Floats) -> Floats:
        """Return for each grain the depth of its deepest contact with a wall; zero where it touches none."""
        walls, x, radii = self._tables.walls, self._tables.grains.x, self._tables.grains.radii
        walls.frames[:] = frames
        self._evaluate()
        depths, found = np.zeros(len(x)), np.zeros(FOUND)
        for i in np.flatnonzero(walls.keys[:, 0]).tolist():
            nearest = [nearest_wall(walls, x[i], int(key) - 1, found) for key in walls.keys[i] if key]
            depths[i] = radii[i] - min(nearest)
        return depths

    def _enlarge(self, outcome: int) -> None:
        """Give a list more room; what it had is in the old lists."""
        lists = self._tables.lists
        if outcome == CROWDED:
            room = 5 * int(lists.numbers[PAIRS]) // 4
            lists = lists._replace(near=np.zeros(room, np.int64), memory=np.zeros((room, MEMORY)))
            old = np.zeros(room, np.int64), np.zeros((room, MEMORY))
            size = len(lists.old_near)
            old[0][:size], old[1][:size] = lists.old_near, lists.old_memory
            lists = lists._replace(old_near=old[0], old_memory=old[1])
        else:
            lists = lists._replace(near_walls=np.zeros(5 * int(lists.numbers[NEAR_WALLS]) // 4, np.int64))
        self._tables = self._tables._replace(lists=lists)
        self._advance = advance_grains.bind(self._tables)

    def sums(self) -> Mapping[str, float]:
        """Return sums over contacts, and energies."""
        grains, sums = self._tables.grains, self._tables.sums
        kinetic = 0.5 * (grains.masses @ (grains.v**2).sum(1) + grains.inertias @ (grains.w**2).sum(1))
        return {
            "touching": float(sums[COUNT]),
            "depth": float(sums[DEEPEST]),
            "force": float(sums[SUM_FORCE]),
            "kinetic": float(kinetic),
            "potential": float(sums[ELASTIC] - grains.masses @ (grains.x @ grains.gravity)),
            "dissipated": float(sums[DISSIPATED]),
            "supplied": float(sums[SUPPLIED]),
        }

    def wall_stiffness(self) -> Floats:
        """Return the stiffness of all contacts with each wall, at the depth that determines the step."""
        walls = self._tables.walls
        touched = walls.bodies[walls.keys[walls.keys > 0] - 1]
        return np.asarray(self._stiffness * np.bincount(touched, minlength=len(walls.frames)), dtype=float)

    @property
    def stiffest(self) -> float:
        """The largest ω² of a contact so far: its stiffness by the reduced mass."""
        return float(self._tables.sums[STIFFEST])

    # --- continuing ---------------------------------------------------------------------------------------------

    def state(self) -> Mapping[str, Floats]:
        """Return motion, forces, sums, and what open and closed contacts remember."""
        grains, lists, walls = self._tables.grains, self._tables.lists, self._tables.walls
        count = int(lists.start[-1])
        first = np.repeat(np.arange(len(grains.radii)), np.diff(lists.start))
        known = lists.memory[:count, MEMORY - 1] > 0
        grain, slot = np.nonzero(walls.keys)
        return {
            "motion": np.hstack((grains.x, grains.v, grains.w, grains.force)),
            "pairs": np.column_stack((first[known], lists.near[:count][known], lists.memory[:count][known])),
            "walls": np.column_stack((grain, slot, walls.keys[grain, slot], walls.memory[grain, slot])),
            "loads": walls.loads.copy(),
            "sums": self._tables.sums.copy(),
        }

    def close(self) -> None:
        """Do nothing: the kernels hold no resources."""

    def _restore(self, state: Mapping[str, Floats]) -> None:
        """Continue from a state."""
        if not state:
            return
        grains, lists, walls = self._tables.grains, self._tables.lists, self._tables.walls
        motion, pairs, touching = state["motion"], state["pairs"], state["walls"]
        grains.x[:], grains.v[:], grains.w[:] = motion[:, :3], motion[:, 3:6], motion[:, 6:9]
        grains.force[:] = motion[:, 9:]
        if len(pairs) > len(lists.near):
            room = len(pairs)
            lists = lists._replace(
                near=np.zeros(room, np.int64), memory=np.zeros((room, MEMORY)),
                old_near=np.zeros(room, np.int64), old_memory=np.zeros((room, MEMORY)),
            )  # fmt: skip
            self._tables = self._tables._replace(lists=lists)
        lists.start[1:] = np.cumsum(np.bincount(pairs[:, 0].astype(np.int64), minlength=len(grains.radii)))
        lists.near[: len(pairs)], lists.memory[: len(pairs)] = pairs[:, 1], pairs[:, 2:]
        grain, slot = touching[:, 0].astype(np.int64), touching[:, 1].astype(np.int64)
        walls.keys[grain, slot], walls.memory[grain, slot] = touching[:, 2], touching[:, 3:]
        walls.loads[:], self._tables.sums[:] = state["loads"], state["sums"]
        lists.numbers[VALID] = 0


def _lists(n: int, skin: float) -> GrainLists:
    room = _NEIGHBOURS * n + 64
    return GrainLists(
        np.zeros(n + 1, np.int64), np.zeros(room, np.int64), np.zeros((room, MEMORY)), np.zeros(n + 1, np.int64),
        np.zeros(room, np.int64), np.zeros((room, MEMORY)), np.zeros(_CELLS * n + 4096, np.int64),
        np.zeros(n, np.int64), np.zeros(7), np.zeros(3, np.int64), np.zeros((n, 3)), np.zeros(n + 1, np.int64),
        np.zeros(_WALLS_PER_GRAIN * n + 64, np.int64), np.zeros(4, np.int64), skin,
    )  # fmt: skip
