"""Written equations: exact equations of motion, and the quantities they are derived from.

The names below are imported when they are first used: their modules import the exact engine and SymPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from

if TYPE_CHECKING:
    from gyrostat.written.cutset import Cutset
    from gyrostat.written.equation_set import Equations
    from gyrostat.written.equation_writer import RECURSIVE, Form
    from gyrostat.written.recursive_equations import RecursiveEquations
    from gyrostat.written.symbols import Symbols
    from gyrostat.written.walkthrough import Walkthrough

__all__ = ["RECURSIVE", "Cutset", "Equations", "Form", "RecursiveEquations", "Symbols", "Walkthrough"]

__getattr__ = names_from(
    __name__,
    {
        "cutset": ("Cutset",),
        "equation_set": ("Equations",),
        "equation_writer": ("RECURSIVE", "Form"),
        "recursive_equations": ("RecursiveEquations",),
        "symbols": ("Symbols",),
        "walkthrough": ("Walkthrough",),
    },
)
