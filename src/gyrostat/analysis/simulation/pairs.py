"""Contacts of many pairs as kernels take them: shapes and laws of a system with values of its parameters."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.kernels.library import features_of_pair
from gyrostat.analysis.kernels.pair_tables import (
    DEEPEST_A,
    DEEPEST_B,
    DEPTH_LIMIT,
    FOUND,
    FRAME,
    GIVEN,
    NUMBERS,
    POINTS,
    RESULTS,
    SIZES,
    SLOT,
    Broad,
    Finder,
    Groups,
    PairKernels,
    PairTables,
    ShapeTables,
    Slopes,
    Slots,
    TouchTables,
)
from gyrostat.analysis.kernels.problem import Floats, Pairs, Places
from gyrostat.analysis.kernels.solid_tables import Patch, Solids, Surfaces
from gyrostat.analysis.simulation.solid_arrays import solids_of, surfaces_of
from gyrostat.analysis.simulation.still_pairs import StillPairs
from gyrostat.errors import StateError
from gyrostat.model.body import Body
from gyrostat.model.contacts.core import Core, HalfSpace
from gyrostat.model.contacts.features import FeatureMode
from gyrostat.model.contacts.pairs import PAIRS
from gyrostat.model.contacts.patches import FEATURE_MODES, PatchKind, patch_of, rigid_patch_of
from gyrostat.model.contacts.solid_shapes import PlacedCore, placed_cores
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces.contacts import LOAD, RATES, Contacts
from gyrostat.model.joints import Free, Translation
from gyrostat.model.names import GROUND
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.recipes.pair_functions import (
    DIMENSIONS,
    PAIR_RESULTS,
    Law,
    dimensions_of,
    pair_block,
    pair_program,
    point_program,
    point_touch_program,
    touch_program,
)
from gyrostat.scalar import FloatScalars
from gyrostat.system import System

KERNELS = PairKernels.of("pair_contacts")
_PAIRS = "contacts of many pairs"
_NEIGHBOURS = 32
"""Room for so many neighbours of each shape; where they are more, all pairs are compared."""


class _Placed(NamedTuple):
    """A shape in a group of pairs."""

    group: int
    side: int
    body: str
    solid: PlacedCore

    @property
    def core(self) -> Core:
        """The shape."""
        return self.solid.core


@dataclass(frozen=True, eq=False)
class PairSet:
    """The shapes of all contacts of many pairs of a system, and their programs, with values of its parameters."""

    system: System
    groups: tuple[Contacts, ...]
    shapes: tuple[_Placed, ...]
    """Finite shapes first, then planes."""
    kinds: tuple[type[Core], ...]
    programs: Mapping[tuple[int, int, int], Program]
    """Programs of pairs in closed form by group and kinds of both shapes."""
    patches: Mapping[tuple[int, int, int], PatchKind]
    """How points of other pairs are found, by group and kinds of both shapes."""
    point_programs: Mapping[tuple[int, FeatureMode], Program]
    """Programs of points of features by group and mode."""
    values: Floats
    """Shape (groups, p): values of the parameters that laws name."""
    motion: Program

    @staticmethod
    def of(system: System, parameters: Mapping[str, float]) -> PairSet | None:
        """Return the pairs of a system, None where it has none; those of the parameters used last are kept."""
        if not system.kernel_forces:
            return None
        given = tuple(sorted(parameters.items()))
        known: tuple[tuple[tuple[str, float], ...], PairSet | None] | None = system.cache.get(_PAIRS)
        if known is None or known[0] != given:
            known = given, PairSet._of(system, parameters)
            system.cache.keep(_PAIRS, known)
        return known[1]

    @staticmethod
    def _of(system: System, parameters: Mapping[str, float]) -> PairSet | None:
        groups = tuple(force for force in system.kernel_forces if isinstance(force, Contacts))
        if not groups:
            return None
        value = Evaluator(FloatScalars(), parameters.__getitem__)
        placed = [one for g, group in enumerate(groups) for one in _placed(system, g, group, value)]
        shapes = tuple(sorted(placed, key=lambda one: isinstance(one.core, HalfSpace)))
        kinds = tuple(dict.fromkeys(type(one.core) for one in shapes))
        laws = [Law(group) for group in groups]
        values = np.zeros((len(groups), max(len(law.parameters) for law in laws)))
        for g, law in enumerate(laws):
            values[g, : len(law.parameters)] = [parameters[name] for name in law.parameters]
        numbers = {kind: i for i, kind in enumerate(kinds)}
        found = [(g, a, b, patch_of(a, b)) for g, a, b in _kinds_of_pairs(shapes)]
        programs = {
            (g, numbers[a], numbers[b]): pair_program(laws[g], a, b)
            for g, a, b, patch in found
            if not patch and (a, b) in PAIRS
        }
        patches = {(g, numbers[a], numbers[b]): patch for g, a, b, patch in found if patch}
        modes = dict.fromkeys((g, mode) for (g, _, _), patch in patches.items() for mode in FEATURE_MODES[patch])
        points = {(g, mode): point_program(laws[g], mode) for g, mode in modes}
        motion = system.ready_program("body_motion")
        return PairSet(system, groups, shapes, kinds, programs, patches, points, values, motion)

    @cached_property
    def touch_programs(self) -> Mapping[tuple[int, int, int], Program]:
        """Programs of the geometry of contacts, without laws, by group and kinds of both shapes."""
        return {place: touch_program(self.kinds[place[1]], self.kinds[place[2]]) for place in self.programs}

    @cached_property
    def point_touch_programs(self) -> Mapping[tuple[int, FeatureMode], Program]:
        """Programs of the geometry of points of features, by group and mode."""
        patches = self.rigid_patches.items()
        modes = dict.fromkeys((g, mode) for (g, _, _), patch in patches for mode in FEATURE_MODES[patch])
        return {(g, mode): point_touch_program(mode) for g, mode in modes}

    @cached_property
    def rigid_patches(self) -> Mapping[tuple[int, int, int], PatchKind]:
        """How points of rigid contact are found where no closed form gives them, by group and kinds of both shapes."""
        kinds = {place: rigid_patch_of(self.kinds[place[1]], self.kinds[place[2]]) for place in self.programs}
        return {**self.patches, **{place: patch for place, patch in kinds.items() if patch}}

    @cached_property
    def finite(self) -> int:
        """The number of shapes that are no planes."""
        return sum(not isinstance(one.core, HalfSpace) for one in self.shapes)

    def tables(self, size: int, *, slopes: bool = False, rigid: bool = False) -> Pairs:
        """Return the tables of a run whose state has a size, with memory of their own; `slopes` for derivatives.

        With `rigid`, kernels find the points of rigid contacts.
        """
        motion, count, n = self.motion, len(self.system.bodies), len(self.shapes)
        room = min(self.finite * (self.finite - 1) // 2, _NEIGHBOURS * self.finite)
        touch = TouchTables(
            np.zeros((n, 4)), np.zeros((n, FRAME)), np.zeros(POINTS * (room + n * (n - self.finite))),
            np.zeros(size), np.zeros(size), np.zeros(FOUND),
        )  # fmt: skip
        shapes, groups, solids, surfaces = self._fixed_tables
        if rigid and self.rigid_patches != self.patches:
            groups = groups._replace(patches=self._patches(self.rigid_patches))
        solids = solids._replace(corners=solids.corners.copy())  # those of round shapes are written by kernels
        patch = Patch.of(int(np.diff(solids.first_corner).max(initial=0)), POINTS, RESULTS)
        frames = np.zeros((n, FRAME))
        finder = Finder(0, np.zeros(3, np.int64), np.zeros(1, np.int64))
        if groups.patches.any():
            address, words = features_of_pair.entry(shapes, groups.patches, solids, surfaces, patch, frames, 0, 0, 0)
            finder = finder._replace(address=address, words=_integers(words))
        tables = PairTables(
            motion.address, np.zeros(motion.output_size), count, shapes, groups, self._slots(),
            self._broad(room), touch, frames, np.zeros(self._arguments), np.zeros(RESULTS),
            solids, surfaces, patch, finder, self._slopes(slopes), False,
            all(group.normal.continuous for group in self.groups),
        )  # fmt: skip
        return Pairs(KERNELS, tables)

    @cached_property
    def idle(self) -> list[StillPairs]:
        """Tables for single states that nothing uses now."""
        return []

    @cached_property
    def _fixed_tables(self) -> tuple[ShapeTables, Groups, Solids, Surfaces]:
        """The tables that kernels only read, but for corners of round shapes."""
        cores = [one.core for one in self.shapes]
        return self._shapes(), self._groups(), solids_of(cores), surfaces_of(cores)

    def _slopes(self, wanted: bool) -> Slopes:
        """Return the memory for derivatives of loads, empty unless it is wanted."""
        kinds, row = len(self.kinds), self.system.row
        functions = np.zeros((len(self.groups), kinds, kinds), np.int64)
        if not wanted:
            none, whole = np.zeros(0), np.zeros(1, np.int64)
            empty = np.zeros((0, 0))
            return Slopes(0, functions, 0, none, empty, empty, none, none, none, whole, none, whole)
        laws, size = [Law(group) for group in self.groups], row.state_size
        for g, a, b in self.programs:
            functions[g, a, b] = pair_block(laws[g], self.kinds[a], self.kinds[b]).address
        along = self.system.program("body_motion_along")
        rows, columns = PAIR_RESULTS + 3 * POINTS, 2 * FRAME + GIVEN * POINTS
        return Slopes(
            along.address, functions, row.inputs.start, np.zeros(along.input_size),
            np.zeros((size, along.output_size)), np.zeros((size, len(self.system.inputs))), np.zeros(rows * columns),
            np.zeros(2 * FRAME), np.zeros(rows), np.zeros(1, np.int64), np.zeros(2 * FRAME + 3),
            np.zeros(POINTS, np.int64),
        )  # fmt: skip

    @property
    def _arguments(self) -> int:
        """The number of arguments of a pair."""
        return 2 * FRAME + SIZES + GIVEN * POINTS + int(self.values.shape[1])

    def _slots(self) -> Slots:
        """Return the slots of the state for points that remember."""
        counts = [group.slots for group in self.groups]
        first = _integers(itertools.accumulate(counts, initial=0))
        coordinates, row = self.system.coordinates, self.system.row
        places: list[int] = []
        rates: list[int] = []
        for at, group in zip(self._first, self.groups, strict=True):
            if group.slots:
                begin = row.z.start + coordinates.place_of[group.slot_names[0]][1]
                places += range(begin, begin + SLOT * group.slots, SLOT)
                at += LOAD * len(group.loaded) + len(group.outputs)
                rates += range(at, at + RATES * group.slots, RATES)
        m = len(places)
        return Slots(
            first, _integers(places), _integers(rates), np.zeros(m), np.zeros(m, np.int64), np.zeros(1, np.int64),
            np.zeros(m, np.int64),
        )  # fmt: skip

    def _shapes(self) -> ShapeTables:
        n, shapes = len(self.shapes), self.shapes
        order = {body: i for i, body in enumerate(self.system.bodies)}
        placements = np.zeros((n, 12))
        for i, one in enumerate(shapes):
            placements[i] = [*np.ravel(np.array(one.solid.placement.R_BS, float)), *one.solid.placement.r_BS_B]
        return ShapeTables(
            _integers(order.get(one.body, -1) for one in shapes),
            placements,
            np.array([dimensions_of(one.core) for one in shapes]).reshape(n, DIMENSIONS),
            np.array([one.solid.radius for one in shapes]),
            _integers(self.kinds.index(type(one.core)) for one in shapes),
            _integers(one.group for one in shapes),
            _integers(one.side for one in shapes),
            self._excluded(),
            _integers(self._load_place(one) for one in shapes),
            self.finite,
        )

    def _load_place(self, one: _Placed) -> int:
        """Return where in a row the load of a group on the body of a shape is, −1 for the ground."""
        if one.body == GROUND:
            return -1
        return self._first[one.group] + LOAD * self._loaded[one.group][one.body]

    @cached_property
    def _loaded(self) -> list[dict[str, int]]:
        """The number of each loaded body, for all groups."""
        return [{body: i for i, body in enumerate(group.loaded)} for group in self.groups]

    @cached_property
    def _first(self) -> list[int]:
        """Where in a row the inputs of each group begin."""
        inputs, start = self.system.inputs, self.system.row.inputs.start
        return [int(start + inputs.index(group.inputs[0])) for group in self.groups]

    def _groups(self) -> Groups:
        functions = np.zeros((len(self.groups), len(self.kinds), len(self.kinds)), np.int64)
        points = np.zeros_like(functions)
        for (g, a, b), program in self.programs.items():
            functions[g, a, b] = program.address
            points[g, a, b] = points[g, b, a] = PAIRS[self.kinds[a], self.kinds[b]].points
        placed = list(zip(self._first, self.groups, strict=True))
        return Groups(
            functions,
            points,
            self._patches(self.patches),
            self.point_functions(self.point_programs),
            self.values,
            _integers(at + LOAD * len(group.loaded) for at, group in placed),
            np.array([[at, at + len(group.inputs)] for at, group in placed], np.int64),
        )

    def _patches(self, found: Mapping[tuple[int, int, int], PatchKind]) -> Places:
        """Return how points are found, as kernels take it."""
        patches = np.zeros((len(self.groups), len(self.kinds), len(self.kinds)), np.int64)
        for (g, a, b), patch in found.items():
            patches[g, a, b] = patches[g, b, a] = patch
        return patches

    def point_functions(self, programs: Mapping[tuple[int, FeatureMode], Program]) -> Places:
        """Return the addresses of programs of points by group and mode."""
        found = np.zeros((len(self.groups), max(FeatureMode) + 1), np.int64)
        for place, program in programs.items():
            found[place] = program.address
        return found

    def _broad(self, room: int) -> Broad:
        n = self.finite
        return Broad(
            np.arange(n, dtype=np.int64), np.zeros((n, 3)), np.zeros(n), np.zeros((n, 6)),
            np.zeros((2, room), np.int64), np.zeros(n + 1, np.int64), np.zeros(room, np.int64),
            np.zeros(NUMBERS, np.int64),
        )  # fmt: skip

    def _excluded(self) -> Floats:
        """Return the pairs of shapes on bodies that a joint connects, where these do not touch."""
        joined: dict[str, set[str]] = {}
        for joint in self.system.model.joints.values():
            if not isinstance(joint, Free | Translation):
                joined.setdefault(joint.parent.body, set()).add(joint.child.body)
                joined.setdefault(joint.child.body, set()).add(joint.parent.body)
        places: dict[tuple[int, str], list[int]] = {}
        for i, one in enumerate(self.shapes):
            places.setdefault((one.group, one.body), []).append(i)
        found = sorted(
            (i, j)
            for i, one in enumerate(self.shapes)
            if not self.groups[one.group].joined
            for other in joined.get(one.body, ())
            for j in places.get((one.group, other), ())
            if i < j
        )
        return np.array(found, float).reshape(len(found), 2)

    def fill(self, rows: Floats) -> None:
        """Write the loads at all rows of arguments into them."""
        with StillPairs.of(self) as still:
            for row in rows:
                still.load(row)

    def require_apart(self, row: Floats) -> None:
        """Refuse a state in which two shapes overlap by more than half the size of the smaller one."""
        with StillPairs.of(self) as still:
            depth = still.depth(row.copy())
            found = still.tables.touch.found.copy()
        if depth > DEPTH_LIMIT:
            a, b = (self.shapes[int(found[place])] for place in (DEEPEST_A, DEEPEST_B))
            size = depth * min(one.solid.radius for one in (a, b) if one.solid.radius)
            raise StateError(
                f"Contacts {self.groups[a.group].name!r}: {a.body!r} and {b.body!r} overlap by {size:.3g} m at the "
                "start. Begin with bodies that are apart."
            )


def forget_neighbours(tables: PairTables) -> None:
    """Let kept tables begin anew: the list of neighbours, and which points are held open."""
    tables.broad.numbers.fill(0)
    tables.touch.found.fill(0.0)


def _integers(values: Iterable[int]) -> Places:
    return np.array(list(values), np.int64)


def _placed(system: System, number: int, group: Contacts, value: Evaluator) -> Iterator[_Placed]:
    """Yield the shapes of a group."""
    for side, bodies in enumerate(group.sides, start=0 if group.among is not None else 1):
        for name in bodies:
            body = system.model[name]
            assert isinstance(body, Body), "a checked model has bodies there"
            for solid in placed_cores(body, value):
                yield _Placed(number, side, name, solid)


def _kinds_of_pairs(shapes: tuple[_Placed, ...]) -> list[tuple[int, type[Core], type[Core]]]:
    """Return group and kinds of all pairs that may occur, in the order in which functions take them."""
    found: dict[tuple[int, type[Core], type[Core]], None] = {}
    kinds = dict.fromkeys((one.group, one.side, type(one.core)) for one in shapes)
    for g, side, a in kinds:
        for h, other, b in kinds:
            if g == h and (side == 0 or side != other) and ((a, b) in PAIRS or patch_of(a, b)):
                found[g, a, b] = None
    return list(found)
