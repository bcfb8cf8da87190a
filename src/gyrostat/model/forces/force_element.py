"""The contract of a force element: its loads on bodies and coordinates, over abstract scalars."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, TypeAlias, TypeVar

from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End, Quantity, Scope
from gyrostat.model.record import Component
from gyrostat.model.registry import Registry
from gyrostat.model.state_variable import StateOwner
from gyrostat.scalar import Scalar, Scalars
from gyrostat.spatial import Matrix, Vector, cross, minus, plus

Formed = TypeVar("Formed")


@dataclass(frozen=True)
class PointMotion:
    """Pose and velocity of a frame on a body, in world axes."""

    position: Vector
    velocity: Vector
    rotation: Matrix
    omega: Vector

    def velocity_at(self, position: Vector) -> Vector:
        """Return the velocity of the material point of the body at a position in world axes."""
        return plus(self.velocity, cross(self.omega, minus(position, self.position)))


class Motion(Protocol):
    """The motion of a system at one instant: the interface for force elements and constraints."""

    @property
    def scalars(self) -> Scalars:
        """The scalar engine."""

    def end(self, end: End) -> PointMotion:
        """Return the motion of a frame on a body."""

    def quantity(self, name: str) -> Scalar:
        """Return a coordinate, its rate, a speed or a state by its full name."""

    def coordinate(self, name: str) -> Scalar:
        """Return the value of a coordinate."""

    def speed(self, name: str) -> Scalar:
        """Return the rate of a coordinate."""

    def input(self, name: str) -> Scalar:
        """Return the value of an input."""

    def once(self, name: str, form: Callable[[], Formed]) -> Formed:
        """Return what a function forms at this instant; under one name it is formed once."""

    def evaluate(self, formula: Formula, **variables: Scalar) -> Scalar:
        """Return the value of a formula, whose names may be those of all signals up to speeds.

        `variables` are those of the element.
        """


@dataclass(frozen=True)
class PointLoad:
    """A force at a point of a body, and a moment on that body, in world axes."""

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

    For a load on a coordinate the unit depends on the coordinate: `unit` for points and angles, `sliding_unit` for
    displacements.
    """

    size: Literal[1, 3]
    unit: str
    description: str
    sliding_unit: str = ""
    kinematic: bool = False
    """Whether no law of the element enters it, such as a length: then `measured` gives it."""


LAW = Scope(time=True, system=True)


@dataclass(frozen=True)
class ForceElement(Component, StateOwner):
    """Base of all force elements. A subclass declares its fields and defines `loads`; `observed` gives its outputs."""

    file_section: ClassVar[str] = "forces"
    word: ClassVar[str] = "force"
    outputs: ClassVar[Mapping[str, ForceOutput]] = {}
    """The outputs of the element, by suffix, such as `force`, `length`, `rate`."""
    open_suffixes: ClassVar[frozenset[str]] = frozenset(("power", "energy"))
    in_kernel: ClassVar[bool] = False
    """Whether a native kernel gives the loads in simulations, through the inputs of the element."""

    def __init_subclass__(cls, **arguments: object) -> None:
        super().__init_subclass__(**arguments)
        cls.suffixes = frozenset(cls.outputs)

    def inner_names(self) -> Mapping[str, str]:
        """Return descriptions of outputs and states within this element, by the word after the dot."""
        own = {label.partition(".")[0]: f"output {label!r}" for label in self.all_outputs}
        return {**super().inner_names(), **own, **self.words_of_states(self.name)}

    @property
    def all_outputs(self) -> Mapping[str, ForceOutput]:
        """The outputs of this element by suffix: those of its class, and others that its fields determine."""
        return self.outputs

    @abstractmethod
    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the loads on bodies and coordinates."""

    def observed(self, motion: Motion) -> Mapping[str, Scalar | Vector]:
        """Return the value of each of `all_outputs`."""
        return {}

    def measured(self, motion: Motion) -> Mapping[str, Scalar | Vector]:
        """Return the values of the kinematic outputs, without evaluating any law."""
        return {}

    @property
    def dampers(self) -> tuple[Quantity, ...]:
        """The damping coefficients of the element; where none is negative, they only take energy away."""
        return ()

    @property
    def laws(self) -> tuple[Quantity, ...] | None:
        """Further loads, whose work is not known beforehand; None if all loads of the element are of this kind."""
        return None

    @property
    def coordinate(self) -> str | None:
        """The coordinate on which the element acts; None if it acts on points or bodies."""
        return None

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of inputs that the element adds to the system."""
        return ()

    @property
    def solved_inputs(self) -> tuple[str, ...]:
        """Those of its inputs that follow from the equations of motion, such as loads of rigid contacts."""
        return ()


FORCES: Registry[ForceElement] = Registry("force", ForceElement)
