"""Contacts of many pairs at single states: their loads and the deepest overlap, without a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gyrostat.analysis.kernels.library import deepest_pair, load_pairs
from gyrostat.analysis.kernels.native_kernel import BoundKernel
from gyrostat.analysis.kernels.pair_tables import PairTables

if TYPE_CHECKING:
    from gyrostat.analysis.simulation.pairs import PairSet

_KEPT_SHAPES_LIMIT = 100
"""The largest number of shapes whose memory is kept: for more, an evaluation takes longer than to make it."""


@dataclass(frozen=True, eq=False)
class StillPairs:
    """Tables with memory of their own, and the kernels that take them; for one thread at a time."""

    tables: PairTables
    load: BoundKernel[int]
    """Writes the loads at a row of arguments into it."""
    depth: BoundKernel[float]
    """Returns the largest overlap at a row of arguments, in terms of the smaller size."""

    @staticmethod
    @contextmanager
    def of(pairs: PairSet) -> Iterator[StillPairs]:
        """Lend out kept tables of a set of pairs, or make new ones: packing takes longer than loads of few pairs."""
        try:
            still = pairs.idle.pop()  # another thread finds the next one
        except IndexError:
            still = StillPairs._of(pairs)
        yield still
        if len(pairs.shapes) <= _KEPT_SHAPES_LIMIT:
            pairs.idle.append(still)

    @staticmethod
    def _of(pairs: PairSet) -> StillPairs:
        tables = pairs.tables(pairs.system.row.state_size).tables
        return StillPairs(tables, load_pairs.bind(tables), deepest_pair.bind(tables))
