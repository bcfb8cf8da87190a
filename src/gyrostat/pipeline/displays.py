"""How a system shows itself in a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gyrostat.errors import ModelError
from gyrostat.pipeline.symbols import Symbols
from gyrostat.results.html_table import html_table

if TYPE_CHECKING:
    from gyrostat.pipeline.system import System


def system_html(system: System) -> str:
    """Return a table of coordinates, speeds, driven coordinates and inputs with the symbols that equations have."""
    groups: tuple[tuple[str, Iterable[str]], ...] = (
        ("coordinate", system.coordinate_names),
        ("speed", system.speed_names),
        ("driven", system.coordinates.all_driven),
        ("input", system.inputs),
    )
    symbols = _symbols(system)
    rows = [(role, name, symbols.get(name, "")) for role, names in groups for name in names]
    return html_table(str(system).partition("\n")[0], ("role", "name", "symbol"), rows)


def _symbols(system: System) -> dict[str, str]:
    """Return symbols by name as LaTeX; none where two of them clash, which equations explain."""
    import sympy

    try:
        return {name: f"${sympy.latex(symbol)}$" for name, symbol in Symbols(system.coordinates).sympy.items()}
    except ModelError:
        return {}
