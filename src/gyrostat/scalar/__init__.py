"""Abstract scalars of the formulas of mechanics, and their engines.

Formulas do not depend on the type of scalar: they use `+ - * /` (through `scalar.algebra`, which recognises zeros and
ones) and the elementary functions of an engine, an object that satisfies `Scalars`.
"""

from gyrostat.scalar.floats import FloatScalars
from gyrostat.scalar.operations import ARITY, Scalar, Scalars

__all__ = ["ARITY", "FloatScalars", "Scalar", "Scalars"]
