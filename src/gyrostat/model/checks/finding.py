"""What checks share: a model, the numbers of its parameters, and a way to report."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from gyrostat.errors import Fault
from gyrostat.model.body import Body
from gyrostat.model.checks.axes import axes_of
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import FormulaUse, Triple, Use
from gyrostat.model.model import Model
from gyrostat.model.names import GROUND
from gyrostat.model.record import Component
from gyrostat.scalar import FloatScalars


@dataclass(frozen=True)
class Subject:
    """A model under examination; `lost` are names whose components could not be read and must not be missed."""

    model: Model
    lost: frozenset[str] = frozenset()

    def fault(self, component: Component, path: tuple[str | int, ...], fact: str, remedy: str) -> Fault:
        """Return a fault of a component, with its place in a file if there is one."""
        return Fault(component.describe(), fact, remedy, path, self.model.position(component, path))

    @cached_property
    def bodies(self) -> dict[str, Body]:
        """The bodies by name, the ground included."""
        return {GROUND: self.model.ground, **self.model.bodies}

    @cached_property
    def values(self) -> Mapping[str, float]:
        """The numbers of parameters, as far as they are known; faulty parameters have none."""
        return self.model.parameters.evaluate()[0]

    @cached_property
    def evaluator(self) -> Evaluator:
        """The means to evaluate formulas whose parameters are all known."""
        return Evaluator(FloatScalars(), self.values.__getitem__)

    def known(self, formula: Formula) -> bool:
        """Tell whether all parameters of a formula have numbers."""
        return not formula.names or formula.names <= self.values.keys()

    def number(self, formula: Formula) -> float | None:
        """Return the finite number of a formula, or None where it has none."""
        if not self.known(formula):
            return None
        try:
            result: float = self.evaluator(formula)
        except (ArithmeticError, ValueError):
            return None
        return result if math.isfinite(result) else None

    @cached_property
    def uses(self) -> dict[str, tuple[Use, ...]]:
        """The formulas and references of every component."""
        return {name: tuple(component.uses()) for name, component in self.model.components.items()}

    @cached_property
    def indefinite(self) -> frozenset[str]:
        """Names of components with a formula of parameters that has no finite number, or an axis without direction."""
        return frozenset(
            name
            for name, uses in self.uses.items()
            if any(isinstance(u, FormulaUse) and _constant(u) and self.number(u.formula) is None for u in uses)
        ) | {component.name for component, _, _ in self.lost_axes}

    @cached_property
    def lost_axes(self) -> tuple[tuple[Component, tuple[str | int, ...], float], ...]:
        """Axes whose length is zero, or beyond the range of numbers: component, path and length."""
        return tuple(
            (component, path, length)
            for component in self.model.components.values()
            for path, axis in axes_of(component)
            if (length := self._length(axis)) is not None and not _SHORTEST < length < 1 / _SHORTEST
        )

    def _length(self, axis: Triple) -> float | None:
        """Return the length of a vector, or None where a component has no number."""
        x, y, z = (self.number(formula) for formula in axis)
        return None if x is None or y is None or z is None else math.hypot(x, y, z)


_SHORTEST = 1e-150
"""Axes between this length and its inverse have a square that is a normal number."""


def _constant(use: FormulaUse) -> bool:
    return not (use.scope.time or use.scope.system or use.scope.variables)
