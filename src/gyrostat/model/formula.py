"""Formulas: numbers, or expressions of named quantities, parsed with Python's `ast` module and a whitelist.

A formula can contain only arithmetic, comparisons and the functions of `scalar.ARITY`. It is stored in postfix form,
so neither reading nor evaluation recurses.
"""

from __future__ import annotations

import ast
import math
import numbers
import re
import unicodedata
import warnings
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, Final, Literal, TypeAlias

from gyrostat.errors import Fault, FormulaError
from gyrostat.once import cached_property
from gyrostat.scalar import ARITY, FloatScalars, Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, negate, subtract
from gyrostat.scalar.operations import observed

LENGTH_LIMIT: Final = 20_000
"""The largest number of characters in a formula."""

CONSTANTS: Final = ("pi", "deg")
"""Names with a fixed value: π, and one degree in radians."""

TIME: Final = "t"
"""The name of time."""

Step: TypeAlias = tuple[Literal["number", "constant", "name", "call", "arithmetic", "compare", "logic"], Any, int]
"""A postfix instruction: operation, payload, and number of operands taken from the stack."""

_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*")
"""A name in the text of a formula, with its dots."""

_NUMBER_WITH_UNIT = re.compile(r"[-+]?[\d.]+([eE][-+]?\d+)?\s*[^\W\d_][\w/*^·² ³]*")
"""A number and a unit, such as 2 kg."""

_SI_UNITS = "Numbers are in SI units; a parameter may name its unit: {value: 2, unit: kg}. A product needs *: 2*l."

_ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_COMPARISON = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


@dataclass(frozen=True)
class Formula:
    """A number or an expression, immutable; two formulas are equal if their sources are equal.

    Create one with `Formula.of`.

    >>> length = Formula.of("l1/2 + 0.1")
    >>> sorted(length.names), length.value({"l1": 3.0})
    (['l1'], 1.6)
    """

    source: int | float | str
    steps: tuple[Step, ...] = field(compare=False, repr=False)

    @staticmethod
    def of(value: object) -> Formula:
        """Return a formula from a number, text, formula or SymPy expression; otherwise raise `FormulaError`."""
        if type(value) is float:  # most values are plain numbers: the abstract classes below take longer than the rest
            return _literal(value)
        if isinstance(value, Formula):
            return value
        if isinstance(value, str):
            return _parse(value)
        if type(value) is int:
            return _literal(_bounded(value))
        if isinstance(value, bool) or value is None:
            raise _fault(value, "is not a number or a formula.", "Give a number or text such as 'l1/2'.")
        if isinstance(value, numbers.Integral):
            return _literal(_bounded(int(value)))
        if isinstance(value, Fraction):
            return _parse(f"{value.numerator}/{value.denominator}")
        if isinstance(value, numbers.Real):
            return _literal(float(value))
        if _is_sympy(value):
            return _parse(_sympy_text(value))
        raise _fault(value, "is not a number or a formula.", "Give a number or text such as 'l1/2'.")

    @cached_property
    def names(self) -> frozenset[str]:
        """The quantities that the formula refers to, constants such as pi excluded."""
        return frozenset(payload for kind, payload, _ in self.steps if kind == "name")

    @property
    def number(self) -> int | float | None:
        """The value of a literal number; None for an expression."""
        return None if isinstance(self.source, str) else self.source

    def evaluate(self, scalars: Scalars, lookup: Callable[[str], Scalar]) -> Scalar:
        """Return the value on an engine; `lookup` gives the scalar of a name."""
        lookup = observed(scalars, self, lookup)
        stack: list[Scalar] = []
        for kind, payload, count in self.steps:
            if kind == "name":
                stack.append(lookup(payload))
            elif kind == "number":
                stack.append(scalars.constant(payload))
            elif kind == "arithmetic" and count == 2 and payload in _OPERATIONS:
                right = stack.pop()
                stack[-1] = _OPERATIONS[payload](stack[-1], right)
            elif kind == "arithmetic" and count == 1:
                stack[-1] = negate(stack[-1])
            elif kind == "constant":
                stack.append(scalars.pi() if payload == "pi" else scalars.pi() / 180)
            else:
                operands = tuple(stack[len(stack) - count :])
                del stack[len(stack) - count :]
                stack.append(_apply(kind, payload, operands, scalars))
        return stack[-1]

    def value(self, values: dict[str, float] | None = None) -> float:
        """Return the floating-point value with names taken from `values`."""
        return float(self.evaluate(FloatScalars(), (values or {}).__getitem__))

    def renamed(self, rename: Callable[[str], str], kept: Container[str] = ()) -> Formula:
        """Return the formula with other names; time and the names in `kept` stay.

        >>> Formula.of("l1*cos(a1.angle) + t").renamed(lambda name: f"left.{name}")
        Formula(source='left.l1*cos(left.a1.angle) + t')
        """
        changed = {name: rename(name) for name in self.names if name != TIME and name not in kept}
        if all(name == new for name, new in changed.items()):
            return self

        def written(found: re.Match[str]) -> str:
            name = re.sub(r"\s", "", unicodedata.normalize("NFKC", found[0]))
            return changed.get(name, found[0])

        return Formula.of(_NAME.sub(written, str(self.source)))

    def __str__(self) -> str:
        return str(self.source)


def _apply(kind: str, payload: Any, operands: tuple[Scalar, ...], scalars: Scalars) -> Scalar:
    if kind == "call":
        return scalars.call(payload, operands)
    if kind == "compare":
        return scalars.compare(payload, *operands)
    if kind == "logic":
        return scalars.logic(payload, operands)
    return scalars.power(*operands)


_OPERATIONS = {"+": add, "-": subtract, "*": multiply, "/": divide}
"""Binary arithmetic operations other than powers."""


def _bounded(value: int) -> int:
    if value.bit_length() > 1023:  # larger integers may exceed the range of a double
        raise _fault("number", "is an integer of more than 308 digits.", "Use a floating-point number or rescale.")
    return value


def _literal(value: int | float) -> Formula:
    if not math.isfinite(value):
        raise _fault(value, "is not a finite number.", "Give a finite value.")
    return literal(value)


def literal(value: int | float) -> Formula:
    """Return a finite number as a formula, without a check."""
    found = object.__new__(Formula)  # two thirds of the time of a frozen record's own initialisation
    held = found.__dict__
    held["source"], held["steps"] = value, (("number", value, 0),)
    return found


@lru_cache(maxsize=65536)
def _parse(text: str) -> Formula:
    """Read a formula's text."""
    stripped = text.strip()
    if not stripped:
        raise _fault(text, "is empty.", "Write a number or a formula.")
    if len(stripped) > LENGTH_LIMIT:
        raise _fault(
            stripped,
            f"has {len(stripped)} characters.",
            f"At most {LENGTH_LIMIT} are allowed; define parts of it as parameters.",
        )
    if "#" in stripped:
        raise _fault(stripped, "contains '#'.", "Write comments elsewhere, for example as a parameter's description.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # suppress the parser's syntax warnings about literals and escapes
            tree = ast.parse(stripped, mode="eval").body
    except SyntaxError as error:
        if _NUMBER_WITH_UNIT.fullmatch(stripped):
            raise _fault(stripped, "is a number followed by a word.", _SI_UNITS) from None
        at = f" at character {error.offset}" if error.offset else ""
        raise _fault(
            stripped, f"is not a formula: {error.msg}{at}.", "Write it as in Python: 2*l1*cos(alpha)**2."
        ) from None
    except (RecursionError, MemoryError):
        raise _fault(stripped, "is nested too deeply.", "Define parts of it as parameters.") from None
    except ValueError as error:
        raise _fault(stripped, f"is not a formula: {error}.", "Write it as in Python.") from None
    steps = tuple(_steps(tree, stripped))
    if len(steps) == 1 and steps[0][0] == "number":
        return _literal(steps[0][1])
    if len(steps) == 2 and steps[0][0] == "number" and steps[1] == ("arithmetic", "-", 1):
        return _literal(-steps[0][1])
    return Formula(stripped, steps)


def _steps(tree: ast.expr, text: str) -> list[Step]:
    """Convert a syntax tree to postfix steps: the reverse of a right-to-left prefix traversal."""
    pending: list[ast.expr] = [tree]
    backwards: list[Step] = []
    while pending:
        node = pending.pop()
        step, operands = _step(node, text)
        backwards.append(step)
        pending.extend(operands)
    backwards.reverse()
    return backwards


def _step(node: ast.expr, text: str) -> tuple[Step, list[ast.expr]]:
    """Return the step of one node and the nodes of its operands; refuse all other node types."""
    match node:
        case ast.Constant(value=bool() | str() | bytes() | complex() | None):
            raise _fault(
                text, f"contains {ast.unparse(node)[:40]}, which is not a real number.", "Use numbers and names."
            )
        case ast.Constant(value=int() as value):
            return ("number", _bounded(value), 0), []
        case ast.Constant(value=float() as value):
            if not math.isfinite(value):
                raise _fault(text, "contains a number too large for a float.", "Rescale it.")
            return ("number", value, 0), []
        case ast.Name(id=name) if name in CONSTANTS:
            return ("constant", name, 0), []
        case ast.Name() | ast.Attribute():
            return ("name", _dotted(node, text), 0), []
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ("arithmetic", "-", 1), [operand]
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _step(operand, text) if not isinstance(operand, ast.UnaryOp) else _unsigned(operand, text)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ("logic", "not", 1), [operand]
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _ARITHMETIC:
            return ("arithmetic", _ARITHMETIC[type(operator)], 2), [left, right]
        case ast.BinOp(op=ast.BitXor()):
            raise _fault(text, "contains ^.", "Write ** for powers, as in l**2.")
        case ast.BoolOp(op=operator, values=values):
            return ("logic", "and" if isinstance(operator, ast.And) else "or", len(values)), list(values)
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in _COMPARISON:
            return ("compare", _COMPARISON[type(operator)], 2), [left, right]
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _call(name, arguments, text), list(arguments)
    written = type(node).__name__
    raise _fault(text, f"contains {written}, which is not allowed in a formula.", _SYNTAX_REMEDY)


def _unsigned(node: ast.UnaryOp, text: str) -> tuple[Step, list[ast.expr]]:
    """Skip consecutive unary plus signs without recursion."""
    inner: ast.expr = node
    while isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.UAdd):
        inner = inner.operand
    return _step(inner, text)


_ALIASES: Final = {"maximum": "max", "minimum": "min"}
"""Other names of functions, as in NumPy."""


def _call(name: str, arguments: list[ast.expr], text: str) -> Step:
    name = _ALIASES.get(name, name)
    if name not in ARITY:
        raise _fault(text, f"calls {name!r}, which is not a known function.", _SYNTAX_REMEDY)
    arity = ARITY[name]
    given = len(arguments)
    if (arity is None and given < 2) or (arity is not None and given != arity):
        wanted = "two or more arguments" if arity is None else "1 argument" if arity == 1 else f"{arity} arguments"
        raise _fault(text, f"gives {given} to {name!r}.", f"It takes {wanted}.")
    return ("call", name, given)


def _dotted(node: ast.expr, text: str) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise _fault(text, "has a dot after something that is not a name.", _SYNTAX_REMEDY)
    parts.append(node.id)
    return ".".join(reversed(parts))


_SYNTAX_REMEDY = (
    "A formula may contain numbers, names, + - * / **, comparisons, and, or, not, pi, deg and the functions "
    + ", ".join(ARITY)
    + "."
)


def _fault(value: object, fact: str, remedy: str) -> FormulaError:
    text = value if isinstance(value, str) else repr(value)
    shown = text if len(text) <= 60 else text[:57] + "..."
    return FormulaError(Fault(f"formula {shown!r}" if isinstance(value, str) else f"value {shown}", fact, remedy))


def _is_sympy(value: object) -> bool:
    """Return whether a value is a SymPy object, without importing SymPy; applied functions have no module."""
    if isinstance(value, type):
        return False
    return any(str(cls.__module__).partition(".")[0] == "sympy" for cls in type(value).__mro__)


@cache
def _formula_printer() -> Any:
    """Return the class that prints SymPy expressions as texts of formulas."""
    from sympy.printing.str import StrPrinter

    class Printer(StrPrinter):  # type: ignore[misc]
        """SymPy's plain text with this package's function names."""

        def _print_Abs(self, expr: Any) -> str:
            return f"abs({self._print(expr.args[0])})"

        def _print_Max(self, expr: Any) -> str:
            return f"max({', '.join(self._print(a) for a in expr.args)})"

        def _print_Min(self, expr: Any) -> str:
            return f"min({', '.join(self._print(a) for a in expr.args)})"

        def _print_Exp1(self, expr: Any) -> str:
            return "exp(1)"

        def _print_ceiling(self, expr: Any) -> str:
            return f"ceil({self._print(expr.args[0])})"

        def _print_Float(self, expr: Any) -> str:
            return repr(_literal(float(expr)).source)  # SymPy prints 15 digits; a double needs 17

        def _print_Symbol(self, expr: Any) -> str:
            if not all(part.isidentifier() for part in expr.name.split(".")):
                raise _fault(expr.name, "is a symbol that cannot be a name in a formula.", "Use letters, digits and _.")
            return str(expr.name)

        def _print_Relational(self, expr: Any) -> str:
            return f"({self._print(expr.lhs)} {expr.rel_op} {self._print(expr.rhs)})"

        def _print_And(self, expr: Any) -> str:
            return f"({' and '.join(self._print(a) for a in expr.args)})"

        def _print_Or(self, expr: Any) -> str:
            return f"({' or '.join(self._print(a) for a in expr.args)})"

        def _print_Not(self, expr: Any) -> str:
            return f"(not {self._print(expr.args[0])})"

        def _print_Piecewise(self, expr: Any) -> str:
            *cases, (last, condition) = expr.args
            if condition != True:  # noqa: E712  (SymPy's own truth value)
                raise _fault(str(expr), "is not defined everywhere.", "Give Piecewise a last case that is always true.")
            text = self._print(last)
            for value, when in reversed(cases):
                text = f"where({self._print(when)}, {self._print(value)}, {text})"
            return str(text)

    return Printer


def _sympy_text(expression: Any) -> str:
    """Return a SymPy expression as the text of a formula."""
    from sympy import E, NumberSymbol, S, pi

    unreal = {S.ImaginaryUnit, S.Infinity, S.NegativeInfinity, S.ComplexInfinity, S.NaN}
    try:
        for atom in expression.atoms() if hasattr(expression, "atoms") else ():
            if atom in unreal or (isinstance(atom, NumberSymbol) and atom not in (pi, E)):
                raise _fault(
                    str(expression), f"contains {atom}, which a formula cannot.", "Use finite real numbers and names."
                )
        text: str = _formula_printer()().doprint(expression)
    except RecursionError:
        raise _fault(type(expression).__name__, "is nested too deeply.", "Define parts of it as parameters.") from None
    return text
