"""Checks of array indices, written into kernels on request.

Every function of a checked module has one more argument, the address of a record of three 64-bit words: place, index,
size. A check that fails writes the record and returns, and every caller that finds it written returns as well, so that
nothing runs after the failure. The place is the address of a text that lies in the module.
"""

from __future__ import annotations

import ast

from gyrostat.program.translation.instructions import Instructions
from gyrostat.program.translation.kinds import FLOAT, INTEGER, Value

RECORD = "ptr %fault"
"""The further argument of checked functions."""

FAILURE_FUNCTION = """define internal void @fail(ptr %fault, ptr %place, i64 %index, i64 %size) nounwind noinline cold {
  store ptr %place, ptr %fault
  %second = getelementptr i64, ptr %fault, i64 1
  store i64 %index, ptr %second
  %third = getelementptr i64, ptr %fault, i64 2
  store i64 %size, ptr %third
  ret void
}
"""


class Places:
    """The locations in the source of the checks, as constants of a module."""

    def __init__(self) -> None:
        self._symbols: dict[str, str] = {}

    def symbol(self, text: str) -> str:
        """Return the name of the constant that holds a text."""
        return self._symbols.setdefault(text, f"@place{len(self._symbols)}")

    @property
    def definitions(self) -> str:
        """The constants in LLVM IR."""
        lines = []
        for text, symbol in self._symbols.items():
            data = text.encode() + b"\0"
            written = "".join(f"\\{byte:02X}" for byte in data)
            lines.append(f'{symbol} = private unnamed_addr constant [{len(data)} x i8] c"{written}"')
        return "\n".join(lines)


class Bounds:
    """Writes the checks of one kernel."""

    def __init__(self, places: Places, file: str, kernel: str, returned: str | None) -> None:
        self._places, self._file, self._kernel = places, file, kernel
        self._leave = "ret void" if returned is None else f"ret {returned} {'0.0' if returned == FLOAT else 0}"

    def check_index(self, instructions: Instructions, node: ast.Subscript, axis: int, index: Value, size: str) -> Value:
        """Write the check 0 ≤ index < size; return the index as an integer."""
        index = instructions.converted(index, INTEGER)
        within = instructions.number("i1", f"icmp ult i64 {index.operand}, {size}")
        self._require(instructions, within, self._place(node, f"axis {axis}"), (index.operand, size))
        return index

    def check_slice(
        self, instructions: Instructions, node: ast.Subscript, axis: int, ends: tuple[str, str], size: str
    ) -> None:
        """Write the checks 0 ≤ start ≤ stop ≤ size of a slice."""
        start, stop = ends
        place = self._place(node, f"slice of axis {axis}")
        self._require(instructions, instructions.number("i1", f"icmp ule i64 {stop}, {size}"), place, (stop, size))
        self._require(instructions, instructions.number("i1", f"icmp ule i64 {start}, {stop}"), place, (start, size))

    def after_call(self, instructions: Instructions) -> None:
        """Return from this kernel as well where the kernel that was called has failed."""
        place = instructions.number("ptr", "load ptr, ptr %fault")
        passed, failed = instructions.new_label(), instructions.new_label()
        instructions.branch_if(instructions.number("i1", f"icmp eq ptr {place.operand}, null"), passed, failed)
        instructions.begin(failed)
        instructions.terminate(self._leave)
        instructions.begin(passed)

    def _place(self, node: ast.Subscript, what: str) -> str:
        array = ast.unparse(node.value)
        return self._places.symbol(
            f"Kernel {self._kernel!r} ({self._file}, line {node.lineno}), array {array!r}, {what}"
        )

    def _require(self, instructions: Instructions, condition: Value, place: str, numbers: tuple[str, str]) -> None:
        passed, failed = instructions.new_label(), instructions.new_label()
        instructions.branch_if(condition, passed, failed)
        instructions.begin(failed)
        index, size = numbers
        instructions.write(f"call void @fail({RECORD}, ptr {place}, i64 {index}, i64 {size})")
        instructions.terminate(self._leave)
        instructions.begin(passed)
