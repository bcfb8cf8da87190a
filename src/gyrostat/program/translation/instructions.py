"""Instructions of one function in LLVM IR: names, basic blocks, stack slots of variables."""

from __future__ import annotations

from gyrostat.program.translation.kinds import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    ArrayKind,
    Kind,
    TupleKind,
    Value,
    types_of,
    value_of,
)

LOOP = "!llvm.loop !loop"
"""Marks the branch back to the beginning of a loop that is not unrolled; modules put a number in place of `!loop`."""


class Instructions:
    """Writes instructions in LLVM IR, block by block."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._slots: list[str] = []
        self._count = 0
        self._open = True

    @property
    def text(self) -> str:
        """All instructions; those of the first block follow its label, which the caller writes."""
        return "\n".join([*self._slots, *self._lines])

    @property
    def is_open(self) -> bool:
        """Whether the current block has no terminator yet."""
        return self._open

    def _name(self, prefix: str) -> str:
        self._count += 1
        return f"{prefix}{self._count}"

    # --- blocks ------------------------------------------------------------------------------------------------------

    def new_label(self) -> str:
        """Return the label of a new block."""
        return self._name("L")

    def begin(self, label: str) -> None:
        """Begin a block; the previous one branches to it unless it has a terminator."""
        if self._open:
            self._lines.append(f"  br label %{label}")
        self._lines.append(f"{label}:")
        self._open = True

    def terminate(self, instruction: str) -> None:
        """End the block with a terminator."""
        self.write(instruction)
        self._open = False

    def branch(self, label: str) -> None:
        """Branch to a label."""
        self.terminate(f"br label %{label}")

    def branch_back(self, label: str) -> None:
        """Branch back to the beginning of a loop that is not to be unrolled."""
        self.terminate(f"br label %{label}, {LOOP}")

    def branch_if(self, condition: Value, yes: str, no: str) -> None:
        """Branch to one of two labels."""
        self.terminate(f"br i1 {condition.operand}, label %{yes}, label %{no}")

    # --- instructions ------------------------------------------------------------------------------------------------

    def write(self, instruction: str) -> None:
        """Write an instruction without a result; unreachable instructions get a block of their own."""
        if not self._open:
            self._lines.append(f"{self.new_label()}:")
            self._open = True
        self._lines.append(f"  {instruction}")

    def number(self, kind: str, instruction: str) -> Value:
        """Write an instruction and return its result."""
        name = self._name("%v")
        self.write(f"{name} = {instruction}")
        return Value(kind, name)

    def converted(self, value: Value, kind: Kind) -> Value:
        """Return a value converted to another kind: booleans, integers and floats; tuples part by part."""
        if value.kind == kind:
            return value
        if isinstance(kind, TupleKind):
            parts = tuple(self.converted(part, each) for part, each in zip(value.parts, kind.parts, strict=True))
            return Value(kind, parts=parts)
        assert not isinstance(kind, ArrayKind), "arrays are of one kind"
        if kind == BOOLEAN:
            return self.compared("!=", value, Value(INTEGER, "0"))
        if kind == FLOAT:
            word = "uitofp" if value.kind == BOOLEAN else "sitofp"
            return self.number(FLOAT, f"{word} {value.kind} {value.operand} to double")
        if value.kind == FLOAT:
            return self.number(INTEGER, f"fptosi double {value.operand} to i64")
        return self.number(INTEGER, f"zext i1 {value.operand} to i64")

    def promoted(self, a: Value, b: Value, *, least: str = INTEGER) -> tuple[Value, Value, str]:
        """Return two numbers converted to a common kind, and that kind."""
        kind = FLOAT if FLOAT in (a.kind, b.kind) else INTEGER if INTEGER in (a.kind, b.kind) else least
        return self.converted(a, kind), self.converted(b, kind), kind

    def compared(self, sign: str, a: Value, b: Value) -> Value:
        """Return the truth value of a comparison; with NaN only != is true."""
        a, b, kind = self.promoted(a, b, least=BOOLEAN)
        word = f"fcmp {_FLOAT_CONDITIONS[sign]}" if kind == FLOAT else f"icmp {_INTEGER_CONDITIONS[sign]}"
        return self.number(BOOLEAN, f"{word} {kind} {a.operand}, {b.operand}")

    def selected(self, condition: Value, yes: Value, no: Value) -> Value:
        """Return one of two numbers of the same kind, by a condition."""
        assert isinstance(yes.kind, str), "numbers are selected"
        text = f"select i1 {condition.operand}, {yes.kind} {yes.operand}, {no.kind} {no.operand}"
        return self.number(yes.kind, text)

    # --- memory ------------------------------------------------------------------------------------------------------

    def allocate(self, kind: Kind) -> Value:
        """Return stack slots for a value of a kind."""
        names = []
        for each in types_of(kind):
            names.append(self._name("%r"))
            self._slots.append(f"  {names[-1]} = alloca {each}")
        return value_of(kind, names)

    def assign(self, value: Value, slots: Value) -> None:
        """Store a value in its stack slots."""
        for (kind, operand), (_, address) in zip(value.operands, slots.operands, strict=True):
            self.write(f"store {kind} {operand}, ptr {address}")

    def value_in(self, slots: Value) -> Value:
        """Load the value of stack slots."""
        found = [self.number(kind, f"load {kind}, ptr {address}").operand for kind, address in slots.operands]
        return value_of(slots.kind, found)

    def element(self, array: Value, indices: list[Value]) -> Value:
        """Return the address of the element or subarray at leading indices."""
        place = Value(INTEGER, "0")
        for axis, length in enumerate(array.shape):
            if axis:
                place = self.number(INTEGER, f"mul nsw i64 {place.operand}, {length}")
            if axis < len(indices):
                index = self.converted(indices[axis], INTEGER)
                place = self.number(INTEGER, f"add nsw i64 {place.operand}, {index.operand}") if axis else index
        return self.moved(array, place)

    def moved(self, array: Value, places: Value) -> Value:
        """Return the address of an array advanced by a number of elements."""
        assert isinstance(array.kind, ArrayKind), "only arrays have elements"
        element = array.kind.element
        return self.number("ptr", f"getelementptr inbounds {element}, ptr {array.operand}, i64 {places.operand}")

    def load(self, array: Value, indices: list[Value]) -> Value:
        """Return an element of an array."""
        assert isinstance(array.kind, ArrayKind), "only arrays have elements"
        address = self.element(array, indices)
        kind, number = array.kind.element, array.kind.number
        found = self.number(kind, f"load {kind}, ptr {address.operand}")
        if kind == number:
            return found
        word = "trunc" if number == BOOLEAN else "sext"
        return self.number(number, f"{word} {kind} {found.operand} to {number}")

    def store(self, value: Value, array: Value, indices: list[Value]) -> None:
        """Write an element of an array."""
        assert isinstance(array.kind, ArrayKind), "only arrays have elements"
        value = self.converted(value, array.kind.number)
        kind, number = array.kind.element, array.kind.number
        if kind != number:
            word = "zext" if number == BOOLEAN else "trunc"
            value = self.number(kind, f"{word} {number} {value.operand} to {kind}")
        address = self.element(array, indices)
        self.write(f"store {kind} {value.operand}, ptr {address.operand}")


_FLOAT_CONDITIONS = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "une"}
_INTEGER_CONDITIONS = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}
