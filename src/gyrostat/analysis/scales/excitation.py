"""Excitation: explicit dependence on time by forces, inputs and driven coordinates, as sums of harmonics."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gyrostat.analysis.scales.frequencies import UNIT as ONE
from gyrostat.analysis.scales.frequencies import Combination
from gyrostat.analysis.scales.term import Harmonic
from gyrostat.errors import GyrostatError
from gyrostat.model.formula import TIME
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Element, ExactRing
from gyrostat.scalar.exact.element import monomials, settled, sum_of
from gyrostat.scalar.exact.harmonics import COSINE, SINE, UNIT, Factor

_HALF = Fraction(1, 2)


def names_in(value: Scalar) -> frozenset[str]:
    """Return the names of all symbols that a scalar depends on, also inside cos, sin and auxiliary symbols.

    >>> from gyrostat.scalar.exact import ExactScalars
    >>> ring = ExactRing(symbols=["A", "Omega", "t"])
    >>> A, Omega, t = (ring.symbol(name) for name in ("A", "Omega", "t"))
    >>> sorted(names_in(A * ExactScalars(ring).call("cos", (Omega * t,))))
    ['A', 'Omega', 't']
    """
    if not isinstance(value, Element):
        return frozenset()
    ring, found = value.ring, set[str]()
    for index in value.used():
        generator = ring.generators[index]
        if generator.definition is None:
            found.add(generator.name)
        else:
            found.update(*(names_in(argument) for argument in generator.definition.arguments))
    for angle in value.used_angles():
        found |= names_in(ring.angles[angle].argument)
    return frozenset(found)


class Excitation:
    """Turns elements that contain time into sums of coefficient × harmonic.

    A frequency that is not a single symbol, such as 2π f, gets a name, listed in `frequencies`.
    """

    def __init__(self, ring: ExactRing, taken: frozenset[str] = frozenset()) -> None:
        self.ring = ring
        self.frequencies: dict[str, Scalar] = {}
        """Definitions of the frequencies that got a name."""
        self._taken = taken
        self._angles: dict[int, Combination | None] = {}

    def parts(self, value: Scalar) -> dict[Harmonic | None, Scalar]:
        """Return the coefficients by harmonic, None for the constant part.

        >>> from gyrostat.scalar.exact import ExactScalars
        >>> ring = ExactRing(symbols=["A", "Omega", "t"])
        >>> A, Omega, t = (ring.symbol(name) for name in ("A", "Omega", "t"))
        >>> Excitation(ring).parts(A * ExactScalars(ring).call("cos", (Omega * t,)) ** 2)
        {None: A/2, cos(2*Omega*t): A/2}
        """
        if not isinstance(value, Element):
            return {None: value} if value else {}
        self._refuse_other_time(value)
        found: dict[Harmonic | None, list[Scalar]] = {}
        for h, c in value.lifted().terms.items():
            kept: list[Factor] = []
            waves: list[tuple[Fraction, int, Combination]] = [(Fraction(1), COSINE, Combination())]
            for factor in self.ring.harmonics.factors[h]:
                frequency = self._frequency(factor)
                if frequency is None:
                    kept.append(factor)
                else:
                    waves = [product for wave in waves for product in _times(wave, factor[1], frequency)]
            rest = settled(self.ring, {self.ring.harmonics.intern(tuple(kept)): c}, value.below, value.marks)
            for weight, parity, frequency in waves:
                sign, harmonic = _canonical(parity, frequency)
                if sign:
                    found.setdefault(harmonic, []).append(rest * (weight * sign))
        sums = {harmonic: sum_of(self.ring, parts) for harmonic, parts in found.items()}
        return {harmonic: total for harmonic, total in sums.items() if isinstance(total, Element) or total}

    def frequency_names(self, value: Scalar) -> frozenset[str]:
        """Return the symbols that occur in frequencies of cosines and sines."""
        if not isinstance(value, Element):
            return frozenset()
        found: set[str] = set()
        for angle in value.used_angles():
            argument = self.ring.angles[angle].argument
            names = names_in(argument)
            if TIME in names:
                inner = self.frequency_names(argument)
                found |= inner or names - {TIME}
        return frozenset(found)

    def _refuse_other_time(self, value: Element) -> None:
        """Raise an error for time outside cos and sin."""
        for index in value.used():
            generator = self.ring.generators[index]
            if TIME in names_in(self.ring.variable(generator)):
                raise GyrostatError(
                    f"time occurs outside sin and cos, in {generator.definition or generator.name}. Excitation must be "
                    "a sum of harmonics, such as F*cos(Omega*t)."
                )

    def _frequency(self, factor: Factor) -> Combination | None:
        """Return the frequency of a factor, None where it does not depend on time: other angles have other factors."""
        total, timed = Combination(), False
        for angle, count in factor[2]:
            if angle not in self._angles:
                self._angles[angle] = self._rate(angle)
            rate = self._angles[angle]
            if rate is not None:
                timed = True
                total = total + rate * Fraction(count, self.ring.angles[angle].divisor)
        return total if timed else None

    def _rate(self, angle: int) -> Combination | None:
        """Return the rate of an angle, None if it is constant."""
        argument = self.ring.angles[angle].argument
        if TIME not in names_in(argument):
            return None
        if argument.below or list(argument.terms) != [UNIT]:
            raise self._not_harmonic(angle)
        [(powers, _)] = monomials(argument.terms[UNIT])
        factors = [(self.ring.generators[index], exponent) for index, exponent in powers]
        timed = [(one.name, exponent) for one, exponent in factors if TIME in names_in(self.ring.variable(one))]
        if timed != [(TIME, 1)]:
            raise self._not_harmonic(angle)
        exponents = {one.name: exponent for one, exponent in factors if one.name != TIME}
        if not exponents:
            return Combination(((ONE, Fraction(1)),))
        if list(exponents.values()) == [1]:
            return Combination(((next(iter(exponents)), Fraction(1)),))
        product: Any = 1
        for name, exponent in exponents.items():
            product = product * self.ring.symbol(name) ** exponent
        return Combination(((self._named(product), Fraction(1)),))

    def _named(self, frequency: Element) -> str:
        count = 1
        while f"Omega_{count}" in self._taken or f"Omega_{count}" in self.frequencies:
            count += 1
        self.frequencies[f"Omega_{count}"] = frequency
        return f"Omega_{count}"

    def _not_harmonic(self, angle: int) -> GyrostatError:
        return GyrostatError(
            f"sin or cos of {self.ring.angles[angle].argument} is no harmonic of time. Excitation must be a sum of "
            "harmonics, such as F*cos(Omega*t) with a parameter as frequency, or be small and named in the ordering."
        )


def _times(
    wave: tuple[Fraction, int, Combination], parity: int, frequency: Combination
) -> list[tuple[Fraction, int, Combination]]:
    """Return the product of a wave with cos or sin of a frequency as a sum."""
    weight, own, mine = wave
    if not mine and own == COSINE:
        return [(weight, parity, frequency)]
    together, apart = mine + frequency, mine - frequency
    half = weight * _HALF
    if own == parity:
        return [(half, COSINE, apart), (half if own == COSINE else -half, COSINE, together)]
    return [(half, SINE, together), (half if own == SINE else -half, SINE, apart)]


def _canonical(parity: int, frequency: Combination) -> tuple[int, Harmonic | None]:
    """Return the sign and the harmonic with a positive first coefficient; sign 0 where it vanishes."""
    if not frequency:
        return (1, None) if parity == COSINE else (0, None)
    if frequency.parts[0][1] < 0:
        return (1 if parity == COSINE else -1), Harmonic(-frequency, sine=parity == SINE)
    return 1, Harmonic(frequency, sine=parity == SINE)
