"""Object files in ELF for x86-64, laid out in one piece of memory: what a linker does, as far as our code needs it.

LLVM's code for a running process takes every address as a 64-bit number (the large code model), so that one kind of
relocation is all there is: a symbol's address plus a number. Tables for unwinding the stack are left out: no exception
passes through our functions. Whatever else an object file may hold is refused, and left to LLVM.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

PAGE = 4096
"""Memory is protected in pages of this size on x86-64."""

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_IDENTITY = b"\x7fELF\x02\x01\x01" + bytes(9)  # 64 bits, little-endian, version 1, of no particular system
_RELOCATABLE, _X86_64 = 1, 62

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = np.dtype([("place", "<u8"), ("kind", "<u4"), ("symbol", "<u4"), ("addend", "<i8")])

# Kinds of sections, their flags, and the kinds of relocations and symbols that are known here.
_CONTENT, _SYMBOLS, _TEXTS, _RELOCATIONS, _WITHOUT_CONTENT, _SHORT_RELOCATIONS = 1, 2, 3, 4, 8, 9
_UNWINDING = 0x70000001
_WRITTEN, _LOADED, _EXECUTED, _BY_THREAD = 0x1, 0x2, 0x4, 0x400
_ADDRESS = 1
_GLOBAL_FUNCTION = 0x12
_UNDEFINED = 0


class UnknownLayoutError(Exception):
    """An object file, or something else, that is not laid out here; the text says why."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the parts of an object file go: code from the start, constants from the page `code_size` on.

    `pieces` are (place in memory, place in the file, size). At `places` there are addresses to be filled in, 64-bit
    numbers: `numbers` plus the address that `origins` tells, 0 for the memory itself, i for the function
    `needed[i − 1]` from elsewhere. `functions` are the places of the functions that others may call, by name.
    """

    size: int
    code_size: int
    pieces: tuple[tuple[int, int, int], ...]
    places: NDArray[np.int64]
    numbers: NDArray[np.int64]
    origins: NDArray[np.int64]
    needed: tuple[str, ...]
    functions: dict[str, int]

    def image(self, code: bytes, addresses: list[int]) -> NDArray[np.uint8]:
        """Return the contents of the memory; `addresses` are its own, then those of the functions needed."""
        image = np.zeros(self.size, np.uint8)
        file = np.frombuffer(code, np.uint8)
        for place, offset, size in self.pieces:
            image[place : place + size] = file[offset : offset + size]
        words = self.numbers + np.array(addresses, np.int64)[self.origins]
        image[self.places[:, None] + np.arange(8)] = words.view(np.uint8).reshape(-1, 8)
        return image


def layout(code: bytes) -> Layout:
    """Return where the parts of an object file go; raise UnknownLayoutError for all that is not as LLVM makes it."""
    sections = _sections(code)
    pieces, starts, code_size, size = _arranged(sections)
    table = _table_of_symbols(code, sections, starts)
    places, symbols, numbers = _relocations(code, sections, starts)
    used, which = np.unique(symbols, return_inverse=True)
    needed, origins, offsets = _resolved(table, used.tolist())
    functions = {symbol.name: symbol.place for symbol in table if symbol.place >= 0 and symbol.kind == _GLOBAL_FUNCTION}
    return Layout(size, code_size, pieces, places, numbers + offsets[which], origins[which], needed, functions)


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry: int


class _Symbol(NamedTuple):
    """A symbol: `place` in memory, −1 if it is not in what is loaded; `name` is empty where nobody asks for it."""

    name: str
    kind: int
    section: int
    place: int


def _sections(code: bytes) -> list[_Section]:
    """Return the table of sections, all of which lie within the file."""
    if len(code) < _HEADER.size:
        raise UnknownLayoutError("no head")
    identity, kind, machine, *_, start, _, _, _, _, entry, count, _ = _HEADER.unpack_from(code)
    if (identity, kind, machine) != (_IDENTITY, _RELOCATABLE, _X86_64):
        raise UnknownLayoutError("no object file for x86-64 in ELF")
    if entry != _SECTION.size or start + count * entry > len(code):
        raise UnknownLayoutError("a table of sections outside the file")
    sections = [_Section(*fields) for fields in _SECTION.iter_unpack(code[start : start + count * entry])]
    for section in sections:
        if section.kind != _WITHOUT_CONTENT and section.offset + section.size > len(code):
            raise UnknownLayoutError("a section outside the file")
    return sections


def _arranged(sections: list[_Section]) -> tuple[tuple[tuple[int, int, int], ...], dict[int, int], int, int]:
    """Return the pieces, the places of the loaded sections by number, the size of all code, and that of all."""
    starts: dict[int, int] = {}
    pieces = []
    place = code_size = 0
    for executed in (True, False):
        for number, section in enumerate(sections):
            if not _is_loaded(section) or bool(section.flags & _EXECUTED) != executed:
                continue
            step = max(1, section.alignment)
            if step & (step - 1) or step > PAGE:
                raise UnknownLayoutError("a section of strange alignment")
            starts[number] = place = _upwards(place, step)
            pieces.append((place, section.offset, section.size))
            place += section.size
        place = _upwards(place, PAGE)
        code_size = code_size or place
    if place == 0:
        raise UnknownLayoutError("nothing to load")
    return tuple(pieces), starts, code_size, place


def _is_loaded(section: _Section) -> bool:
    if not section.flags & _LOADED or section.kind == _UNWINDING:
        return False
    if section.size and (section.kind != _CONTENT or section.flags & (_WRITTEN | _BY_THREAD)):
        raise UnknownLayoutError("a section that is neither code nor constants")
    return True


def _upwards(place: int, step: int) -> int:
    return -(-place // step) * step


def _table_of_symbols(code: bytes, sections: list[_Section], starts: dict[int, int]) -> list[_Symbol]:
    tables = [section for section in sections if section.kind == _SYMBOLS]
    if len(tables) != 1 or tables[0].entry != _SYMBOL.size or tables[0].size % _SYMBOL.size:
        raise UnknownLayoutError("no table of symbols")
    (table,) = tables
    if table.link >= len(sections) or sections[table.link].kind != _TEXTS:
        raise UnknownLayoutError("symbols without names")
    names = sections[table.link]
    texts = code[names.offset : names.offset + names.size]
    found = []
    for name, kind, _, number, value, _ in _SYMBOL.iter_unpack(code[table.offset : table.offset + table.size]):
        place = -1
        if number in starts:
            if value > sections[number].size:
                raise UnknownLayoutError("a symbol outside its section")
            place = starts[number] + value
        asked = number == _UNDEFINED or kind == _GLOBAL_FUNCTION
        found.append(_Symbol(_text(texts, name) if asked else "", kind, number, place))
    return found


def _text(texts: bytes, start: int) -> str:
    end = texts.find(b"\0", start)
    if end < 0:
        raise UnknownLayoutError("a name without end")
    return texts[start:end].decode("ascii", "replace")


def _relocations(code: bytes, sections: list[_Section], starts: dict[int, int]) -> tuple[Any, Any, Any]:
    """Return the places where addresses are to be filled in, the numbers of their symbols, and what is added."""
    tables, begins = [np.zeros(0, _RELOCATION)], [np.zeros(0, np.int64)]
    for section in sections:
        if section.kind not in (_RELOCATIONS, _SHORT_RELOCATIONS) or section.info not in starts:
            continue
        if section.kind == _SHORT_RELOCATIONS or section.entry != _RELOCATION.itemsize or section.size % section.entry:
            raise UnknownLayoutError("relocations of another form")
        table = np.frombuffer(code, _RELOCATION, section.size // section.entry, section.offset)
        last = sections[section.info].size - 8
        if len(table) and (last < 0 or table["place"].max() > last):
            raise UnknownLayoutError("a relocation outside its section")
        tables.append(table)
        begins.append(np.full(len(table), starts[section.info]))
    whole = np.concatenate(tables)
    if np.any(whole["kind"] != _ADDRESS):
        raise UnknownLayoutError(f"relocations of kinds {np.unique(whole['kind']).tolist()}")
    return whole["place"].astype(np.int64) + np.concatenate(begins), whole["symbol"], whole["addend"]


def _resolved(table: list[_Symbol], used: list[int]) -> tuple[tuple[str, ...], Any, Any]:
    """Return the functions needed from elsewhere, and for each symbol used its origin and place relative to that."""
    needed: list[str] = []
    origins, offsets = np.zeros((2, len(used)), np.int64)
    for k, number in enumerate(used):
        if number >= len(table) or number == 0:
            raise UnknownLayoutError("a relocation by a symbol that is not there")
        symbol = table[number]
        if symbol.section == _UNDEFINED:
            needed.append(symbol.name)
            origins[k] = len(needed)
        elif symbol.place >= 0:
            offsets[k] = symbol.place
        else:
            raise UnknownLayoutError("a relocation by a symbol that is not loaded")
    return tuple(needed), origins, offsets
