"""Traces and recipes: a system at a symbolic state, and the outputs of a program. Neither needs CasADi."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from gyrostat.coordinates.row import PORTS
from gyrostat.scalar import Scalar

if TYPE_CHECKING:
    from gyrostat.kinematics.world import WorldMotion
    from gyrostat.scalar.locked import SwitchRecord

Formed = TypeVar("Formed")

MODES = "modes"
"""The input of programs with locked conditions that has the modes of switching functions."""
SEED_INPUTS = "seed_inputs"
"""The input that gives a direction in the inputs."""
SEEDS = ("seed_q", "seed_u", "seed_z")
"""The inputs that give a direction in the state, in programs of derivatives along one."""


@dataclass(frozen=True)
class SparseMatrix:
    """A matrix as an output of a recipe, by the entries that may differ from zero."""

    entries: Mapping[tuple[int, int], Scalar]
    rows: int
    columns: int

    @property
    def by_columns(self) -> list[tuple[int, int]]:
        """The places of the entries, column by column."""
        return sorted(self.entries, key=lambda place: place[::-1])


class Calculus(Protocol):
    """Derivatives of formulas at the state of a trace."""

    def by_speeds(self, trace: Trace, values: Sequence[Scalar]) -> dict[tuple[int, int], Scalar]:
        """Return the derivatives of values by u; those that are absent are zero."""

    def in_time(self, trace: Trace, values: Sequence[Scalar]) -> list[Scalar]:
        """Return the rates of values at constant u."""


@dataclass(frozen=True)
class Trace:
    """A system at a symbolic state: the arguments as columns, and its motion."""

    arguments: dict[str, Any]
    motion: WorldMotion
    rates: list[Scalar]
    """The symbols of u̇."""
    calculus: Calculus
    softness: float = 0.0
    """The compliance of constraints where some are redundant, relative to their own size."""
    formed: list[Any] = field(default_factory=list)
    """All values, in the order in which the formulas form them."""
    switches: SwitchRecord | None = None
    """The switching functions of laws whose conditions are locked; None where conditions are evaluated."""
    known: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    """Quantities that several formulas of a recipe share, by name."""

    def once(self, name: str, form: Callable[[Trace], Formed]) -> Formed:
        """Return the quantity that a function forms from this trace; under one name it is formed once."""
        if name not in self.known:
            self.known[name] = form(self)
        found: Formed = self.known[name]
        return found


@dataclass(frozen=True)
class Recipe:
    """The outputs of a program by name, columns or lists of scalars formed from a trace.

    With `udot`, accelerations are an input too. With `loads`, multipliers of constraints are an input, which the recipe
    itself enters in the trace's arguments. With `seeds`, a direction in which the state changes is an input as well, as
    seed_q, seed_u and seed_z. `own` names further inputs, which the recipe enters in the trace's arguments too. Recipes
    that do not solve for accelerations (`solves=False`) are traced with rigid constraints even where some are
    redundant; the rank is found with them. Recipes for any engine (`any_engine`) form lists of scalars, on trees
    without CasADi's own operations.
    `optimisation` is the level at which the program is compiled: at 0 it is ready in 0.4 of the time of level 2, and a
    tenth to a fifth slower, which suits programs that an analysis evaluates a few times.
    """

    outputs: Callable[[Trace], dict[str, Any]]
    udot: bool = False
    seeds: bool = False
    loads: bool = False
    own: tuple[str, ...] = ()
    solves: bool = True
    any_engine: bool = False
    optimisation: int = 2

    @property
    def arguments(self) -> tuple[str, ...]:
        """The inputs of the program, in order."""
        return (*PORTS, *self._further)

    @property
    def locked_arguments(self) -> tuple[str, ...]:
        """The inputs of the program with locked conditions, in order."""
        return (*PORTS, MODES, *self._further)

    @property
    def _further(self) -> tuple[str, ...]:
        further = (("udot",) * self.udot, ("loads",) * self.loads, SEEDS * self.seeds)
        return (*(name for names in further for name in names), *self.own)
