"""One C function from an expression graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gyrostat.program.graph import Graph
from gyrostat.program.listing import Language, listing
from gyrostat.program.port import Port


@dataclass(frozen=True)
class CFunction:
    """A function of a library: its name in C and its graph.

    Its arguments are the graph's inputs, time by value and others as arrays, then its outputs as arrays. Matrices are
    stored row by row, with all entries.
    """

    name: str
    graph: Graph

    @property
    def declaration(self) -> str:
        """The declaration, without the semicolon."""
        given = [
            f"double {port.name}" if _by_value(port) else f"const double *{port.name}" for port in self.graph.inputs
        ]
        arguments = ", ".join([*given, *(f"double *{port.name}" for port in self.graph.outputs)])
        return f"void {self.name}({arguments})"

    @property
    def sizes(self) -> str:
        """The sizes of the outputs, in words."""
        return ", ".join(f"{port.name}[{'*'.join(map(str, port.shape))}]" for port in self.graph.outputs)

    def definition(self) -> Iterator[str]:
        """Yield the lines of the definition."""
        names = [name for port in self.graph.inputs for name in entry_names(port)]
        found = listing(self.graph, names, Language.C)
        yield self.declaration
        yield "{"
        yield from (f"    const double {name} = {text};" for name, text in found.statements)
        results = iter(found.results)
        for port in self.graph.outputs:
            stored = {int(place): next(results) for place in entry_places(port)}
            whole = port.rows * port.columns
            yield from (f"    {port.name}[{i}] = {stored.get(i, '0.0')};" for i in range(whole))
        yield "    " + " ".join(f"(void){port.name};" for port in (*self.graph.inputs, *self.graph.outputs))
        yield "}"


def _by_value(port: Port) -> bool:
    return port.name == "t"


def entry_names(port: Port) -> list[str]:
    """Return the texts of the entries of an input."""
    return [port.name] if _by_value(port) else [f"{port.name}[{i}]" for i in range(port.size)]


def entry_places(port: Port) -> list[int]:
    """Return the places of the stored entries in the array, row by row."""
    if port.pattern is None:
        rows, columns = np.divmod(np.arange(port.size), port.rows)[::-1] if port.rows else (np.zeros(0), np.zeros(0))
    else:
        rows, columns = port.pattern
    return [int(row) * port.columns + int(column) for row, column in zip(rows, columns, strict=True)]
