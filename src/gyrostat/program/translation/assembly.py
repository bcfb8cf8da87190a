"""Instructions of one function, as they are written: names, blocks, room for variables."""

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


class Assembly:
    """Writes instructions in LLVM IR, block by block."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._rooms: list[str] = []
        self._count = 0
        self._open = True

    @property
    def text(self) -> str:
        """All instructions."""
        return "\n".join(["begin:", *self._rooms, *self._lines])

    @property
    def is_open(self) -> bool:
        """Whether the block goes on: nothing has left it yet."""
        return self._open

    def _name(self, prefix: str) -> str:
        self._count += 1
        return f"{prefix}{self._count}"

    # --- blocks ------------------------------------------------------------------------------------------------------

    def new_label(self) -> str:
        """Return a label for a block to come."""
        return self._name("L")

    def begin(self, label: str) -> None:
        """Begin a block, coming from the one before unless that has been left."""
        if self._open:
            self._lines.append(f"  br label %{label}")
        self._lines.append(f"{label}:")
        self._open = True

    def leave(self, instruction: str) -> None:
        """Leave the block."""
        self.do(instruction)
        self._open = False

    def go(self, label: str) -> None:
        """Go on at a label."""
        self.leave(f"br label %{label}")

    def choose(self, condition: Value, yes: str, no: str) -> None:
        """Go on at one of two labels."""
        self.leave(f"br i1 {condition.operand}, label %{yes}, label %{no}")

    # --- instructions ------------------------------------------------------------------------------------------------

    def do(self, instruction: str) -> None:
        """Write an instruction without a result; what nothing leads to has a block of its own."""
        if not self._open:
            self._lines.append(f"{self.new_label()}:")
            self._open = True
        self._lines.append(f"  {instruction}")

    def number(self, kind: str, instruction: str) -> Value:
        """Write an instruction and return its result."""
        name = self._name("%v")
        self.do(f"{name} = {instruction}")
        return Value(kind, name)

    def converted(self, value: Value, kind: Kind) -> Value:
        """Return a value as one of another kind: numbers only grow from booleans to integers to floats, or shrink."""
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

    def alike(self, a: Value, b: Value, *, least: str = INTEGER) -> tuple[Value, Value, str]:
        """Return two numbers as numbers of one kind, and that kind."""
        kind = FLOAT if FLOAT in (a.kind, b.kind) else INTEGER if INTEGER in (a.kind, b.kind) else least
        return self.converted(a, kind), self.converted(b, kind), kind

    def compared(self, sign: str, a: Value, b: Value) -> Value:
        """Return whether two numbers compare so; a NaN is only different."""
        a, b, kind = self.alike(a, b, least=BOOLEAN)
        word = f"fcmp {_OF_FLOATS[sign]}" if kind == FLOAT else f"icmp {_OF_INTEGERS[sign]}"
        return self.number(BOOLEAN, f"{word} {kind} {a.operand}, {b.operand}")

    def selected(self, condition: Value, yes: Value, no: Value) -> Value:
        """Return one of two numbers of one kind."""
        assert isinstance(yes.kind, str), "numbers are selected"
        text = f"select i1 {condition.operand}, {yes.kind} {yes.operand}, {no.kind} {no.operand}"
        return self.number(yes.kind, text)

    # --- memory ------------------------------------------------------------------------------------------------------

    def room(self, kind: Kind) -> Value:
        """Return addresses at which a value of a kind can be kept."""
        names = []
        for each in types_of(kind):
            names.append(self._name("%r"))
            self._rooms.append(f"  {names[-1]} = alloca {each}")
        return value_of(kind, names)

    def keep(self, value: Value, room: Value) -> None:
        """Keep a value in a room of its kind."""
        for (kind, operand), (_, address) in zip(value.operands, room.operands, strict=True):
            self.do(f"store {kind} {operand}, ptr {address}")

    def kept(self, room: Value) -> Value:
        """Return the value in a room."""
        found = [self.number(kind, f"load {kind}, ptr {address}").operand for kind, address in room.operands]
        return value_of(room.kind, found)

    def element(self, array: Value, indices: list[Value]) -> Value:
        """Return the address behind leading indices of an array."""
        place = Value(INTEGER, "0")
        for axis, length in enumerate(array.shape):
            if axis:
                place = self.number(INTEGER, f"mul nsw i64 {place.operand}, {length}")
            if axis < len(indices):
                index = self.converted(indices[axis], INTEGER)
                place = self.number(INTEGER, f"add nsw i64 {place.operand}, {index.operand}") if axis else index
        return self.moved(array, place)

    def moved(self, array: Value, places: Value) -> Value:
        """Return the address so many elements further."""
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
        self.do(f"store {kind} {value.operand}, ptr {address.operand}")


_OF_FLOATS = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "une"}
_OF_INTEGERS = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}
