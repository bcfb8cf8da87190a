"""How a system shows itself: a table in a notebook, a drawing of its trees."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gyrostat.errors import ModelError
from gyrostat.results.html_table import html_table
from gyrostat.written.symbols import Symbols

if TYPE_CHECKING:
    from gyrostat.system.system import System


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


def drawn_trees(system: System, path: str | os.PathLike[str] | None) -> str:
    """Return both trees as SVG text, each joint with the coordinates that it carries; write it if a path is given."""
    from gyrostat.topology.tree_drawing import draw_trees

    carried = {
        name: [each for each in layout.names if each in system.coordinate_names]
        for name, layout in system.coordinates.joints.items()
    }
    return draw_trees(system.topology, system.chosen_trees, carried, path)


def _symbols(system: System) -> dict[str, str]:
    """Return symbols by name as LaTeX; none where two of them clash, which equations explain."""
    import sympy

    try:
        return {name: f"${sympy.latex(symbol)}$" for name, symbol in Symbols(system.coordinates).sympy.items()}
    except ModelError:
        return {}
