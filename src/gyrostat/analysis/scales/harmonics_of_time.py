"""Products of sines and cosines of the exact engine as sums of harmonics of time."""

from __future__ import annotations

from collections.abc import Container, Iterator
from fractions import Fraction
from typing import TypeAlias

from gyrostat.analysis.scales.frequencies import UNIT, Combination
from gyrostat.analysis.scales.term import Harmonic
from gyrostat.errors import Fault, FormulaError
from gyrostat.scalar.exact import Element, ExactRing
from gyrostat.scalar.exact.element import monomials
from gyrostat.scalar.exact.harmonics import SINE, Factor

Angle: TypeAlias = tuple[Combination, Combination]
"""Frequency and phase."""
Exponentials: TypeAlias = dict[Angle, tuple[Fraction, Fraction]]
"""Real and imaginary parts of coefficients of exp(i angle)."""


def harmonics_of_time(
    ring: ExactRing, harmonic: int, *, time: str, variables: Container[str]
) -> Iterator[tuple[Fraction, Harmonic | None]]:
    """Yield the terms, weight × cos or sin of Ω t + φ, that a harmonic of the ring is the sum of.

    The harmonic is a product of sines and cosines; a factor that contains `variables` is an error.
    """
    total: Exponentials = {(Combination(), Combination()): (Fraction(1), Fraction(0))}
    for factor in ring.harmonics.factors[harmonic]:
        total = _times(total, _exponentials(ring, factor, time, variables))
    for (frequency, phase), (real, imag) in total.items():
        lead = (*frequency.parts, *phase.parts)
        if not lead:
            yield real, None
        elif lead[0][1] > 0:  # with its conjugate: c e^iθ + c̄ e^−iθ = 2 Re c cos θ − 2 Im c sin θ
            if real:
                yield 2 * real, Harmonic(frequency, phase)
            if imag:
                yield -2 * imag, Harmonic(frequency, phase, sine=True)


def _times(a: Exponentials, b: Exponentials) -> Exponentials:
    total: Exponentials = {}
    for (f1, p1), (r1, i1) in a.items():
        for (f2, p2), (r2, i2) in b.items():
            angle = (f1 + f2, p1 + p2)
            real, imag = total.get(angle, (Fraction(0), Fraction(0)))
            total[angle] = (real + r1 * r2 - i1 * i2, imag + r1 * i2 + i1 * r2)
    return total


def _exponentials(ring: ExactRing, factor: Factor, time: str, variables: Container[str]) -> Exponentials:
    _, parity, combination = factor
    frequency, phase = Combination(), Combination()
    for index, k in combination:
        angle = ring.angles[index]
        fast, part = _angle(angle.argument, time, variables)
        weight = Fraction(k, angle.divisor)
        frequency, phase = (frequency + part * weight, phase) if fast else (frequency, phase + part * weight)
    half = Fraction(1, 2)
    zero = Fraction(0)
    if parity == SINE:  # sin θ = −i/2 e^iθ + i/2 e^−iθ
        return {(frequency, phase): (zero, -half), (-frequency, -phase): (zero, half)}
    return {(frequency, phase): (half, zero), (-frequency, -phase): (half, zero)}


def _angle(argument: Element, time: str, variables: Container[str]) -> tuple[bool, Combination]:
    """Return whether an angle grows with time, and its frequency or phase."""
    names: list[str] = []
    for polynomial in argument.lifted().terms.values():
        for powers, _ in monomials(polynomial):
            names += [argument.ring.generators[i].name for i, e in powers for _ in range(e)]
    inside = [name for name in names if name in variables]
    if inside:
        raise FormulaError(
            Fault(
                f"sin or cos of {argument}",
                f"contains {inside[0]!r}, and functions of coordinates are not expanded.",
                "Give degree=3 or more to expand in powers of the coordinates.",
            )
        )
    fast = time in names
    rest = [name for name in names if name != time]
    if argument.below or len(names) - len(rest) > 1 or len(rest) > 1:
        raise FormulaError(
            Fault(
                f"the angle {argument}",
                "is not a frequency times time, nor a phase.",
                "Give the frequency or the phase a name of its own.",
            )
        )
    return fast, Combination(((rest[0] if rest else UNIT, Fraction(1)),))
