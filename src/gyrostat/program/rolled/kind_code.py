"""The native function of a kind, in LLVM IR.

`ptr f(ptr work, ptr row)` reads the byte addresses of its operands in the workspace from a row of the table, behind
the function's own address, and writes the block whose address comes last; it returns the next row.
"""

from __future__ import annotations

from gyrostat.program.assembler import helper_symbol
from gyrostat.program.dialect import Dialect
from gyrostat.program.functions import definitions
from gyrostat.program.operation import CODES
from gyrostat.program.reordering import economical
from gyrostat.program.rolled.kind import TracedKind
from gyrostat.program.shape import ValueShape
from gyrostat.program.target import Target

_SINE_OR_COSINE = (CODES["sin"], CODES["cos"])


class KindModule:
    """Collects functions of kinds, and writes them as one module."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._texts: list[str] = []
        self._declarations: set[str] = set()
        self._helpers: dict[int, set[str]] = {}

    def add(self, symbol: str, kind: TracedKind) -> None:
        """Add the function of a kind."""
        writer = _Function(kind)
        self._texts.append(writer.text(symbol))
        self._declarations |= writer.dialect.declarations
        for lanes, needed in writer.dialect.helpers.items():
            self._helpers.setdefault(lanes, set()).update(needed)

    def add_text(self, text: str, function: str, shape: ValueShape) -> None:
        """Add a function as text that calls one of this package's for a shape."""
        self._texts.append(text)
        self._helpers.setdefault(shape.lanes, set()).add(function)

    def text(self) -> str:
        """Return the module."""
        functions: list[str] = []
        declarations = set(self._declarations)
        for lanes, needed in self._helpers.items():
            found, declared = definitions(needed, ValueShape(lanes), fused=self._target.fused)
            functions += found
            declarations |= declared
        head = [f'target triple = "{self._target.triple}"', *sorted(declarations)]
        return "\n".join([*head, *functions, *self._texts, '!0 = !{!"branch_weights", i32 1, i32 1000000}', "!1 = !{}"])


class _Function:
    """Writes one kind's function: values are loaded where they are first used, results are stored last."""

    def __init__(self, kind: TracedKind) -> None:
        self.kind, self.graph = kind, economical(kind.graph)
        self.dialect = Dialect(self.graph, ValueShape(1))
        self.lines: list[str] = []
        self.names: dict[int, str] = {}

    def text(self, symbol: str) -> str:
        """Return the function."""
        for base in range(self.kind.bases + 1):
            self.lines += [
                f"%where{base} = getelementptr i64, ptr %row, i64 {1 + base}",
                f"%base{base} = load i64, ptr %where{base}, align 8",
                f"%work{base} = getelementptr i8, ptr %work, i64 %base{base}",
            ]
        self._operations()
        for n, value in enumerate(self.graph.results.tolist()):
            self.lines.append(f"%to{n} = getelementptr i8, ptr %work{self.kind.bases}, i64 {8 * n}")
            self.lines.append(f"store double {self._operand(value)}, ptr %to{n}, align 8")
        self.lines.append(f"%next = getelementptr i64, ptr %row, i64 {self.kind.bases + 2}\nret ptr %next")
        body = "\n".join(self.lines)
        return f"define ptr @{symbol}(ptr noalias nocapture %work, ptr %row) nounwind {{\n{body}\n}}"

    def _operations(self) -> None:
        graph, dialect = self.graph, self.dialect
        pairs: dict[int, str] = {}
        rows = zip(graph.codes.tolist(), graph.left.tolist(), graph.right.tolist(), strict=True)
        for value, (code, x, y) in enumerate(rows, graph.input_size):
            if code not in _SINE_OR_COSINE:
                self.lines.append(dialect.templates[code].format(value, self._operand(x), self._operand(y)))
            else:
                if x not in pairs:
                    dialect.need("sincos", dialect.shape)
                    called = f"call {{double, double}} {helper_symbol('sincos', dialect.shape)}"
                    self.lines.append(f"%pair{value} = {called}(double {self._operand(x)})")
                    pairs[x] = f"%pair{value}"
                self.lines.append(dialect.templates[code].format(value, pairs[x]))
            self.names[value] = f"%v{value}"

    def _operand(self, value: int) -> str:
        """Return the name of a value: a constant, an argument, loaded on its first use, or a result."""
        if value not in self.names:
            if value < 0:
                self.names[value] = self.dialect.shape.number(float(self.graph.constants[-1 - value]))
            else:
                base, offset = self.kind.places[value]
                self.lines.append(f"%from{value} = getelementptr i8, ptr %work{base}, i64 {8 * offset}")
                self.lines.append(f"%v{value} = load double, ptr %from{value}, align 8")
                self.names[value] = f"%v{value}"
        return self.names[value]
