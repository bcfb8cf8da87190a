"""Transducers between a network and a coordinate of the mechanism."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.elements.element import TwoTerminal
from gyrostat.model.forces import CoordinateLoad, ForceElement, ForceOutput, Load, Motion
from gyrostat.model.kinds import ReferenceKind
from gyrostat.model.record import Component, value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply


@dataclass(frozen=True)
class Transducer(TwoTerminal):
    """Base of the elements that act on a coordinate: their part `name.load` is the force or torque on it.

    A subclass gives the edges, whose equations contain the rate of the coordinate, and the `load`, such that the power
    that leaves the network is the power of the load.
    """

    joint: str = value(ReferenceKind("coordinate"), doc="a joint or one of its coordinates")

    @abstractmethod
    def load(self, motion: Motion) -> Scalar:
        """Return the force or torque on the coordinate."""

    @property
    def outer_names(self) -> frozenset[str]:
        """The names in its formulas, and the rate of the coordinate."""
        return super().outer_names | {f"{self.joint}.rate"}

    def given_power(self, motion: Motion) -> Scalar:
        """Return the power of the load."""
        return multiply(self.load(motion), motion.speed(self.joint))

    def parts(self) -> Iterator[Component]:
        """Yield the load."""
        yield TransducerLoad(self.part_name("load"), self.joint, self)


@dataclass(frozen=True)
class TransducerLoad(ForceElement):
    """The force or torque of a transducer on its coordinate; the network supplies its power."""

    supplies_power: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "torque": ForceOutput(1, "N·m", "load on the coordinate", sliding_unit="N")
    }
    joint: str = value(ReferenceKind("coordinate"), doc="the coordinate")
    element: Transducer | None = None

    def _load(self, motion: Motion) -> Scalar:
        assert self.element is not None, "a load is made by its transducer"
        return self.element.load(motion)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the load on the coordinate."""
        yield CoordinateLoad(self.joint, self._load(motion))

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the load."""
        return {"torque": self._load(motion)}

    @property
    def coordinate(self) -> str:
        """The coordinate."""
        return self.joint

    def supplied_power(self, motion: Motion) -> Scalar:
        """Return the power that comes from the network."""
        return multiply(self._load(motion), motion.speed(self.joint))
