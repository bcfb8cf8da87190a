"""The elementary operations of expression graphs and their LLVM instructions.

Meaning follows CasADi's virtual machine, including NaN, infinities and signed zeros: comparisons and logic give 0.0 or
1.0, NaN counts as true, sign(NaN) is NaN and sign(−0.0) is −0.0, fmin and fmax ignore one NaN.
"""

from __future__ import annotations

# The position in this tuple is the operation's code in stored graphs: append, never reorder.
# The names are CasADi's constants OP_… in lower case.
NAMES: tuple[str, ...] = (
    *("add", "sub", "mul", "div", "neg", "exp", "log", "pow", "constpow", "sqrt", "sq", "twice", "sin", "cos", "tan"),
    *("asin", "acos", "atan", "lt", "le", "eq", "ne", "not", "and", "or", "floor", "ceil", "fmod", "fabs", "sign"),
    *("copysign", "if_else_zero", "erf", "fmin", "fmax", "inv", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("atan2", "erfinv", "log1p", "expm1", "hypot", "remainder"),
)

CODES: dict[str, int] = {name: code for code, name in enumerate(NAMES)}

BINARY_OPERATIONS: frozenset[str] = frozenset(
    (
        *("add", "sub", "mul", "div", "pow", "constpow", "lt", "le", "eq", "ne", "and", "or", "fmod", "copysign"),
        *("if_else_zero", "fmin", "fmax", "atan2", "hypot", "remainder"),
    )
)

# Operations whose value is their first operand. `lift` marks a variable for CasADi's lifted Newton method and
# `printme` prints in CasADi's virtual machine only: native code runs in many lanes and threads at once.
COPIES: frozenset[str] = frozenset(("assign", "lift", "printme"))

# Functions of the C library, one to one.
LIBRARY: dict[str, str] = {
    name: "pow" if name == "constpow" else name
    for name in (
        *("exp", "log", "pow", "constpow", "tan", "asin", "acos", "atan", "fmod", "erf", "sinh", "cosh", "tanh"),
        *("asinh", "acosh", "atanh", "atan2", "log1p", "expm1", "hypot", "remainder"),
    )
}

# Operations that take many times the time of a product.
SLOW_OPERATIONS: frozenset[str] = frozenset((*LIBRARY, "div", "inv", "sqrt", "sin", "cos", "erfinv"))

# LLVM intrinsics, one to one.
INTRINSICS: dict[str, str] = {
    **{name: name for name in ("sqrt", "fabs", "floor", "ceil", "copysign")},
    "fmin": "minnum",
    "fmax": "maxnum",
}

# Straight instructions. In the templates {0} is the number of the value, {1} and {2} are the operands, REAL and BOOL
# the types, ZERO, ONE and MINUS_ONE constants. `contract` allows a·b + c to be rounded once; no other freedom is given.
_TRUTH = "%v{0} = select BOOL %t{0}, REAL ONE, REAL ZERO"
TEMPLATES: dict[str, str] = {
    "add": "%v{0} = fadd contract REAL {1}, {2}",
    "sub": "%v{0} = fsub contract REAL {1}, {2}",
    "mul": "%v{0} = fmul contract REAL {1}, {2}",
    "div": "%v{0} = fdiv contract REAL {1}, {2}",
    "neg": "%v{0} = fneg contract REAL {1}",
    "sq": "%v{0} = fmul contract REAL {1}, {1}",
    "twice": "%v{0} = fadd contract REAL {1}, {1}",
    "inv": "%v{0} = fdiv contract REAL ONE, {1}",
    "lt": "%t{0} = fcmp olt REAL {1}, {2}\n" + _TRUTH,
    "le": "%t{0} = fcmp ole REAL {1}, {2}\n" + _TRUTH,
    "eq": "%t{0} = fcmp oeq REAL {1}, {2}\n" + _TRUTH,
    "ne": "%t{0} = fcmp une REAL {1}, {2}\n" + _TRUTH,
    "not": "%t{0} = fcmp oeq REAL {1}, ZERO\n" + _TRUTH,
    "and": "%a{0} = fcmp une REAL {1}, ZERO\n%b{0} = fcmp une REAL {2}, ZERO\n%t{0} = and BOOL %a{0}, %b{0}\n" + _TRUTH,
    "or": "%a{0} = fcmp une REAL {1}, ZERO\n%b{0} = fcmp une REAL {2}, ZERO\n%t{0} = or BOOL %a{0}, %b{0}\n" + _TRUTH,
    "if_else_zero": "%t{0} = fcmp une REAL {1}, ZERO\n%v{0} = select BOOL %t{0}, REAL {2}, REAL ZERO",
    "sign": "%a{0} = fcmp ogt REAL {1}, ZERO\n%b{0} = fcmp olt REAL {1}, ZERO\n"
    "%t{0} = select BOOL %a{0}, REAL ONE, REAL {1}\n%v{0} = select BOOL %b{0}, REAL MINUS_ONE, REAL %t{0}",
}
