"""Kernels as native functions: translated once, kept in the cache of programs, and loaded from there."""

from __future__ import annotations

import hashlib
import importlib
import os
from array import array
from collections.abc import Callable
from functools import cache
from typing import Any, Generic, TypeVar, cast

import numpy as np

from gyrostat import program
from gyrostat.analysis.kernels.packing import examples, pack
from gyrostat.coordinates import row
from gyrostat.program.buffer import address
from gyrostat.program.checked_entry import bounds_are_checked, kernel_entry
from gyrostat.program.host import host_target
from gyrostat.program.native import LoadedObject
from gyrostat.program.store import fetch_module

_ENTRY = "gyrostat_kernel"

R = TypeVar("R")


class NativeKernel(Generic[R]):
    """The kernel `name` of a file in this folder; it returns a number, or nothing, which then is a zero.

    Arrays must be contiguous. They are written to where they are, other threads going on meanwhile. With `unrolled`,
    loops over any range may be unrolled: that takes longer to compile.
    """

    def __init__(self, file: str, name: str, result: Callable[[Any], R], *, unrolled: bool = False) -> None:
        self._file, self._name, self._unrolled = file, name, unrolled
        self.result = result
        self._loaded: dict[str, tuple[LoadedObject, Callable[[int, int], None]]] = {}

    def __call__(self, *arguments: Any) -> R:
        """Run the kernel."""
        return self.bind()(*arguments)

    def bind(self, *first: Any) -> BoundKernel[R]:
        """Return the kernel with its first arguments given, which need not be looked at again in every call."""
        return BoundKernel(self, first)

    def entry(self, *arguments: Any) -> tuple[int, list[int]]:
        """Return the address by which other kernels call this one (`call_kernel`), and its arguments as words."""
        words: list[int] = []
        kinds: list[str] = []
        pack(arguments, words, kinds)
        self.function("".join(kinds), arguments)
        return self._loaded["".join(kinds)][0].address(_ENTRY), words

    def function(self, kinds: str, arguments: tuple[Any, ...]) -> Callable[[int, int], None]:
        """Return the native function for arguments of some kinds; these are an example."""
        known = self._loaded.get(kinds)
        if known is None:
            target, checked = host_target(), bounds_are_checked()

            def write() -> str:
                from gyrostat.program.translation import module_of

                module = importlib.import_module(f"gyrostat.analysis.kernels.{self._file}")
                kernel = getattr(module, self._name)
                return module_of(kernel, examples(arguments), _ENTRY, checked=checked, unrolled=self._unrolled)

            choices = f"{'checked ' if checked else ''}{'unrolled ' if self._unrolled else ''}"
            recipe = f"{choices}kernel {self._file}.{self._name}{kinds} {_sources()}"
            native = LoadedObject(fetch_module(recipe, write, target), target)
            known = self._loaded[kinds] = native, kernel_entry(native, _ENTRY, checked=checked)
        return known[1]


class BoundKernel(Generic[R]):
    """A kernel with its first arguments; it is called with the others, always of the same kinds."""

    def __init__(self, kernel: NativeKernel[R], first: tuple[Any, ...]) -> None:
        self._kernel, self._first = kernel, first
        self._words: list[int] = []
        self._kinds: list[str] = []
        pack(first, self._words, self._kinds)
        self._known = ""
        self._function: Callable[[int, int], None]
        self._table = array("q")
        self._result: Any = np.zeros(1, dtype=cast(Any, kernel.result))
        self._place, self._result_place = 0, address(self._result)

    def __call__(self, *others: Any) -> R:
        """Run the kernel."""
        words: list[int] = []
        kinds: list[str] = []
        pack(others, words, kinds)
        if (known := "".join(kinds)) != self._known:
            self._table = array("q", self._words + words)
            self._place = self._table.buffer_info()[0]
            self._function = self._kernel.function("".join(self._kinds) + known, self._first + others)
            self._known = known
        else:
            self._table[len(self._words) :] = array("q", words)
        self._function(self._place, self._result_place)
        return self._kernel.result(self._result[0])


_CALLERS = ("native_kernel.py", "library.py", "packing.py")
"""Files of this folder that shape no kernel."""


@cache
def _sources() -> str:
    """Return a digest of all kernels, any of which may be a part of any other, and of what translates them."""
    with open(row.__file__, "rb") as file:  # its constants are part of kernels
        digest = hashlib.sha256(file.read())
    for folder in (os.path.dirname(__file__), os.path.join(program.__path__[0], "translation")):
        for name in sorted(os.listdir(folder)):
            if name.endswith(".py") and name not in _CALLERS:
                with open(os.path.join(folder, name), "rb") as file:
                    digest.update(file.read())
    return digest.hexdigest()
