"""The library of kinds: their native functions, compiled once, in memory and on disk."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gyrostat.program import cache as disk
from gyrostat.program.host import host_target
from gyrostat.program.native import LoadedObject, object_code
from gyrostat.program.operation import NAMES
from gyrostat.program.optimisation import limited
from gyrostat.program.rolled.driver import ENTRIES, driver, entries, sines
from gyrostat.program.rolled.elimination import TableKind, elimination_kind, substitution_kind, table_functions
from gyrostat.program.rolled.kind import (
    Dependence,
    LoadedKind,
    Origin,
    TracedKind,
    elementary,
    result_from_plain,
    result_to_plain,
)
from gyrostat.program.rolled.kind_code import KindModule
from gyrostat.program.shape import ValueShape
from gyrostat.program.store import fetch_module, kind_key
from gyrostat.scalar.elimination import EliminationOrder
from gyrostat.scalar.tape_pattern import pattern_of

_KIND = "gyrostat_kind"
_KEYS = 20_000
"""So many keys of arguments are held; there are a few hundred patterns."""
_CONTEXTS = ctypes.CFUNCTYPE(ctypes.c_void_p)
_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Entry(NamedTuple):
    """The addresses of the entry points of a program, and of the word that has its context."""

    evaluate: int
    loop: int
    context: int


class Library:
    """The kinds of this process: `trace` makes those that neither memory nor the cache on disk has.

    `differentiate` makes the kind of tangents of another one, for tangents at some of its bases, in lanes or not.
    `version` is a text that changes with the source of the functions.
    """

    def __init__(
        self,
        trace: Callable[[Origin], TracedKind],
        differentiate: Callable[[Origin, tuple[int, ...], bool], TracedKind],
        version: str,
    ) -> None:
        self._trace, self._differentiate, self._version = trace, differentiate, version
        self.target = host_target()
        self._driver = fetch_module(f"rolled {version}", self._base, self.target)
        self._loaded: list[LoadedObject] = []
        self._free: list[Entry] = []
        base = self._load_driver()
        self._operations = {name: _operation(name, base.address(f"gyrostat_{name}")) for name in NAMES}
        self._keys: dict[tuple[Any, ...], LoadedKind] = {}
        self._functions: dict[tuple[Callable[..., Any], Any], LoadedKind] = {}
        self._tangents: dict[tuple[LoadedKind, tuple[int, ...], bool], LoadedKind] = {}
        self._tabled: dict[str, int] = {}
        self._release = _RELEASE(base.address("gyrostat_release"))
        self.sines = base.address("gyrostat_sines")
        self.gather, self.columns = base.address("gyrostat_gather"), base.address("gyrostat_columns")

    def operation(self, name: str) -> LoadedKind:
        """Return the kind of an elementary operation."""
        return self._operations[name]

    def function(self, function: Callable[..., Any], key: Sequence[Any], arguments: tuple[Any, ...]) -> LoadedKind:
        """Return the kind of a repeated function for arguments with a key; patterns are formed for new keys only."""
        row = (function, *key)
        found = self._keys.get(row)
        if found is None:
            if len(self._keys) >= _KEYS:
                self._keys.clear()
            found = self._keys[row] = self._function(function, pattern_of(arguments))
        return found

    def _function(self, function: Callable[..., Any], pattern: Any) -> LoadedKind:
        """Return the kind of a repeated function for a pattern of arguments."""
        found = self._functions.get((function, pattern))
        if found is None:
            origin = Origin(function, pattern)
            found = self._functions[function, pattern] = self._kind(origin, str(origin), lambda: self._trace(origin))
        return found

    def tangent(self, kind: LoadedKind, active: tuple[int, ...], *, wide: bool = True) -> LoadedKind:
        """Return the kind of the tangents of another one's results, for tangents at the bases `active`.

        It reads the bases of that kind, then the tangents of the active ones: in SIMD lanes, or along one direction.
        """
        found = self._tangents.get((kind, active, wide))
        if found is None:
            origin = kind.origin
            assert origin is not None, "tangents in SIMD lanes have no tangents of their own"
            text = f"{'tangent' if wide else 'rate'} {origin} at {active}"
            own = None if wide else origin._replace(along=(*origin.along, active))
            made = self._kind(own, text, lambda: self._differentiate(origin, active, wide))
            found = self._tangents[kind, active, wide] = made
        return found

    def elimination(self, order: EliminationOrder, keys: Sequence[tuple[int, int]]) -> TableKind:
        """Return the kind of an elimination, for the entries with the given rows and columns."""
        return elimination_kind(self._table_function("eliminate"), order, keys)

    def substitution(self, order: EliminationOrder) -> TableKind:
        """Return the kind of a solution with the factors of an elimination."""
        return substitution_kind(self._table_function("substitute"), order)

    def _table_function(self, name: str) -> int:
        """Return the address of a kernel that reads a table of its own."""
        if name not in self._tabled:
            code = fetch_module(f"rolled {name} {self._version}", lambda: table_functions(name), self.target)
            self._loaded.append(LoadedObject(code, self.target))
            self._tabled[name] = self._loaded[-1].address(f"gyrostat_{name}")
        return self._tabled[name]

    def entry(self) -> Entry:
        """Return entry points that no program has."""
        if not self._free:
            self._load_driver()
        return self._free.pop()

    def give_back(self, entry: Entry, context: int) -> None:
        """Free the workspaces of a program that is no more, and its entry points for another one."""
        self._release(context)
        self._free.append(entry)

    def _base(self) -> str:
        """Return the module of the driver and the elementary operations."""
        module = KindModule(self.target)
        for name in NAMES:
            module.add(f"gyrostat_{name}", elementary(name))
        wide = ValueShape(self.target.lanes)
        module.add_text(sines(wide), "sincos", wide)
        return "\n".join([module.text(), driver(), entries()])

    def _load_driver(self) -> LoadedObject:
        """Load the driver, once more where all its entry points are taken."""
        loaded = LoadedObject(self._driver, self.target)
        self._loaded.append(loaded)
        contexts = int(_CONTEXTS(loaded.address("gyrostat_contexts"))())
        for n in range(ENTRIES):
            evaluate, loop = loaded.address(f"gyrostat_evaluate{n}"), loaded.address(f"gyrostat_loop{n}")
            self._free.append(Entry(evaluate, loop, contexts + 8 * n))
        return loaded

    def _kind(self, origin: Origin | None, text: str, trace: Callable[[], TracedKind]) -> LoadedKind:
        """Return a kind, from its object code in the cache, or traced and compiled."""
        level = limited(2)
        key = kind_key(f"{text} {self._version}", self.target, optimisation=level)
        entry = disk.load(key)
        if entry is None:
            traced = trace()
            code = b""
            if traced.size:
                module = KindModule(self.target)
                module.add(_KIND, traced)
                code = object_code(module.text(), self.target, optimisation=level)
            depends = Dependence.of(traced)
            about = {"size": traced.size, "operations": traced.graph.operation_counts()}
            about |= {"places": depends.places, "depends": depends.on}
            entry = disk.Entry({**about, "result": result_to_plain(traced.result)}, code=code)
            disk.store(key, entry)
        address = 0
        if entry.code:
            self._loaded.append(LoadedObject(entry.code, self.target))
            address = self._loaded[-1].address(_KIND)
        known = entry.metadata
        depends = Dependence(known["places"], known["depends"])
        result = result_from_plain(known["result"])
        return LoadedKind(origin, address, known["size"], known["operations"], result, depends)


def _operation(name: str, address: int) -> LoadedKind:
    """Return the kind of an elementary operation at an address."""
    kind = elementary(name)
    return LoadedKind(Origin(name), address, 1, {name: 1}, kind.result, Dependence.of(kind))
