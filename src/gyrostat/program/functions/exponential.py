"""The exponential function: x = n·ln 2 + r, eˣ = 2ⁿ·eʳ, with the Taylor polynomial of eʳ on |r| ≤ ln 2 / 2.

The first omitted term, r¹⁴/14!, is below 5e-18. Error below 1 ulp, also where the result is subnormal within half a
spacing more (it is scaled in two steps, hence rounded twice).
"""

from __future__ import annotations

import math

from gyrostat.program.assembler import Assembler
from gyrostat.program.functions.sincos import ROUNDER

# The upper part of ln 2 has 32 trailing zero bits: its product with n is exact.
LN2_UPPER = 6.93147180369123816490e-01
LN2_LOWER = 1.90821492927058770002e-10

_TAYLOR = tuple(1.0 / math.factorial(k) for k in range(2, 14))


def exponential(code: Assembler, x: str) -> str:
    """Return eˣ; 0 at −∞, ∞ at ∞, NaN at NaN."""
    # Beyond these bounds the result is 0 or ∞ anyway. The comparisons are false for NaN, which passes through.
    x = code.select(code.compare("ogt", x, code.number(710.0)), code.number(710.0), x)
    x = code.select(code.compare("olt", x, code.number(-746.0)), code.number(-746.0), x)
    rounded = code.fma(x, code.number(1.0 / math.log(2.0)), code.number(ROUNDER))
    n = code.sub(rounded, code.number(ROUNDER))
    minus_n = code.neg(n)
    r = code.fma(minus_n, code.number(LN2_UPPER), x)
    correction = code.mul(minus_n, code.number(LN2_LOWER))
    reduced = code.add(r, correction)
    small = code.fma(code.mul(reduced, reduced), code.horner(reduced, _TAYLOR), correction)
    # eʳ = 1 + r + small, summed from the exact r so that the reduction's rounding does not show.
    value = code.add(code.number(1.0), code.add(r, small))

    exponent = code.whole("sub", code.to_bits(rounded), code.to_bits(code.number(ROUNDER)))
    first = code.whole("ashr", exponent, 1)
    second = code.whole("sub", exponent, first)
    for part in (first, second):
        value = code.mul(value, code.from_bits(code.whole("shl", code.whole("add", part, 1023), 52)))
    return value
