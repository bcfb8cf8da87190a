"""Operators and functions of numbers as instructions."""

from __future__ import annotations

import ast
import math

from gyrostat.program.translation.instructions import Instructions
from gyrostat.program.translation.kinds import BOOLEAN, FLOAT, INTEGER, Value, literal

_SUMS_AND_PRODUCTS: dict[type[ast.operator], str] = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_CONVERSIONS: tuple[tuple[object, str], ...] = ((int, INTEGER), (float, FLOAT), (bool, BOOLEAN))
_FLOAT_FUNCTIONS: tuple[tuple[object, str], ...] = (
    (math.sqrt, "llvm.sqrt.f64"),
    (math.sin, "llvm.sin.f64"),
    (math.cos, "llvm.cos.f64"),
    (math.tan, "tan"),
)
_LARGEST_PRODUCT = 4
"""The largest power that is written as products."""

DECLARATIONS = """declare double @llvm.fabs.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.sin.f64(double)
declare double @llvm.cos.f64(double)
declare double @llvm.pow.f64(double, double)
declare i64 @llvm.abs.i64(i64, i1)
declare double @tan(double)
"""
"""Declarations of the functions that these instructions call."""


class Arithmetic:
    """Writes instructions for numbers; methods return None for unsupported operations."""

    def __init__(self, instructions: Instructions) -> None:
        self._instructions = instructions

    def operation(self, sign: ast.operator, a: Value, b: Value) -> Value | None:
        """Return the result of an operator on two numbers."""
        instructions = self._instructions
        if isinstance(sign, ast.Pow):
            return self._power(a, b)
        if isinstance(sign, ast.Div):
            a, b = instructions.converted(a, FLOAT), instructions.converted(b, FLOAT)
            return instructions.number(FLOAT, f"fdiv contract double {a.operand}, {b.operand}")
        a, b, kind = instructions.promoted(a, b)
        word = _SUMS_AND_PRODUCTS.get(type(sign))
        if word is not None:
            instruction = f"f{word} contract" if kind == FLOAT else f"{word} nsw"
            return instructions.number(kind, f"{instruction} {kind} {a.operand}, {b.operand}")
        if isinstance(sign, ast.FloorDiv | ast.Mod) and kind == INTEGER:
            return self._divided(a, b, remainder=isinstance(sign, ast.Mod))
        return None

    def _divided(self, a: Value, b: Value, *, remainder: bool) -> Value:
        """Return the quotient rounded down, or the remainder, which has the sign of the divisor."""
        instructions = self._instructions
        left = instructions.number(INTEGER, f"srem i64 {a.operand}, {b.operand}")
        signs = instructions.number(INTEGER, f"xor i64 {left.operand}, {b.operand}")
        across = instructions.compared("<", signs, literal(0))
        some = instructions.compared("!=", left, literal(0))
        corrected = instructions.number(BOOLEAN, f"and i1 {across.operand}, {some.operand}")
        if remainder:
            other = instructions.number(INTEGER, f"add nsw i64 {left.operand}, {b.operand}")
            return instructions.selected(corrected, other, left)
        quotient = instructions.number(INTEGER, f"sdiv i64 {a.operand}, {b.operand}")
        other = instructions.number(INTEGER, f"sub nsw i64 {quotient.operand}, 1")
        return instructions.selected(corrected, other, quotient)

    def _power(self, a: Value, b: Value) -> Value | None:
        """Return a power; small integer exponents become products, others need a base of floats."""
        instructions = self._instructions
        if b.kind == INTEGER and b.operand.isdigit() and 1 <= int(b.operand) <= _LARGEST_PRODUCT:
            found: Value | None = a
            for _ in range(int(b.operand) - 1):
                found = None if found is None else self.operation(ast.Mult(), found, a)
            return found
        if a.kind != FLOAT:
            return None
        b = instructions.converted(b, FLOAT)
        return instructions.number(FLOAT, f"call double @llvm.pow.f64(double {a.operand}, double {b.operand})")

    def negative(self, a: Value) -> Value:
        """Return −a."""
        instructions = self._instructions
        if a.kind == FLOAT:
            return instructions.number(FLOAT, f"fneg contract double {a.operand}")
        return instructions.number(INTEGER, f"sub nsw i64 0, {instructions.converted(a, INTEGER).operand}")

    def comparison(self, sign: ast.cmpop, a: Value, b: Value) -> Value | None:
        """Return the truth value of a comparison of two numbers."""
        word = _COMPARISONS.get(type(sign))
        return None if word is None else self._instructions.compared(word, a, b)

    def function(self, function: object, given: list[Value]) -> Value | None:
        """Return the value of one of Python's functions."""
        instructions = self._instructions
        if (function is min or function is max) and len(given) > 1:
            return self._extreme(function is max, given)
        if len(given) != 1:
            return None
        number = given[0]
        kind = _of(function, _CONVERSIONS)
        if kind is not None:
            return instructions.converted(number, kind)
        if function is abs:
            return self._size(number)
        number = instructions.converted(number, FLOAT)
        if function is math.isfinite:
            return instructions.compared("<", self._size(number), literal(math.inf))
        name = _of(function, _FLOAT_FUNCTIONS)
        return None if name is None else instructions.number(FLOAT, f"call double @{name}(double {number.operand})")

    def _extreme(self, largest: bool, given: list[Value]) -> Value:
        """Return the largest or the smallest; of equal ones, and beside a NaN, the first, as in Python."""
        instructions, found = self._instructions, given[0]
        for other in given[1:]:
            first, second, _ = instructions.promoted(found, other)
            found = instructions.selected(instructions.compared(">" if largest else "<", second, first), second, first)
        return found

    def _size(self, a: Value) -> Value:
        instructions = self._instructions
        if a.kind == FLOAT:
            return instructions.number(FLOAT, f"call double @llvm.fabs.f64(double {a.operand})")
        whole = instructions.converted(a, INTEGER)
        return instructions.number(INTEGER, f"call i64 @llvm.abs.i64(i64 {whole.operand}, i1 false)")


def _of(function: object, table: tuple[tuple[object, str], ...]) -> str | None:
    """Return a function's entry in a table, None without one; functions are compared by identity."""
    return next((found for known, found in table if known is function), None)
