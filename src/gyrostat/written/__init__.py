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
    from gyrostat.written.walkthrough.absolute_method import AbsoluteMethodWalk
    from gyrostat.written.walkthrough.evaluation import ExactEvaluation, NumericEvaluation
    from gyrostat.written.walkthrough.graph_method import GraphMethodWalk, graph_coordinates
    from gyrostat.written.walkthrough.roberson_schwertassek import RobersonSchwertassekWalk
    from gyrostat.written.walkthrough.velocity_transformation import VelocityTransformationWalk

__all__ = [
    "RECURSIVE",
    "SIZE_LIMIT",
    "AbsoluteMethodWalk",
    "Cutset",
    "Equations",
    "ExactEvaluation",
    "Form",
    "GraphMethodWalk",
    "NumericEvaluation",
    "RecursiveEquations",
    "RobersonSchwertassekWalk",
    "Symbols",
    "VelocityTransformationWalk",
    "Walkthrough",
    "graph_coordinates",
]

SIZE_LIMIT = 30_000
"""Products of sines and cosines beyond which written equations are too long to read."""

__getattr__ = names_from(
    __name__,
    {
        "cutset": ("Cutset",),
        "equation_set": ("Equations",),
        "equation_writer": ("RECURSIVE", "Form"),
        "recursive_equations": ("RecursiveEquations",),
        "symbols": ("Symbols",),
        "walkthrough": ("Walkthrough",),
        "walkthrough.absolute_method": ("AbsoluteMethodWalk",),
        "walkthrough.evaluation": ("ExactEvaluation", "NumericEvaluation"),
        "walkthrough.graph_method": ("GraphMethodWalk", "graph_coordinates"),
        "walkthrough.roberson_schwertassek": ("RobersonSchwertassekWalk",),
        "walkthrough.velocity_transformation": ("VelocityTransformationWalk",),
    },
)
