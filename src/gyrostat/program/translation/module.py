"""A kernel and its callees as a module in LLVM IR, with an entry of fixed signature.

The entry takes a table of 64-bit words: for an array its address and its lengths, for a number its bits, one after the
other in the order of the kernel's arguments, however deep in tuples. The result is written to memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Any

from gyrostat.program.translation.arithmetic import DECLARATIONS
from gyrostat.program.translation.bounds import FAILURE_FUNCTION, RECORD, Places
from gyrostat.program.translation.function import FunctionWriter, source_of
from gyrostat.program.translation.instructions import LOOP, Instructions
from gyrostat.program.translation.kinds import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    Kind,
    Value,
    is_tabled,
    kind_of,
    types_of,
    value_of,
)


def module_of(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    entry: str,
    *,
    checked: bool = False,
    unrolled: bool = False,
) -> str:
    """Return the module, not optimised, of a kernel for arguments of the same kinds as these.

    Its function is void entry(table, result). With `checked`, indices of arrays are checked, and the function is void
    entry(table, result, record): see `translation/bounds.py`. Only loops over literal ranges are unrolled, which halves
    the time to compile an integrator's loop; with `unrolled` LLVM decides for all.
    """
    places = Places() if checked else None
    module = _Module(places)
    name, kinds, returned = module.function(function, [kind_of(argument) for argument in arguments])
    further = [] if places is None else [places.definitions, FAILURE_FUNCTION]
    written = _entry(entry, name, kinds, returned, checked)
    text = "\n".join([DECLARATIONS, *further, *module.functions, written, "!0 = !{}"])
    return text.replace(f", {LOOP}", "") if unrolled else _with_loops(text)


def _with_loops(text: str) -> str:
    """Return a module with a number, and a node that keeps LLVM from unrolling it, for each loop that is marked."""
    numbers = count(2)
    text = re.sub(re.escape(LOOP), lambda _: f"!llvm.loop !{next(numbers)}", text)
    loops = [f"!{k} = distinct !{{!{k}, !1}}" for k in range(2, next(numbers))]
    return "\n".join([text, '!1 = !{!"llvm.loop.unroll.disable"}', *loops])


class _Module:
    """Functions of a module, each translated once for each list of kinds of arguments."""

    def __init__(self, places: Places | None) -> None:
        self._places = places
        self.functions: list[str] = []
        self._known: dict[tuple[Callable[..., Any], tuple[Kind, ...]], str] = {}

    def function(self, function: Callable[..., Any], kinds: list[Kind]) -> tuple[str, list[Kind], str | None]:
        """Return the name of a kernel's translation, the kinds of its arguments, and that of its result."""
        source = source_of(function)
        wanted = source.arguments(kinds)
        key = (function, tuple(wanted))
        name = self._known.get(key)
        if name is None:
            name = self._known[key] = f"k{len(self._known)}.{source.tree.name}"
            self.functions.append(FunctionWriter(source, wanted, self.function, self._places).text(name))
        return name, wanted, source.returned


def _entry(entry: str, name: str, kinds: list[Kind], returned: str | None, checked: bool) -> str:
    """Return the function that reads arguments from a table and calls a kernel with them."""
    instructions = Instructions()
    place, given = 0, list[tuple[str, str]]()
    for kind in kinds:
        if is_tabled(kind):
            address = instructions.number("ptr", f"getelementptr i64, ptr %table, i64 {place}")
            given.append(("ptr", address.operand))
            place += len(types_of(kind))
            continue
        operands = []
        for each in types_of(kind):
            address = instructions.number("ptr", f"getelementptr i64, ptr %table, i64 {place}")
            place += 1
            word = instructions.number(INTEGER, f"load i64, ptr {address.operand}")
            operands.append(_from_word(instructions, word, each))
        given += value_of(kind, operands).operands
    record = [RECORD] if checked else []
    listed = ", ".join([*(f"{kind} {operand}" for kind, operand in given), *record])
    if returned is None:
        instructions.write(f"call void @{name}({listed})")
    else:
        found = instructions.number(returned, f"call {returned} @{name}({listed})")
        kind = "i8" if returned == BOOLEAN else returned
        if returned == BOOLEAN:
            found = instructions.number(kind, f"zext i1 {found.operand} to i8")
        instructions.write(f"store {kind} {found.operand}, ptr %result")
    instructions.terminate("ret void")
    taken = ", ".join(["ptr %table", "ptr %result", *record])
    return f"define void @{entry}({taken}) nounwind {{\nbegin:\n{instructions.text}\n}}\n"


def _from_word(instructions: Instructions, word: Value, kind: str) -> str:
    """Return a number or an address from a 64-bit word."""
    if kind == INTEGER:
        return word.operand
    instruction = {FLOAT: "bitcast i64 {} to double", BOOLEAN: "trunc i64 {} to i1", "ptr": "inttoptr i64 {} to ptr"}[
        kind
    ]
    return instructions.number(kind, instruction.format(word.operand)).operand
