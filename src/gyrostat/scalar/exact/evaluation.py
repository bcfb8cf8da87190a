"""Numeric values of elements: functions over NumPy arrays, and floats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.errors import GyrostatError
from gyrostat.scalar.exact.definitions import PI, Definition, GeneratorKind
from gyrostat.scalar.exact.element import Element
from gyrostat.scalar.exact.harmonics import Factor
from gyrostat.scalar.exact.numbers import as_fraction
from gyrostat.scalar.exact.order import ordered_terms
from gyrostat.scalar.operations import Scalar

if TYPE_CHECKING:
    from gyrostat.scalar.exact.ring import ExactRing

_NUMPY = {
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "atan2": "arctan2",
    "asinh": "arcsinh",
    "acosh": "arccosh",
    "atanh": "arctanh",
}
_SHARED_NAMES = ("sqrt", "sinh", "cosh", "tanh", "exp", "log", "abs", "sign", "floor", "ceil", "where")


def numeric_function(values: Sequence[Scalar], names: Sequence[str]) -> Callable[..., list[Any]]:
    """Return a function of arrays, in the order of `names`, that gives the list of values; arrays are broadcast.

    Sines, cosines and auxiliary symbols are computed once for all values.

    >>> from gyrostat.scalar.exact import ExactRing, ExactScalars
    >>> ring = ExactRing(groups=[["a"]], symbols=["l"])
    >>> x = ring.symbol("l") * ExactScalars(ring).call("cos", (ring.symbol("a"),))
    >>> [float(v) for v in numeric_function([x, 2], ["l", "a"])(3.0, 0.0)]
    [3.0, 2.0]
    """
    source = _Source(names)
    results = [source.value(value) for value in values]
    lines = [f"def function({', '.join(f's{i}' for i in range(len(names)))}):"]
    lines += [f"    {line}" for line in source.lines]
    lines += [f"    return [{', '.join(results)}]"]
    space: dict[str, Any] = {"np": np}
    # the text holds numbers, names from the lists above and s0, s1, …: nothing that a user wrote
    exec(compile("\n".join(lines), "<exact element>", "exec"), space)
    function: Callable[..., list[Any]] = space["function"]
    return function


def evaluate(value: Scalar, values: Mapping[str, float]) -> float:
    """Return the float that a scalar has at given values of its symbols."""
    if not isinstance(value, Element):
        return float(as_fraction(value))
    return float(numeric_function([value], list(values))(*values.values())[0])


class _Source:
    """Statements that compute elements, in an order in which everything is known when it is used."""

    def __init__(self, names: Sequence[str]) -> None:
        self.lines: list[str] = []
        self._ring: ExactRing | None = None
        self._names = {name: f"s{i}" for i, name in enumerate(names)}
        self._symbols: dict[int, str] = {}
        self._factors: dict[Factor, str] = {}

    def value(self, value: Scalar) -> str:
        """Return the expression of a scalar."""
        if not isinstance(value, Element):
            return _number(as_fraction(value))
        ring = value.ring
        if self._ring not in (None, ring):
            raise GyrostatError("The values are of different rings. Give values of one ring to a function.")
        self._ring = ring
        terms = []
        for coefficient, powers, harmonic in ordered_terms(value):
            parts = [_number(coefficient)] if coefficient != 1 else []
            below: list[str] = []
            for i, e in powers.items():
                (parts if e > 0 else below).append(self._symbol(ring, i) + (f"**{abs(e)}" if abs(e) != 1 else ""))
            parts += [self._factor(ring, factor) for factor in ring.harmonics.factors[harmonic]]
            text = "*".join(parts) or "1.0"
            terms.append(f"{text}/({'*'.join(below)})" if below else text)
        return " + ".join(terms) or "0.0"

    def _keep(self, expression: str) -> str:
        name = f"v{len(self.lines)}"
        self.lines.append(f"{name} = {expression}")
        return name

    def _symbol(self, ring: ExactRing, index: int) -> str:
        found = self._symbols.get(index)
        if found is None:
            generator = ring.generators[index]
            if generator.name in self._names:
                found = self._names[generator.name]
            elif generator.definition is not None:
                found = self._keep(self._definition(generator.definition))
            elif generator.name == PI:
                found = "np.pi"
            else:
                raise GyrostatError(
                    f"The symbol {generator.name!r} has no value. Give one for each symbol that occurs."
                )
            self._symbols[index] = found
        return found

    def _factor(self, ring: ExactRing, factor: Factor) -> str:
        found = self._factors.get(factor)
        if found is None:
            _, parity, combination = factor
            parts = []
            for index, k in combination:
                angle = ring.angles[index]
                parts.append(f"({self.value(angle.argument)})*({k}/{angle.divisor})")
            found = self._keep(f"np.{'sin' if parity else 'cos'}({' + '.join(parts)})")
            self._factors[factor] = found
        return found

    def _definition(self, definition: Definition) -> str:
        arguments = [f"({self.value(argument)})" for argument in definition.arguments]
        function = definition.function
        if definition.kind is GeneratorKind.INVERSE:
            return f"1.0/{arguments[0]}"
        if function in _SHARED_NAMES:
            if function == "where":
                arguments[0] = f"{arguments[0]} != 0"
            return f"np.{function}({', '.join(arguments)})"
        if function in _NUMPY:
            return f"np.{_NUMPY[function]}({', '.join(arguments)})"
        if function in ("min", "max"):
            result = arguments[0]
            for argument in arguments[1:]:
                result = f"np.{function}imum({result}, {argument})"
            return result
        if function == "pow":
            return f"np.power(np.asarray({arguments[0]}, dtype=float), {arguments[1]})"
        if function in ("<", "<=", ">", ">=", "==", "!="):
            return f"1.0*({arguments[0]} {function} {arguments[1]})"
        if function == "not":
            return f"1.0*({arguments[0]} == 0)"
        if function in ("and", "or"):
            joiner = " & " if function == "and" else " | "
            return f"1.0*({joiner.join(f'({argument} != 0)' for argument in arguments)})"
        raise GyrostatError(f"The function {function!r} has no numeric values here. Substitute it first.")


def _number(value: Any) -> str:
    return repr(float(value))
