"""Where the results of a sweep are kept: what all stores share, and the one in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.sweeps.blocks import Blocks
from gyrostat.analysis.sweeps.layout import Layout
from gyrostat.analysis.sweeps.points import Piece


class Store(ABC):
    """Results of a sweep, by blocks."""

    blocks: Blocks

    @abstractmethod
    def done(self) -> set[int]:
        """Return the numbers of blocks that are there."""

    @abstractmethod
    def write(self, block: int, piece: Piece) -> None:
        """Keep the results of a block."""

    @abstractmethod
    def values(self, name: str) -> Any:
        """Return the values of a variable, as xarray takes them."""

    @abstractmethod
    def status(self) -> NDArray[np.int8]:
        """Return the status of all points."""

    @abstractmethod
    def reasons(self) -> dict[int, str]:
        """Return why points failed, by their numbers."""

    def close(self) -> None:
        """Give up what only a sweep that runs needs."""


class MemoryStore(Store):
    """Results in memory."""

    def __init__(self, blocks: Blocks, layout: Layout) -> None:
        self.blocks = blocks
        self._values = {one.name: np.full((*blocks.shape, *one.shape), np.nan) for one in layout.variables}
        self._status = np.zeros(blocks.shape, dtype=np.int8)
        self._done: set[int] = set()
        self._reasons: dict[int, str] = {}

    def done(self) -> set[int]:
        """Return the numbers of blocks that are there."""
        return set(self._done)

    def write(self, block: int, piece: Piece) -> None:
        """Keep the results of a block."""
        extent = self.blocks.extent(block)
        shape = tuple(one.stop - one.start for one in extent)
        for name, values in piece.values.items():
            self._values[name][extent] = values.reshape(*shape, *values.shape[1:])
        self._status[extent] = piece.status.reshape(shape)
        self._reasons.update(piece.reasons)
        self._done.add(block)

    def values(self, name: str) -> Any:
        """Return the values of a variable."""
        return self._values[name]

    def status(self) -> NDArray[np.int8]:
        """Return the status of all points."""
        return self._status

    def reasons(self) -> dict[int, str]:
        """Return why points failed."""
        return dict(self._reasons)
