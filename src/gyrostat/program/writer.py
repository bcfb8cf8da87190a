"""Writes the LLVM IR of a graph: the chunks of its schedule, the functions they call, and the entry points.

Scalar modules export `gyrostat_evaluate(in, out)` and `gyrostat_loop(in, out, count)`; modules of many lanes export
`gyrostat_batch(in, out, count)`. All are reentrant: the workspace belongs to the call.
"""

from __future__ import annotations

from collections.abc import Callable

from gyrostat.program import entry
from gyrostat.program.assembler import helper_symbol, library_declaration
from gyrostat.program.functions import definitions
from gyrostat.program.graph import Graph
from gyrostat.program.operation import BINARY, INTRINSICS, LIBRARY, NAMES, TEMPLATES
from gyrostat.program.schedule import CHUNK, Schedule, schedule
from gyrostat.program.shape import Shape
from gyrostat.program.target import Target

POINTERS = "ptr noalias nocapture readonly %in, ptr noalias nocapture %out, ptr noalias nocapture %work, ptr noalias nocapture readonly %table"


def write_module(graph: Graph, target: Target, *, lanes: int = 1, chunk: int = CHUNK) -> str:
    """Return the IR of a graph for a target, one state at a time or `lanes` states at a time."""
    shape = Shape(lanes)
    plan = schedule(graph, chunk=chunk, early=lanes == 1)
    writer = _Writer(graph, plan, shape, target)
    chunks = [writer.chunk(number) for number in range(len(plan.chunks))]
    calls = "\n".join(
        f"call void @chunk{number}(ptr %in, ptr %out, ptr %work, ptr %table)" for number in range(len(chunks))
    )
    body = f"define internal void @body({POINTERS}) nounwind {{\n{calls}\nret void\n}}"
    helpers: list[str] = []
    for width, names in writer.helpers.items():
        texts, declarations = definitions(names, Shape(width), fused=target.fused)
        helpers += texts
        writer.declarations |= declarations
    sizes = entry.Sizes(graph.input_size, len(graph.results), plan.slot_count)
    entries = entry.scalar_entries(sizes) if lanes == 1 else entry.batch_entry(sizes, shape)
    metadata = '!0 = !{!"branch_weights", i32 1, i32 1000000}\n!1 = !{}'
    head = [f'target triple = "{target.triple}"', *sorted(writer.declarations)]
    return "\n".join([*head, _table(graph), *helpers, *chunks, body, entries, metadata])


class _Writer:
    """Writes chunks and remembers which functions they need, by number of lanes."""

    def __init__(self, graph: Graph, plan: Schedule, shape: Shape, target: Target) -> None:
        self.graph, self.plan, self.shape, self.target = graph, plan, shape, target
        self.base = graph.input_size
        self.codes, self.left, self.right = graph.codes.tolist(), graph.left.tolist(), graph.right.tolist()
        self.constants = [shape.number(value) for value in graph.constants.tolist()]
        self.declarations: set[str] = set()
        self.helpers: dict[int, set[str]] = {}
        self.templates = {code: self._template(NAMES[code]) for code in sorted(set(self.codes))}
        self.outputs: dict[int, list[int]] = {}
        for place, value in enumerate(graph.results.tolist()):
            self.outputs.setdefault(value, []).append(place)

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
        arguments = ", ".join(f"{real} {{{n}}}" for n in ((1, 2) if name in BINARY else (1,)))
        if name in INTRINSICS:
            symbol = f"@llvm.{INTRINSICS[name]}.{self.shape.suffix}"
            self.declarations.add(f"declare {real} {symbol}({', '.join([real] * (1 + (name in BINARY)))})")
        elif name in LIBRARY and self.shape.lanes == 1:
            symbol = f"@{LIBRARY[name]}"
            self.declarations.add(library_declaration(LIBRARY[name], 1 + (name in BINARY)))
        else:
            function = LIBRARY.get(name, name)
            symbol = helper_symbol(function, self.shape)
            self.helpers.setdefault(self.shape.lanes, set()).add(function)
        return f"%v{{0}} = call {real} {symbol}({arguments})"

    def chunk(self, number: int) -> str:
        """Return the function of one chunk."""
        lines: list[str] = []
        names: dict[int, str] = {}
        pairs: dict[int, str] = {}
        real, base, slots = self.shape.real, self.base, self.plan.slots
        left, right, codes, templates, outputs = self.left, self.right, self.codes, self.templates, self.outputs
        add = lines.append

        def load(value: int) -> str:
            """Return the name of a value that this chunk has not seen yet."""
            if value < 0:
                place = -1 - value
                add(f"%c{place} = getelementptr i8, ptr %table, i64 {8 * place}")
                name = f"%k{place}"
                if self.shape.lanes == 1:
                    add(f"{name} = load double, ptr %c{place}, align 8, !invariant.load !1")
                else:
                    add(f"%d{place} = load double, ptr %c{place}, align 8, !invariant.load !1")
                    add(f"%f{place} = insertelement {real} undef, double %d{place}, i32 0")
                    mask = f"<{self.shape.lanes} x i32> zeroinitializer"
                    add(f"{name} = shufflevector {real} %f{place}, {real} undef, {mask}")
            else:
                name = f"%l{value}"
                pointer, place = ("%in", value) if value < base else ("%work", slots[value])
                add(self._pointer(f"%p{value}", pointer, place))
                add(f"{name} = load {real}, ptr %p{value}, align {8 * self.shape.lanes}")
            names[value] = name
            return name

        def store(name: str, pointer: str, place: int, label: str) -> None:
            add(self._pointer(label, pointer, place))
            add(f"store {real} {name}, ptr {label}, align {8 * self.shape.lanes}")

        if number == 0:
            self._write_early(lines, load, names)
            for value, places in outputs.items():
                if value < base:  # an output that is an input or a constant
                    for place in places:
                        store(names.get(value) or load(value), "%out", place, f"%o{place}")
        sine_or_cosine = {code for code in templates if NAMES[code] in ("sin", "cos")}
        for k in self.plan.chunks[number]:
            value, code, x = base + k, codes[k], left[k]
            if code in sine_or_cosine:
                if value not in names:
                    if x not in pairs:
                        pairs[x] = self._sincos(lines, names.get(x) or load(x), f"%s{k}")
                    add(templates[code].format(value, pairs[x]))
            else:
                y = right[k]
                add(templates[code].format(value, names.get(x) or load(x), names.get(y) or load(y)))
            name = names.setdefault(value, f"%v{value}")
            if value in slots:
                store(name, "%work", slots[value], f"%w{value}")
            if value in outputs:
                for place in outputs[value]:
                    store(name, "%out", place, f"%o{place}")
        body = "\n".join(lines)
        return f"define internal void @chunk{number}({POINTERS}) noinline nounwind {{\n{body}\nret void\n}}"

    def _pointer(self, label: str, pointer: str, place: int) -> str:
        return f"{label} = getelementptr i8, ptr {pointer}, i64 {8 * self.shape.lanes * place}"

    def _sincos(self, lines: list[str], operand: str, label: str, shape: Shape | None = None) -> str:
        """Append a call that forms sine and cosine of an operand, and return the name of the pair."""
        shape = shape or self.shape
        self.helpers.setdefault(shape.lanes, set()).add("sincos")
        pair = f"{{{shape.real}, {shape.real}}}"
        lines.append(f"{label} = call {pair} {helper_symbol('sincos', shape)}({shape.real} {operand})")
        return label

    def _write_early(self, lines: list[str], load: Callable[[int], str], names: dict[int, str]) -> None:
        """Append the sines and cosines of the schedule's early values, several to a SIMD register."""
        wide = Shape(self.target.lanes)
        members: dict[int, list[int]] = {value: [] for value in self.plan.early}
        for k in self.plan.chunks[0]:
            if self.left[k] in members and NAMES[self.codes[k]] in ("sin", "cos"):
                members[self.left[k]].append(k)
        for start in range(0, len(self.plan.early), wide.lanes):
            group = self.plan.early[start : start + wide.lanes]
            packed = wide.number(0.0)
            for lane, value in enumerate(group):
                lines.append(f"%e{value} = insertelement {wide.real} {packed}, double {load(value)}, i32 {lane}")
                packed = f"%e{value}"
            pair = self._sincos(lines, packed, f"%pair{start}", wide)
            for number, name in enumerate(("sin", "cos")):
                both = f"{{{wide.real}, {wide.real}}}"
                lines.append(f"%{name}{start} = extractvalue {both} {pair}, {number}")
            for lane, value in enumerate(group):
                for k in members[value]:
                    result = self.base + k
                    lines.append(f"%v{result} = extractelement {wide.real} %{NAMES[self.codes[k]]}{start}, i32 {lane}")
                    names[result] = f"%v{result}"


def _table(graph: Graph) -> str:
    """Return the graph's constants as a global array."""
    scalar = Shape(1)
    numbers = ", ".join(f"double {scalar.number(value)}" for value in graph.constants.tolist())
    return f"@table = internal constant [{len(graph.constants)} x double] [{numbers}], align 64"
