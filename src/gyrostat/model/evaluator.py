"""Values of a model's formulas on an engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gyrostat.model.formula import Formula
from gyrostat.scalar import Scalar, Scalars
from gyrostat.spatial import UNIT, Vector, normalised

_AXES: dict[tuple[int | float | str, ...], Vector] = {unit: unit for unit in UNIT.values()}


@dataclass(frozen=True)
class Evaluator:
    """An engine and the meaning of names: what components need to turn their formulas into scalars."""

    scalars: Scalars
    lookup: Callable[[str], Scalar]

    def __call__(self, formula: Formula) -> Scalar:
        """Return the value of one formula."""
        return formula.evaluate(self.scalars, self.lookup)

    def vector(self, formulas: Sequence[Formula]) -> Vector:
        """Return the values of three formulas."""
        x, y, z = formulas
        return (self(x), self(y), self(z))

    def direction(self, formulas: Sequence[Formula]) -> Vector:
        """Return the unit vector along three formulas; most are a coordinate axis as it stands."""
        x, y, z = formulas
        unit = _AXES.get((x.source, y.source, z.source))
        if unit is not None:
            return unit
        return normalised(self.vector(formulas), self.scalars)
