"""The approximate solution as expressions, and as source code."""

from __future__ import annotations

from typing import Any

import sympy

from gyrostat.analysis.scales.coefficients import imaginary_part, real_part, written
from gyrostat.analysis.scales.modulation import Modulation
from gyrostat.analysis.scales.rate_terms import AmplitudeTerm, amplitude_terms

FUNCTION = "modulation_rates"
"""The name of the generated function."""


def solution(modulation: Modulation, k: int) -> Any:
    """Return x_k(t) through ε^(order − 1) in amplitudes a and phases β, which vary slowly."""
    notation, expansion = modulation.notation, modulation.expansion
    parts = [sympy.Symbol(f"{expansion.problem.names[k]}_mean", real=True)] if modulation.free[k] else []
    for term in amplitude_terms(expansion, expansion.positions[k]):
        if _first_of_pair(term):
            angle = _angle(modulation, term)
            weight = modulation.polar_size(term) * (2 if any(term.angles) else 1)
            real, imag = written(real_part(term.coefficient)), written(imaginary_part(term.coefficient))
            parts.append(weight * (real * sympy.cos(angle) - imag * sympy.sin(angle)))
    return sympy.collect(sympy.Add(*parts), notation.small)


def _first_of_pair(term: AmplitudeTerm) -> bool:
    """Tell whether a term represents its conjugate pair."""
    lead = next((x for x in term.angles if x), 1)
    return lead > 0


def _angle(modulation: Modulation, term: AmplitudeTerm) -> Any:
    """Return Σ m_k (ω_k t + β_k) + phases of the forces."""
    notation, expansion = modulation.notation, modulation.expansion
    total = sympy.Integer(0)
    for k, oscillator in enumerate(expansion.problem.oscillators):
        if term.angles[k]:
            natural = notation.combination(expansion.basis.vector(oscillator.frequency))
            total += term.angles[k] * (natural * notation.t + notation.phases[k])
    for phasor, turn in zip(expansion.variables.phasors, term.turns, strict=True):
        angle = notation.combination(phasor.angle)
        total += turn * (angle if phasor.constant else angle * notation.t)
    return total


def python_source(modulation: Modulation) -> str:
    """Return a Python function of the state (p1, q1, …) and of parameters by name, which returns the rates."""
    state, parameters, steps, rates = _parts(modulation)
    lines = [
        "import math",
        "",
        "",
        f"def {FUNCTION}(state, *, {', '.join(parameters)}):" if parameters else f"def {FUNCTION}(state):",
        f'    """Return the rates of {", ".join(state)}; {_meaning(modulation)}."""',
        f"    {', '.join(state)}{',' * (len(state) == 1)} = state",
        *(f"    {name} = {sympy.pycode(value)}" for name, value in steps),
        f"    return [{', '.join(sympy.pycode(rate) for rate in rates)}]",
    ]
    return "\n".join(lines) + "\n"


def c_source(modulation: Modulation) -> str:
    """Return a C function of state and parameters, arrays of doubles, which fills the rates."""
    state, parameters, steps, rates = _parts(modulation)
    lines = [
        "#include <math.h>",
        "",
        f"/* rates of {', '.join(state)}; {_meaning(modulation)};",
        f"   parameters: {', '.join(parameters) or 'none'} */",
        f"void {FUNCTION}(const double *state, const double *parameters, double *rates)",
        "{",
        *(f"    const double {name} = state[{i}];" for i, name in enumerate(state)),
        *(f"    const double {name} = parameters[{i}];" for i, name in enumerate(parameters)),
        *(f"    const double {name} = {sympy.ccode(value)};" for name, value in steps),
        *(f"    rates[{i}] = {sympy.ccode(rate)};" for i, rate in enumerate(rates)),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _parts(modulation: Modulation) -> tuple[list[str], list[str], list[tuple[Any, Any]], list[Any]]:
    """Return names of the state and of parameters, common subexpressions and rates."""
    form = modulation.cartesian_form
    state = [symbol.name for symbol in form.rates]
    used = set().union(*(rate.free_symbols for rate in form.rates.values())) - set(form.rates)
    parameters = sorted(symbol.name for symbol in used)
    fresh = (sympy.Symbol(f"s_{i}") for i in range(100_000) if f"s_{i}" not in {*state, *parameters})
    steps, rates = sympy.cse(list(form.rates.values()), symbols=fresh)
    return state, parameters, steps, rates


def _meaning(modulation: Modulation) -> str:
    names = modulation.expansion.problem.names
    return (
        f"the amplitude of {names[0]} is hypot({', '.join(s.name for s in list(modulation.cartesian_form.rates)[:2])})"
    )
