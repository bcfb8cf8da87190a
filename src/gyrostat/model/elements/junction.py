"""The current of a p-n junction."""

from __future__ import annotations

from gyrostat.model.forces import Motion
from gyrostat.model.formula import Formula
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply, subtract


def junction_current(motion: Motion, v: Scalar, saturation: Formula, emission: Formula, thermal: Formula) -> Scalar:
    """Return I_s (exp(v/(n V_T)) − 1)."""
    scale = multiply(motion.evaluate(emission), motion.evaluate(thermal))
    grown = motion.scalars.call("exp", (divide(v, scale),))
    return multiply(motion.evaluate(saturation), subtract(grown, 1))
