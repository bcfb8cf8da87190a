"""The coordinates as functions of amplitudes and phases: x = a cos(ω t + β) + ε …."""

from __future__ import annotations

from typing import Any

from gyrostat.analysis.scales.floats import imaginary_part, real_part, written
from gyrostat.analysis.scales.modulation import Modulation
from gyrostat.analysis.scales.rate_terms import AmplitudeTerm, amplitude_terms


def solution(modulation: Modulation, k: int) -> Any:
    """Return x_k(t) through ε^(order − 1) in amplitudes a and phases β, which change slowly."""
    notation, expansion = modulation.notation, modulation.expansion
    sympy = notation.sympy
    parts = [notation.sympy.Symbol(f"{expansion.problem.names[k]}_mean", real=True)] if modulation.free[k] else []
    for term in amplitude_terms(expansion, expansion.positions[k]):
        if _first_of_pair(term):
            angle = _angle(modulation, term)
            weight = modulation.polar_size(term) * (2 if any(term.angles) else 1)
            real, imag = written(real_part(term.coefficient)), written(imaginary_part(term.coefficient))
            parts.append(weight * (real * sympy.cos(angle) - imag * sympy.sin(angle)))
    return sympy.collect(sympy.Add(*parts), notation.small)


def _first_of_pair(term: AmplitudeTerm) -> bool:
    """Tell whether a term stands for itself and its conjugate, which has the opposite angle."""
    lead = next((x for x in term.angles if x), 1)
    return lead > 0


def _angle(modulation: Modulation, term: AmplitudeTerm) -> Any:
    """Return Σ m_k (ω_k t + β_k) + phases of the forces."""
    notation, expansion = modulation.notation, modulation.expansion
    total = notation.sympy.Integer(0)
    for k, oscillator in enumerate(expansion.problem.oscillators):
        if term.angles[k]:
            natural = notation.combination(expansion.basis.vector(oscillator.frequency))
            total += term.angles[k] * (natural * notation.t + notation.phases[k])
    for phasor, turn in zip(expansion.variables.phasors, term.turns, strict=True):
        angle = notation.combination(phasor.angle)
        total += turn * (angle if phasor.constant else angle * notation.t)
    return total
