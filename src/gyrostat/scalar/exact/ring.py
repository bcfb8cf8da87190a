"""The ring of trigonometric polynomials: its symbols, angles, groups and auxiliary symbols."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from types import MappingProxyType
from typing import Any

import flint

from gyrostat.errors import GyrostatError, SizeError
from gyrostat.scalar.exact.definitions import PI, Angle, Definition, Generator, GeneratorKind
from gyrostat.scalar.exact.element import Element
from gyrostat.scalar.exact.equality import equals
from gyrostat.scalar.exact.evaluation import evaluate
from gyrostat.scalar.exact.harmonics import UNIT, Harmonics
from gyrostat.scalar.exact.numbers import as_rational
from gyrostat.scalar.exact.reciprocals import quotient, reciprocal
from gyrostat.scalar.exact.reduction import reduced
from gyrostat.scalar.exact.rotation import rotated
from gyrostat.scalar.exact.text import to_text

_RESERVE = 5
_REPORT_INTERVAL = 100
"""Products between two progress reports; they take less than 0.1 s even with long coefficients."""


class ExactRing:
    """Trigonometric polynomials with exact coefficients.

    `groups` lists angles that share a group: inside it products of sines and cosines become sums. All other names are
    symbols; more may be added at any time, and an angle that belongs to no group gets one of its own. Symbols in
    `positive` are their own absolute values. With `effort`, formulas that would need more products of coefficients than
    that are refused: expanded equations of long spatial chains explode. With `most_terms`, so are expressions with
    roots, quotients or Euler parameters that have more terms than that when they are multiplied out.

    >>> ring = ExactRing(groups=[["a", "b"]], symbols=["l"])
    >>> from gyrostat.scalar.exact import ExactScalars
    >>> x = ExactScalars(ring)
    >>> a, b = ring.symbol("a"), ring.symbol("b")
    >>> x.call("cos", (a,)) * x.call("cos", (a + b,)) + x.call("sin", (a,)) * x.call("sin", (a + b,))
    cos(b)
    """

    # Elements get from their ring the operations that are themselves written in terms of elements.
    equals = staticmethod(equals)
    evaluate = staticmethod(evaluate)
    quotient = staticmethod(quotient)
    reciprocal = staticmethod(reciprocal)
    reduced = staticmethod(reduced)
    rotated = staticmethod(rotated)
    to_text = staticmethod(to_text)

    def __init__(
        self,
        groups: Sequence[Sequence[str]] = (),
        symbols: Iterable[str] = (),
        *,
        positive: Iterable[str] = (),
        effort: int | None = None,
        most_terms: int | None = None,
    ) -> None:
        self.harmonics = Harmonics()
        self.generators: list[Generator] = []
        self.angles: list[Angle] = []
        self.positive = frozenset(positive)
        self.effort = effort
        self.spent = 0
        """How many products of coefficients have been formed."""
        self.pause: float = float("inf") if effort is None else effort
        """How many may be formed before `check_effort` is called."""
        self._report: Callable[[int], None] | None = None
        self.most_terms: float = float("inf") if most_terms is None else most_terms
        self.squares: dict[int, Element] = {}
        """r² for symbols that have such a rule."""
        self.divisors: dict[int, Element] = {}
        """p for symbols that represent 1/p."""
        self._by_name: dict[str, Generator] = {}
        self._by_key: dict[Hashable, Generator] = {}
        self._angles_of: dict[Hashable, list[Angle]] = {}
        self._group_of: dict[str, int] = {}
        self._n_groups = 0
        self._counts: dict[str, int] = {}
        names = [*dict.fromkeys([*symbols, *(angle for group in groups for angle in group)])]
        self.has_grown = False
        """Whether there was a smaller context, which some elements may still be in."""
        self._symbols: dict[int, Element] = {}
        self._plain: dict[str, Element] = {}
        """Symbols without a rule, by name."""
        self.turns: dict[str, tuple[Any, Any]] = {}
        """cos and sin of symbols, by name, formed on request."""
        self.context, self._variables, self.one = _context(len(names) + _RESERVE)
        self.generators.extend([Generator(i, name) for i, name in enumerate(names)])
        self._by_name.update(zip(names, self.generators, strict=True))
        for group in groups:
            self.add_group(group)

    def __repr__(self) -> str:
        return f"ExactRing of {len(self.generators)} symbols, {len(self.angles)} angles"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all symbols, auxiliary ones included, in order."""
        return tuple(generator.name for generator in self.generators)

    @property
    def definitions(self) -> Mapping[str, Definition]:
        """Definitions of auxiliary symbols, by name."""
        return MappingProxyType({g.name: g.definition for g in self.generators if g.definition is not None})

    @property
    def has_auxiliaries(self) -> bool:
        """Whether there are auxiliary symbols."""
        return bool(self._by_key)

    def add_group(self, names: Sequence[str]) -> None:
        """Declare angles whose products of sines and cosines become sums; before they are used in one."""
        group = self.new_group()
        for name in names:
            if name in self._group_of:
                raise GyrostatError(f"The angle {name!r} is in two groups. Name each angle once.")
            self._group_of[name] = group
            self.angle_of(self.symbol(name), 1)

    def symbol(self, name: str) -> Element:
        """Return a symbol as an element; a new name is added."""
        return self._plain.get(name) or self.variable(self.generator(name))

    def generator(self, name: str) -> Generator:
        """Return the record of a symbol; a new name is added."""
        found = self._by_name.get(name)
        return self._add(name, None) if found is None else found

    def known(self, name: str) -> bool:
        """Tell whether there is a symbol of this name."""
        return name in self._by_name

    def variable(self, generator: Generator) -> Element:
        """Return the element of a generator."""
        index = generator.index
        marks = 1 << index if index in self.squares or index in self.divisors else 0
        found = self._symbols.get(index)
        if found is None or found.marks != marks:
            found = self._symbols[index] = Element(self, {UNIT: self.gen(index)}, (), marks)
            found.name = generator.name
            if not marks:
                self._plain[generator.name] = found
        return found

    def set_square(self, generator: Generator, square: Element) -> None:
        """Set the reduction rule of a symbol's square."""
        self.squares[generator.index] = square
        self._plain.pop(generator.name, None)

    def gen(self, index: int) -> Any:
        """Return a variable of the coefficients."""
        return self._variables[index]

    def constant(self, value: Any) -> Element:
        """Return a number as an element (formulas use numbers themselves; this is for code that needs an element)."""
        number = as_rational(value)
        return Element(self, {UNIT: self.context.constant(number)} if number else {}, (), 0)

    def euler_parameters(self, e0: str, e1: str, e2: str, e3: str) -> tuple[Element, Element, Element, Element]:
        """Declare a unit quaternion: e0² becomes 1 − e1² − e2² − e3² from now on."""
        first, *rest = (self.symbol(name) for name in (e0, e1, e2, e3))
        squares = [x * x for x in rest]
        self.set_square(self.generator(e0), 1 - squares[0] - squares[1] - squares[2])
        first = self.symbol(e0)
        return (first, rest[0], rest[1], rest[2])

    def auxiliary(self, prefix: str, definition: Definition) -> Generator:
        """Return the auxiliary symbol of a definition, the same one for equal arguments."""
        key = (definition.kind, definition.function, *(_key(argument) for argument in definition.arguments))
        found = self._by_key.get(key)
        if found is None:
            count = self._counts[prefix] = self._counts.get(prefix, 0) + 1
            found = self._by_key[key] = self._add(f"{prefix} {count}", definition)  # no name of a model has a space
            if definition.kind is GeneratorKind.ROOT:
                self.set_square(found, definition.arguments[0])
            elif definition.kind is GeneratorKind.INVERSE:
                self.divisors[found.index] = definition.arguments[0]
        return found

    def new_group(self) -> int:
        """Return the number of a new group, for `angle_of`."""
        self._n_groups += 1
        return self._n_groups - 1

    def angle_of(self, argument: Element, divisor: int, group: int | None = None) -> tuple[Angle, int]:
        """Return an angle and its integer multiple that equals argument/divisor; a new angle is added.

        The argument is a single term with coefficient one. A new angle joins the group given, or gets its own.
        """
        name = argument.symbol_name()
        angles = self._angles_of.setdefault(argument.key() if name is None else name, [])
        for angle in angles:
            if angle.divisor % divisor == 0:
                return angle, angle.divisor // divisor
        if group is None:
            group = self.new_group() if name is None or name not in self._group_of else self._group_of[name]
        if name is not None:
            self._group_of.setdefault(name, group)
        angle = Angle(len(self.angles), group, argument, divisor)
        if name == PI:
            self.harmonics.periods[angle.index] = 2 * divisor
        self.angles.append(angle)
        angles.append(angle)
        return angle, 1

    def trig(self, parity: int, group: int, combination: Mapping[int, int]) -> Element:
        """Return cos (parity 0) or sin (parity 1) of an integer combination of the angles of one group."""
        sign, factors = self.harmonics.canonical(
            group, parity, tuple(sorted((angle, k) for angle, k in combination.items() if k))
        )
        terms = {self.harmonics.intern(factors): self.one if sign > 0 else -self.one} if sign else {}
        return Element(self, terms, (), 0)

    @contextmanager
    def watched(self, report: Callable[[int], None]) -> Iterator[None]:
        """Call `report` with the number of products formed, every so often, while the context lasts."""
        self._report, self.pause = report, self.spent
        try:
            yield
        finally:
            self._report = None
            self.pause = float("inf") if self.effort is None else self.effort

    def check_effort(self) -> None:
        """Report the work done and refuse what needs too much effort."""
        if self.effort is not None and self.spent > self.effort:
            raise self.refuse()
        if self._report is not None:
            self._report(self.spent)
            self.pause = min(self.spent + _REPORT_INTERVAL, float("inf") if self.effort is None else self.effort)

    def refuse(self) -> GyrostatError:
        """Return the error of a formula that needs too much effort."""
        return GyrostatError(
            f"The expanded equations need more than {self.effort} products of coefficients, too many to read. "
            "Use the recursive form, give numbers for parameters that need no symbol, or allow more effort."
        )

    def refuse_terms(self, count: int) -> SizeError:
        """Return the error of an expression that has too many terms."""
        return SizeError(
            f"multiplied out, an expression with roots, quotients or Euler parameters has {count:,} terms, more than "
            f"{self.most_terms:,}, too many to read. Use the compact form, equations('recursive'), quantities in "
            "numbers, or size_limit=None."
        )

    def _add(self, name: str, definition: Definition | None) -> Generator:
        generator = Generator(len(self.generators), name, definition)
        self.generators.append(generator)
        self._by_name[name] = generator
        if generator.index >= self.context.nvars():
            self.has_grown = True
            size = generator.index + max(_RESERVE, generator.index // 4)
            self.context, self._variables, self.one = _context(size)
        return generator


def _key(argument: Any) -> Hashable:
    return argument.key() if isinstance(argument, Element) else argument


@cache
def _context(size: int) -> tuple[Any, tuple[Any, ...], Any]:
    """Return a context with `size` variables, the variables and one; a smaller context has the first of them."""
    context = flint.fmpq_mpoly_ctx.get([f"x{i}" for i in range(size)], flint.Ordering.lex)
    return context, context.gens(), context.constant(1)
