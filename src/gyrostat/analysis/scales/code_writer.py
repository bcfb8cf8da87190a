"""Modulation equations as source code: Python and C functions of state and parameters, in Cartesian form."""

from __future__ import annotations

from typing import Any

from gyrostat.analysis.scales.modulation import Modulation

FUNCTION = "modulation_rates"
"""The name of the function that is written."""


def python_source(modulation: Modulation) -> str:
    """Return a Python function of the state (p1, q1, …) and of parameters by name, which returns the rates."""
    import sympy

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
    import sympy

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
    import sympy

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
