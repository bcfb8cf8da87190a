"""Edges of a network: roles in the choice of the tree, and terminal equations as data over abstract scalars."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import NamedTuple, TypeAlias

from gyrostat.model.forces import Motion
from gyrostat.model.formula import Formula
from gyrostat.scalar import Scalar

Coefficient: TypeAlias = Callable[[Motion], Scalar]
"""A number of a terminal equation: a function of parameters, time and signals outside of the network."""


class Side(Enum):
    """The two variables of an edge."""

    ACROSS = "across"
    THROUGH = "through"


class Variable(NamedTuple):
    """The across or the through variable of an edge, by the name of the edge, or its rate."""

    edge: str
    side: Side
    order: int = 0
    """1 for the rate of the variable."""

    @property
    def rate(self) -> Variable:
        """The rate of this variable."""
        return Variable(self.edge, self.side, self.order + 1)

    @property
    def other(self) -> Variable:
        """The other variable of the edge."""
        return Variable(self.edge, Side.THROUGH if self.side is Side.ACROSS else Side.ACROSS, self.order)


def across(edge: str) -> Variable:
    """Return the across variable of an edge: tail minus head."""
    return Variable(edge, Side.ACROSS)


def through(edge: str) -> Variable:
    """Return the through variable of an edge: positive from tail to head."""
    return Variable(edge, Side.THROUGH)


class Role(IntEnum):
    """The kind of a terminal equation; low numbers are offered to the normal tree first (McPhee 2002, part 2)."""

    ACROSS_DRIVER = 0
    NULLATOR = 1  # both variables are zero
    CAPACITOR = 2  # stores energy by its across variable
    RESISTOR = 3
    NONLINEAR = 4
    COUPLED = 5  # a port of a transformer or gyrator: its equations belong to the element
    INDUCTOR = 6  # stores energy by its through variable
    NORATOR = 7  # no equation
    THROUGH_DRIVER = 8


@dataclass(frozen=True)
class Linear:
    """A sum of network variables times coefficients, and a constant."""

    terms: tuple[tuple[Variable, Coefficient], ...] = ()
    constant: Coefficient | None = None

    @property
    def needs(self) -> tuple[Variable, ...]:
        """The variables of the network that enter."""
        return tuple(variable for variable, _ in self.terms)


@dataclass(frozen=True)
class Function:
    """A nonlinear function of network variables: form(motion, value, …)."""

    needs: tuple[Variable, ...]
    form: Callable[..., Scalar]


Expression: TypeAlias = Linear | Function


@dataclass(frozen=True)
class Storage:
    """The equation of a capacitor, i = c v̇ + d v, or of an inductor, v = c i̇ + d i; the energy is ½ c v² or ½ c i²."""

    coefficient: Coefficient
    initial: Formula | None = None
    """The initial value; where the edge is no state, it must agree with the others."""
    drift: Coefficient | None = None
    """The rate d of a coefficient that varies with the motion."""


@dataclass(frozen=True)
class Edge:
    """An edge from `tail` to `head` with its terminal equation.

    Drivers give one side; resistive edges one side or both; storage edges have `storage`. Ports of coupled elements and
    norators have none of them.
    """

    name: str
    tail: str
    head: str
    role: Role
    across: Expression | None = None
    through: Expression | None = None
    storage: Storage | None = None
    supplies: bool = False
    """Whether the power −v i comes from outside of the network: sources, amplifiers and transducers."""
    switches: bool = False
    """Whether the equation has conditions."""

    @property
    def stored(self) -> Variable:
        """The variable by which the edge stores energy: across for capacitors, through for inductors."""
        return Variable(self.name, Side.ACROSS if self.role is Role.CAPACITOR else Side.THROUGH)

    @property
    def drives(self) -> Side | None:
        """The variable that a driver gives; None for other edges."""
        return {Role.ACROSS_DRIVER: Side.ACROSS, Role.THROUGH_DRIVER: Side.THROUGH}.get(self.role)

    @property
    def is_given(self) -> bool:
        """Whether the edge is a driver whose value depends on no variable of the network."""
        law = self.across if self.drives is Side.ACROSS else self.through
        return self.drives is not None and law is not None and not law.needs

    @property
    def is_zero(self) -> bool:
        """Whether the edge is a driver whose value is zero: a short circuit or an open edge."""
        law = self.across if self.role is Role.ACROSS_DRIVER else self.through
        return self.is_given and isinstance(law, Linear) and law.constant is None


@dataclass(frozen=True)
class Relation:
    """A further equation of an element: an expression that is zero."""

    owner: str
    expression: Expression
