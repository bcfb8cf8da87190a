"""Ropes of nodes as kernels take them: nodes, springs, contacts and the rest of the system with parameter values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.integrators.rosenbrock_method import jacobian_of
from gyrostat.analysis.kernels.problem import Places, Rotations
from gyrostat.analysis.kernels.rope_tables import (
    MOTION,
    Carriers,
    Nodes,
    Rest,
    RopeKernels,
    RopeMemory,
    Ropes,
    RopeTables,
    SheavePoints,
)
from gyrostat.analysis.simulation.rope_rest import NodeRope, RopeRest
from gyrostat.coordinates.row import FIRST
from gyrostat.kinematics.placement import place_on_body
from gyrostat.model.body import Body
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import SheaveContact
from gyrostat.model.formula import Formula
from gyrostat.model.names import GROUND
from gyrostat.recipes.sheave_function import coefficients, sheave_program
from gyrostat.scalar import FloatScalars
from gyrostat.system import System

STRETCHING, BENDING = (RopeKernels.of("node_ropes", width) for width in ("stretching", "bending"))
_WIDTHS = {STRETCHING: 5, BENDING: 8}
_KEY = "rest of ropes"
_DERIVATIVES = ("body_motion_derivatives", "rates_by_inputs", "rates_jacobian", "rates_in_time")


def rest_of(system: System) -> RopeRest | None:
    """Return the ropes of nodes of a system and its rest, None where there are none; it is kept."""
    if _KEY not in system.cache:
        system.cache.keep(_KEY, RopeRest.of(system))
    found: RopeRest | None = system.cache[_KEY]
    return found


def rope_tables(system: System, parameters: Mapping[str, float], *, implicit: bool) -> Ropes | None:
    """Return the ropes of nodes of a system with memory of their own; None where it has none.

    Derivatives are formed for implicit methods only.
    """
    found = rest_of(system)
    return None if found is None else RopeSet(system, found, parameters).tables(implicit=implicit)


@dataclass(frozen=True, eq=False)
class RopeSet:
    """The ropes of nodes of a system, with values of its parameters."""

    system: System
    rest: RopeRest
    parameters: Mapping[str, float]

    def tables(self, *, implicit: bool) -> Ropes:
        """Return the tables of a run."""
        bends = any(rope.bends for rope in self.rest.ropes)
        kernels = BENDING if bends else STRETCHING
        nodes, points, carriers = self._nodes(), self._points(), self._carriers()
        loads, states = len(self.rest.loads), 0 if self.rest.system is None else self.rest.system.row.state_size
        memory = RopeMemory.of(
            nodes.masses.size,
            points.nodes.size,
            carriers,
            loads,
            states,
            _WIDTHS[kernels],
            points.coefficients.shape[1],
        )
        return Ropes(kernels, RopeTables(nodes, points, carriers, self._rest(implicit=implicit), memory))

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

    def _nodes(self) -> Nodes:
        ropes, places, n_q = self.rest.ropes, self.system.coordinates.place_of, self.system.coordinates.n_q
        count = sum(rope.segments + 1 for rope in ropes)
        port_of = {name: i for i, name in enumerate(self.rest.ports)}
        nodes = Nodes(
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

    def _fill_elements(self, rope: NodeRope, nodes: Nodes, first: int) -> None:
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

    def _points(self) -> SheavePoints:
        laws: dict[object, int] = {}
        examples: list[SheaveContact] = []
        rows: list[tuple[int, int, int, int]] = []
        places, row = self.system.coordinates.place_of, self.system.row
        for rope in self.rest.ropes:
            for contact in rope.contacts:
                law = laws.setdefault((rope.name, contact.pulley), len(examples))
                if law == len(examples):
                    examples.append(contact)
                bristles = [row.z.start - FIRST + places[one.name][1] for one in contact.state_variables]
                node = self._first[rope.name] + rope.number_of[contact.point.body]
                rows.append((node, self.rest.pulleys.index(contact.pulley), bristles[0] if bristles else -1, law))
        columns = np.array(rows, dtype=np.int64).reshape(len(rows), 4).T.copy()
        values = [[self._value(formula) for formula in coefficients(one)] for one in examples]
        room = np.zeros((len(examples), max((len(one) for one in values), default=0)))
        for i, one in enumerate(values):
            room[i, : len(one)] = one
        functions = [[sheave_program(one, derivatives=after).address for after in (False, True)] for one in examples]
        return SheavePoints(
            *(np.ascontiguousarray(column) for column in columns),
            np.array(functions, dtype=np.int64).reshape(len(examples), 2),
            room,
            np.array([self._value(one.pulley.radius) for one in examples]),
        )

    def _carriers(self) -> Carriers:
        model, rest = self.system.model, self.rest.system
        order = {} if rest is None else {body: i for i, body in enumerate(rest.bodies)}
        places, loads, first = [], [], 0
        for pulley in self.rest.pulleys:
            R_BE, r_BE_B = place_on_body(model, pulley.frame, self._evaluator)
            places.append([*r_BE_B, *R_BE[:, 2]])
            fixed = pulley.frame.body == GROUND
            loads.append(-1 if fixed else first)
            first += 0 if fixed else 6
        return Carriers(
            _integers(order.get(pulley.frame.body, -1) for pulley in self.rest.pulleys),
            np.array(places, dtype=float).reshape(len(places), 6),
            _integers(loads),
            _integers(order[port] for port in self.rest.ports),
            np.zeros((len(self.rest.ports), 3)),
            _integers(first + 3 * i for i in range(len(self.rest.ports))),
        )

    def _rest(self, *, implicit: bool) -> Rest:
        rest, whole = self.rest.system, self.system
        if rest is None:
            return _no_rest()
        row, states = rest.row, rest.row.state_size
        places = whole.coordinates.place_of
        start = {"q": 0, "u": whole.coordinates.n_q, "z": whole.coordinates.n_q + whole.coordinates.n_u}
        at = [start[places[name][0]] + places[name][1] for name in rest.coordinates.place_of]
        sources = np.full(row.size, -1)
        sources[0] = 0
        sources[row.state] = FIRST + np.array(at, dtype=np.int64)
        sources[row.parameters] = np.arange(whole.row.parameters.start, whole.row.parameters.stop)
        for i, name in enumerate(rest.inputs[: len(rest.inputs) - len(self.rest.loads)]):
            sources[row.inputs.start + i] = whole.row.inputs.start + whole.inputs.index(name)
        x = np.zeros(row.size)
        turned = rest.coordinates.turned_places
        programs = {name: rest.program(name) for name in ("rates", "body_motion")}
        bodies = programs["body_motion"].output_size // MOTION
        derived = [rest.program(name) for name in _DERIVATIVES] if implicit else []
        addresses = [one.address for one in derived[:2]] or [0, 0]
        jacobian = jacobian_of(None, row.size, states)
        if implicit and states:
            jacobian = jacobian_of(derived[2], row.size, states, derived[3])
        return Rest(
            programs["rates"].address,
            programs["body_motion"].address,
            *addresses,
            x,
            sources,
            _integers(at),
            row.inputs.stop - len(self.rest.loads),
            rest.coordinates.n_q,
            rest.coordinates.mass_diagonal.copy(),
            Rotations(np.array(turned, dtype=np.int64).reshape(len(turned), 2), True),
            jacobian,
            bodies,
            np.zeros(states),
            np.zeros(MOTION * bodies),
            np.zeros((1 + states, MOTION * bodies)),
            np.zeros(row.size + row.n_inputs),
        )


def _no_rest() -> Rest:
    none = np.zeros(0, dtype=np.int64)
    return Rest(
        0, 0, 0, 0, np.zeros(0), none, none, 0, 0, np.zeros(0), Rotations(none.reshape(0, 2), True),
        jacobian_of(None, 0, 0), 0, np.zeros(0), np.zeros(0), np.zeros((1, 0)), np.zeros(0),
    )  # fmt: skip


def _integers(values: Iterable[int]) -> Places:
    return np.array(list(values), dtype=np.int64)
