"""Equations of motion and the founding methods in a report."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

from gyrostat.errors import GyrostatError, SizeError
from gyrostat.scalar.latex import latex_text
from gyrostat.shown.report.document import Document, formula
from gyrostat.system import System
from gyrostat.written.walkthrough.walkthrough import Walkthrough

_LATEX_LENGTH_LIMIT = 60_000
"""Longest LaTeX of a set of equations or a walk that is shown, in characters."""


def equations(document: Document, system: System) -> bool:
    """Add the equations of motion in textbook form; where they are too long to be read, in recursive form.

    Return False where exact expressions are too long to be derived.
    """
    document.begin("Equations of motion")
    try:
        found: Any = system.equations()
        latex = found.latex()
        if len(latex) > _LATEX_LENGTH_LIMIT:
            _recursive(document, system)
        else:
            document.maths(latex)
            document.heading("Energies")
            document.maths(f"T = {_latex(found.kinetic_energy)}")
            document.maths(f"V = {_latex(found.potential_energy)}")
    except SizeError:
        _recursive(document, system)
        return False
    except GyrostatError as error:
        document.note(f"Equations: {error}")
    return True


def _recursive(document: Document, system: System) -> None:
    document.words("Written out, these equations are too long to be read. In recursive form each common part is once:")
    try:
        lines = str(system.equations("recursive")).splitlines()
    except GyrostatError as error:
        document.note(f"Recursive form: {error}")
        return
    more = [f"… {len(lines) - 200} more lines"] if len(lines) > 200 else []
    content = html.escape("\n".join([*lines[:200], *more]))
    document.add(f"<details><summary>{len(lines)} assignments</summary><pre>{content}</pre></details>")


def walkthroughs(document: Document, system: System, *, exact: bool) -> None:
    """Add the founding methods step by step, folded; in numbers at the initial state where they are not exact."""
    document.begin("The methods, step by step")
    document.words("Each method opens on a click. On paper those are printed that are open.")
    if not exact:
        document.words("Exact expressions would be too long to be read: these are numbers at the initial state.")
    walks: dict[str, Callable[..., Walkthrough]] = {
        "Roberson and Schwertassek": system.roberson_schwertassek,
        "Velocity transformation": system.velocity_transformation,
        "Absolute coordinates": system.absolute_method,
        "Graph theory": system.graph_method,
    }
    for name, make in walks.items():
        try:
            document.add(_folded(name, make() if exact else make(q={})))
        except GyrostatError as error:
            document.note(f"{name}: {error}")


def _folded(name: str, walk: Walkthrough) -> str:
    """Return a walk that opens on request."""
    parts = [f"<p>{html.escape(walk.title)}</p>"]
    length = 0
    for section in walk.sections:
        parts.append(f"<h3>{html.escape(section.heading)}</h3>")
        if section.text:
            parts.append(f"<p>{html.escape(section.text)}</p>")
        for quantity in section.quantities:
            latex = walk.latex_of(quantity)
            length += len(latex)
            if length > _LATEX_LENGTH_LIMIT:
                parts.append(f'<p class="note">Further quantities are left out here: walk[{quantity.name!r}], …</p>')
                return _details(name, parts)
            parts.append(formula(latex))
    return _details(name, parts)


def _details(name: str, parts: list[str]) -> str:
    return f"<details><summary>{html.escape(name)}</summary>{''.join(parts)}</details>"


def _latex(expression: Any) -> str:

    return latex_text(expression)
