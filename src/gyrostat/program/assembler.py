"""A small assembler for the bodies of mathematical functions in LLVM IR."""

from __future__ import annotations

from collections.abc import Sequence

from gyrostat.program.shape import ValueShape


class Assembler:
    """Collects the instructions of one function; every method appends one and returns the name of its value.

    Products and sums are never contracted implicitly: `fma` marks where both are rounded once.
    Where the target has no such instruction (`fused` is false), `fma` is a product and a sum, since the C library's
    function of that name is a hundred times slower; algorithms that depend on single rounding test `fused`.
    """

    def __init__(self, shape: ValueShape, *, fused: bool) -> None:
        self.shape = shape
        self.fused = fused
        self.lines: list[str] = []
        self.declarations: set[str] = set()
        self.needs: set[str] = set()
        self._count = 0

    def emit(self, text: str) -> str:
        """Append an instruction and return the name of its value."""
        self._count += 1
        self.lines.append(f"%r{self._count} = {text}")
        return f"%r{self._count}"

    def number(self, value: float) -> str:
        """Return a constant."""
        return self.shape.number(value)

    def add(self, a: str, b: str) -> str:
        """Return a + b."""
        return self.emit(f"fadd {self.shape.real} {a}, {b}")

    def sub(self, a: str, b: str) -> str:
        """Return a − b."""
        return self.emit(f"fsub {self.shape.real} {a}, {b}")

    def mul(self, a: str, b: str) -> str:
        """Return a·b."""
        return self.emit(f"fmul {self.shape.real} {a}, {b}")

    def div(self, a: str, b: str) -> str:
        """Return a/b."""
        return self.emit(f"fdiv {self.shape.real} {a}, {b}")

    def neg(self, a: str) -> str:
        """Return −a."""
        return self.emit(f"fneg {self.shape.real} {a}")

    def fma(self, a: str, b: str, c: str) -> str:
        """Return a·b + c."""
        return self.intrinsic("fma", a, b, c) if self.fused else self.add(self.mul(a, b), c)

    def horner(self, x: str, coefficients: Sequence[float]) -> str:
        """Return c₀ + c₁x + c₂x² + …"""
        value = self.number(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            value = self.fma(value, x, self.number(coefficient))
        return value

    def intrinsic(self, name: str, *arguments: str) -> str:
        """Return llvm.<name> of the arguments."""
        real = self.shape.real
        symbol = f"@llvm.{name}.{self.shape.suffix}"
        self.declarations.add(f"declare {real} {symbol}({', '.join([real] * len(arguments))})")
        return self.emit(f"call {real} {symbol}({', '.join(f'{real} {a}' for a in arguments)})")

    def compare(self, predicate: str, a: str, b: str) -> str:
        """Return the truth of a comparison such as `olt` (false with NaN) or `ult` (true with NaN)."""
        return self.emit(f"fcmp {predicate} {self.shape.real} {a}, {b}")

    def select(self, condition: str, a: str, b: str) -> str:
        """Return a where the condition holds, else b."""
        real = self.shape.real
        return self.emit(f"select {self.shape.boolean} {condition}, {real} {a}, {real} {b}")

    def to_bits(self, a: str) -> str:
        """Return the bits of a double as an integer."""
        return self.emit(f"bitcast {self.shape.real} {a} to {self.shape.integer}")

    def from_bits(self, a: str) -> str:
        """Return the double with the given bits."""
        return self.emit(f"bitcast {self.shape.integer} {a} to {self.shape.real}")

    def whole(self, operator: str, a: str, b: int | str) -> str:
        """Return the integer operation `operator` (add, and, shl, lshr, ashr, xor) of a and b."""
        right = self.shape.bits(b) if isinstance(b, int) else b
        return self.emit(f"{operator} {self.shape.integer} {a}, {right}")

    def nonzero(self, a: str) -> str:
        """Return the truth of the integer a ≠ 0."""
        return self.emit(f"icmp ne {self.shape.integer} {a}, {self.shape.bits(0)}")

    def call(self, name: str, *arguments: str) -> str:
        """Return a mathematical function of the arguments: the C library's for one lane, else one of `functions`."""
        real = self.shape.real
        if self.shape.lanes == 1:
            symbol = f"@{name}"
            self.declarations.add(library_declaration(name, len(arguments)))
        else:
            symbol = helper_symbol(name, self.shape)
            self.needs.add(name)
        return self.emit(f"call {real} {symbol}({', '.join(f'{real} {a}' for a in arguments)})")

    def lane(self, a: str, index: int) -> str:
        """Return one lane of a value."""
        return self.emit(f"extractelement {self.shape.real} {a}, i32 {index}")

    def with_lane(self, a: str, scalar: str, index: int) -> str:
        """Return the value with one lane replaced."""
        return self.emit(f"insertelement {self.shape.real} {a}, double {scalar}, i32 {index}")


def library_declaration(name: str, arity: int) -> str:
    """Return the declaration of a function of the C library; `readnone`, since errno is not used."""
    return f"declare double @{name}({', '.join(['double'] * arity)}) nounwind readnone willreturn"


def helper_symbol(name: str, shape: ValueShape) -> str:
    """Return the symbol of this package's version of a function for a shape."""
    return f"@gyrostat.{name}.{shape.lanes}"
