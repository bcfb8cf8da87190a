"""The recording engine: formulas leave instructions on a tape."""

from __future__ import annotations

from gyrostat.scalar.floats import FloatScalars
from gyrostat.scalar.operations import Scalar
from gyrostat.scalar.tape import Tape
from gyrostat.scalar.tape_value import Place, TapeValue

_INTEGER_TOLERANCE = 1e-15
"""A sine or cosine of a number within this distance of an integer is rounded, as on the traced engine."""
_NAMES = {"abs": "fabs", "min": "fmin", "max": "fmax"}
_COMPARISON_CODES = {"<": "lt", "<=": "le", "==": "eq", "!=": "ne"}


class TapeScalars:
    """The engine of one tape; equal function calls are recorded once."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self._floats = FloatScalars()
        self._formed: dict[tuple[str | int | float | Place, ...], Scalar] = {}

    def constant(self, value: int | float) -> int | float:
        """Return the number itself: it is known while the formula is formed."""
        return value

    def pi(self) -> float:
        """Return π."""
        return self._floats.pi()

    def power(self, base: Scalar, exponent: Scalar) -> Scalar:
        """Return base**exponent; small integer exponents become products."""
        if type(base) is not TapeValue and type(exponent) is not TapeValue:
            return self._floats.power(base, exponent)
        if type(base) is TapeValue and exponent in (2, 3, 4):
            square = self.tape.operation("sq", base)
            return square if exponent == 2 else square * base if exponent == 3 else square * square
        if type(base) is TapeValue and exponent in (0, 1, -1):
            return 1 if exponent == 0 else base if exponent == 1 else 1 / base
        if type(base) is TapeValue and exponent == 0.5:
            return self.call("sqrt", (base,))
        return self.tape.operation("pow", base, exponent)

    def call(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Apply an elementary function; functions of numbers are evaluated, integer sines and cosines exactly."""
        if not any(type(argument) is TapeValue for argument in arguments):
            result = self._floats.call(function, arguments)
            whole = function in ("sin", "cos") and abs(result - round(result)) < _INTEGER_TOLERANCE
            return round(result) if whole else result
        key = (function, *[a.place if type(a) is TapeValue else a for a in arguments])
        found = self._formed.get(key)
        if found is None:
            found = self._formed[key] = self._form(function, arguments)
        return found

    def _form(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        operation = self.tape.operation
        if function == "where":
            condition, yes, no = arguments
            otherwise = operation("if_else_zero", operation("not", condition), no)
            return operation("if_else_zero", condition, yes) + otherwise
        name = _NAMES.get(function, function)
        if len(arguments) == 1:
            return operation(name, arguments[0])
        result = arguments[0]
        for argument in arguments[1:]:
            result = operation(name, result, argument)
        return result

    def compare(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        """Return the truth value of a comparison."""
        if operator in (">", ">="):
            return self.compare(operator.replace(">", "<"), right, left)
        if type(left) is not TapeValue and type(right) is not TapeValue:
            return self._floats.compare(operator, left, right)
        return self.tape.operation(_COMPARISON_CODES[operator], left, right)

    def logic(self, operator: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Combine truth values."""
        if operator == "not":
            return self.tape.operation("not", arguments[0])
        result = arguments[0]
        for argument in arguments[1:]:
            result = self.tape.operation(operator, result, argument)
        return result
