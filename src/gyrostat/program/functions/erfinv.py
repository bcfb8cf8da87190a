"""The inverse error function: a rational first guess and two Newton steps.

CasADi does the same (calculus.hpp) but swaps the last two coefficients of the guess's denominator near zero, and leaves
out the Newton steps below −0.7; it errs by up to 1e-6 for that. Here the function is odd and accurate to a few ulp
until, near ±1, the equation erf y = x is itself ill-conditioned.
"""

from __future__ import annotations

import math

from gyrostat.program.assembler import Assembler

_CENTRE_UPPER = (0.886226899, -1.645349621, 0.914624893, -0.140543331)
_CENTRE_LOWER = (1.0, -2.118377725, 1.442710462, -0.329097515, 0.012229801)
_TAIL_UPPER = (-1.970840454, -1.624906493, 3.429567803, 1.641345311)
_TAIL_LOWER = (1.0, 3.543889200, 1.637067800)


def erfinv(code: Assembler, x: str) -> str:
    """Return y with erf y = x; ±∞ at ±1, NaN beyond."""
    size = code.intrinsic("fabs", x)
    z = code.mul(size, size)
    centre = code.mul(size, code.div(code.horner(z, _CENTRE_UPPER), code.horner(z, _CENTRE_LOWER)))
    rest = code.mul(code.sub(code.number(1.0), size), code.number(0.5))
    root = code.intrinsic("sqrt", code.neg(code.call("log", rest)))
    tail = code.div(code.horner(root, _TAIL_UPPER), code.horner(root, _TAIL_LOWER))
    y = code.select(code.compare("olt", size, code.number(0.7)), centre, tail)
    for _ in range(2):
        slope = code.mul(code.call("exp", code.neg(code.mul(y, y))), code.number(2.0 / math.sqrt(math.pi)))
        y = code.sub(y, code.div(code.sub(code.call("erf", y), size), slope))
    y = code.select(code.compare("oeq", size, code.number(1.0)), code.number(math.inf), y)
    return code.intrinsic("copysign", y, x)
