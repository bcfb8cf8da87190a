"""One C function from an expression graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gyrostat.io.c_library.parts import ARRAY, Assignment, are_long, in_parts
from gyrostat.once import cached_property
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
        return f"void {self.name}({self._arguments})"

    @property
    def _arguments(self) -> str:
        given = [
            f"double {port.name}" if _by_value(port) else f"const double *{port.name}" for port in self.graph.inputs
        ]
        return ", ".join([*given, *(f"double *{port.name}" for port in self.graph.outputs)])

    @property
    def _names(self) -> list[str]:
        return [port.name for port in (*self.graph.inputs, *self.graph.outputs)]

    @property
    def sizes(self) -> str:
        """The sizes of the outputs, in words."""
        return ", ".join(f"{port.name}[{'*'.join(map(str, port.shape))}]" for port in self.graph.outputs)

    @property
    def is_long(self) -> bool:
        """Whether the function is written in parts."""
        return are_long(self._assignments)

    @cached_property
    def _assignments(self) -> Sequence[Assignment]:
        """All values in order, those of the outputs last."""
        names = [name for port in self.graph.inputs for name in entry_names(port)]
        found = listing(self.graph, names, Language.C)
        assignments, results = [Assignment(name, text) for name, text in found.statements], iter(found.results)
        for port in self.graph.outputs:
            stored = {int(place): next(results) for place in entry_places(port)}
            whole = port.rows * port.columns
            assignments += [Assignment(f"{port.name}[{i}]", stored.get(i, "0.0")) for i in range(whole)]
        return assignments

    def definition(self) -> Iterator[str]:
        """Yield the lines of the definition, of a long function those of its parts before."""
        if self.is_long:
            yield from self._definition_in_parts()
        else:
            yield from (self.declaration, "{", *(one.line for one in self._assignments), _unused(self._names), "}")

    def _definition_in_parts(self) -> Iterator[str]:
        parts, count = in_parts(self._assignments)
        names, calls = [*self._names, ARRAY], []
        for number, part in enumerate(parts, start=1):
            name = f"{self.name}_part{number}"
            yield from (f"PART void {name}({self._arguments}, double *{ARRAY})", "{")
            yield from (*(one.line for one in part), _unused(names), "}", "")
            calls.append(f"    {name}({', '.join(names)});")
        yield from (self.declaration, "{", f"    double {ARRAY}[{count + 1}];", *calls, "}")


def _unused(names: Sequence[str]) -> str:
    """Return the line that marks arguments as used."""
    return "    " + " ".join(f"(void){name};" for name in names)


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
