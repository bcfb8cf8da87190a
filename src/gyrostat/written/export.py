"""Stand-alone source code of equations of motion: Python and C without dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gyrostat.program.listing import Language, usable_names

if TYPE_CHECKING:
    from gyrostat.written.recursive_equations import Block, RecursiveEquations

_WORDS = ("q", "u", "parameters", "inputs", "M", "forcing", "A", "rates", "constraints", "equations")
"""Reserved names of the function; symbols with these names get an underscore."""
_STATE_WORDS = ("z", "zdot")
"""Further ones where there are states."""


def python_source(equations: RecursiveEquations, language: Language = Language.PYTHON) -> str:
    """Return a module with `equations(t, q, u, parameters, inputs)`, which returns M as rows and the forcing.

    Of a system with constraints it returns A as rows, γ and the constraint functions as well; of one with states it
    takes z after u, and returns ż at the end.
    With `Language.NUMPY` the arguments may be arrays, entry by entry.
    """
    library = "import numpy as np" if language is Language.NUMPY else "import math"
    lines = [f'"""Equations of motion {_law(equations)} of {_name(equations)!r}."""', "", library, "", ""]
    given = ", ".join(name for name in _groups(equations) if name != "inputs")
    lines.append(f"def equations(t, {given}, inputs=()):")
    first, *others, last = (block.name for block in equations.blocks)
    described = ", ".join([f"{first} ({_n(equations)} rows)", *others])
    lines.append(f'    """Return {described} and {last}.')
    lines.append("")
    lines.extend(f"    {line}" for line in _legend(equations, language))
    lines.append('    """')
    for argument, names in _arguments(equations, language):
        if names:
            lines.append(f"    {', '.join(names)}{',' if len(names) == 1 else ''} = {argument}")
    found = equations.listing(language, _names(equations, language))
    lines.extend(f"    {name} = {text}" for name, text in found.statements)
    for block, rows in _entries(equations, found.results):
        lines.append(f"    {block.name} = [")
        texts = [row[0] if block.is_column else f"[{', '.join(row)}]" for row in rows]
        lines.extend(f"        {text}," for text in texts)
        lines.append("    ]")
    lines.append(f"    return {', '.join((first, *others, last))}")
    return "\n".join(lines) + "\n"


def c_source(equations: RecursiveEquations) -> str:
    """Return C with `void equations(double t, const double *q, …, double *M, double *forcing)`, M row by row.

    Of a system with constraints A, γ (`rates`) and the constraint functions follow; of one with states z is an argument
    after u, and ż the last result.
    """
    language = Language.C
    lines = [f"/* Equations of motion {_law(equations)} of {_name(equations)}.", ""]
    lines.extend(f"   {line}" for line in _legend(equations, language))
    lines.extend(["*/", "#include <math.h>", ""])
    pointers = ", ".join(f"const double *{argument}" for argument in _groups(equations))
    results = ", ".join(f"double *{block.name}" for block in equations.blocks)
    lines.append(f"void equations(double t, {pointers}, {results})")
    lines.append("{")
    found = equations.listing(language, _names(equations, language))
    used = set(re.findall(r"\w+", " ".join((*(text for _, text in found.statements), *found.results))))
    for argument, names in _arguments(equations, language):
        lines.extend(f"    const double {name} = {argument}[{i}];" for i, name in enumerate(names) if name in used)
    lines.extend(f"    const double {name} = {text};" for name, text in found.statements)
    for block, rows in _entries(equations, found.results):
        texts = [text for row in rows for text in row]
        lines.extend(f"    {block.name}[{i}] = {text};" for i, text in enumerate(texts))
    unused = " ".join(f"(void){name};" for name in ("t", *_groups(equations)))
    lines.extend([f"    {unused}", "}"])
    return "\n".join(lines) + "\n"


def _name(equations: RecursiveEquations) -> str:
    return "".join(c for c in equations.layout.topology.model.name if c.isprintable() and c not in "*/\\\"'")


def _n(equations: RecursiveEquations) -> int:
    return equations.layout.n_u


def _arguments(equations: RecursiveEquations, language: Language) -> Iterator[tuple[str, list[str]]]:
    """Yield each argument with the symbols of its entries."""
    _, *names = _names(equations, language)
    for argument, group in _groups(equations).items():
        yield argument, names[: len(group)]
        del names[: len(group)]


def _groups(equations: RecursiveEquations) -> dict[str, tuple[str, ...]]:
    """Return the arguments after t, with the names of their entries; z only where there are states."""
    model, layout = equations.layout.topology.model, equations.layout
    own = {"z": layout.state_names} if layout.state_names else {}
    state = {"q": layout.coordinate_names, "u": layout.speed_names, **own}
    return {**state, "parameters": tuple(model.parameters), "inputs": model.inputs}


def _names(equations: RecursiveEquations, language: Language) -> tuple[str, ...]:
    """Return t and the symbols of q, u, z, parameters and inputs as they can be written in a language."""
    words = (*_WORDS, *_STATE_WORDS) if equations.layout.state_names else _WORDS
    return usable_names(equations.input_names, language, words)


def _law(equations: RecursiveEquations) -> str:
    own = ", zdot" if equations.layout.state_names else ""
    if not equations.constrained:
        return f"M(q) udot = forcing{own}"
    return f"M(q) udot = forcing + A^T lambda, A udot = rates, constraints = 0{own}"


def _legend(equations: RecursiveEquations, language: Language) -> Iterator[str]:
    for argument, names in _arguments(equations, language):
        yield f"{argument}: {', '.join(names) or 'none'}"
    if equations.constrained:
        yield f"lambda, rows of A: {', '.join(equations.constraint_names)}"
    if equations.layout.algebraic:
        bound = ", ".join(equations.layout.state_names[place] for place in equations.layout.algebraic)
        yield f"zdot has residuals that are zero for: {bound}"


def _entries(equations: RecursiveEquations, results: tuple[str, ...]) -> Iterator[tuple[Block, list[list[str]]]]:
    """Yield each block with the texts of all its entries, row by row."""
    for block, entries in equations.entries(results):
        rows, columns = block.shape
        yield block, [[entries.get((i, j), "0.0") for j in range(columns)] for i in range(rows)]
