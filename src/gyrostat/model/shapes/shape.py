"""The contract of a drawn shape."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.record import Record
from gyrostat.model.registry import Registry
from gyrostat.scalar import Scalar


@dataclass(frozen=True)
class Shape(Record):
    """What a body looks like, in the body's axes; it has no mass.

    A subclass sets `tag`, declares its dimensions as fields and returns their values from `dimensions`.
    """

    @abstractmethod
    def dimensions(self, value: Evaluator) -> dict[str, Scalar | tuple[Scalar, ...]]:
        """Return the dimensions by name, lengths in metres, vectors in the body's axes."""


SHAPES: Registry[Shape] = Registry("shape", Shape)
