"""Mathematical functions in LLVM IR, for one lane and for many.

With one lane the C library is called, except for sine and cosine (ours are inline, several times faster, and give both
at once) and the inverse error function (the library has none). With many lanes exp, log and tanh are polynomials too;
the others call the library lane by lane.
"""

from __future__ import annotations

from collections.abc import Callable

from gyrostat.program.assembler import Assembler, helper_symbol, library_declaration
from gyrostat.program.functions.erfinv import erfinv
from gyrostat.program.functions.exponential import exponential
from gyrostat.program.functions.hyperbolic import hyperbolic_tangent
from gyrostat.program.functions.logarithm import logarithm
from gyrostat.program.functions.sincos import sincos
from gyrostat.program.operation import BINARY_OPERATIONS
from gyrostat.program.shape import ValueShape

_OWN_FUNCTIONS: dict[str, Callable[[Assembler, str], str]] = {
    "erfinv": erfinv,
    "exp": exponential,
    "log": logarithm,
    "tanh": hyperbolic_tangent,
}


def definitions(names: set[str], shape: ValueShape, *, fused: bool) -> tuple[list[str], set[str]]:
    """Return definitions of the named functions and of those they call, and declarations of library functions."""
    texts: list[str] = []
    declarations: set[str] = set()
    pending, done = sorted(names), set(names)
    while pending:
        name = pending.pop()
        code = Assembler(shape, fused=fused)
        texts.append(_define(name, code))
        declarations |= code.declarations
        pending += sorted(code.needs - done)
        done |= code.needs
    return texts, declarations


def _define(name: str, code: Assembler) -> str:
    real = code.shape.real
    if name == "sincos":
        result, parameters = f"{{{real}, {real}}}", f"{real} %x"
        sincos(code, "%x")
    elif name in _OWN_FUNCTIONS:
        result, parameters = real, f"{real} %x"
        code.lines.append(f"ret {real} {_OWN_FUNCTIONS[name](code, '%x')}")
    else:
        result, parameters = real, f"{real} %x, {real} %y" if name in BINARY_OPERATIONS else f"{real} %x"
        code.lines.append(f"ret {real} {_lane_by_lane(name, code)}")
    body = "\n".join(code.lines)
    return f"define internal {result} {helper_symbol(name, code.shape)}({parameters}) noinline nounwind {{\n{body}\n}}"


def _lane_by_lane(name: str, code: Assembler) -> str:
    """Return the C library's function of each lane."""
    operands = ("%x", "%y") if name in BINARY_OPERATIONS else ("%x",)
    code.declarations.add(library_declaration(name, len(operands)))
    value = "undef"
    for index in range(code.shape.lanes):
        arguments = ", ".join(f"double {code.lane(operand, index)}" for operand in operands)
        value = code.with_lane(value, code.emit(f"call double @{name}({arguments})"), index)
    return value
