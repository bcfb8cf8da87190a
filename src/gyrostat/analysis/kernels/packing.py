"""Arguments of kernels as 64-bit words: for an array its address and its shape, for a number its bits.

Packing an array takes a microsecond or two, and a loop has some forty. Tuples that never change are therefore packed
once, and arrays that only kernels use lie in one block of memory of known layout.
"""

from __future__ import annotations

import importlib
import struct
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from gyrostat.program.buffer import address

_DIGITS = "0123456789"
_BITS, _DOUBLE = struct.Struct("=q"), struct.Struct("=d")

T = TypeVar("T", bound=tuple[Any, ...])


class Packed(Generic[T]):
    """A tuple that is packed once: neither its numbers nor the addresses of its arrays may change."""

    __slots__ = ("kinds", "value", "words")

    def __init__(self, value: T) -> None:
        words: list[int] = []
        kinds: list[str] = []
        pack(value, words, kinds)
        self.value, self.words, self.kinds = value, words, "".join(kinds)

    @property
    def example(self) -> T:
        """The tuple."""
        return self.value


_CONSTANTS: dict[int, Packed[Any]] = {}


def constant(value: T) -> T:
    """Return a tuple that lives as long as the process, after packing it."""
    _CONSTANTS[id(value)] = Packed(value)
    return value


class Scratch:
    """A tuple of arrays that only kernels use, zero at first."""

    __slots__ = ("_layout", "_memory", "words")

    def __init__(self, kind: type[tuple[Any, ...]], *arrays: tuple[tuple[int, ...], str]) -> None:
        self._layout = _layout(kind, arrays)
        self._memory = np.zeros(self._layout.size)
        start = address(self._memory) if self._layout.size else 0
        self.words = [word + start if place else word for word, place in self._layout.words]

    @property
    def kinds(self) -> str:
        """The kinds of the tuple's arrays."""
        return self._layout.kinds

    @property
    def example(self) -> tuple[Any, ...]:
        """A tuple of the same kinds."""
        found: tuple[Any, ...] = self._layout.kind(*(np.zeros(shape, dtype) for shape, dtype in self._layout.arrays))
        return found


class KernelName:
    """A kernel of a file in this folder as an argument of another; it is imported when that one is translated."""

    __slots__ = ("file", "kinds", "name")
    words: tuple[int, ...] = ()

    def __init__(self, file: str, name: str) -> None:
        self.file, self.name, self.kinds = file, name, f"<{file}.{name}>"

    @property
    def example(self) -> Any:
        """The kernel."""
        return getattr(importlib.import_module(f"gyrostat.analysis.kernels.{self.file}"), self.name)


class _Layout(NamedTuple):
    kind: Any
    arrays: tuple[tuple[tuple[int, ...], str], ...]
    size: int
    """In doubles."""
    words: tuple[tuple[int, bool], ...]
    """Where arrays begin in the block, in bytes, and their shapes; whether it is a place."""
    kinds: str


@lru_cache(maxsize=256)
def _layout(kind: type[tuple[Any, ...]], arrays: tuple[tuple[tuple[int, ...], str], ...]) -> _Layout:
    size, words, kinds = 0, list[tuple[int, bool]](), list[str]()
    for shape, dtype in arrays:
        words += ((8 * size, True), *((length, False) for length in shape))
        kinds.append(dtype + _DIGITS[len(shape)])
        size += -(-int(np.prod(shape)) * np.dtype(dtype).itemsize // 64) * 8  # each begins a line of the cache
    return _Layout(kind, arrays, size, tuple(words), f"({''.join(kinds)})")


def pack(values: tuple[Any, ...], words: list[int], kinds: list[str]) -> None:
    """Append the words of values, and the descriptions of their kinds, to two lists."""
    kinds.append("(")
    for value in values:
        if type(value) is int:
            words.append(value)
            kinds.append("i")
        elif isinstance(value, np.ndarray):
            if not value.flags.c_contiguous:
                raise ValueError("A kernel needs arrays that are contiguous in memory.")
            words.append(address(value) if value.size else 0)
            words += value.shape
            kinds.append(value.dtype.char + _DIGITS[value.ndim])
        elif isinstance(value, tuple):
            known = _CONSTANTS.get(id(value))
            if known is None:
                pack(value, words, kinds)
            else:
                words += known.words
                kinds.append(known.kinds)
        elif isinstance(value, Packed | Scratch | KernelName):
            words += value.words
            kinds.append(value.kinds)
        elif isinstance(value, float):
            words.append(_BITS.unpack(_DOUBLE.pack(value))[0])
            kinds.append("f")
        elif callable(value):
            kinds.append(f"<{value.__module__}.{value.__qualname__}>")
        else:
            words.append(int(value))
            kinds.append("b" if isinstance(value, bool | np.bool_) else "i")
    kinds.append(")")


def examples(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the values with packed tuples and names of kernels resolved, also within tuples."""
    return tuple(_example(value) for value in values)


def _example(value: Any) -> Any:
    if isinstance(value, Packed | Scratch | KernelName):
        value = value.example
    if not isinstance(value, tuple):
        return value
    parts = examples(value)
    return type(value)(*parts) if hasattr(value, "_fields") else parts
