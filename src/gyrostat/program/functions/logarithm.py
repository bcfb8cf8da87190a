"""The natural logarithm: x = 2ᵏ·m with m in [√½, √2), ln x = k·ln 2 + ln m.

ln(1 + f) = 2·artanh(s), s = f/(2 + f), with the polynomial of fdlibm (e_log.c). Error below 1 ulp.
"""

from __future__ import annotations

import math

from gyrostat.program.assembler import Assembler
from gyrostat.program.functions.exponential import LN2_LOWER, LN2_UPPER
from gyrostat.program.functions.sincos import ROUNDER

_SERIES = (
    *(6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01),
    *(1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01),
)
_ROOT_HALF_BITS = 0x3FE6A09E00000000
_ONE_BITS = 0x3FF0000000000000
_ROUNDER_BITS = 0x4338000000000000


def logarithm(code: Assembler, x: str) -> str:
    """Return ln x; −∞ at zeros, NaN below, ∞ at ∞, NaN at NaN."""
    subnormal = code.compare("olt", x, code.number(2.0**-1022))
    scaled = code.select(subnormal, code.mul(x, code.number(2.0**54)), x)
    bits = code.whole("add", code.to_bits(scaled), _ONE_BITS - _ROOT_HALF_BITS)
    exponent = code.whole("sub", code.whole("lshr", bits, 52), 1023)
    mantissa = code.whole("add", code.whole("and", bits, (1 << 52) - 1), _ROOT_HALF_BITS)
    # Integers to doubles by way of the bits of 1.5·2⁵² + k: AVX2 has no such conversion.
    k = code.sub(code.from_bits(code.whole("add", exponent, _ROUNDER_BITS)), code.number(ROUNDER))
    k = code.select(subnormal, code.sub(k, code.number(54.0)), k)

    f = code.sub(code.from_bits(mantissa), code.number(1.0))
    half_square = code.mul(code.mul(f, code.number(0.5)), f)
    s = code.div(f, code.add(f, code.number(2.0)))
    z = code.mul(s, s)
    series = code.mul(z, code.horner(z, _SERIES))
    small = code.fma(s, code.add(half_square, series), code.mul(k, code.number(LN2_LOWER)))
    value = code.sub(code.mul(k, code.number(LN2_UPPER)), code.sub(code.sub(half_square, small), f))

    value = code.select(code.compare("oeq", x, code.number(math.inf)), x, value)
    value = code.select(code.compare("oeq", x, code.number(0.0)), code.number(-math.inf), value)
    return code.select(code.compare("ult", x, code.number(0.0)), code.number(math.nan), value)
