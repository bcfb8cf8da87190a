"""The hyperbolic tangent: a rational function near zero, the exponential elsewhere (Cephes, tanh.c). Error 1–2 ulp."""

from __future__ import annotations

from gyrostat.program.assembler import Assembler

_NUMERATOR = (-1.61468768441708447952e03, -9.92877231001918586564e01, -9.64399179425052238628e-01)
_DENOMINATOR = (4.84406305325125486048e03, 2.23548839060100448583e03, 1.12811678491632931402e02, 1.0)


def hyperbolic_tangent(code: Assembler, x: str) -> str:
    """Return tanh x; ±1 at ±∞, ±0 at ±0, NaN at NaN."""
    size = code.intrinsic("fabs", x)
    z = code.mul(x, x)
    ratio = code.div(code.horner(z, _NUMERATOR), code.horner(z, _DENOMINATOR))
    near = code.fma(code.mul(size, z), ratio, size)
    growth = code.call("exp", code.add(size, size))
    far = code.sub(code.number(1.0), code.div(code.number(2.0), code.add(growth, code.number(1.0))))
    value = code.select(code.compare("olt", size, code.number(0.625)), near, far)
    return code.intrinsic("copysign", value, x)
