"""The symbols of a motion."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from gyrostat.coordinates.layout import acceleration_name
from gyrostat.written.symbols import Symbols


class MotionSymbols(ABC):
    """What has `symbols`, by the model's own names, has those of coordinates, speeds and accelerations in order."""

    @property
    @abstractmethod
    def symbols(self) -> Symbols:
        """The symbols by the model's own names."""

    @property
    def coordinates(self) -> tuple[Any, ...]:
        """The symbols of q."""
        return tuple(self.symbols.sympy[name] for name in self.symbols.coordinates.coordinate_names)

    @property
    def speeds(self) -> tuple[Any, ...]:
        """The symbols of u."""
        return tuple(self.symbols.sympy[name] for name in self.symbols.coordinates.speed_names)

    @property
    def accelerations(self) -> tuple[Any, ...]:
        """The symbols of u̇."""
        return tuple(self.symbols.sympy[acceleration_name(name)] for name in self.symbols.coordinates.speed_names)
