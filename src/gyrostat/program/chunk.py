"""Writes one chunk of a schedule as a function in LLVM IR."""

from __future__ import annotations

from gyrostat.program.assembler import helper_symbol
from gyrostat.program.dialect import Dialect
from gyrostat.program.graph import Graph
from gyrostat.program.operation import CODES, NAMES
from gyrostat.program.schedule import Schedule
from gyrostat.program.shape import ValueShape

# Arguments of a chunk: the input vector, the output vector, the workspace and the table of constants. Constants are
# read by address from the table: that is shorter code than a 64-bit address for each of them.
POINTERS = (
    "ptr noalias nocapture readonly %in, ptr noalias nocapture %out, "
    "ptr noalias nocapture %work, ptr noalias nocapture readonly %table"
)

_SINE_OR_COSINE = (CODES["sin"], CODES["cos"])

# A value that lies in memory is loaded again where its last use is more than this many instructions ago. Kept, it would
# take a register from others; LLVM's allocator, short of registers, takes most of the time of compilation. Measured on
# forward dynamics of 7 to 100 degrees of freedom: a quarter less time to compile, and no more to run.
_RELOAD_DISTANCE = 120


class Chunk:
    """Writes chunk `number`; `wide` is the target's SIMD shape."""

    def __init__(self, graph: Graph, plan: Schedule, dialect: Dialect, wide: ValueShape, number: int) -> None:
        self.plan, self.dialect, self.wide, self.number = plan, dialect, wide, number
        self.shape = dialect.shape
        self.base = graph.input_size
        members = list(plan.chunks[number])
        arrays = (graph.codes, graph.left, graph.right)
        self.members = list(zip(members, *(array[members].tolist() for array in arrays), strict=True))
        self.lines: list[str] = []
        self.names: dict[int, str] = {}  # the text of every value used so far in the chunk
        self.used: dict[int, int] = {}  # where values that lie in memory were loaded, stored or used last

    def text(self) -> str:
        """Return the chunk's function."""
        if self.number < len(self.plan.early):
            self._write_early(self.plan.early[self.number])
        for value, place in self.plan.copies[self.number]:
            self._store(self._load(value), "%out", place, f"%o{place}")
        self._write_members()
        body = "\n".join(self.lines)
        return f"define internal void @chunk{self.number}({POINTERS}) noinline nounwind {{\n{body}\nret void\n}}"

    def _write_members(self) -> None:
        base, names, slots, outputs, operand = self.base, self.names, self.plan.slots, self.plan.outputs, self._operand
        templates, add = self.dialect.templates, self.lines.append
        pairs: dict[int, str] = {}
        for place, (k, code, x, y) in enumerate(self.members):
            value = base + k
            if code not in _SINE_OR_COSINE:
                add(templates[code].format(value, operand(x, place), operand(y, place)))
            elif value not in names:
                if x not in pairs:
                    pairs[x] = self._sincos(operand(x, place), f"%s{k}", self.shape)
                add(templates[code].format(value, pairs[x]))
            name = names.setdefault(value, f"%v{value}")
            if value in slots:
                self._store(name, "%work", slots[value], f"%p{value}")
                self.used[value] = place
            for output in outputs.get(value, ()):
                self._store(name, "%out", output, f"%o{output}")

    def _operand(self, value: int, place: int) -> str:
        """Return the name of an operand of the instruction at a place, loaded if necessary."""
        name = self.names.get(value)
        used = self.used.get(value)
        if name is None:
            name = self._load(value)
        elif used is None:
            return name
        elif place - used > _RELOAD_DISTANCE:
            name = self._load_again(value, place)
        self.used[value] = place
        return name

    def _load(self, value: int) -> str:
        """Return the name of a value formed outside the chunk: a constant, an input, or another chunk's result."""
        if value in self.names:
            return self.names[value]
        if value < 0:
            pointer, offset = "%table", 8 * (-1 - value)
        elif value < self.base:
            pointer, offset = "%in", 8 * self.shape.lanes * value
        else:
            pointer, offset = "%work", 8 * self.shape.lanes * self.plan.slots[value]
        self.lines.append(f"{_address(value)} = getelementptr i8, ptr {pointer}, i64 {offset}")
        self.used[value] = 0
        return self._load_again(value, 0)

    def _load_again(self, value: int, place: int) -> str:
        """Return a new name of a value whose address is known in the chunk."""
        real, lanes, add = self.shape.real, self.shape.lanes, self.lines.append
        if value >= 0:
            name = f"%l{value}.{place}"
            add(f"{name} = load {real}, ptr {_address(value)}, align {8 * lanes}")
        else:
            number = f"{-1 - value}.{place}"
            name = f"%k{number}"
            single = name if lanes == 1 else f"%d{number}"
            add(f"{single} = load double, ptr {_address(value)}, align 8, !invariant.load !1")
            if lanes > 1:
                add(f"%f{number} = insertelement {real} undef, double {single}, i32 0")
                add(f"{name} = shufflevector {real} %f{number}, {real} undef, <{lanes} x i32> zeroinitializer")
        self.names[value] = name
        return name

    def _store(self, name: str, pointer: str, place: int, label: str) -> None:
        size = 8 * self.shape.lanes
        self.lines.append(f"{label} = getelementptr i8, ptr {pointer}, i64 {size * place}")
        self.lines.append(f"store {self.shape.real} {name}, ptr {label}, align {size}")

    def _sincos(self, operand: str, label: str, shape: ValueShape) -> str:
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


def _address(value: int) -> str:
    """Return the name of the address of a value that lies in memory."""
    return f"%p{value}" if value >= 0 else f"%c{-1 - value}"
