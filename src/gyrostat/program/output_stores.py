"""Where the values of a graph are written in the output vector, and when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.program.graph import Graph

Copy = tuple[int, int]
"""A value, and a place of it in the output vector."""

_DIRECT_STORES = 32
"""The number of places that a value is written to where it is formed.

A Jacobian has the same entry hundreds of times, of equal components: more stores would make a chunk too long."""


@dataclass(frozen=True)
class OutputStores:
    """Stores of outputs: beside the instruction that forms their value, or as copies from memory."""

    direct: dict[int, list[int]]
    """The places that are written where a value is formed, by value."""
    given: tuple[Copy, ...]
    """Copies of inputs and constants, possible in every chunk."""
    late: tuple[Copy, ...]
    """Copies of values that have too many places, possible after the chunk that forms the value."""

    @staticmethod
    def of(graph: Graph) -> OutputStores:
        """Return the stores of a graph."""
        results, base = graph.results, graph.input_size
        order = np.argsort(results, kind="stable")
        values = results[order]
        rank = np.arange(len(values)) - np.searchsorted(values, values)
        direct: dict[int, list[int]] = {}
        given, late = list[Copy](), list[Copy]()
        for value, place, number in zip(values.tolist(), order.tolist(), rank.tolist(), strict=True):
            if value < base:
                given.append((value, place))
            elif number < _DIRECT_STORES:
                direct.setdefault(value, []).append(place)
            else:
                late.append((value, place))
        return OutputStores(direct, tuple(given), tuple(late))
