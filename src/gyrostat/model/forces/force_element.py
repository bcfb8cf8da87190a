"""The contract of a force element: which loads it puts on bodies and coordinates, over abstract scalars."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, TypeAlias

from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End, Scope
from gyrostat.model.record import Component
from gyrostat.model.registry import Registry
from gyrostat.scalar import Scalar, Scalars
from gyrostat.spatial import Matrix, Vector


@dataclass(frozen=True)
class PointMotion:
    """How a place on a body stands and moves, in world axes."""

    position: Vector
    velocity: Vector
    rotation: Matrix
    omega: Vector


class Motion(Protocol):
    """The motion of a system at one instant, as force elements and constraints see it."""

    @property
    def scalars(self) -> Scalars:
        """The engine."""

    def end(self, end: End) -> PointMotion:
        """Return the motion of a place on a body."""

    def coordinate(self, name: str) -> Scalar:
        """Return the value of a coordinate."""

    def speed(self, name: str) -> Scalar:
        """Return the rate of a coordinate."""

    def input(self, name: str) -> Scalar:
        """Return the value of an input."""

    def evaluate(self, formula: Formula, **variables: Scalar) -> Scalar:
        """Return the value of a formula; variables are the element's own."""


@dataclass(frozen=True)
class PointLoad:
    """A force at a place on a body, and a moment on that body, in world axes."""

    end: End
    force: Vector
    moment: Vector = (0, 0, 0)


@dataclass(frozen=True)
class CoordinateLoad:
    """A generalised force on one coordinate; its reaction acts through the joint."""

    coordinate: str
    value: Scalar


Load: TypeAlias = PointLoad | CoordinateLoad


@dataclass(frozen=True)
class ForceOutput:
    """An output of a force element: a number, or a vector in world axes.

    On a coordinate the unit depends on its measure: `unit` is for places and angles, `sliding_unit` for lengths.
    """

    size: Literal[1, 3]
    unit: str
    description: str
    sliding_unit: str = ""


LAW = Scope(time=True, system=True)


@dataclass(frozen=True)
class ForceElement(Component):
    """Base of all force elements. A subclass declares its fields and defines `loads`; `observed` gives its outputs."""

    section: ClassVar[str] = "forces"
    word: ClassVar[str] = "force"
    stores_energy: ClassVar[bool] = False
    """Whether the element has a potential energy."""
    outputs: ClassVar[Mapping[str, ForceOutput]] = {}
    """The outputs of the element, by suffix, such as `force`, `length`, `rate`."""

    def __init_subclass__(cls, **arguments: object) -> None:
        super().__init_subclass__(**arguments)
        cls.suffixes = frozenset(cls.outputs)

    @abstractmethod
    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the loads on bodies and coordinates."""

    def potential(self, motion: Motion) -> Scalar:
        """Return the energy stored in the element; asked for where `stores_energy` is set."""
        return 0

    def observed(self, motion: Motion) -> Mapping[str, Scalar | Vector]:
        """Return the value of each of the `outputs`."""
        return {}

    @property
    def coordinate(self) -> str | None:
        """The coordinate that the element acts on; None where it acts on places."""
        return None

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of inputs that the element adds to the system."""
        return ()


FORCES: Registry[ForceElement] = Registry("force", ForceElement)
