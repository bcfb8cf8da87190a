"""Linear models in numbers and in closed form."""

from __future__ import annotations

from comparisons.linearization import compare_linearization, compare_symbolic_linearization
from comparisons.sensitivities import compare_sensitivities
from models import BENCHMARKED
from tables import ratio_table

TITLE = "Linear models"
_TEXT = """\
A and B of ẋ = A x + B w of trees at one state, called from Python: native derivatives and their assembly, beside those
of Pinocchio and beside central differences with the same native accelerations. Closed forms: processor time from a
system to SymPy's matrices M, C, K about rest, beside SymPy's `linearize` of equations that are formed already, without
solving for ẋ; SymPy's cache is emptied before.

{linear}
"""
_MODELS = ("seven_joint_arm", "thirty_joint_tree")


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    models = (BENCHMARKED[name]() for name in _MODELS)
    rows = [row for model in models for row in compare_linearization(model, rounds=5 if short else 31)]
    rows += compare_symbolic_linearization(short=short)
    rows += compare_sensitivities(rounds=3 if short else 7)
    return _TEXT.format(linear=ratio_table(rows))
