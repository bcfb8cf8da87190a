"""Blocks of a sweep: points that follow each other and are written together."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Blocks:
    """A plan cut into blocks: points that follow each other and are written together."""

    shape: tuple[int, ...]
    block: tuple[int, ...]
    """The shape of a block: 1 along the first axes, whole along the last."""

    @staticmethod
    def of(shape: tuple[int, ...], most: int) -> Blocks:
        """Return blocks of at most so many points, as many as fit.

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
        """Return where a block is among the blocks."""
        return tuple(int(i) for i in np.unravel_index(number, self.counts))

    def extent(self, number: int) -> tuple[slice, ...]:
        """Return which places along the axes a block has."""
        pairs = zip(self.place(number), self.block, self.shape, strict=True)
        return tuple(slice(i * part, min((i + 1) * part, whole)) for i, part, whole in pairs)

    def range(self, number: int) -> tuple[int, int]:
        """Return the number of the first point of a block, and that after the last."""
        extent = self.extent(number)
        start = int(np.ravel_multi_index([one.start for one in extent], self.shape))
        return start, start + math.prod(one.stop - one.start for one in extent)

    def owner(self, point: int) -> int:
        """Return the block that a point is in."""
        place = np.unravel_index(point, self.shape)
        inside = [int(i) // part for i, part in zip(place, self.block, strict=True)]
        return int(np.ravel_multi_index(inside, self.counts))
