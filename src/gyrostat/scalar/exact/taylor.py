"""Taylor expansion: exact, truncated while products are formed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import factorial
from typing import Any, TypeAlias

from gyrostat.errors import GyrostatError
from gyrostat.scalar.exact.branches import BRANCHED_FUNCTIONS, Sign, branch, sign_of_number
from gyrostat.scalar.exact.calculus import Differential
from gyrostat.scalar.exact.definitions import Definition
from gyrostat.scalar.exact.element import Element, settled, sum_of
from gyrostat.scalar.exact.engine import ExactScalars
from gyrostat.scalar.exact.harmonics import COSINE, Factor
from gyrostat.scalar.exact.ring import ExactRing
from gyrostat.scalar.exact.rounding import in_numbers
from gyrostat.scalar.exact.substitution import apply, substitute
from gyrostat.scalar.exact.trigonometry import cosine_and_sine
from gyrostat.scalar.operations import Scalar

Series: TypeAlias = list[Scalar]
"""Parts of a scalar by degree in the small variables, from 0 to the order."""


def taylor(value: Scalar, names: Sequence[str], order: int, about: Mapping[str, Scalar] | None = None) -> Scalar:
    """Return the Taylor polynomial in some symbols about a point (zero unless given), up to a total degree.

    In the result the symbols are the deviations from that point.

    >>> ring = ExactRing(groups=[["a", "b"]], symbols=["l"])
    >>> a, b, l = (ring.symbol(name) for name in "abl")
    >>> taylor(l * ExactScalars(ring).call("cos", (a + b,)), ["a", "b"], 2)
    -l*a**2/2 - l*a*b - l*b**2/2 + l
    """
    return sum_of(value.ring, taylor_parts(value, names, order, about)) if isinstance(value, Element) else value


def taylor_parts(
    value: Scalar, names: Sequence[str], order: int, about: Mapping[str, Scalar] | None = None
) -> list[Scalar]:
    """Return the homogeneous parts of the Taylor polynomial, by degree."""
    if not isinstance(value, Element):
        return [value, *[0] * order]
    ring = value.ring
    centre = about or {}
    linear = {name: [centre.get(name, 0), ring.symbol(name), *[0] * order][: order + 1] for name in names}
    return Expansion(ring, linear, order)(value)


class Expansion:
    """Series of scalars, given the series of some symbols; those of functions are formed once.

    `sign` gives the signs of constants, which decide the branch of |x|, min, where and the like at the centre.
    Symbols may have series of any kind: weights of their own, sums over other symbols. With `rounded`, functions of
    numbers become decimals of double precision, which keeps expansions about a point in numbers short.

    >>> ring = ExactRing(symbols=["x", "c", "y"])
    >>> x, c, y = (ring.symbol(name) for name in "xcy")
    >>> Expansion(ring, {"x": [0, y, 0, 0], "c": [0, 0, c, 0]}, 3)(c * x + x * x)
    [0, 0, y**2, c*y]
    """

    def __init__(
        self,
        ring: ExactRing,
        series: Mapping[str, Series],
        order: int,
        sign: Sign = sign_of_number,
        *,
        rounded: bool = False,
    ) -> None:
        self.ring = ring
        self.order = order
        self.sign = sign
        self.rounded = rounded
        self.engine = ExactScalars(ring)
        self._symbols: dict[int, Series | None] = {ring.generator(name).index: s for name, s in series.items()}
        self._factors: dict[Factor, Series | None] = {}

    def __call__(self, value: Scalar) -> Series:
        """Return the parts of a scalar by degree."""
        if not isinstance(value, Element):
            return self._constant(value)
        changed = {i: s for i in sorted(value.used()) if (s := self._symbol(i)) is not None}
        value.lifted()
        total: list[list[Scalar]] = [[] for _ in range(self.order + 1)]
        for h, c in list(value.terms.items()):
            kept, trig = self._harmonic(h)
            for degree, part in enumerate(self.times(self._coefficient(value, c, kept, changed), trig)):
                total[degree].append(part)
        result = [sum_of(self.ring, parts) for parts in total]
        for i, e in value.below:
            if i in changed:
                for _ in range(e):
                    result = self.times(result, self._function(lambda x: self.engine.power(x, -1), [changed[i]]))
        return result

    def _constant(self, value: Scalar) -> Series:
        return [value, *[0] * self.order]

    def times(self, a: Series, b: Series) -> Series:
        """Return a product truncated at the order."""
        return [
            sum_of(self.ring, (a[i] * b[n - i] for i in range(n + 1) if not _zero(a[i]) and not _zero(b[n - i])))
            for n in range(self.order + 1)
        ]

    def _symbol(self, index: int) -> Series | None:
        """Return a symbol's series, None where it is constant."""
        if index not in self._symbols:
            definition = self.ring.generators[index].definition
            self._symbols[index] = None if definition is None else self._auxiliary(definition)
        return self._symbols[index]

    def _auxiliary(self, definition: Definition) -> Series | None:
        if not any(self.changes(argument) for argument in definition.arguments):
            return None

        def formed(*arguments: Scalar) -> Scalar:
            return apply(self.engine, definition.kind, definition.function, arguments)

        return self.applied(definition, formed, [self(argument) for argument in definition.arguments])

    def applied(self, definition: Definition, function: Any, arguments: list[Series]) -> Series:
        """Return the series of a function of series; `definition` names it."""
        if definition.function in BRANCHED_FUNCTIONS:
            try:
                known = branch(definition, arguments, self.sign)
            except GyrostatError as error:
                raise GyrostatError(f"There is no Taylor expansion about this point. {error}") from None
            if known is not None:
                return known
        return self._function(function, arguments)

    def changes(self, value: Scalar) -> bool:
        """Tell whether a scalar depends on the small variables."""
        if not isinstance(value, Element):
            return False
        return any(self._symbol(i) is not None for i in value.used()) or any(
            self.changes(self.ring.angles[angle].argument) for angle in value.used_angles()
        )

    def _function(self, function: Any, arguments: list[Series]) -> Series:
        """Return Σ (δ·∂)ⁿ f / n! at the centre, where δ are the arguments' deviations."""
        inner = [f"argument {i}" for i in range(len(arguments))]
        steps = [f"deviation {i}" for i in range(len(arguments))]
        centre = {name: argument[0] for name, argument in zip(inner, arguments, strict=True)}
        deviations = {name: [0, *argument[1:]] for name, argument in zip(steps, arguments, strict=True)}
        along = Differential(self.ring, {x: self.ring.symbol(d) for x, d in zip(inner, steps, strict=True)})
        expansion = Expansion(self.ring, deviations, self.order, self.sign, rounded=self.rounded)
        value = function(*(self.ring.symbol(name) for name in inner))
        total = self._constant(0)
        try:
            for n in range(self.order + 1):
                at_centre = self._known(substitute(value, centre) * Fraction(1, factorial(n)))
                total = [a + b for a, b in zip(total, expansion(at_centre), strict=True)]
                value = along(value)
        except GyrostatError as error:
            raise GyrostatError(f"There is no Taylor expansion about this point. {error}") from error
        return total

    def _known(self, value: Scalar) -> Scalar:
        """Return a value at the centre, rounded with `rounded`."""
        return in_numbers(value) if self.rounded else value

    def _harmonic(self, harmonic: int) -> tuple[int, Series]:
        kept: list[Factor] = []
        product = self._constant(1)
        for factor in self.ring.harmonics.factors[harmonic]:
            if factor not in self._factors:
                self._factors[factor] = self._factor(factor)
            series = self._factors[factor]
            if series is None:
                kept.append(factor)
            else:
                product = self.times(product, series)
        return self.ring.harmonics.intern(tuple(kept)), product

    def _factor(self, factor: Factor) -> Series | None:
        """Return the series of cos or sin of a combination of angles; None where it is constant."""
        _, parity, combination = factor
        angles = [(self.ring.angles[angle], k) for angle, k in combination]
        if not any(self.changes(angle.argument) for angle, _ in angles):
            return None
        argument = self._constant(0)
        for angle, k in angles:
            weight = Fraction(k, angle.divisor)
            argument = [a + b * weight for a, b in zip(argument, self(angle.argument), strict=True)]
        cosine, sine = self.turned(argument)
        return cosine if parity == COSINE else sine

    def turned(self, argument: Series) -> tuple[Series, Series]:
        """Return cos(a + δ) = cos a cos δ − sin a sin δ and sin(a + δ) = sin a cos δ + cos a sin δ."""
        cosine, sine = map(self._known, cosine_and_sine(self.ring, argument[0]))
        even, odd = self._constant(0), self._constant(0)
        power, deviation = self._constant(1), [0, *argument[1:]]
        for n in range(self.order + 1):
            weight = Fraction(-1 if n % 4 in (2, 3) else 1, factorial(n))
            if n % 2:
                odd = [a + weight * b for a, b in zip(odd, power, strict=True)]
            else:
                even = [a + weight * b for a, b in zip(even, power, strict=True)]
            power = self.times(power, deviation)
        return (
            [cosine * a - sine * b for a, b in zip(even, odd, strict=True)],
            [sine * a + cosine * b for a, b in zip(even, odd, strict=True)],
        )

    def _coefficient(self, value: Element, c: Any, harmonic: int, changed: Mapping[int, Series]) -> Series:
        """Return the series of coefficient × harmonic over the constant part of the element's monomial."""
        below = tuple((i, e) for i, e in value.below if i not in changed)
        if not changed:
            return self._constant(settled(self.ring, {harmonic: c}, below, value.marks))
        groups: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
        for exponents, coefficient in c.to_dict().items():
            rest = list(exponents)
            for i in changed:
                rest[i] = 0
            groups.setdefault(tuple(int(exponents[i]) for i in changed), {})[tuple(rest)] = coefficient
        context = c.context()
        total = self._constant(0)
        for powers, mapping in groups.items():
            part = self._constant(settled(self.ring, {harmonic: context.from_dict(mapping)}, below, value.marks))
            for series, power in zip(changed.values(), powers, strict=True):
                for _ in range(power):
                    part = self.times(part, series)
            total = [a + b for a, b in zip(total, part, strict=True)]
        return total


def _zero(value: Scalar) -> bool:
    return not isinstance(value, Element) and value == 0
