"""SymPy expressions as scalars: for output only, never for derivations."""

from __future__ import annotations

from typing import Any

import sympy

from gyrostat.scalar.operations import Scalar

_FUNCTIONS: dict[str, Any] = {"abs": sympy.Abs, "ceil": sympy.ceiling, "min": sympy.Min, "max": sympy.Max}
_RELATIONS: dict[str, Any] = {
    "<": sympy.Lt,
    "<=": sympy.Le,
    ">": sympy.Gt,
    ">=": sympy.Ge,
    "==": sympy.Eq,
    "!=": sympy.Ne,
}


class SympyScalars:
    """The engine of SymPy's expressions; truth values are SymPy's own."""

    @staticmethod
    def symbol(name: str) -> Any:
        """Return the symbol of a name."""
        return sympy.Symbol(name)

    def constant(self, value: int | float) -> Any:
        """Return a number: whole ones exactly, others as SymPy's floats."""
        return sympy.Integer(int(value)) if value == int(value) else sympy.Float(value)

    def pi(self) -> Any:
        """Return π."""
        return sympy.pi

    def power(self, base: Scalar, exponent: Scalar) -> Scalar:
        """Return base**exponent."""
        return sympy.Pow(base, exponent)

    def call(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Apply an elementary function."""
        if function == "where":
            condition, yes, no = arguments
            return sympy.Piecewise((yes, condition), (no, True))
        if function == "hypot":
            return sympy.sqrt(arguments[0] ** 2 + arguments[1] ** 2)
        return (_FUNCTIONS.get(function) or getattr(sympy, function))(*arguments)

    def compare(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        """Return a relation."""
        return _RELATIONS[operator](left, right)

    def logic(self, operator: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Combine relations."""
        return {"and": sympy.And, "or": sympy.Or, "not": sympy.Not}[operator](*arguments)
