"""Engines with locked conditions: the conditions of laws become switching functions with modes.

Within a law (`law`), a condition of the state is not evaluated. Its switching function s, the difference of the sides,
is recorded, and a mode m takes its place, an argument of the program: 1 where s > 0 and 0 where s < 0, held during a
step, and between 0 and 1 in a sliding mode. `floor` and `ceil` hold a whole number as mode. With modes held, a law is
smooth across the switch.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from gyrostat.scalar.operations import Observable, Scalar, Scalars

_ROOT_OFFSET = 1e-300
"""Keeps derivatives of roots finite at zero."""


class Structure(Protocol):
    """Structure of the expressions of an engine: equal expressions have equal numbers."""

    def expression(self, value: Scalar) -> Any:
        """Return the expression of a scalar."""

    def scalar(self, expression: Any) -> Scalar:
        """Return the scalar of an expression."""

    def is_known(self, value: Scalar) -> bool:
        """Tell whether a scalar is a number, known while the formula is formed."""

    def sides(self, expression: Any) -> tuple[Any, Any]:
        """Return whose difference an expression is: x and y of x − y, y and x of −(x − y), else it and 0."""

    def new_mode(self, name: str) -> Any:
        """Return a new expression that counts as a mode."""

    def number(self, expression: Any) -> int:
        """Return the number of an expression."""

    def varies(self, expression: Any) -> bool:
        """Tell whether an expression depends on the state."""

    def has_modes(self, expression: Any) -> bool:
        """Tell whether an expression depends on modes."""

    def core(self, expression: Any) -> int:
        """Return the number of an expression without its sign and its factors that do not depend on the state."""


class LockedSwitch(NamedTuple):
    """A switching function, with the mode that takes the place of its sign, or of its whole part."""

    function: Any
    mode: Any
    whole: bool
    at_zero: float
    """The mode where the function stays zero: what the condition says there."""
    owner: str
    """The force element or input whose law has the condition."""


class ObservedFormula(NamedTuple):
    """A formula and the values of its names, as expressions."""

    formula: Any
    values: dict[str, Any]


@dataclass
class SwitchRecord:
    """The switching functions of a trace, each once, in the order in which the laws form them."""

    structure: Structure
    scalars: Scalars
    """The engine, which evaluates conditions."""
    switches: list[LockedSwitch] = field(default_factory=list)
    owner: str | None = None
    """The force element or input whose law is being formed; None outside of laws."""
    complete: bool = False
    """Whether all laws have been formed: conditions that are formed later and are new are evaluated as written."""
    observed: list[ObservedFormula] = field(default_factory=list)
    """All formulas of the state, in the order in which they were evaluated."""
    bases: list[Any] = field(default_factory=list)
    """Bases of fractional powers and roots that may change their sign beyond a switch."""
    _numbers: dict[tuple[int, int | str], int] = field(default_factory=dict)
    _cores: set[int] = field(default_factory=set)
    """Structures of functions without sign and constant factors."""

    def varies(self, *values: Scalar) -> bool:
        """Tell whether a law is being formed and one of the values depends on the state."""
        structure = self.structure
        return self.owner is not None and any(
            not structure.is_known(value) and structure.varies(structure.expression(value)) for value in values
        )

    def truth(self, left: Scalar, right: Scalar, at_zero: float = 0.5) -> Scalar:
        """Return the truth value of left > right: a mode, or its complement where right > left is recorded."""
        structure = self.structure
        a, b = structure.expression(left), structure.expression(right)
        zero = structure.number(structure.expression(0))
        if structure.number(b) == zero:
            a, b = structure.sides(a)  # −x > 0 is 0 > x
        pair = structure.number(a), structure.number(b)
        if pair[0] == zero or pair[::-1] in self._numbers:
            return 1 - self._mode(pair[::-1], b if pair[0] == zero else b - a, whole=False, at_zero=1 - at_zero)
        return self._mode(pair, a if pair[1] == zero else a - b, whole=False, at_zero=at_zero)

    def _mode(self, key: tuple[int, int | str], function: Any, *, whole: bool, at_zero: float) -> Scalar:
        structure = self.structure
        if key not in self._numbers and self.complete:
            return self._evaluated(structure.scalar(function), whole=whole, at_zero=at_zero)
        if key not in self._numbers:
            self._numbers[key] = len(self.switches)
            mode = structure.new_mode(f"mode{len(self.switches)}")
            self.switches.append(LockedSwitch(function, mode, whole, at_zero, self.owner or ""))
            self._cores.add(structure.core(function))
        return structure.scalar(self.switches[self._numbers[key]].mode)

    def _evaluated(self, function: Scalar, *, whole: bool, at_zero: float) -> Scalar:
        """Return the mode that a function has by its value."""
        if whole:
            return self.scalars.call("floor", (function,))
        otherwise = self.scalars.call("where", (self.scalars.compare("==", function, 0), at_zero, 0.0))
        return self.scalars.call("where", (self.scalars.compare(">", function, 0), 1.0, otherwise))

    def whole_part(self, value: Scalar) -> Scalar:
        """Return the mode that holds the largest whole number up to a value."""
        function = self.structure.expression(value)
        return self._mode((self.structure.number(function), "whole"), function, whole=True, at_zero=0.0)

    def may_leave(self, value: Scalar) -> bool:
        """Tell whether a value may change its sign beyond a switch, as it depends on modes or switches by itself."""
        expression = self.structure.expression(value)
        return self.structure.has_modes(expression) or self.structure.core(expression) in self._cores

    def enter_base(self, base: Scalar) -> None:
        """Note that a law is a fractional power of a value that may change its sign beyond a switch."""
        self.bases.append(self.structure.expression(base))


class LockedScalars:
    """The engine of one trace whose laws have locked conditions; outside of laws it is that of the record."""

    def __init__(self, record: SwitchRecord) -> None:
        self.unlocked, self.record = record.scalars, record
        self._truths: dict[int, Scalar] = {}

    @contextmanager
    def law(self, owner: str) -> Iterator[None]:
        """Record conditions of the state that are formed within, as those of a force element or input."""
        before, self.record.owner = self.record.owner, owner
        try:
            yield
        finally:
            self.record.owner = before

    def observe(self, formula: Observable, values: dict[str, Scalar]) -> None:
        """Record a formula of the state, with the values of its names."""
        structure = self.record.structure
        found = {name: structure.expression(value) for name, value in values.items()}
        if any(structure.varies(value) for value in found.values()):
            self.record.observed.append(ObservedFormula(formula, found))

    def constant(self, value: int | float) -> Scalar:
        """Return a literal number as a scalar."""
        return self.unlocked.constant(value)

    def pi(self) -> Scalar:
        """Return π."""
        return self.unlocked.pi()

    def power(self, base: Scalar, exponent: Scalar) -> Scalar:
        """Return base**exponent; beyond a switch, fractional powers go on as odd functions."""
        fractional = not self.record.structure.is_known(exponent) or float(exponent) % 1.0 != 0.0
        if not fractional or not self.record.varies(base) or not self.record.may_leave(base):
            return self.unlocked.power(base, exponent)
        self.record.enter_base(base)
        size = self.unlocked.power(self._size(base), exponent)
        return self.unlocked.call("sign", (base,)) * size

    def call(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Apply an elementary function, with modes in the place of conditions of the state."""
        if function == "where":
            return self._where(*arguments)
        if not self.record.varies(*arguments):
            return self.unlocked.call(function, arguments)
        if function in ("abs", "sign"):
            sign = 2 * self.record.truth(arguments[0], 0) - 1
            return sign if function == "sign" else sign * arguments[0]
        if function in ("min", "max"):
            best = arguments[0]
            for other in arguments[1:]:
                best = self._extreme(function, best, other)
            return best
        if function == "floor":
            return self.record.whole_part(arguments[0])
        if function == "ceil":
            return -self.record.whole_part(-arguments[0])
        if function == "sqrt" and self.record.may_leave(arguments[0]):
            self.record.enter_base(arguments[0])
            root = self.unlocked.call("sqrt", (self._size(arguments[0]),))
            return self.unlocked.call("sign", arguments) * root
        return self.unlocked.call(function, arguments)

    def _size(self, base: Scalar) -> Scalar:
        return self.unlocked.call("abs", (base,)) + _ROOT_OFFSET

    def _extreme(self, function: str, left: Scalar, right: Scalar) -> Scalar:
        if not self.record.varies(left, right):
            return self.unlocked.call(function, (left, right))
        larger = self.record.truth(left, right)
        return self._blend(larger, left, right) if function == "max" else self._blend(larger, right, left)

    def _where(self, condition: Scalar, yes: Scalar, no: Scalar) -> Scalar:
        if id(condition) in self._truths:
            return self._blend(condition, yes, no)
        return self.unlocked.call("where", (condition, yes, no))

    def _blend(self, truth: Scalar, yes: Scalar, no: Scalar) -> Scalar:
        """Return `yes` at 1, `no` at 0, else their mean with these weights; neither is multiplied by zero."""
        unlocked = self.unlocked
        mean = truth * yes + (1 - truth) * no
        otherwise = unlocked.call("where", (unlocked.compare("==", truth, 0), no, mean))
        return unlocked.call("where", (unlocked.compare("==", truth, 1), yes, otherwise))

    def compare(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        """Return the truth value of a comparison: a mode, for one of the state."""
        if operator in ("==", "!=") or not self.record.varies(left, right):
            return self.unlocked.compare(operator, left, right)
        at_zero = 1.0 if operator.endswith("=") else 0.0
        sides = (left, right) if operator[0] == ">" else (right, left)
        return self._truth(self.record.truth(*sides, at_zero))

    def logic(self, operator: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Combine truth values; those of modes multilinearly, which is the same at 0 and 1."""
        if not any(id(argument) in self._truths for argument in arguments):
            return self.unlocked.logic(operator, arguments)
        if operator == "not":
            return self._truth(1 - arguments[0])
        flip = operator == "or"
        result: Scalar = 1
        for argument in arguments:
            result = result * (1 - argument if flip else argument)
        return self._truth(1 - result if flip else result)

    def _truth(self, value: Scalar) -> Scalar:
        if not self.record.structure.is_known(value):
            self._truths[id(value)] = value
        return value
