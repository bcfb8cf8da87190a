"""Structure of values on a tape: equal values have equal numbers, and values of the state are told from others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gyrostat.scalar.operations import Scalar
from gyrostat.scalar.tape import Tape
from gyrostat.scalar.tape_value import CONSTANT, INPUT, TapeBlock, TapeValue


class TapeStructure:
    """Numbers of values of a tape; instructions of a kind on the same sources give the same numbers.

    `fixed` are the inputs that do not depend on the state: time and parameters. Each instruction is read once.
    """

    def __init__(self, tape: Tape, fixed: Iterable[Scalar]) -> None:
        self._tape = tape
        self._fixed = {value.block for value in fixed}
        self._modes: set[TapeBlock] = set()
        self._numbers: dict[Any, int] = {}
        self._varying: list[bool] = []
        self._moded: list[bool] = []
        self._results: list[int] = []
        """The number of what each instruction writes."""

    def expression(self, value: Scalar) -> Scalar:
        """Return the value itself."""
        return value

    def scalar(self, expression: Scalar) -> Scalar:
        """Return the value itself."""
        return expression

    def is_known(self, value: Scalar) -> bool:
        """Tell whether a scalar is a number, known while the formula is formed."""
        return type(value) is not TapeValue

    def sides(self, expression: Scalar) -> tuple[Scalar, Scalar]:
        """Return whose difference a value is: x and y of x − y, y and x of −(x − y), else it and 0."""
        name, operands = self._operation(expression)
        if name == "neg":
            return self.sides(operands[0])[::-1]
        return (operands[0], operands[1]) if name == "sub" else (expression, 0)

    def new_mode(self, name: str) -> TapeValue:
        """Return a new input that counts as a mode; on a tape it has no name."""
        (mode,) = self._tape.inputs(1)
        assert isinstance(mode, TapeValue)
        self._modes.add(mode.block)
        return mode

    def number(self, expression: Scalar) -> int:
        """Return the number of a value."""
        if type(expression) is not TapeValue:
            return self._enter(("number", float(expression)), varying=False, moded=False)
        return self._place(expression.block, expression.offset)

    def varies(self, expression: Scalar) -> bool:
        """Tell whether a value depends on the state."""
        return self._varying[self.number(expression)]

    def has_modes(self, expression: Scalar) -> bool:
        """Tell whether a value depends on modes."""
        return self._moded[self.number(expression)]

    def core(self, expression: Scalar) -> int:
        """Return the number of a value without its sign and its factors that do not depend on the state."""
        while True:
            name, operands = self._operation(expression)
            if name == "mul" and not self.varies(operands[0]):
                expression = operands[1]
            elif name == "neg" or (name in ("mul", "div") and not self.varies(operands[1])):
                expression = operands[0]
            else:
                return self.number(expression)

    def _operation(self, expression: Scalar) -> tuple[str, tuple[Scalar, ...]]:
        """Return the name of the operation that gives a value, and its operands; no name for others."""
        if type(expression) is not TapeValue or expression.block.maker < 0 or expression.block.within is not None:
            return "", ()
        kind, sources, offsets, _ = self._tape.instructions[expression.block.maker]
        name = next((one for one in ("sub", "neg", "mul", "div") if kind is self._tape.kind_of(one)), "")
        return name, tuple(self._value(*place) for place in zip(sources, offsets, strict=True)) if name else ()

    def _value(self, block: TapeBlock, offset: int) -> Scalar:
        return block.numbers[offset] if block.maker == CONSTANT else TapeValue(self._tape, block, offset)

    def _place(self, block: TapeBlock, offset: int) -> int:
        """Return the number of a place."""
        while block.within is not None:
            block, start = block.within
            offset += start
        if block.maker == CONSTANT:
            return self._enter(("number", block.numbers[offset]), varying=False, moded=False)
        if block.maker == INPUT:
            return self._block(block)
        written = self._block(block)
        return self._enter(("part", written, offset), varying=self._varying[written], moded=self._moded[written])

    def _block(self, block: TapeBlock) -> int:
        """Return the number of all values of a block."""
        if block.within is not None:
            whole, offset = block.within
            found = self._block(whole)
            return self._enter(("within", found, offset), varying=self._varying[found], moded=self._moded[found])
        if block.maker == CONSTANT:
            return self._enter(("numbers", tuple(block.numbers)), varying=False, moded=False)
        if block.maker == INPUT:
            return self._enter(("input", block), varying=block not in self._fixed, moded=block in self._modes)
        for kind, sources, offsets, _ in self._tape.instructions[len(self._results) : block.maker + 1]:
            read = tuple(self._block(source) for source in sources)
            self._results.append(
                self._enter(
                    ("instruction", kind, read, offsets),
                    varying=any(self._varying[one] for one in read),
                    moded=any(self._moded[one] for one in read),
                )
            )
        return self._results[block.maker]

    def _enter(self, key: Any, *, varying: bool, moded: bool) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self._varying)
            self._varying.append(varying)
            self._moded.append(moded)
        return self._numbers[key]
