"""Relations between amplitudes and frequencies in closed form: backbone curves and responses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import sympy

from gyrostat.analysis.scales.coefficients import imaginary_part, real_part, written
from gyrostat.analysis.scales.modulation import Modulation
from gyrostat.analysis.scales.notation import latex_of
from gyrostat.analysis.scales.phases import coordinates
from gyrostat.analysis.scales.rate_terms import AmplitudeTerm, amplitude_terms
from gyrostat.errors import StateError


class Amplitude(Enum):
    """The amplitude in which a series is written."""

    FIRST_HARMONIC = "amplitude of the first harmonic"
    INITIAL = "initial displacement, released from rest"


def backbone(modulation: Modulation, k: int, amplitude: Amplitude) -> Any:
    """Return ω(a) of oscillator k alone, without forces and damping, through the expansion's order."""
    notation = modulation.notation
    a, small = notation.amplitudes[k], notation.small
    total = notation.combination(modulation.expansion.problem.oscillators[k].frequency)
    detuned = modulation.expansion.basis.detuning(modulation.expansion.problem.oscillators[k].frequency)
    for order, part in detuned:  # the detuning acts as a force; it is contained in the natural frequency itself
        total -= small**order * notation.combination(part)
    for term in modulation.terms[k]:
        if _alone(term, k) and not any(term.turns) and not any(term.angles_over(k)):
            total += 2 * modulation.polar_size(term) * written(imaginary_part(term.coefficient)) / a
    total = sympy.expand(total)
    if amplitude is Amplitude.INITIAL:
        total = _truncated(total.subs(a, _first_harmonic(modulation, k)), small, modulation.expansion.order)
    return sympy.collect(total, small)


def _first_harmonic(modulation: Modulation, k: int) -> Any:
    """Return the first harmonic's amplitude as a series in the initial displacement a: x(0) = a at rest, inverted."""
    notation, expansion = modulation.notation, modulation.expansion
    small, a = notation.small, notation.amplitudes[k]
    displacement = sympy.Integer(0)
    for term in amplitude_terms(expansion, expansion.positions[k]):
        if _alone(term, k) and not any(term.turns):  # all phases zero: x(0) = Σ real parts
            displacement += modulation.polar_size(term) * written(real_part(term.coefficient))
    inverse = a
    for _ in range(expansion.order):  # b = a − (x(b) − b), a power of ε better each time
        remainder = sympy.expand((displacement - a).subs(a, inverse))
        inverse = _truncated(a - remainder, small, expansion.order)
    return inverse


def _truncated(expression: Any, small: Any, order: int) -> Any:
    """Drop powers of ε beyond an order."""
    polynomial = sympy.Poly(sympy.expand(expression), small)
    return sympy.Add(*(c * small**power for (power,), c in polynomial.terms() if power <= order))


@dataclass(frozen=True)
class Relation:
    """`equation` relates the amplitude of a steady state to the parameters; a = 0 may be a further solution.

    `amplitude` is its symbol: that of the first harmonic.
    """

    equation: Any
    amplitude: Any

    def amplitudes(self, values: Mapping[str, float]) -> list[float]:
        """Return all positive amplitudes at numbers for the other parameters, in ascending order."""
        residual = self.equation.lhs - self.equation.rhs
        known = {symbol: values[symbol.name] for symbol in residual.free_symbols - {self.amplitude}}
        above, _ = sympy.fraction(sympy.together(sympy.nsimplify(residual.subs(known), rational=True)))
        roots = np.roots([float(c) for c in sympy.Poly(sympy.expand(above), self.amplitude).all_coeffs()])
        scale = max(1.0, float(np.abs(roots).max(initial=0.0)))
        real = roots[np.abs(roots.imag) < 1e-7 * scale].real
        return sorted(float(a) for a in real if a > 1e-12 * scale)

    def latex(self) -> str:
        """Return LaTeX."""
        return latex_of(self.equation)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def __str__(self) -> str:
        return f"{self.equation.lhs} = {self.equation.rhs}"


def response_relation(modulation: Modulation, k: int) -> Relation:
    """Return the relation of oscillator k's steady state where one phase remains; other oscillators are at rest."""
    notation = modulation.notation
    a, small = notation.amplitudes[k], notation.small
    parts = _harmonics(modulation, k)
    if set(parts) <= {0}:
        name = modulation.expansion.problem.names[k]
        raise StateError(f"Nothing forces {name!r} at resonance: there is no response. Use backbone().")
    if not set(parts) <= {-1, 0, 1}:
        raise StateError(
            "There is no response relation in closed form: multiples of the phase occur. Use continuation()."
        )
    lowest = min(_lowest_power(part, small) for pair in parts.values() for part in pair)
    zero = (sympy.Integer(0), sympy.Integer(0))
    real, imag = (sympy.expand(part / small**lowest) for part in parts.get(0, zero))
    forward, backward = (tuple(sympy.expand(part / small**lowest) for part in parts.get(m, zero)) for m in (1, -1))
    if any(backward) and any(forward):
        return Relation(_eliminated((real, imag), forward, backward), a)
    force = forward if any(forward) else backward
    along, across = sympy.expand(real / a), sympy.expand(imag / a)
    driven = sympy.factor(sympy.expand(force[0] ** 2 + force[1] ** 2))
    left = _square(along) + _square(across)
    if sympy.simplify(driven.subs(a, 0)) == 0:  # parametric excitation: rest is a solution
        return Relation(sympy.Eq(left, sympy.cancel(driven / a**2), evaluate=False), a)
    return Relation(sympy.Eq(a**2 * left, driven, evaluate=False), a)


def _harmonics(modulation: Modulation, k: int) -> dict[int, tuple[Any, Any]]:
    """Return 2 dB/dt over exp(i arg B) as real and imaginary parts by multiple of the phase, in the rotating frame."""
    notation = modulation.notation
    a = notation.amplitudes[k]
    _refuse_company(modulation, k)
    own = [term for term in modulation.terms[k] if _alone(term, k)]
    vectors = {term.angles_over(k) for term in own if any(term.angles_over(k))}
    basis = sorted(vectors, key=lambda v: sum(map(abs, v)))[:1]
    frame = modulation.require_frame()
    turn = sum((nu * slow for nu, slow in zip(frame[k], modulation.slow_rates, strict=True)), sympy.Integer(0))
    parts: dict[int, tuple[Any, Any]] = {0: (sympy.Integer(0), -turn * a)}
    for term in own:
        vector = term.angles_over(k)
        multiple = coordinates(basis, vector) if any(vector) else (0,)
        if multiple is None:
            raise StateError("There is no response relation in closed form: several phases remain. Use continuation().")
        size = 2 * modulation.polar_size(term)
        re, im = parts.get(multiple[0], (sympy.Integer(0), sympy.Integer(0)))
        parts[multiple[0]] = (
            re + size * written(real_part(term.coefficient)),
            im + size * written(imaginary_part(term.coefficient)),
        )
    return {m: pair for m, pair in parts.items() if any(part != 0 for part in pair)}


def _alone(term: AmplitudeTerm, k: int) -> bool:
    """Tell whether a term has no other amplitude than that of oscillator k."""
    return not any(p + q for j, (p, q) in enumerate(zip(term.direct, term.conjugate, strict=True)) if j != k)


def _refuse_company(modulation: Modulation, k: int) -> None:
    """Raise an error if the oscillator's motion excites another oscillator."""
    for j, terms in enumerate(modulation.terms):
        if j != k and any(_alone(term, k) for term in terms):
            names = modulation.expansion.problem.names
            raise StateError(
                f"There is no response relation of {names[k]!r} alone: it excites {names[j]!r}. "
                "Use continuation(), which follows all amplitudes."
            )


def _lowest_power(expression: Any, small: Any) -> int:
    if expression == 0:
        return 1_000
    return min(int(power) for (power,) in sympy.Poly(sympy.expand(expression), small).monoms())


def _square(expression: Any) -> Any:
    """Return expression², its sign chosen so that detuning, else the first term, is positive."""
    if expression == 0:
        return sympy.Integer(0)
    lead = expression.as_ordered_terms()[0]
    named = [term for term in expression.as_ordered_terms() if any("sigma" in s.name for s in term.free_symbols)]
    chosen = named[0] if named else lead
    return (-expression if chosen.could_extract_minus_sign() else expression) ** 2


def _eliminated(P: tuple[Any, Any], Q: tuple[Any, Any], R: tuple[Any, Any]) -> Any:
    """Return the condition for P + Q X + R/X = 0 with |X| = 1: X from this and its conjugate, X × 1/X = 1."""
    i = sympy.I
    p, q, r = (part[0] + i * part[1] for part in (P, Q, R))
    pc, qc, rc = (part[0] - i * part[1] for part in (P, Q, R))
    size = sympy.expand(q * qc - r * rc)
    x = sympy.expand(-p * qc + r * pc)
    y = sympy.expand(-q * pc + rc * p)
    return sympy.Eq(sympy.factor(sympy.expand(x * y)), sympy.factor(size**2), evaluate=False)
