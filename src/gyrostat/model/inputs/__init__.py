"""Inputs: quantities that are given from outside, with the laws by which models give them."""

from gyrostat.model.inputs.input import Input
from gyrostat.model.inputs.law import Law, LawKind

__all__ = ["Input", "Law", "LawKind"]
