"""Problems as LaTeX: x″ + ω² x = small terms, one equation below the other."""

from __future__ import annotations

from typing import Any

from gyrostat.analysis.scales.floats import written
from gyrostat.analysis.scales.notation import Notation, latex_of
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.term import ACCELERATION, RATE, Term


def problem_latex(problem: Oscillators) -> str:
    """Return LaTeX of a problem's equations."""
    import sympy

    notation = Notation(problem, ())
    rows = []
    for oscillator in problem.oscillators:
        x, acceleration = _variable(sympy, oscillator.name), _variable(sympy, oscillator.name + ACCELERATION)
        square = notation.combination(oscillator.frequency) ** 2
        terms = [_term(sympy, notation, term) for term in problem.terms if term.oscillator == oscillator.name]
        left = latex_of(acceleration) + (f" + {latex_of(square * x)}" if square != 0 else "")
        rows.append(f"{left} &= {latex_of(sympy.Add(*terms))}")
    return r"\begin{aligned}" + r" \\ ".join(rows) + r"\end{aligned}"


def _variable(sympy: Any, name: str) -> Any:
    for suffix, accent in ((ACCELERATION, "ddot"), (RATE, "dot")):
        if name.endswith(suffix):
            base = latex_of(sympy.Symbol(name.removesuffix(suffix)))
            return sympy.Symbol(rf"\{accent}{{{base}}}")
    return sympy.Symbol(name)


def _term(sympy: Any, notation: Notation, term: Term) -> Any:
    product = notation.small**term.order * written(term.coefficient)
    for name, power in term.powers.items():
        product *= _variable(sympy, name) ** power
    if term.harmonic is None:
        return product
    angle = notation.combination(term.harmonic.frequency) * notation.t + notation.combination(term.harmonic.phase)
    return product * (sympy.sin if term.harmonic.sine else sympy.cos)(angle)
