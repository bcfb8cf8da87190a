"""Blocks: consecutive points that are written together; tasks: parts of blocks that are run together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from gyrostat.analysis.sweeps.plan import Plan
from gyrostat.analysis.sweeps.points import Piece, Points

_TASK_DURATION = 0.3
"""Target duration of a task (s)."""
_SHORTEST_TASK = 0.01
"""Least duration of a task (s); sending one takes about 0.1 ms."""
_TASKS_PER_WORKER = 4
"""Number of tasks per worker that the remaining points are divided into, so that all workers finish together."""
_FIRST_SIZE = 1
_GROWTH = 8
"""Largest ratio of the sizes of successive tasks."""


@dataclass(frozen=True)
class Blocks:
    """The grid of a plan divided into blocks of consecutive points, which are written together."""

    shape: tuple[int, ...]
    block: tuple[int, ...]
    """The shape of a block: 1 along the first axes, the whole length along the last."""

    @staticmethod
    def of(shape: tuple[int, ...], most: int) -> Blocks:
        """Return the largest blocks of at most `most` points.

        >>> Blocks.of((10, 4, 3), 30).block, Blocks.of((10, 4, 3), 7).block, Blocks.of((5,), 2).block
        ((2, 4, 3), (1, 2, 3), (2,))
        """
        block = [1] * len(shape)
        room = max(most, 1)
        for i in reversed(range(len(shape))):
            block[i] = min(shape[i], room)
            room //= block[i]
            if block[i] < shape[i]:
                break
        return Blocks(shape, tuple(block))

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of blocks along each axis."""
        return tuple(-(-whole // part) for whole, part in zip(self.shape, self.block, strict=True))

    def __len__(self) -> int:
        return math.prod(self.counts)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self)))

    def place(self, number: int) -> tuple[int, ...]:
        """Return the multi-index of a block."""
        return tuple(int(i) for i in np.unravel_index(number, self.counts))

    def extent(self, number: int) -> tuple[slice, ...]:
        """Return the index range of a block along each axis."""
        pairs = zip(self.place(number), self.block, self.shape, strict=True)
        return tuple(slice(i * part, min((i + 1) * part, whole)) for i, part, whole in pairs)

    def range(self, number: int) -> tuple[int, int]:
        """Return the range of a block's points: the number of the first, and one past the last."""
        extent = self.extent(number)
        start = int(np.ravel_multi_index([one.start for one in extent], self.shape))
        return start, start + math.prod(one.stop - one.start for one in extent)

    def owner(self, point: int) -> int:
        """Return the block that contains a point."""
        place = np.unravel_index(point, self.shape)
        inside = [int(i) // part for i, part in zip(place, self.block, strict=True)]
        return int(np.ravel_multi_index(inside, self.counts))


class Tasks(Iterator[Points]):
    """Parts of blocks in order; `learn` adapts the number of points of the next ones."""

    def __init__(self, plan: Plan, blocks: Blocks, wanted: Iterable[int], total: int, workers: int) -> None:
        self._plan, self._blocks, self._wanted = plan, blocks, iter(wanted)
        self._left, self._share = total, _TASKS_PER_WORKER * workers if workers > 1 else 1
        self._size, self._least = _FIRST_SIZE, 1
        self._start = self._stop = 0

    def __next__(self) -> Points:
        if self._start >= self._stop:
            self._start, self._stop = self._blocks.range(next(self._wanted))
        size = min(self._size, max(self._least, self._left // self._share))  # smaller near the end
        first, last = self._start, min(self._start + size, self._stop)
        self._start, self._left = last, self._left - (last - first)
        return self._plan.points(first, last)

    def learn(self, piece: Piece) -> None:
        """Adapt the size of tasks to the duration of one."""
        count = piece.stop - piece.start
        fitting = int(_TASK_DURATION * count / max(piece.seconds, 1e-9))
        self._size = max(1, min(fitting, _GROWTH * max(self._size, count)))
        self._least = max(1, int(_SHORTEST_TASK / _TASK_DURATION * fitting))


@dataclass
class Book:
    """Collects pieces until their block is complete."""

    blocks: Blocks
    written: int = 0
    """Number of completed blocks."""
    _open: dict[int, list[Piece]] = field(default_factory=dict)

    def add(self, piece: Piece) -> tuple[int, Piece] | None:
        """Add a piece; return the block that it completes, or None."""
        block = self.blocks.owner(piece.start)
        pieces = self._open.setdefault(block, [])
        pieces.append(piece)
        start, stop = self.blocks.range(block)
        if sum(one.stop - one.start for one in pieces) < stop - start:
            return None
        self.written += 1
        return block, Piece.joined(self._open.pop(block))
