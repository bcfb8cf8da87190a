"""Writes one chunk of a schedule as a function in LLVM IR."""

from __future__ import annotations

from gyrostat.program.assembler import helper_symbol
from gyrostat.program.dialect import Dialect
from gyrostat.program.graph import Graph
from gyrostat.program.operation import CODES, NAMES
from gyrostat.program.schedule import Schedule
from gyrostat.program.shape import Shape

# What a chunk is given: the input vector, the output vector, the workspace and the table of constants. Constants are
# read by address from the table: that is shorter code than a 64-bit address for each of them.
POINTERS = (
    "ptr noalias nocapture readonly %in, ptr noalias nocapture %out, "
    "ptr noalias nocapture %work, ptr noalias nocapture readonly %table"
)

_SINE_OR_COSINE = (CODES["sin"], CODES["cos"])


class Chunk:
    """Writes chunk `number`; `wide` is the target's SIMD shape, `outputs` the places in the output vector by value.

    Of those outputs that are inputs or constants it copies some, `copied`.
    """

    def __init__(
        self,
        graph: Graph,
        plan: Schedule,
        dialect: Dialect,
        wide: Shape,
        outputs: dict[int, list[int]],
        copied: list[int],
        number: int,
    ) -> None:
        self.plan, self.dialect, self.wide, self.number = plan, dialect, wide, number
        self.outputs, self.copied = outputs, copied
        self.shape = dialect.shape
        self.base = graph.input_size
        members = list(plan.chunks[number])
        arrays = (graph.codes, graph.left, graph.right)
        self.members = list(zip(members, *(array[members].tolist() for array in arrays), strict=True))
        self.lines: list[str] = []
        self.names: dict[int, str] = {}  # the text of every value that the chunk has met

    def text(self) -> str:
        """Return the chunk's function."""
        if self.number < len(self.plan.early):
            self._write_early(self.plan.early[self.number])
        for value in self.copied:
            self._write_outputs(value, self._load(value))
        self._write_members()
        body = "\n".join(self.lines)
        return f"define internal void @chunk{self.number}({POINTERS}) noinline nounwind {{\n{body}\nret void\n}}"

    def _write_members(self) -> None:
        base, names, slots, outputs, load = self.base, self.names, self.plan.slots, self.outputs, self._load
        templates, add = self.dialect.templates, self.lines.append
        pairs: dict[int, str] = {}
        for k, code, x, y in self.members:
            value = base + k
            if code not in _SINE_OR_COSINE:
                add(templates[code].format(value, names.get(x) or load(x), names.get(y) or load(y)))
            elif value not in names:
                if x not in pairs:
                    pairs[x] = self._sincos(names.get(x) or load(x), f"%s{k}", self.shape)
                add(templates[code].format(value, pairs[x]))
            name = names.setdefault(value, f"%v{value}")
            if value in slots:
                self._store(name, "%work", slots[value], f"%w{value}")
            if value in outputs:
                self._write_outputs(value, name)

    def _load(self, value: int) -> str:
        """Return the name of a value that comes from elsewhere: a constant, an input, or another chunk's result."""
        name = self.names.get(value)
        if name is not None:
            return name
        real, lanes, add = self.shape.real, self.shape.lanes, self.lines.append
        if value < 0:
            place = -1 - value
            name = f"%k{place}"
            single = name if lanes == 1 else f"%d{place}"
            add(f"%c{place} = getelementptr i8, ptr %table, i64 {8 * place}")
            add(f"{single} = load double, ptr %c{place}, align 8, !invariant.load !1")
            if lanes > 1:
                add(f"%f{place} = insertelement {real} undef, double {single}, i32 0")
                add(f"{name} = shufflevector {real} %f{place}, {real} undef, <{lanes} x i32> zeroinitializer")
        else:
            name = f"%l{value}"
            pointer, place = ("%in", value) if value < self.base else ("%work", self.plan.slots[value])
            add(f"%p{value} = getelementptr i8, ptr {pointer}, i64 {8 * lanes * place}")
            add(f"{name} = load {real}, ptr %p{value}, align {8 * lanes}")
        self.names[value] = name
        return name

    def _store(self, name: str, pointer: str, place: int, label: str) -> None:
        size = 8 * self.shape.lanes
        self.lines.append(f"{label} = getelementptr i8, ptr {pointer}, i64 {size * place}")
        self.lines.append(f"store {self.shape.real} {name}, ptr {label}, align {size}")

    def _write_outputs(self, value: int, name: str) -> None:
        for place in self.outputs[value]:
            self._store(name, "%out", place, f"%o{place}")

    def _sincos(self, operand: str, label: str, shape: Shape) -> str:
        """Append a call that forms sine and cosine of an operand, and return the name of the pair."""
        self.dialect.need("sincos", shape)
        pair = f"{{{shape.real}, {shape.real}}}"
        self.lines.append(f"{label} = call {pair} {helper_symbol('sincos', shape)}({shape.real} {operand})")
        return label

    def _write_early(self, early: tuple[int, ...]) -> None:
        """Append the sines and cosines of some values, several to a SIMD register."""
        wide, add = self.wide, self.lines.append
        wanted: dict[int, list[tuple[int, str]]] = {value: [] for value in early}
        for k, code, x, _ in self.members:
            if x in wanted and code in _SINE_OR_COSINE:
                wanted[x].append((self.base + k, NAMES[code]))
        for start in range(0, len(early), wide.lanes):
            group = early[start : start + wide.lanes]
            packed = wide.number(0.0)
            for lane, value in enumerate(group):
                add(f"%e{value} = insertelement {wide.real} {packed}, double {self._load(value)}, i32 {lane}")
                packed = f"%e{value}"
            pair = self._sincos(packed, f"%pair{start}", wide)
            for number, name in enumerate(("sin", "cos")):
                add(f"%{name}{start} = extractvalue {{{wide.real}, {wide.real}}} {pair}, {number}")
            for lane, value in enumerate(group):
                for result, name in wanted[value]:
                    add(f"%v{result} = extractelement {wide.real} %{name}{start}, i32 {lane}")
                    self.names[result] = f"%v{result}"
