"""Rolled programs: recipes recorded as calls of functions that are compiled already."""

from __future__ import annotations

from functools import cache

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.row import PORTS
from gyrostat.kinematics.build import build_mechanism
from gyrostat.kinematics.state import State
from gyrostat.model.evaluator import Evaluator
from gyrostat.program import Program
from gyrostat.program.port import Port
from gyrostat.program.rolled.engine import RolledEngine
from gyrostat.program.rolled.library import Library
from gyrostat.program.rolled.table import Table
from gyrostat.recipes.digest import source_stamp
from gyrostat.recipes.kinds import trace_kind
from gyrostat.recipes.trace import Recipe, Trace
from gyrostat.scalar import Scalar
from gyrostat.scalar.record import Record
from gyrostat.scalar.recorded import RecordedScalars
from gyrostat.scalar.repeated import recording
from gyrostat.scalar.tracing import in_turn

@in_turn
def rolled_program(name: str, recipe: Recipe, coordinates: Coordinates) -> Program:
    """Return the program of a recipe for any engine."""
    library, row, model = _library(), coordinates.row, coordinates.topology.model
    record = Record(library)
    entries = {port: record.inputs(row.sizes[port]) for port in PORTS}
    values = dict(zip(model.parameters, entries["parameters"], strict=True))
    state = State(
        entries["q"],
        entries["u"],
        entries["t"][0],
        dict(zip(model.inputs, entries["inputs"], strict=True)),
        dict(zip(coordinates.state_names, entries["z"], strict=True)),
    )
    with recording(record):
        mechanism = build_mechanism(coordinates, Evaluator(RecordedScalars(record), values.__getitem__))
        outputs: dict[str, list[Scalar]] = recipe.outputs(Trace({}, mechanism.at(state), []))
    inputs = [entry for port in PORTS for entry in entries[port]]
    before = sum(len(entries[port]) for port in PORTS[: PORTS.index("parameters")])
    parameters = range(before, before + len(values))
    table = Table(library, record, inputs, parameters, [x for column in outputs.values() for x in column])
    ports_in, ports_out = ({n: len(column) for n, column in side.items()} for side in (entries, outputs))
    return Program(name, _ports(ports_in), _ports(ports_out), table.operation_counts, RolledEngine(library, table))


def _ports(sizes: dict[str, int]) -> tuple[Port, ...]:
    return tuple(Port(name, size, size, 1) for name, size in sizes.items())


@cache
def _library() -> Library:
    return Library(trace_kind, source_stamp())
