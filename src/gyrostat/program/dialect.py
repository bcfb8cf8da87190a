"""The texts of a graph's operations in LLVM IR for one shape of values."""

from __future__ import annotations

from collections.abc import Iterable

from gyrostat.program.assembler import helper_symbol, library_declaration
from gyrostat.program.operation import BINARY_OPERATIONS, INTRINSICS, LIBRARY, NAMES, TEMPLATES
from gyrostat.program.shape import ValueShape


class Dialect:
    """Templates of operations by code, and what they need: declarations, and functions by number of lanes."""

    def __init__(self, codes: Iterable[int], shape: ValueShape) -> None:
        self.shape = shape
        self.declarations: set[str] = set()
        self.helpers: dict[int, set[str]] = {}
        self.templates = {code: self._template(NAMES[code]) for code in sorted(set(codes))}

    def need(self, function: str, shape: ValueShape) -> None:
        """Record the call of a function that this package defines."""
        self.helpers.setdefault(shape.lanes, set()).add(function)

    def _template(self, name: str) -> str:
        """Return the text of an operation, with {0} the value's number and {1}, {2} its operands."""
        real = self.shape.real
        if name in TEMPLATES:
            words = {"REAL": real, "BOOL": self.shape.boolean, "MINUS_ONE": self.shape.number(-1.0)}
            words |= {"ONE": self.shape.number(1.0), "ZERO": self.shape.number(0.0)}
            text = TEMPLATES[name]
            for word, meaning in words.items():
                text = text.replace(word, meaning)
            return text
        if name in ("sin", "cos"):
            return f"%v{{0}} = extractvalue {{{{{real}, {real}}}}} {{1}}, {('sin', 'cos').index(name)}"
        arguments = ", ".join(f"{real} {{{n}}}" for n in ((1, 2) if name in BINARY_OPERATIONS else (1,)))
        if name in INTRINSICS:
            symbol = f"@llvm.{INTRINSICS[name]}.{self.shape.suffix}"
            self.declarations.add(f"declare {real} {symbol}({', '.join([real] * (1 + (name in BINARY_OPERATIONS)))})")
        elif name in LIBRARY and self.shape.lanes == 1:
            symbol = f"@{LIBRARY[name]}"
            self.declarations.add(library_declaration(LIBRARY[name], 1 + (name in BINARY_OPERATIONS)))
        else:
            function = LIBRARY.get(name, name)
            symbol = helper_symbol(function, self.shape)
            self.need(function, self.shape)
        return f"%v{{0}} = call {real} {symbol}({arguments})"
