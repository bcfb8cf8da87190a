"""From a kernel in Python to a module in LLVM IR: numba translates it, and an entry makes it callable from anywhere.

The entry takes a table of 64-bit words: for an array its address and its shape, for a number its bits, one after the
other in the order of the kernel's arguments, however deep in tuples. What the kernel returns is a word as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.types.containers import BaseTuple
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from gyrostat.analysis.kernels.compiled import OPTIONS

_DECLARED = re.compile(r'^declare [^@]*@"?((?!llvm\.)[^("]*)', re.MULTILINE)
_KNOWN = frozenset(("sqrt", "sin", "cos", "tan", "atan2", "exp", "log", "pow", "fmod"))
"""Functions of the C library, which are in every process; those of numba are not."""

_ENTRY = """
define void @{entry}(ptr %table, ptr %result) {{
%failure = alloca ptr
%status = call i32 @{symbol}(ptr %result, ptr %failure, ptr %table)
ret void
}}
"""


def module_of(function: Callable[..., Any], arguments: tuple[Any, ...], entry: str) -> str:
    """Return the module, not optimised, of a kernel for arguments of the same kinds as these.

    Its function is void entry(table, result).
    """
    unpack = _unpacking(_type_of(arguments))

    def call(table: Any) -> Any:
        return function(*unpack(table))

    with _unoptimised():
        compiled = numba.njit((types.voidptr,), **OPTIONS)(call)
    text: str = compiled.inspect_llvm((types.voidptr,))
    foreign = sorted(set(_DECLARED.findall(text)) - _KNOWN)
    if foreign:
        raise ValueError(f"The kernel calls {foreign[0]!r}, a function of numba's. Write it without arrays of its own.")
    symbol = compiled.overloads[(types.voidptr,)].fndesc.llvm_func_name
    return text.replace("define linkonce_odr ", "define internal ") + _ENTRY.format(entry=entry, symbol=symbol)


@contextmanager
def _unoptimised() -> Iterator[None]:
    """Leave to others what they do better on the whole module than numba on one function after another."""
    level = numba.config.OPT
    numba.config.OPT = type(level)(0)
    try:
        yield
    finally:
        numba.config.OPT = level


def _type_of(value: Any) -> Any:
    """Return numba's type of an argument."""
    if isinstance(value, tuple):
        kind = type(value) if hasattr(value, "_fields") else None
        return BaseTuple.from_types([_type_of(part) for part in value], kind)
    if isinstance(value, np.ndarray):
        return types.Array(numba.from_dtype(value.dtype), value.ndim, "C")
    if isinstance(value, float):
        return types.float64
    return types.boolean if isinstance(value, bool | np.bool_) else types.int64


def _unpacking(arguments: Any) -> Any:
    """Return an intrinsic that reads a tuple of arguments from a table."""

    @intrinsic  # type: ignore[untyped-decorator]
    def unpack(typing_context: Any, table: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return _Reader(context, builder, given[0]).value(arguments)

        return arguments(types.voidptr), generate

    return unpack


class _Reader:
    """Writes the instructions that read values from a table, word by word."""

    def __init__(self, context: Any, builder: Any, table: Any) -> None:
        self._context, self._builder = context, builder
        self._words = builder.bitcast(table, context.get_value_type(types.int64).as_pointer())
        self._place = 0

    def value(self, kind: Any) -> Any:
        """Read a value of a type."""
        context, builder = self._context, self._builder
        if isinstance(kind, BaseTuple):
            return context.make_tuple(builder, kind, [self.value(part) for part in kind.types])
        if isinstance(kind, types.Array):
            return self._array(kind)
        if isinstance(kind, types.Float):
            return builder.bitcast(self._word(), context.get_value_type(kind))
        return builder.trunc(self._word(), context.get_value_type(kind)) if kind is types.boolean else self._word()

    def _word(self) -> Any:
        place = self._context.get_constant(types.intp, self._place)
        self._place += 1
        return self._builder.load(self._builder.gep(self._words, [place]))

    def _array(self, kind: Any) -> Any:
        context, builder = self._context, self._builder
        element = context.get_data_type(kind.dtype)
        data = builder.inttoptr(self._word(), element.as_pointer())
        shape = [self._word() for _ in range(kind.ndim)]
        strides = [context.get_constant(types.intp, context.get_abi_sizeof(element))]
        for length in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        array = context.make_array(kind)(context, builder)
        populate_array(array, data=data, shape=shape, strides=strides, itemsize=strides[-1], meminfo=None)
        return array._getvalue()
