"""SymPy expressions as elements, and the normal form as a fast replacement for `trigsimp`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from gyrostat.errors import GyrostatError
from gyrostat.scalar.exact.definitions import PI
from gyrostat.scalar.exact.element import Element, as_element, sum_of
from gyrostat.scalar.exact.engine import ExactScalars
from gyrostat.scalar.exact.equality import equals
from gyrostat.scalar.exact.numbers import as_fraction
from gyrostat.scalar.exact.ring import ExactRing
from gyrostat.scalar.exact.to_sympy import SympyWriter
from gyrostat.scalar.exact.trigonometry import single_terms
from gyrostat.scalar.operations import Scalar

_NAMES = {"Abs": "abs", "Min": "min", "Max": "max", "ceiling": "ceil"}
_SHARED_FUNCTIONS = (
    *("asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp", "log", "sign", "floor", "Abs", "Min", "Max", "ceiling"),
)


def trig_normal_form(expr: Any, groups: Sequence[Sequence[Any]] | None = None) -> Any:
    """Return a SymPy expression, or a matrix of them, with sines and cosines in normal form.

    Products of sines and cosines become sums, which cancel where they are equal: a fast replacement for `trigsimp`. The
    form is unique, so that two expressions are equal if and only if their normal forms are (roots, quotients of sums
    and functions other than sine and cosine excepted). Floats are read as their shortest decimals.

    `groups` lists sets of angles that may be combined: products across groups stay products, which is shorter for
    angles about different axes. Without it all angles are in one group.

    >>> from sympy import cos, sin, symbols
    >>> a, b, l = symbols("a b l")
    >>> trig_normal_form(l * cos(a) * cos(a + b) + l * sin(a) * sin(a + b))
    l*cos(b)
    >>> trig_normal_form(cos(a) * cos(b)), trig_normal_form(cos(a) * cos(b), groups=[[a], [b]])
    (cos(a - b)/2 + cos(a + b)/2, cos(a)*cos(b))
    """
    import sympy

    expression = _as_sympy(expr)
    is_matrix = isinstance(expression, sympy.MatrixBase)
    reader = SympyReader(list(expression) if is_matrix else [expression], groups)

    def normal(entry: Any) -> Any:
        value = reader(entry)
        return reader.write(0 if equals(value, 0) else value)

    result = expression.applyfunc(normal) if is_matrix else normal(expression)
    # SymPy writes sines and cosines of some parts of π with roots, which are then read once more
    return trig_normal_form(result, groups) if result != expression and reader.ring.harmonics.periods else result


class SympyReader:
    """Turns SymPy expressions into elements of one ring: symbols, functions of time and derivatives are its symbols."""

    def __init__(self, expressions: Sequence[Any], groups: Sequence[Sequence[Any]] | None = None) -> None:
        import sympy

        self.sympy: Any = sympy
        self._atoms: dict[Any, str] = {}
        atoms = _atoms(sympy, expressions)
        for atom in atoms:
            self._atoms[atom] = f"{atom}" if f"{atom}" not in self._atoms.values() else f"{atom} {len(self._atoms)}"
        self.ring = ExactRing(
            symbols=self._atoms.values(),
            positive=[name for atom, name in self._atoms.items() if getattr(atom, "is_positive", None)],
        )
        self.engine = ExactScalars(self.ring)
        self._seen: dict[Any, Scalar] = {}
        self._declare_angles(expressions, groups)

    def write(self, value: Scalar) -> Any:
        """Return an element as SymPy, in the symbols that were read."""
        return SympyWriter(self.ring, {name: atom for atom, name in self._atoms.items()})(value)

    def __call__(self, expression: Any) -> Scalar:
        """Return an expression as an element."""
        found = self._seen.get(expression)
        if found is None:
            try:
                found = self._seen[expression] = self._read(expression)
            except RecursionError:
                raise GyrostatError(
                    "The expression is nested too deeply to be read. Replace parts of it by symbols."
                ) from None
        return found

    def _declare_angles(self, expressions: Sequence[Any], groups: Sequence[Sequence[Any]] | None) -> None:
        """Add all angles in the finest parts that occur, so that multiples of one angle are recognised as related."""
        sympy = self.sympy
        functions = (sympy.sin, sympy.cos, sympy.tan, sympy.cot, sympy.sec, sympy.csc)
        calls = {call for e in expressions for call in e.atoms(*functions)}
        if any(call.args[0].has(*functions) for call in calls):
            calls = {call for call in calls if not call.args[0].has(*functions)}
        parts: dict[Any, tuple[Element, int]] = {}
        for call in sorted(calls, key=sympy.default_sort_key):
            for coefficient, term in single_terms(as_element(self.ring, self(sympy.expand(call.args[0])))):
                if term.symbol_name() != PI and term.used():
                    key = term.key()
                    parts[key] = (term, lcm(coefficient.denominator, parts[key][1] if key in parts else 1))
        order = {name: i for i, name in enumerate(self.ring.names)}
        terms = sorted(parts.values(), key=lambda part: order.get(part[0].symbol_name() or "", len(order)))
        if groups is None:
            shared = self.ring.new_group()
            for term, divisor in terms:
                self.ring.angle_of(term, divisor, shared)
            return
        for angles in groups:
            shared = self.ring.new_group()
            for angle in angles:
                term = as_element(self.ring, self(_as_sympy(angle)))
                divisor = next((d for other, d in terms if other.key() == term.key()), 1)
                self.ring.angle_of(term, divisor, shared)

    def _read(self, e: Any) -> Scalar:
        sympy, engine = self.sympy, self.engine
        if e in self._atoms:
            return self.ring.symbol(self._atoms[e])
        if e.is_Rational:
            return engine.constant(Fraction(int(e.p), int(e.q)))
        if e.is_Float:
            return engine.constant(as_fraction(float(e)) if e._prec <= 53 else Fraction(str(e)))
        if e is sympy.pi:
            return engine.pi()
        if e is sympy.I:
            return self._imaginary()
        if e.is_Add:
            return sum_of(self.ring, [self(part) for part in e.args])
        if e.is_Mul:
            return self._product(e.args)
        if e.is_Pow:
            return self._power(e)
        if e in (sympy.true, sympy.false):
            return int(bool(e))
        if e.is_Relational:
            return engine.compare(e.rel_op, self(e.lhs), self(e.rhs))
        if isinstance(e, (sympy.And, sympy.Or, sympy.Not)):
            return engine.logic(type(e).__name__.lower(), tuple(self(part) for part in e.args))
        if isinstance(e, sympy.Piecewise):
            return self._cases(e)
        if e in (sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
            raise GyrostatError(f"{e} is not a number that an expression in normal form can contain. Remove it.")
        return self._function(e)

    def _product(self, factors: Iterable[Any]) -> Scalar:
        result: Scalar = 1
        for factor in factors:
            result = result * self(factor)
        return result

    def _power(self, e: Any) -> Scalar:
        if e.base is self.sympy.E:
            return self.engine.call("exp", (self(e.exp),))
        return self.engine.power(self(e.base), self(e.exp))

    def _imaginary(self) -> Element:
        """Return the imaginary unit: a symbol whose square is −1."""
        generator = self.ring.generator("I ")
        self._atoms[self.sympy.I] = "I "
        self.ring.squares.setdefault(generator.index, self.ring.constant(-1))
        return self.ring.variable(generator)

    def _cases(self, e: Any) -> Scalar:
        *cases, (last, condition) = e.args
        if condition != True:  # noqa: E712  (SymPy's own truth value)
            return self._opaque(e)
        result = self(last)
        for value, when in reversed(cases):
            result = self.engine.call("where", (self(when), self(value), result))
        return result

    def _function(self, e: Any) -> Scalar:
        engine = self.engine
        name = type(e).__name__
        if name in ("sin", "cos", "tan"):
            return engine.call(name, (self(e.args[0]),))
        if name in ("cot", "sec", "csc"):
            argument = (self(e.args[0]),)
            above: Scalar = engine.call("cos", argument) if name == "cot" else 1
            return above * engine.power(engine.call("cos" if name == "sec" else "sin", argument), -1)
        if (
            name in _SHARED_FUNCTIONS
            and (len(e.args) > 1 or name not in ("Min", "Max"))
            and not (name == "log" and len(e.args) > 1)
        ):
            return engine.call(_NAMES.get(name, name), tuple(self(argument) for argument in e.args))
        return self._opaque(e)

    def _opaque(self, e: Any) -> Element:
        """Return anything else as a symbol, its arguments in normal form."""
        if not e.args or not isinstance(e, self.sympy.Expr):
            if isinstance(e, self.sympy.Expr):
                return self._new(e)
            raise GyrostatError(f"{str(e)[:80]} is not an expression with a value. Give a formula or a matrix of them.")
        if any(not isinstance(argument, self.sympy.Expr) for argument in e.args):
            return self._new(e)
        return self._new(e.func(*(self.write(self(argument)) for argument in e.args)))

    def _new(self, e: Any) -> Element:
        if e not in self._atoms:
            self._atoms[e] = f"{e} {len(self._atoms)}"
        return self.ring.symbol(self._atoms[e])


def _as_sympy(value: Any) -> Any:
    """Return a SymPy object or a number as SymPy has it; text is refused, for SymPy would run it as code."""
    import sympy

    try:
        return sympy.sympify(value, strict=True)
    except sympy.SympifyError:
        raise GyrostatError(
            f"{value!r:.60} is not a SymPy expression. Build it from symbols: text is not read, since it could be code."
        ) from None


def _atoms(sympy: Any, expressions: Sequence[Any]) -> list[Any]:
    """Return symbols, applied undefined functions and derivatives, in a fixed order."""
    from sympy.core.function import AppliedUndef

    found: set[Any] = set()
    for expression in expressions:
        if not hasattr(expression, "atoms"):
            continue
        found |= expression.atoms(sympy.Symbol, AppliedUndef, sympy.Derivative)
    return sorted(found, key=sympy.default_sort_key)
