"""Stores of results: the contract, and the store in memory."""

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
        """Return the numbers of the complete blocks."""

    @abstractmethod
    def write(self, block: int, piece: Piece) -> None:
        """Store the results of a block."""

    @abstractmethod
    def values(self, name: str) -> Any:
        """Return the values of a variable as data of xarray."""

    @abstractmethod
    def status(self) -> NDArray[np.int8]:
        """Return the status of all points."""

    @abstractmethod
    def reasons(self) -> dict[int, str]:
        """Return the reasons for failures by the number of the point."""

    def close(self) -> None:
        """Release resources that only a running sweep needs."""


class MemoryStore(Store):
    """Results in memory."""

    def __init__(self, blocks: Blocks, layout: Layout) -> None:
        self.blocks = blocks
        self._values = {one.name: np.full((*blocks.shape, *one.shape), np.nan) for one in layout.variables}
        self._status = np.zeros(blocks.shape, dtype=np.int8)
        self._done: set[int] = set()
        self._reasons: dict[int, str] = {}

    def done(self) -> set[int]:
        """Return the numbers of the complete blocks."""
        return set(self._done)

    def write(self, block: int, piece: Piece) -> None:
        """Store the results of a block."""
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
        """Return the reasons for failures by the number of the point."""
        return dict(self._reasons)
