"""Stand-alone source code of equations of motion: Python and C without any package behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gyrostat.pipeline.recursive_equations import RecursiveEquations
from gyrostat.program.listing import Language, usable_names

_ARGUMENTS = ("q", "u", "parameters", "inputs")
_WORDS = (*_ARGUMENTS, "M", "forcing", "equations")
"""Names that the function itself has; symbols called so get an underscore."""


def python_source(equations: RecursiveEquations, language: Language = Language.PYTHON) -> str:
    """Return a module with `equations(t, q, u, parameters, inputs)`, which returns M as rows and the forcing.

    With `Language.NUMPY` the arguments may be arrays, entry by entry.
    """
    library = "import numpy as np" if language is Language.NUMPY else "import math"
    lines = [f'"""Equations of motion M(q) udot = forcing of {_name(equations)!r}."""', "", library, "", ""]
    lines.append("def equations(t, q, u, parameters, inputs=()):")
    lines.append(f'    """Return M ({_n(equations)} rows) and forcing.')
    lines.append("")
    lines.extend(f"    {line}" for line in _legend(equations, language))
    lines.append('    """')
    for argument, names in _arguments(equations, language):
        if names:
            lines.append(f"    {', '.join(names)}{',' if len(names) == 1 else ''} = {argument}")
    found = equations.listing(language, _names(equations, language))
    lines.extend(f"    {name} = {text}" for name, text in found.statements)
    rows, forcing = _entries(equations, found.results)
    lines.append("    M = [")
    lines.extend(f"        [{', '.join(row)}]," for row in rows)
    lines.append("    ]")
    lines.append("    forcing = [")
    lines.extend(f"        {text}," for text in forcing)
    lines.extend(["    ]", "    return M, forcing"])
    return "\n".join(lines) + "\n"


def c_source(equations: RecursiveEquations) -> str:
    """Return C with `void equations(double t, const double *q, …, double *M, double *forcing)`, M row by row."""
    language = Language.C
    lines = [f"/* Equations of motion M(q) udot = forcing of {_name(equations)}.", ""]
    lines.extend(f"   {line}" for line in _legend(equations, language))
    lines.extend(["*/", "#include <math.h>", ""])
    pointers = ", ".join(f"const double *{argument}" for argument in _ARGUMENTS)
    lines.append(f"void equations(double t, {pointers}, double *M, double *forcing)")
    lines.append("{")
    found = equations.listing(language, _names(equations, language))
    used = set(re.findall(r"\w+", " ".join((*(text for _, text in found.statements), *found.results))))
    for argument, names in _arguments(equations, language):
        lines.extend(f"    const double {name} = {argument}[{i}];" for i, name in enumerate(names) if name in used)
    lines.extend(f"    const double {name} = {text};" for name, text in found.statements)
    rows, forcing = _entries(equations, found.results)
    n = _n(equations)
    lines.extend(f"    M[{i * n + j}] = {text};" for i, row in enumerate(rows) for j, text in enumerate(row))
    lines.extend(f"    forcing[{i}] = {text};" for i, text in enumerate(forcing))
    lines.extend(["    (void)t; (void)q; (void)u; (void)parameters; (void)inputs;", "}"])
    return "\n".join(lines) + "\n"


def _name(equations: RecursiveEquations) -> str:
    return "".join(c for c in equations.layout.topology.model.name if c.isprintable() and c not in "*/\\\"'")


def _n(equations: RecursiveEquations) -> int:
    return equations.layout.n_u


def _arguments(equations: RecursiveEquations, language: Language) -> Iterator[tuple[str, list[str]]]:
    """Yield each argument with the symbols of its entries."""
    model, layout = equations.layout.topology.model, equations.layout
    groups = (layout.coordinate_names, layout.speed_names, tuple(model.parameters), model.inputs)
    _, *names = _names(equations, language)
    for argument, group in zip(_ARGUMENTS, groups, strict=True):
        yield argument, names[: len(group)]
        del names[: len(group)]


def _names(equations: RecursiveEquations, language: Language) -> tuple[str, ...]:
    """Return t and the symbols of q, u, parameters and inputs as they can be written in a language."""
    return usable_names(equations.input_names, language, _WORDS)


def _legend(equations: RecursiveEquations, language: Language) -> Iterator[str]:
    for argument, names in _arguments(equations, language):
        yield f"{argument}: {', '.join(names) or 'none'}"


def _entries(equations: RecursiveEquations, results: tuple[str, ...]) -> tuple[list[list[str]], list[str]]:
    places, n = equations.entries
    rows = [["0.0"] * n for _ in range(n)]
    for (i, j), text in zip(places, results, strict=False):
        rows[i][j] = text
    return rows, list(results[len(places) :])
