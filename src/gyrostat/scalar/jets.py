"""Jets: values with their first and second derivatives with respect to time, over any engine.

A driven coordinate is a formula of time; evaluated on jets it gives the coordinate, its rate and its acceleration.
"""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.scalar.algebra import add, divide, is_number, is_zero, known_value, multiply, negate, square, subtract
from gyrostat.scalar.operations import Observable, Scalar, Scalars, observed


@dataclass(frozen=True)
class Jet:
    """x, ẋ and ẍ."""

    value: Scalar
    rate: Scalar = 0
    acceleration: Scalar = 0

    def known_value(self) -> float | None:
        """Return x, where that is known while the formula is formed."""
        return known_value(self.value)

    def __add__(self, other: Scalar) -> Jet:
        b = as_jet(other)
        return Jet(add(self.value, b.value), add(self.rate, b.rate), add(self.acceleration, b.acceleration))

    __radd__ = __add__

    def __neg__(self) -> Jet:
        return Jet(negate(self.value), negate(self.rate), negate(self.acceleration))

    def __sub__(self, other: Scalar) -> Jet:
        return self + (-as_jet(other))

    def __rsub__(self, other: Scalar) -> Jet:
        return as_jet(other) - self

    def __mul__(self, other: Scalar) -> Jet:
        b = as_jet(other)
        rate = add(multiply(self.rate, b.value), multiply(self.value, b.rate))
        outer = add(multiply(self.acceleration, b.value), multiply(self.value, b.acceleration))
        return Jet(multiply(self.value, b.value), rate, add(outer, multiply(2, multiply(self.rate, b.rate))))

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Jet:
        b = as_jet(other)
        inverse = divide(1, b.value)
        return self * _chain(b, inverse, negate(square(inverse)), multiply(2, multiply(inverse, square(inverse))))

    def __rtruediv__(self, other: Scalar) -> Jet:
        return as_jet(other) / self


def as_jet(value: Scalar) -> Jet:
    """Return a jet; anything else is constant in time."""
    return value if isinstance(value, Jet) else Jet(value)


def value_of(value: Scalar) -> Scalar:
    """Return the value of a scalar that may be a jet."""
    return value.value if isinstance(value, Jet) else value


def rate_of(value: Scalar) -> Scalar:
    """Return the rate of a scalar that may be a jet; others are constant."""
    return value.rate if isinstance(value, Jet) else 0


def _chain(x: Jet, value: Scalar, first: Scalar, second: Scalar) -> Jet:
    """Return f(x) from f, f′ and f″ at x: ḟ = f′ẋ, f̈ = f″ẋ² + f′ẍ."""
    rate = multiply(first, x.rate)
    return Jet(value, rate, add(multiply(second, square(x.rate)), multiply(first, x.acceleration)))


class JetScalars:
    """An engine of jets over another engine."""

    def __init__(self, base: Scalars) -> None:
        self.base = base

    def observe(self, formula: Observable, values: dict[str, Scalar]) -> None:
        """Show a formula and the values in it to the engine below, if that observes formulas."""
        below = {name: value_of(value) for name, value in values.items()}
        observed(self.base, formula, below.__getitem__)

    def constant(self, value: int | float) -> Scalar:
        """Return a number, constant in time."""
        return self.base.constant(value)

    def pi(self) -> Scalar:
        """Return π."""
        return self.base.pi()

    def power(self, base: Scalar, exponent: Scalar) -> Scalar:
        """Return base**exponent; an exponent that depends on time goes through the logarithm."""
        if not isinstance(base, Jet) and not isinstance(exponent, Jet):
            return self.base.power(base, exponent)
        if isinstance(exponent, Jet):
            return self.call("exp", (exponent * self.call("log", (base,)),))
        x, n = as_jet(base), exponent
        if is_number(n) and n in (0, 1, 2):
            return Jet(1) if n == 0 else x if n == 1 else x * x
        lower, lowest = self.base.power(x.value, n - 1), self.base.power(x.value, n - 2)
        return _chain(x, self.base.power(x.value, n), multiply(n, lower), multiply(multiply(n, n - 1), lowest))

    def call(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Apply an elementary function by the chain rule."""
        if function != "where" and not any(isinstance(argument, Jet) for argument in arguments):
            return self.base.call(function, arguments)
        jets = [as_jet(argument) for argument in arguments]
        match function:
            case "where":
                return self._where(jets[0].value, jets[1], jets[2])
            case "min" | "max":
                return self._extreme(function, jets)
            case "atan2":
                return self._atan2(*jets)
            case "hypot":
                return self.call("sqrt", (jets[0] * jets[0] + jets[1] * jets[1],))
        return _chain(jets[0], *self._derivatives(function, jets[0].value))

    def _derivatives(self, function: str, x: Scalar) -> tuple[Scalar, Scalar, Scalar]:
        """Return f, f′ and f″ of a function of one argument."""
        base = self.base
        f = base.call(function, (x,))

        def root(y: Scalar) -> Scalar:
            return base.call("sqrt", (y,))

        match function:
            case "sin":
                return f, base.call("cos", (x,)), negate(f)
            case "cos":
                return f, negate(base.call("sin", (x,))), negate(f)
            case "tan":
                first = add(1, square(f))
                return f, first, multiply(2, multiply(f, first))
            case "sinh" | "cosh":
                return f, base.call("cosh" if function == "sinh" else "sinh", (x,)), f
            case "tanh":
                first = subtract(1, square(f))
                return f, first, multiply(-2, multiply(f, first))
            case "exp":
                return f, f, f
            case "log":
                first = divide(1, x)
                return f, first, negate(square(first))
            case "sqrt":
                first = divide(1, multiply(2, f))
                return f, first, negate(divide(first, multiply(2, x)))
            case "atan":
                first = divide(1, add(1, square(x)))
                return f, first, multiply(-2, multiply(x, square(first)))
            case "asin" | "acos":
                first = divide(1, root(subtract(1, square(x))))
                second = multiply(x, multiply(first, square(first)))
                return (f, first, second) if function == "asin" else (f, negate(first), negate(second))
            case "asinh":
                first = divide(1, root(add(square(x), 1)))
                return f, first, negate(multiply(x, multiply(first, square(first))))
            case "acosh":
                first = divide(1, root(subtract(square(x), 1)))
                return f, first, negate(multiply(x, multiply(first, square(first))))
            case "atanh":
                first = divide(1, subtract(1, square(x)))
                return f, first, multiply(2, multiply(x, square(first)))
            case "abs":
                return f, base.call("sign", (x,)), 0
            case _:  # sign, floor, ceil: constant but for jumps
                return f, 0, 0

    def _where(self, condition: Scalar, yes: Jet, no: Jet) -> Jet:
        def choose(a: Scalar, b: Scalar) -> Scalar:
            return 0 if is_zero(a) and is_zero(b) else self.base.call("where", (condition, a, b))

        return Jet(choose(yes.value, no.value), choose(yes.rate, no.rate), choose(yes.acceleration, no.acceleration))

    def _extreme(self, function: str, jets: list[Jet]) -> Jet:
        best = jets[0]
        for jet in jets[1:]:
            smaller = self.base.compare("<", best.value, jet.value)
            chosen = self._where(smaller, best, jet) if function == "min" else self._where(smaller, jet, best)
            best = Jet(self.base.call(function, (best.value, jet.value)), chosen.rate, chosen.acceleration)
        return best

    def _atan2(self, y: Jet, x: Jet) -> Jet:
        """Return the angle with rate (x ẏ − y ẋ)/r² and its derivative."""
        r2 = Jet(x.value, x.rate) * Jet(x.value, x.rate) + Jet(y.value, y.rate) * Jet(y.value, y.rate)
        turning = subtract(multiply(x.value, y.rate), multiply(y.value, x.rate))
        change = subtract(multiply(x.value, y.acceleration), multiply(y.value, x.acceleration))
        rate = divide(turning, r2.value)
        acceleration = divide(subtract(change, multiply(rate, r2.rate)), r2.value)
        return Jet(self.base.call("atan2", (y.value, x.value)), rate, acceleration)

    def compare(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        """Compare values."""
        return self.base.compare(operator, as_jet(left).value, as_jet(right).value)

    def logic(self, operator: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Combine truth values."""
        return self.base.logic(operator, tuple(as_jet(argument).value for argument in arguments))
