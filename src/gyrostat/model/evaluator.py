"""Evaluation of a model's formulas on a scalar engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gyrostat.model.formula import Formula
from gyrostat.scalar import Scalar, Scalars
from gyrostat.spatial import UNIT, ZERO, Vector, normalised

_AXES: dict[tuple[int | float | str, ...], Vector] = {unit: unit for unit in UNIT.values()}


@dataclass(frozen=True)
class Evaluator:
    """A scalar engine and the values of names, with which components evaluate their formulas."""

    scalars: Scalars
    lookup: Callable[[str], Scalar]
    uniform: bool = False
    """Whether joint frames are turned so that every axis is along z, for recursions with one form for all joints."""

    def __call__(self, formula: Formula) -> Scalar:
        """Return the value of one formula; numbers and single names, the most frequent, take a short path."""
        if formula.source == 0:
            return 0
        steps = formula.steps
        if len(steps) == 1:
            kind, payload, _ = steps[0]
            if kind == "number":
                return self.scalars.constant(payload)
            if kind == "name":
                return self.lookup(payload)
        return formula.evaluate(self.scalars, self.lookup)

    def vector(self, formulas: Sequence[Formula]) -> Vector:
        """Return the values of three formulas."""
        x, y, z = formulas
        if x.source == 0 and y.source == 0 and z.source == 0:
            return ZERO
        return (self(x), self(y), self(z))

    def direction(self, formulas: Sequence[Formula]) -> Vector:
        """Return the unit vector of a direction given by three formulas; coordinate axes take a short path."""
        x, y, z = formulas
        unit = _AXES.get((x.source, y.source, z.source))
        if unit is not None:
            return unit
        return normalised(self.vector(formulas), self.scalars)
