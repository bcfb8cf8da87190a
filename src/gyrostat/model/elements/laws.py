"""Parts of terminal equations: coefficients from formulas, and derivatives of formulas."""

from __future__ import annotations

from gyrostat.model.elements.edge import Coefficient
from gyrostat.model.forces import Motion
from gyrostat.model.formula import Formula
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, negate
from gyrostat.scalar.tangents import Tangent, TangentScalars


def one(motion: Motion) -> Scalar:
    """Return 1."""
    return 1


def minus_one(motion: Motion) -> Scalar:
    """Return −1."""
    return -1


def of(formula: Formula) -> Coefficient:
    """Return the coefficient that a formula gives; literal whole numbers stay numbers."""
    number = formula.number
    if isinstance(number, int):
        return lambda motion: number
    return lambda motion: motion.evaluate(formula)


def negative(formula: Formula) -> Coefficient:
    """Return minus the value of a formula."""
    value = of(formula)
    return lambda motion: negate(value(motion))


def reciprocal(formula: Formula) -> Coefficient:
    """Return one over the value of a formula."""
    return lambda motion: divide(1, motion.evaluate(formula))


def formula_slope(motion: Motion, formula: Formula, rates: dict[str, Scalar]) -> Scalar:
    """Return the rate of a formula whose names have given rates; the others are constant."""

    def lookup(name: str) -> Scalar:
        return Tangent(motion.evaluate(Formula.of(name)), rates.get(name, 0))  # scalars on the left know no tangents

    found = formula.evaluate(TangentScalars(motion.scalars), lookup)
    return found.slope if isinstance(found, Tangent) else 0
