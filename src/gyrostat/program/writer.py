"""Writes the LLVM IR of a graph: the chunks of its schedule, the functions they call, and the entry points.

Scalar modules export `gyrostat_evaluate(in, out)` and `gyrostat_loop(in, out, count)`; modules of many lanes export
`gyrostat_batch(in, out, count)`. All are reentrant: the workspace belongs to the call.
"""

from __future__ import annotations

from gyrostat.program import entry
from gyrostat.program.chunk import Chunk
from gyrostat.program.dialect import Dialect
from gyrostat.program.functions import definitions
from gyrostat.program.graph import Graph
from gyrostat.program.schedule import CHUNK, schedule
from gyrostat.program.shape import ValueShape
from gyrostat.program.target import Target

_UNLIKELY_METADATA = '!0 = !{!"branch_weights", i32 1, i32 1000000}'
_EMPTY_METADATA = "!1 = !{}"


def write_module(graph: Graph, target: Target, *, lanes: int = 1, chunk: int = CHUNK) -> str:
    """Return the IR of a graph for a target, one state at a time or `lanes` states at a time."""
    shape = ValueShape(lanes)
    plan = schedule(graph, chunk=chunk, early=lanes == 1)
    dialect = Dialect(graph.codes.tolist(), shape)
    wide = ValueShape(target.lanes)
    chunks = [Chunk(graph, plan, dialect, wide, number).text() for number in range(len(plan.chunks))]
    helpers: list[str] = []
    for width, names in dialect.helpers.items():
        texts, declarations = definitions(names, ValueShape(width), fused=target.fused)
        helpers += texts
        dialect.declarations |= declarations
    sizes = entry.Sizes(graph.input_size, len(graph.results), plan.slot_count)
    together = entry.INTERLEAVED_STATES if lanes == 1 and len(graph.codes) >= entry.LONG_PROGRAM else 1
    entries = entry.scalar_entries(sizes, together=together) if lanes == 1 else entry.batch_entry(sizes, shape)
    body = entry.body(sizes, len(chunks), together=together)
    head = [f'target triple = "{target.triple}"', *sorted(dialect.declarations), _table(graph)]
    return "\n".join([*head, *helpers, *chunks, body, entries, _UNLIKELY_METADATA, _EMPTY_METADATA])


def _table(graph: Graph) -> str:
    """Return the graph's constants as a global array."""
    scalar = ValueShape(1)
    numbers = ", ".join(f"double {scalar.number(value)}" for value in graph.constants.tolist())
    return f"@table = internal constant [{len(graph.constants)} x double] [{numbers}], align {entry.ALIGNMENT}"
