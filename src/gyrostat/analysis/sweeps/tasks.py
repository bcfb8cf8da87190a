"""Tasks: the points that are still to be run, cut into parts that take a fraction of a second each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gyrostat.analysis.sweeps.blocks import Blocks
from gyrostat.analysis.sweeps.plan import Plan
from gyrostat.analysis.sweeps.points import Piece, Points

_AIM = 0.3
"""Seconds that a task should take."""
_LEAST = 0.01
"""Seconds that it should take at least: sending it takes a ten-thousandth."""
_PARTS = 4
"""How many tasks each worker gets of what is left, so that all end at about the same time."""
_FIRST_SIZE = 1
_GROWTH = 8
"""By which tasks grow at most, from the first one on."""


class Tasks(Iterator[Points]):
    """Parts of blocks in order; `learn` sets how many points the next ones have."""

    def __init__(self, plan: Plan, blocks: Blocks, wanted: Iterable[int], total: int, workers: int) -> None:
        self._plan, self._blocks, self._wanted = plan, blocks, iter(wanted)
        self._left, self._share = total, _PARTS * workers if workers > 1 else 1
        self._size, self._least = _FIRST_SIZE, 1
        self._start = self._stop = 0

    def __next__(self) -> Points:
        if self._start >= self._stop:
            self._start, self._stop = self._blocks.range(next(self._wanted))
        size = min(self._size, max(self._least, self._left // self._share))  # smaller towards the end
        first, last = self._start, min(self._start + size, self._stop)
        self._start, self._left = last, self._left - (last - first)
        return self._plan.points(first, last)

    def learn(self, piece: Piece) -> None:
        """Learn from how long a task took."""
        count = piece.stop - piece.start
        fitting = int(_AIM * count / max(piece.seconds, 1e-9))
        self._size = max(1, min(fitting, _GROWTH * max(self._size, count)))
        self._least = max(1, int(_LEAST / _AIM * fitting))


@dataclass
class Book:
    """Pieces that wait until their block is whole."""

    blocks: Blocks
    written: int = 0
    """How many blocks became whole."""
    _open: dict[int, list[Piece]] = field(default_factory=dict)

    def add(self, piece: Piece) -> tuple[int, Piece] | None:
        """Add a piece; return the block that it makes whole, if it does."""
        block = self.blocks.owner(piece.start)
        pieces = self._open.setdefault(block, [])
        pieces.append(piece)
        start, stop = self.blocks.range(block)
        if sum(one.stop - one.start for one in pieces) < stop - start:
            return None
        self.written += 1
        return block, Piece.joined(self._open.pop(block))
