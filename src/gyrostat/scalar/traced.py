"""The traced engine: formulas evaluated on CasADi's SX form an expression graph.

Scalars are `Traced` values, or Python numbers where a value is known while the formula is formed. Operations go through
`SX.binary` and `SX.unary`, which cost a sixth of SX's own operators; equal function calls on equal arguments are formed
once. Values may be entered in a list as they are formed, for CasADi's graph does not hold their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import casadi as ca

from gyrostat.scalar.floats import FloatScalars
from gyrostat.scalar.operations import Scalar
from gyrostat.scalar.tracing import TRACING

_UNARY_CODES = {
    "sin": ca.OP_SIN,
    "cos": ca.OP_COS,
    "tan": ca.OP_TAN,
    "asin": ca.OP_ASIN,
    "acos": ca.OP_ACOS,
    "atan": ca.OP_ATAN,
    "sinh": ca.OP_SINH,
    "cosh": ca.OP_COSH,
    "tanh": ca.OP_TANH,
    "asinh": ca.OP_ASINH,
    "acosh": ca.OP_ACOSH,
    "atanh": ca.OP_ATANH,
    "exp": ca.OP_EXP,
    "log": ca.OP_LOG,
    "sqrt": ca.OP_SQRT,
    "abs": ca.OP_FABS,
    "sign": ca.OP_SIGN,
    "floor": ca.OP_FLOOR,
    "ceil": ca.OP_CEIL,
}
_BINARY_CODES = {"atan2": ca.OP_ATAN2, "hypot": ca.OP_HYPOT, "min": ca.OP_FMIN, "max": ca.OP_FMAX}
_COMPARISON_CODES = {"<": ca.OP_LT, "<=": ca.OP_LE, "==": ca.OP_EQ, "!=": ca.OP_NE}
_INTEGER_TOLERANCE = 1e-15
"""A sine or cosine of a number within this distance of an integer is rounded: quarter turns give zeros and ones."""


class Traced:
    """A value of the traced engine; values formed from it are appended to the list `formed`."""

    __slots__ = ("formed", "sx")

    def __init__(self, sx: Any, formed: list[Any] | None = None) -> None:
        self.sx = sx
        self.formed = formed

    def __add__(self, other: Scalar) -> Traced:
        return _binary(ca.OP_ADD, self, other)

    def __radd__(self, other: Scalar) -> Traced:
        return _binary(ca.OP_ADD, other, self)

    def __sub__(self, other: Scalar) -> Traced:
        return _binary(ca.OP_SUB, self, other)

    def __rsub__(self, other: Scalar) -> Traced:
        return _binary(ca.OP_SUB, other, self)

    def __mul__(self, other: Scalar) -> Traced:
        return _binary(ca.OP_MUL, self, other)

    def __rmul__(self, other: Scalar) -> Traced:
        return _binary(ca.OP_MUL, other, self)

    def __truediv__(self, other: Scalar) -> Traced:
        return _binary(ca.OP_DIV, self, other)

    def __rtruediv__(self, other: Scalar) -> Traced:
        return _reciprocal(self) if other == 1 else _binary(ca.OP_DIV, other, self)

    def __neg__(self) -> Traced:
        return _unary(ca.OP_NEG, self)


def _binary(operation: int, left: Scalar, right: Scalar) -> Traced:
    try:
        found = ca.SX.binary(operation, as_sx(left), as_sx(right))
    except TypeError:  # the other operand is a jet, which has its own operators
        return NotImplemented  # type: ignore[no-any-return]
    return _entered(found, (left, right))


def _unary(operation: int, operand: Scalar) -> Traced:
    return _entered(ca.SX.unary(operation, as_sx(operand)), (operand,))


def _entered(sx: Any, operands: tuple[Scalar, ...]) -> Traced:
    """Return a new value, appended to the list of its operands."""
    for operand in operands:
        if isinstance(operand, Traced) and operand.formed is not None:
            operand.formed.append(sx)
            return Traced(sx, operand.formed)
    return Traced(sx)


def _reciprocal(value: Traced) -> Traced:
    """Return 1/x as a division that CasADi does not rewrite.

    CasADi turns each product with a reciprocal that it recognises back into a division, which costs many times more.
    The switch is global, so a thread holds `TRACING` while it forms expressions.
    """
    with TRACING:
        before = ca.GlobalOptions.getSimplificationOnTheFly()
        ca.GlobalOptions.setSimplificationOnTheFly(False)
        try:
            return _binary(ca.OP_DIV, 1, value)
        finally:
            ca.GlobalOptions.setSimplificationOnTheFly(before)


_NUMBERS: dict[float, Any] = {}


def as_sx(value: Scalar) -> Any:
    """Return the SX of a scalar; constants are cached, since creating one costs as much as an operation."""
    if isinstance(value, Traced):
        return value.sx
    number = float(value)
    found = _NUMBERS.get(number)
    if found is None:
        found = ca.SX(number)
        if len(_NUMBERS) < 4096:
            _NUMBERS[number] = found
    return found


def symbols(name: str, count: int, formed: list[Any] | None = None) -> tuple[Any, list[Scalar]]:
    """Return a column of symbols, and its entries as scalars; values formed from them are appended to `formed`."""
    column = ca.SX.sym(name, count)
    return column, [Traced(entry, formed) for entry in ca.vertsplit(column)] if count else []


def column(values: Iterable[Scalar]) -> Any:
    """Return a dense SX column of scalars."""
    entries = [as_sx(value) for value in values]
    return ca.densify(ca.vertcat(*entries)) if entries else ca.SX(0, 1)


def sparse_matrix(entries: Mapping[tuple[int, int], Scalar], rows: int, columns: int) -> Any:
    """Return an SX matrix of entries by row and column."""
    places = sorted(entries, key=lambda place: place[::-1])
    pattern = ca.Sparsity.triplet(rows, columns, [i for i, _ in places], [j for _, j in places])
    return ca.SX(pattern, ca.vertcat(ca.SX(0, 1), *(as_sx(entries[place]) for place in places)))


class TracedScalars:
    """The engine of one trace; equal function calls are formed once."""

    def __init__(self) -> None:
        self._formed: dict[tuple[str, tuple[Any, ...]], tuple[Scalar, tuple[Scalar, ...]]] = {}
        self._floats = FloatScalars()

    def constant(self, value: int | float) -> int | float:
        """Return the number itself: it is known while the formula is formed."""
        return value

    def pi(self) -> float:
        """Return π."""
        return self._floats.pi()

    def power(self, base: Scalar, exponent: Scalar) -> Scalar:
        """Return base**exponent; small integer exponents become products."""
        if not isinstance(base, Traced) and not isinstance(exponent, Traced):
            return self._floats.power(base, exponent)
        if isinstance(base, Traced) and exponent in (2, 3, 4):
            square = _unary(ca.OP_SQ, base)
            return square if exponent == 2 else square * base if exponent == 3 else square * square
        if isinstance(base, Traced) and exponent in (0, 1, -1):
            return 1 if exponent == 0 else base if exponent == 1 else 1 / base
        if isinstance(base, Traced) and exponent == 0.5:
            return self.call("sqrt", (base,))
        operation = ca.OP_POW if isinstance(exponent, Traced) else ca.OP_CONSTPOW
        return _binary(operation, base, exponent)

    def call(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Apply an elementary function; functions of numbers are evaluated, integer sines and cosines exactly."""
        if not any(isinstance(argument, Traced) for argument in arguments):
            result = self._floats.call(function, arguments)
            whole = function in ("sin", "cos") and abs(result - round(result)) < _INTEGER_TOLERANCE
            return round(result) if whole else result
        key = (function, tuple(id(a) if isinstance(a, Traced) else ("number", a) for a in arguments))
        found = self._formed.get(key)
        if found is None:
            found = (
                self._form(function, arguments),
                arguments,
            )  # arguments are stored, so that their ids are not reused
            self._formed[key] = found
        return found[0]

    def _form(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        if function == "where":
            condition, yes, no = (as_sx(argument) for argument in arguments)
            return _entered(ca.if_else(condition, yes, no), arguments)
        if function in _UNARY_CODES:
            return _unary(_UNARY_CODES[function], arguments[0])
        result = arguments[0]
        for argument in arguments[1:]:
            result = _binary(_BINARY_CODES[function], result, argument)
        return result

    def compare(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        """Return the truth value of a comparison."""
        if operator in (">", ">="):
            return self.compare(operator.replace(">", "<"), right, left)
        if not isinstance(left, Traced) and not isinstance(right, Traced):
            return self._floats.compare(operator, left, right)
        return _binary(_COMPARISON_CODES[operator], left, right)

    def logic(self, operator: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Combine truth values."""
        if operator == "not":
            return _unary(ca.OP_NOT, arguments[0])
        result = arguments[0]
        for argument in arguments[1:]:
            result = _binary(ca.OP_AND if operator == "and" else ca.OP_OR, result, argument)
        return result
