"""Ropes of nodes as kernels take them: nodes, springs, contacts and the rest of the system with parameter values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.integrators.integrator import Integrator
from gyrostat.analysis.integrators.rosenbrock_method import jacobian_of
from gyrostat.analysis.integrators.run import NO_ROPES
from gyrostat.analysis.kernels.methods import Jacobian
from gyrostat.analysis.kernels.problem import Places, Rotations
from gyrostat.analysis.kernels.rope_tables import (
    MOTION,
    Carriers,
    NodeTables,
    Rest,
    RopeKernels,
    RopeMemory,
    Ropes,
    RopeTables,
    SheavePoints,
)
from gyrostat.analysis.simulation.rope_rest import NodeRope, RopeRest, rest_of
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.coordinates.row import FIRST
from gyrostat.kinematics.placement import place_on_body
from gyrostat.model.body import Body
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import SheaveContact
from gyrostat.model.formula import Formula
from gyrostat.model.names import GROUND
from gyrostat.program import Program
from gyrostat.recipes.sheave_function import coefficients, sheave_program
from gyrostat.scalar import FloatScalars
from gyrostat.system import System

STRETCHING, BENDING = (RopeKernels.of("node_ropes", width) for width in ("stretching", "bending"))


def rope_tables(system: System, parameters: Mapping[str, float], *, implicit: bool, modes: int = 0) -> Ropes | None:
    """Return the ropes of nodes of a system with memory of their own; None where it has none.

    Derivatives are formed for implicit methods only. Conditions of laws are as many `modes` behind the row.
    """
    found = rest_of(system)
    if found is None:
        return None
    key = implicit, modes, tuple(parameters[name] for name in system.model.parameters)
    if found.kept.get("key") != key:
        found.kept.clear()
        found.kept.update(key=key, tables=RopeSet(system, found, parameters, modes=modes).tables(implicit=implicit))
    tables: FixedTables = found.kept["tables"]
    return tables.with_memory()


def takes_ropes(system: System, integrator: Integrator, segment: Segment, modes: int) -> bool:
    """Return whether kernels form the motion of ropes of nodes: not where inputs change within steps.

    Conditions of laws, `modes` in all, must be those of the rest of the system.
    """
    if integrator.momenta or not integrator.ropes or not segment.plan.constant:
        return False
    found = rest_of(system)
    return found is not None and (not modes or _modes_of(found.system) == modes)


def _modes_of(rest: System | None) -> int:
    """Return the number of conditions of laws."""
    return 0 if rest is None else rest.ready_program("rates", locked=True).input_size - rest.row.size


def kernel_ropes(system: System, integrator: Integrator, segment: Segment, modes: int) -> Ropes:
    """Return the ropes of nodes whose motion kernels form in a segment, with their own memory, or none."""
    if not takes_ropes(system, integrator, segment, modes):
        return NO_ROPES
    return rope_tables(system, segment.parameters, implicit=integrator.jacobian, modes=modes) or NO_ROPES


def frictionless_tables(system: System, parameters: Mapping[str, float]) -> Ropes | None:
    """Return the ropes of nodes of a system without friction on pulleys; None where it has none."""
    found = rest_of(system)
    if found is None:
        return None
    return RopeSet(system, found, parameters, rough=False).tables(implicit=True).with_memory()


class FixedTables(NamedTuple):
    """The parts of tables that no run changes, and the programs whose addresses they have."""

    nodes: NodeTables
    points: SheavePoints
    carriers: Carriers
    rest: Rest
    loads: int
    """The number of loads on the rest."""
    programs: tuple[Program, ...]

    def with_memory(self) -> Ropes:
        """Return tables for a run."""
        nodes, points, rest = self.nodes, self.points, self.rest
        kernels, width = (BENDING, 8) if nodes.bending.any() else (STRETCHING, 5)
        modes = 0 if rest.motion == 0 else rest.x.size - rest.first_load - self.loads
        sizes = self.loads, rest.states.size, width, points.coefficients.shape[1], modes
        memory = RopeMemory.of(nodes.linked, points.nodes.size, self.carriers, *sizes)
        arrays = {name: np.zeros_like(getattr(rest, name)) for name in ("x", "found", "moved")}
        jacobian, moving, by_loads = (_with_room(one) for one in (rest.jacobian, rest.moving, rest.by_loads))
        own = rest._replace(jacobian=jacobian, moving=moving, by_loads=by_loads, **arrays)
        return Ropes(kernels, RopeTables(nodes, points, self.carriers, own, memory))


def _with_room(jacobian: Jacobian) -> Jacobian:
    """Return a Jacobian with memory of its own."""
    return jacobian._replace(
        **{name: getattr(jacobian, name).copy() for name in Jacobian._fields if name in _WRITTEN_ARRAYS}
    )


_WRITTEN_ARRAYS = frozenset(("entries", "rows", "products", "vector", "inputs", "column", "matrix", "by_time"))
"""The arrays of a Jacobian that kernels write."""


@dataclass(frozen=True, eq=False)
class RopeSet:
    """The ropes of nodes of a system, with values of its parameters."""

    system: System
    rest: RopeRest
    parameters: Mapping[str, float]
    rough: bool = True
    """Whether there is friction on pulleys."""
    modes: int = 0
    """The number of conditions of laws that are modes."""

    def tables(self, *, implicit: bool) -> FixedTables:
        """Return the tables of all runs."""
        points, point_programs = self._points()
        rest, programs = self._rest(implicit=implicit)
        loads = len(self.rest.loads)
        return FixedTables(self._nodes(), points, self._carriers(), rest, loads, (*point_programs, *programs))

    def _value(self, formula: Formula) -> float:
        return float(self._evaluator(formula))

    @property
    def _evaluator(self) -> Evaluator:
        return Evaluator(FloatScalars(), self.parameters.__getitem__)

    @property
    def _first(self) -> dict[str, int]:
        """The number of the first node of each rope."""
        found, count = {}, 0
        for rope in self.rest.ropes:
            found[rope.name] = count
            count += rope.segments + 1
        return found

    def _nodes(self) -> NodeTables:
        ropes, places, n_q = self.rest.ropes, self.system.coordinates.place_of, self.system.coordinates.n_q
        count = sum(rope.segments + 1 for rope in ropes)
        port_of = {name: i for i, name in enumerate(self.rest.ports)}
        nodes = NodeTables(
            np.full(count, -1), np.full(count, -1), np.full(count, -1), np.zeros(count), np.zeros(count, np.int64),
            np.ones(count), np.zeros(count), np.zeros(count), np.zeros(count), np.zeros(count),
            np.array(self._evaluator.vector(self.system.model.gravity), dtype=float),
        )  # fmt: skip
        for rope in ropes:
            first = self._first[rope.name]
            for i, free in enumerate(rope.free):
                if not free:
                    nodes.ports[first + i] = port_of[rope.body(i)]
                    continue
                nodes.positions[first + i] = places[f"{rope.name}.m{i}.x"][1]
                nodes.speeds[first + i] = n_q + places[f"{rope.name}.m{i}.x.rate"][1]
            self._fill_elements(rope, nodes, first)
        return nodes

    def _fill_elements(self, rope: NodeRope, nodes: NodeTables, first: int) -> None:
        """Write masses of free nodes, springs and bends."""
        known: dict[Formula, float] = {}

        def value(formula: Formula) -> float:
            if formula not in known:
                known[formula] = self._value(formula)
            return known[formula]

        for i, free in enumerate(rope.free):
            if free:
                body = self.system.model[rope.body(i)]
                assert isinstance(body, Body), "nodes are bodies"
                nodes.masses[first + i] = float(body.mass_properties(self._evaluator).mass)
        for i, spring in enumerate(rope.springs, start=first):
            assert spring.length is not None, "springs of ropes have a length"
            nodes.linked[i] = 1
            nodes.lengths[i], nodes.stiffness[i] = value(spring.length), value(spring.stiffness)
            nodes.damping[i] = value(spring.damping)
        for i, bend in enumerate(rope.bends, start=first + 1):
            nodes.bending[i], nodes.bending_damping[i] = value(bend.stiffness), value(bend.damping)

    def _points(self) -> tuple[SheavePoints, list[Program]]:
        """Return the points that may touch pulleys, and the programs of their laws."""
        laws: dict[object, int] = {}
        examples: list[SheaveContact] = []
        rows: list[tuple[int, int, int, int]] = []
        places, row = self.system.coordinates.place_of, self.system.row
        pulleys = {(rope, pulley.name): i for i, (rope, pulley) in enumerate(self.rest.pulleys)}
        for rope in self.rest.ropes:
            for given in rope.contacts:
                contact = given if self.rough else replace(given, friction=None)
                # nodes between segments of other lengths touch on other circles
                law = laws.setdefault((rope.name, contact.pulley.name, contact.pulley.radius), len(examples))
                if law == len(examples):
                    examples.append(contact)
                bristles = [row.z.start - FIRST + places[one.name][1] for one in contact.state_variables]
                node = self._first[rope.name] + rope.number_of[contact.point.body]
                rows.append((node, pulleys[rope.name, contact.pulley.name], bristles[0] if bristles else -1, law))
        columns = np.array(rows, dtype=np.int64).reshape(len(rows), 4).T.copy()
        values = [[self._value(formula) for formula in coefficients(one)] for one in examples]
        room = np.zeros((len(examples), max((len(one) for one in values), default=0)))
        for i, one in enumerate(values):
            room[i, : len(one)] = one
        programs = [sheave_program(one, derivatives=after) for one in examples for after in (False, True)]
        nodes, carriers, states, laws_of = (np.ascontiguousarray(column) for column in columns)
        points = SheavePoints(
            nodes,
            carriers,
            states,
            laws_of,
            np.array([program.address for program in programs], dtype=np.int64).reshape(len(examples), 2),
            room,
            np.array([self._value(one.pulley.radius) for one in examples]),
        )
        return points, programs

    def _carriers(self) -> Carriers:
        model, rest = self.system.model, self.rest.system
        order = {} if rest is None else {body: i for i, body in enumerate(self.rest.carriers)}
        places, loads, first = [], [], 0
        for _, pulley in self.rest.pulleys:
            R_BE, r_BE_B = place_on_body(model, pulley.frame, self._evaluator)
            places.append([*r_BE_B, *R_BE[:, 2]])
            fixed = pulley.frame.body == GROUND
            loads.append(-1 if fixed else first)
            first += 0 if fixed else 6
        return Carriers(
            _integers(order.get(pulley.frame.body, -1) for _, pulley in self.rest.pulleys),
            np.array(places, dtype=float).reshape(len(places), 6),
            _integers(loads),
            _integers(order[port] for port in self.rest.ports),
            np.zeros((len(self.rest.ports), 3)),
            _integers(first + 3 * i for i in range(len(self.rest.ports))),
        )

    def _rest(self, *, implicit: bool) -> tuple[Rest, list[Program]]:
        """Return the rest of the system, and its programs."""
        rest, whole = self.rest.system, self.system
        if rest is None:
            return _no_rest(), []
        row, states = rest.row, rest.row.state_size
        places = whole.coordinates.place_of
        start = {"q": 0, "u": whole.coordinates.n_q, "z": whole.coordinates.n_q + whole.coordinates.n_u}
        at = [start[places[name][0]] + places[name][1] for name in rest.coordinates.place_of]
        sources = np.full(row.size + self.modes, -1)
        sources[row.size :] = whole.row.size + np.arange(self.modes)
        sources[0] = 0
        sources[row.state] = FIRST + np.array(at, dtype=np.int64)
        sources[row.parameters] = np.arange(whole.row.parameters.start, whole.row.parameters.stop)
        for i, name in enumerate(rest.inputs[: len(rest.inputs) - len(self.rest.loads)]):
            sources[row.inputs.start + i] = whole.row.inputs.start + whole.inputs.index(name)
        x, turned = np.zeros(sources.size), rest.coordinates.turned_places
        programs, matrices = self._programs(rest, x.size, implicit=implicit)
        rates, power, motion = (program.address for program in programs[:3])
        bodies = programs[2].output_size // MOTION
        found = Rest(
            rates,
            power,
            motion,
            matrices["moving"],
            matrices["by_loads"],
            x,
            sources,
            _integers(at),
            row.inputs.stop - len(self.rest.loads),
            rest.coordinates.n_q,
            rest.coordinates.mass_diagonal.copy(),
            Rotations(np.array(turned, dtype=np.int64).reshape(len(turned), 2), True),
            matrices["jacobian"],
            bodies,
            np.zeros(states),
            np.zeros(MOTION * bodies),
        )
        return found, programs

    def _programs(self, rest: System, size: int, *, implicit: bool) -> tuple[list[Program], dict[str, Jacobian]]:
        """Return the programs of rates, power and motion of the rest, further ones, and its matrices of derivatives.

        Of a tree of many links they are rolled code, which is ready soon.
        """
        locked, bodies, loads, states = self.modes > 0, self.rest.carriers, len(self.rest.loads), rest.row.state_size
        formed = rest.ready_program if rest.derivatives_roll else rest.program
        programs = [formed(name, locked=locked) for name in ("rates", "load_power")]
        programs.append(rest.carrier_motion(bodies, locked=locked))
        moved = programs[-1].output_size
        if not implicit:
            none = jacobian_of(None, size, 0)
            return programs, {"moving": none, "by_loads": none, "jacobian": jacobian_of(None, size, states)}
        moving, by_loads = rest.carrier_derivatives(bodies, loads, locked=locked)
        own, in_time = (rest.program(name, locked=locked) for name in ("rates_jacobian", "rates_in_time"))
        matrices = {
            "moving": jacobian_of(moving, size, moved),
            "by_loads": _last_columns(jacobian_of(by_loads, size, states), loads),
            "jacobian": jacobian_of(own, size, states, in_time) if states else jacobian_of(None, size, 0),
        }
        return [*programs, moving, by_loads, own, in_time], matrices


def _last_columns(jacobian: Jacobian, count: int) -> Jacobian:
    """Return a dense Jacobian with its last columns alone."""
    first = len(jacobian.matrix) - count
    return jacobian._replace(matrix=jacobian.matrix[first:].copy(), rows=jacobian.rows[-count:].copy())


def _no_rest() -> Rest:
    none, empty = np.zeros(0, dtype=np.int64), jacobian_of(None, 0, 0)
    return Rest(
        0, 0, 0, empty, empty, np.zeros(0), none, none, 0, 0, np.zeros(0), Rotations(none.reshape(0, 2), True),
        empty, 0, np.zeros(0), np.zeros(0),
    )  # fmt: skip


def _integers(values: Iterable[int]) -> Places:
    return np.array(list(values), dtype=np.int64)
