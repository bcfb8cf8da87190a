"""Rolled programs: recipes recorded as calls of functions that are compiled already."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.row import PORTS, Row
from gyrostat.kinematics.branches import BranchLink
from gyrostat.kinematics.build import build_mechanism
from gyrostat.kinematics.constraints import has_constraints
from gyrostat.kinematics.joint_links import joint_links
from gyrostat.kinematics.link import Link
from gyrostat.kinematics.mechanism import KinematicTree
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.tree_motion import Tree, build_tree
from gyrostat.kinematics.turns import uniform_turns
from gyrostat.model.constraints import ConstraintRow
from gyrostat.model.evaluator import Evaluator
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.program.port import Port
from gyrostat.program.rolled.engine import RolledEngine
from gyrostat.program.rolled.library import Library
from gyrostat.program.rolled.table import InstructionTable, needed
from gyrostat.program.rolled.tangents import Tangents
from gyrostat.program.rolled.taped_tangents import TapedTangents
from gyrostat.program.rolled.workspace import Workspace
from gyrostat.recipes.conditions import record_conditions
from gyrostat.recipes.constraints import constraints_of, without_formulas
from gyrostat.recipes.digest import source_stamp
from gyrostat.recipes.kinds import trace_kind, trace_tangent
from gyrostat.recipes.rolled_derivatives import Derivatives
from gyrostat.recipes.taped_calculus import TapedCalculus
from gyrostat.recipes.trace import MODES, Recipe, SparseMatrix, Trace
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import is_number
from gyrostat.scalar.locked import LockedScalars, SwitchRecord
from gyrostat.scalar.repeated import recording
from gyrostat.scalar.tape import Tape
from gyrostat.scalar.tape_pattern import key_of
from gyrostat.scalar.tape_scalars import TapeScalars
from gyrostat.scalar.tape_structure import TapeStructure
from gyrostat.scalar.tracing import TRACING
from gyrostat.spatial import PlaneTurn

_KIND_LIMIT = 6
"""So many kinds of links, with zeros and ones left out, are compiled for one tree; of others all constants are used."""


class RolledTree:
    """A tree at a recorded state, from which programs of recipes for any engine are made.

    They share its tape: what one has recorded, such as the angular velocities of links, others use. With `locked`,
    conditions of laws are recorded and replaced by modes, one more input.
    """

    def __init__(self, coordinates: Coordinates, softness: float = 0.0, *, locked: bool = False) -> None:
        model, row = coordinates.topology.model, coordinates.row
        self._library = _library()
        self._tape = Tape(self._library)
        self._entries = {port: self._tape.inputs(row.sizes[port]) for port in PORTS}
        entries = self._entries
        values = dict(zip(model.parameters, entries["parameters"], strict=True))
        state = MotionState(
            entries["q"],
            entries["u"],
            entries["t"][0],
            dict(zip(model.inputs, entries["inputs"], strict=True)),
            dict(zip(coordinates.state_names, entries["z"], strict=True)),
        )
        scalars: Scalars = TapeScalars(self._tape)
        record = None
        if locked:
            record = SwitchRecord(TapeStructure(self._tape, [*entries["t"], *entries["parameters"]]), scalars)
            scalars = LockedScalars(record)
        with _steadily(), recording(self._tape):
            value = Evaluator(scalars, values.__getitem__)
            tree: KinematicTree[Any]
            if coordinates.are_joint_coordinates and not has_constraints(coordinates):
                tree = self._tree(coordinates, value)
            else:
                tree = build_mechanism(coordinates, value)
                links: tuple[Any, ...] = tree.links
                self.regular = _share_kinds({_kind(link) for link in links}, links)
            calculus = TapedCalculus(TapedTangents(self._tape, self._library))
            self._trace = Trace({}, tree.at(state), [], calculus, softness, switches=record)
            if record is not None:
                record_conditions(self._trace.motion, record)
                entries[MODES] = [switch.mode for switch in record.switches]
        self._workspace = self._memory(row)

    def _memory(self, row: Row) -> Workspace:
        """Return the memory of all programs, which begins with their inputs."""
        before = sum(row.sizes[port] for port in PORTS[: PORTS.index("parameters")])
        inputs = [entry for column in self._entries.values() for entry in column]
        return Workspace(self._library, self._tape, inputs, range(before, before + row.sizes["parameters"]))

    @property
    def switches(self) -> tuple[Scalar, ...]:
        """The switching functions of laws with locked conditions."""
        record = self._trace.switches
        return () if record is None else tuple(switch.function for switch in record.switches)

    def _tree(self, coordinates: Coordinates, value: Evaluator) -> Tree:
        """Return a tree without constraints; where its links have many kinds, all their constants are in tables."""
        most = max(_KIND_LIMIT, (len(coordinates.topology.tree.order) + coordinates.n_u) // 8)
        kinds, links = set[Any](), list[Link]()
        for link in joint_links(coordinates, value):
            links.append(link)
            kinds.add(_kind(link))
            if len(kinds) > most:
                break  # a tree has at most so many links as bodies and speeds
        self.regular = len(kinds) <= most and _share_kinds(kinds, links)
        if self.regular:
            return build_tree(coordinates, value, links)
        return _uniform(build_tree(coordinates, replace(value, uniform=True)), self._tape)

    @cached_property
    def constraint_rows(self) -> tuple[ConstraintRow, ...]:
        """The nontrivial constraint rows of the system, without their formulas."""
        with _steadily(), recording(self._tape):
            return without_formulas(constraints_of(self._trace).rows)

    def program(self, name: str, recipe: Recipe) -> Program:
        """Return the program of a recipe."""
        with _steadily(), recording(self._tape):
            outputs: dict[str, list[Scalar] | SparseMatrix] = recipe.outputs(self._trace)
            results = [self._tape.place(x) for column in outputs.values() for x in _stored(column)]
            table = InstructionTable(self._workspace, needed(self._tape, results))
            table.gather([self._workspace.address(place) for place in results])
        return self._program(name, table, tuple(_port(name, column) for name, column in outputs.items()))

    def derivatives(self, name: str, form: Callable[[Trace, Tape], Derivatives]) -> Program:
        """Return a program of derivatives, as a function forms it."""
        tape = self._tape
        with _steadily(), recording(tape):
            values, matrices = form(self._trace, tape)
            given = [tape.place(x) for column in values.values() for x in column]
            used = (x for matrix in matrices for chain in matrix.chains for one in chain for x in one.results)
            table = InstructionTable(self._workspace.copy(), needed(tape, [*given, *(tape.place(x) for x in used)]))
            table.gather([table.workspace.address(place) for place in given])
            tangents = Tangents(table, tape)
            pushed = [tangents.pushed(matrix.chains) for matrix in matrices]
            if not given and tangents.are_zero:
                table.clear()
            ports = [Port(n, len(column), len(column), 1) for n, column in values.items()]
            ports += [tangents.output(matrix.name, one) for matrix, one in zip(matrices, pushed, strict=True)]
        return self._program(name, table, tuple(ports))

    def _program(self, name: str, table: InstructionTable, outputs: tuple[Port, ...]) -> Program:
        inputs = tuple(Port(n, len(column), len(column), 1) for n, column in self._entries.items())
        return Program(name, inputs, outputs, table.operation_counts, RolledEngine(self._library, table))


def _stored(output: list[Scalar] | SparseMatrix) -> list[Scalar]:
    """Return the values of an output that are stored."""
    return output if isinstance(output, list) else [output.entries[place] for place in output.by_columns]


def _port(name: str, output: list[Scalar] | SparseMatrix) -> Port:
    if isinstance(output, list):
        return Port(name, len(output), len(output), 1)
    i, j = np.array(output.by_columns, np.int32).reshape(-1, 2).T
    return Port(name, len(i), output.rows, output.columns, (i, j))


@contextmanager
def _steadily() -> Iterator[None]:
    """Context manager within which one thread records, and Python's collector of cycles rests.

    It would pass all blocks of a long tape several times.
    """
    with TRACING:
        collecting = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collecting:
                gc.enable()


def _constants(link: Link) -> tuple[Any, ...]:
    return link.R_PJ, link.r_PJ_P, link.mass, link.moment, link.inertia


def _kind(link: Link | BranchLink) -> object:
    """Return the kind of a link: the joint, and which of its constants are zero or one."""
    if isinstance(link, Link):
        return type(link.joint), link.reversed, key_of(_constants(link))
    slides = tuple(slide.direction for slide in link.placing.slides)
    constants = link.turning.R_PJ, link.placing.r_PJ_P, slides, link.mass, link.moment, link.inertia
    return type(link.turning.joint), link.turning.reversed, key_of(constants)


def _share_kinds(kinds: Collection[object], links: Sequence[Link | BranchLink]) -> bool:
    """Tell whether many links share their kind."""
    return len(kinds) <= max(_KIND_LIMIT, len(links) // 8)


def _uniform(tree: Tree, tape: Tape) -> Tree:
    """Return a tree whose links have all constants in tables, zeros too: few kinds serve all such trees."""
    links: list[Link] = []
    for link in tree.links:
        R, r, mass, moment, inertia = _constants(link)
        turns = uniform_turns(R) if all(is_number(x) for row in R for x in row) else ()
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia
        angles = tuple((turn.cosine, turn.sine) for turn in turns)
        found = tape.tabled((r, mass, moment, (xx, xy, xz, yy, yz, zz), angles, R))
        r, mass, moment, (xx, xy, xz, yy, yz, zz), angles, R = found
        known = None
        if turns:
            first, second, last = (PlaneTurn(turn.axis, *angle) for turn, angle in zip(turns, angles, strict=True))
            known = first, second, last
        inertia = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
        links.append(replace(link, R_PJ=R, r_PJ_P=r, mass=mass, moment=moment, inertia=inertia, turns=known))
    return replace(tree, links=tuple(links))


@cache
def _library() -> Library:
    return Library(trace_kind, trace_tangent, source_stamp())
