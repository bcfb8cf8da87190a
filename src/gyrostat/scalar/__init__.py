"""Scalars that formulas of mechanics are written over, and the engines behind them.

A formula never asks which scalar it has: it uses `+ - * /` (through `scalar.algebra`, which recognises zeros and ones)
and the elementary functions of an engine, an object that satisfies `Scalars`.
"""

from gyrostat.scalar.floats import FloatScalars
from gyrostat.scalar.operations import ARITY, Scalar, Scalars

__all__ = ["ARITY", "FloatScalars", "Scalar", "Scalars"]
