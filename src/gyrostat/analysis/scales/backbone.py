"""Backbone curves: the frequency of free motion over its amplitude."""

from __future__ import annotations

from enum import Enum
from typing import Any

from gyrostat.analysis.scales.floats import imaginary_part, real_part, written
from gyrostat.analysis.scales.modulation import Modulation
from gyrostat.analysis.scales.rate_terms import AmplitudeTerm, amplitude_terms


class Amplitude(Enum):
    """Which amplitude a series is written in."""

    FIRST_HARMONIC = "amplitude of the first harmonic"
    INITIAL = "initial displacement, released from rest"


def backbone(modulation: Modulation, k: int, amplitude: Amplitude) -> Any:
    """Return ω(a) of oscillator k alone, without forces and damping, through the expansion's order."""
    notation = modulation.notation
    sympy = notation.sympy
    a, small = notation.amplitudes[k], notation.small
    total = notation.combination(modulation.expansion.problem.oscillators[k].frequency)
    detuned = modulation.expansion.basis.detuning(modulation.expansion.problem.oscillators[k].frequency)
    for order, part in detuned:  # the detuning acts as a force; it is contained in the natural frequency itself
        total -= small**order * notation.combination(part)
    for term in modulation.terms[k]:
        if _alone(term, k) and not any(term.angles_over(k)):
            total += 2 * modulation.polar_size(term) * written(imaginary_part(term.coefficient)) / a
    total = sympy.expand(total)
    if amplitude is Amplitude.INITIAL:
        total = _truncated(sympy, total.subs(a, _first_harmonic(modulation, k)), small, modulation.expansion.order)
    return sympy.collect(total, small)


def _alone(term: AmplitudeTerm, k: int) -> bool:
    others = [p + q for j, (p, q) in enumerate(zip(term.direct, term.conjugate, strict=True)) if j != k]
    return not any(others) and not any(term.turns)


def _first_harmonic(modulation: Modulation, k: int) -> Any:
    """Return the first harmonic's amplitude as a series in the initial displacement a: x(0) = a at rest, inverted."""
    notation, expansion = modulation.notation, modulation.expansion
    sympy, small, a = notation.sympy, notation.small, notation.amplitudes[k]
    displacement = sympy.Integer(0)
    for term in amplitude_terms(expansion, expansion.positions[k]):
        if _alone(term, k):  # all phases zero: x(0) = Σ real parts
            displacement += modulation.polar_size(term) * written(real_part(term.coefficient))
    inverse = a
    for _ in range(expansion.order):  # b = a − (x(b) − b), a power of ε better each time
        remainder = sympy.expand((displacement - a).subs(a, inverse))
        inverse = _truncated(sympy, a - remainder, small, expansion.order)
    return inverse


def _truncated(sympy: Any, expression: Any, small: Any, order: int) -> Any:
    """Drop powers of ε beyond an order."""
    polynomial = sympy.Poly(sympy.expand(expression), small)
    return sympy.Add(*(c * small**power for (power,), c in polynomial.terms() if power <= order))
