"""The native function of a kind, in LLVM IR.

`ptr f(ptr work, ptr row)` reads the byte addresses of its operands in the workspace from a row of the table, behind
the function's own address, and writes the block whose address comes last; it returns the next row.
"""

from __future__ import annotations

from gyrostat.program.assembler import helper_symbol
from gyrostat.program.dialect import Dialect
from gyrostat.program.functions import definitions
from gyrostat.program.graph import Graph
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
        writer = _Function(kind, self._target.lanes)
        self._texts.append(writer.text(symbol))
        for dialect in writer.dialects.values():
            self._declarations |= dialect.declarations
            for lanes, needed in dialect.helpers.items():
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
    """Writes one kind's function: values are loaded where they are first used, results are stored last.

    What depends on tangents is computed in SIMD lanes, all else once.
    """

    def __init__(self, kind: TracedKind, lanes: int) -> None:
        self.kind, self.graph = kind, economical(kind.graph)
        self.wide = _wide_values(kind, self.graph)
        size = self.graph.input_size
        codes: dict[bool, set[int]] = {False: set(), True: set()}
        for value, code in enumerate(self.graph.codes.tolist(), size):
            codes[value in self.wide].add(code)
        self.dialects = {wide: Dialect(codes[wide], ValueShape(lanes if wide else 1)) for wide in (False, True)}
        self.lines: list[str] = []
        self.names: dict[tuple[int, bool], str] = {}

    def text(self, symbol: str) -> str:
        """Return the function."""
        for base in range(self.kind.bases + 1):
            self.lines += [
                f"%where{base} = getelementptr i64, ptr %row, i64 {1 + base}",
                f"%base{base} = load i64, ptr %where{base}, align 8",
                f"%work{base} = getelementptr i8, ptr %work, i64 %base{base}",
            ]
        self._operations()
        wide = self.kind.wide_from is not None
        shape = self.dialects[wide].shape
        for n, value in enumerate(self.graph.results.tolist()):
            stored = self._operand(value, wide=wide)
            self.lines.append(f"%to{n} = getelementptr i8, ptr %work{self.kind.bases}, i64 {8 * shape.lanes * n}")
            self.lines.append(f"store {shape.real} {stored}, ptr %to{n}, align 8")
        self.lines.append(f"%next = getelementptr i64, ptr %row, i64 {self.kind.bases + 2}\nret ptr %next")
        body = "\n".join(self.lines)
        return f"define ptr @{symbol}(ptr noalias nocapture %work, ptr %row) nounwind {{\n{body}\n}}"

    def _operations(self) -> None:
        graph = self.graph
        pairs: dict[int, str] = {}
        rows = zip(graph.codes.tolist(), graph.left.tolist(), graph.right.tolist(), strict=True)
        for value, (code, x, y) in enumerate(rows, graph.input_size):
            wide = value in self.wide
            dialect = self.dialects[wide]
            template, real = dialect.templates[code], dialect.shape.real
            if code not in _SINE_OR_COSINE:
                left, right = self._operand(x, wide=wide), self._operand(y, wide=wide)
                self.lines.append(template.format(value, left, right))
            else:
                if x not in pairs:
                    dialect.need("sincos", dialect.shape)
                    called = f"call {{{real}, {real}}} {helper_symbol('sincos', dialect.shape)}"
                    self.lines.append(f"%pair{value} = {called}({real} {self._operand(x, wide=wide)})")
                    pairs[x] = f"%pair{value}"
                self.lines.append(template.format(value, pairs[x]))
            self.names[value, wide] = f"%v{value}"

    def _operand(self, value: int, *, wide: bool) -> str:
        """Return the name of a value: a constant, an argument, loaded on its first use, or a result."""
        found = self.names.get((value, wide))
        if found is None:
            found = self.names[value, wide] = self._named(value, wide=wide)
        return found

    def _named(self, value: int, *, wide: bool) -> str:
        shape = self.dialects[wide].shape
        if value < 0:
            return shape.number(float(self.graph.constants[-1 - value]))
        if wide and value not in self.wide:
            one = self._operand(value, wide=False)
            self.lines.append(f"%one{value} = insertelement {shape.real} poison, double {one}, i64 0")
            every = f"<{shape.lanes} x i32> zeroinitializer"
            kind = f"{shape.real} %one{value}, {shape.real} poison, {every}"
            self.lines.append(f"%every{value} = shufflevector {kind}")
            return f"%every{value}"
        base, offset = self.kind.places[value]
        self.lines.append(f"%from{value} = getelementptr i8, ptr %work{base}, i64 {8 * shape.lanes * offset}")
        self.lines.append(f"%v{value} = load {shape.real}, ptr %from{value}, align 8")
        return f"%v{value}"


def _wide_values(kind: TracedKind, graph: Graph) -> set[int]:
    """Return the numbers of the values that depend on tangents."""
    if kind.wide_from is None:
        return set()
    wide = {n for n, (base, _) in enumerate(kind.places) if base >= kind.wide_from}
    for value, pair in enumerate(zip(graph.left.tolist(), graph.right.tolist(), strict=True), graph.input_size):
        if not wide.isdisjoint(pair):
            wide.add(value)
    return wide
