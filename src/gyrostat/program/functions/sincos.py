"""Sine and cosine of the same argument, together.

The argument is reduced to |r| ≤ π/4 by subtracting n·π/2 in three parts (W. J. Cody and W. Waite, Software Manual for
the Elementary Functions, 1980): with fused multiply-add each part is a full double and the first subtraction is exact;
without, the first two parts have 33 bits, so that their products with n < 2²⁰ are exact. The polynomials are those of
fdlibm (k_sin.c, k_cos.c). Error below 1 ulp; beyond the limits, and for infinities and NaN, the C library answers.
"""

from __future__ import annotations

from gyrostat.program.assembler import Assembler, library_declaration

# All parts are positive: with a negative one the reduction would lose the sign of x = −0.
_FUSED_PARTS = tuple(
    float.fromhex(text) for text in ("0x1.921fb54442d18p+0", "0x1.1a62633145c06p-54", "0x1.c1cd129024e09p-107")
)
_SPLIT_PARTS = (1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624879595063154e-21)
_FUSED_LIMIT = 2.0**30
_SPLIT_LIMIT = 2.0**20

_SINE = (
    *(-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04),
    *(2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10),
)
_COSINE = (
    *(4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05),
    *(-2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11),
)

# Adding 1.5·2⁵² rounds to a whole number and leaves that number in the low bits. Subtracting it again gives +0 for
# both zeros, whence −n·π/2 = −0 and x = −0 keeps its sign through the reduction; `rint` would lose it.
ROUNDER = 1.5 * 2.0**52


def sincos(code: Assembler, x: str) -> None:
    """Append the whole body: returns {sin x, cos x}."""
    rounded = code.fma(x, code.number(0.63661977236758134308), code.number(ROUNDER))
    quadrant = code.to_bits(rounded)
    minus_n = code.neg(code.sub(rounded, code.number(ROUNDER)))
    r, rest = _reduce(code, x, minus_n)
    sine, cosine = _on_eighth(code, r, rest)

    odd = code.nonzero(code.whole("and", quadrant, 1))
    first, second = code.select(odd, cosine, sine), code.select(odd, sine, cosine)
    sine = _flip(code, first, code.whole("shl", code.whole("and", quadrant, 2), 62))
    next_quadrant = code.whole("add", quadrant, 1)
    cosine = _flip(code, second, code.whole("shl", code.whole("and", next_quadrant, 2), 62))
    _choose(code, x, sine, cosine)


def _reduce(code: Assembler, x: str, minus_n: str) -> tuple[str, str]:
    """Return x − n·π/2 as a double r and what its rounding lost."""
    first, second, third = (code.number(part) for part in (_FUSED_PARTS if code.fused else _SPLIT_PARTS))
    exact = code.fma(minus_n, first, x)
    step = code.mul(minus_n, second)
    r = code.add(exact, step)
    lost = code.add(code.sub(exact, r), step)
    if code.fused:
        # The product itself was rounded; what it lost matters where x is close to a multiple of π/2 and r is tiny.
        return r, code.add(lost, code.fma(minus_n, third, code.fma(minus_n, second, code.neg(step))))
    middle, step = r, code.mul(minus_n, third)
    r = code.add(middle, step)
    return r, code.add(code.add(code.sub(middle, r), step), lost)


def _on_eighth(code: Assembler, r: str, rest: str) -> tuple[str, str]:
    """Return the sine and cosine of r + rest for |r| ≤ π/4 and a rest below the rounding of r."""
    z = code.mul(r, r)
    # 1 − z/2 is rounded; what the rounding lost is added to the small terms (fdlibm, k_cos.c).
    half = code.mul(z, code.number(0.5))
    leading = code.sub(code.number(1.0), half)
    lost = code.sub(code.sub(code.number(1.0), leading), half)
    small = code.fma(code.mul(z, z), code.horner(z, _COSINE), code.fma(code.neg(r), rest, lost))
    cosine = code.add(leading, small)
    small = code.fma(code.mul(z, r), code.horner(z, _SINE), code.mul(rest, leading))
    sine = code.intrinsic("copysign", code.add(r, small), r)  # sin(−0) = −0, which the sum turns into +0
    return sine, cosine


def _flip(code: Assembler, value: str, sign_bit: str) -> str:
    return code.from_bits(code.whole("xor", code.to_bits(value), sign_bit))


def _choose(code: Assembler, x: str, sine: str, cosine: str) -> None:
    """Return the polynomials' values, or the C library's for lanes whose argument is huge or not a number."""
    shape = code.shape
    limit = code.number(_FUSED_LIMIT if code.fused else _SPLIT_LIMIT)
    huge = code.compare("ugt", code.intrinsic("fabs", x), limit)
    some = huge
    if shape.lanes > 1:
        mask = code.emit(f"bitcast {shape.boolean} {huge} to i{shape.lanes}")
        some = code.emit(f"icmp ne i{shape.lanes} {mask}, 0")
    code.lines.append(f"br i1 {some}, label %slow, label %fast, !prof !0")
    code.lines.append("fast:")
    _return_pair(code, sine, cosine)
    code.lines.append("slow:")
    exact = [_library(code, name, x) for name in ("sin", "cos")]
    _return_pair(code, code.select(huge, exact[0], sine), code.select(huge, exact[1], cosine))


def _library(code: Assembler, name: str, x: str) -> str:
    code.declarations.add(library_declaration(name, 1))
    if code.shape.lanes == 1:
        return code.emit(f"call double @{name}(double {x})")
    value = x
    for index in range(code.shape.lanes):
        value = code.with_lane(value, code.emit(f"call double @{name}(double {code.lane(x, index)})"), index)
    return value


def _return_pair(code: Assembler, sine: str, cosine: str) -> None:
    real = code.shape.real
    pair = f"{{{real}, {real}}}"
    first = code.emit(f"insertvalue {pair} undef, {real} {sine}, 0")
    both = code.emit(f"insertvalue {pair} {first}, {real} {cosine}, 1")
    code.lines.append(f"ret {pair} {both}")
