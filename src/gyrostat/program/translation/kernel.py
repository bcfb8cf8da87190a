"""Decorators that mark kernels, and three functions for use in kernels."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, TypeVar

from gyrostat.errors import ProgramError
from gyrostat.program.checked_entry import bounds_are_checked, entry_at

F = TypeVar("F", bound=Callable[..., object])

_MARK, _RARE_MARK = "__gyrostat_kernel__", "__gyrostat_rare__"


class KernelError(ProgramError):
    """A kernel contains code that cannot be translated."""


def kernel(function: F) -> F:
    """Mark a function as a kernel. It remains a Python function with the same results, only slower.

    A kernel takes numbers, contiguous arrays with any number of axes, named tuples and other kernels; it returns a
    number or nothing. A caller is translated once for each kernel that it takes.
    The annotations `int`, `float` and `bool` determine kinds of arguments and result; others are ignored. Statements
    are assignments, `for` over `range`, `while`, `if`, and calls of kernels, functions of `math`, `abs`, `min`, `max`,
    `int`, `float`, `bool`, and the functions below. A variable has one kind of value throughout. Arrays are neither
    created nor assigned as a whole. Negative indices do not count from the end; indices are checked only in checked
    modules (`translation/bounds.py`). Division by zero gives infinities, and products and sums may be fused.
    """
    setattr(function, _MARK, True)
    return function


def rare_kernel(function: F) -> F:
    """Mark a kernel that seldom runs, or whose run time exceeds the cost of a call by far.

    It is not inlined, which shortens compilation.
    """
    setattr(function, _RARE_MARK, True)
    return kernel(function)


def is_kernel(function: object) -> bool:
    """Tell whether a function is marked as a kernel."""
    return getattr(function, _MARK, False) is True


def is_rare(function: object) -> bool:
    """Tell whether a kernel is marked as rare."""
    return getattr(function, _RARE_MARK, False) is True


def call(address: int, *words: int) -> None:
    """Call a native function by its address; its arguments are addresses and integers, and it has no result."""
    ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * len(words))(address)(*words)


def call_kernel(address: int, table: int, result: int) -> None:
    """Call a kernel that is a module of its own, by the address of its entry (`NativeKernel.entry`)."""
    entry_at(address, checked=bounds_are_checked())(table, result)


def flat(rows: Any) -> Any:
    """Return a one-dimensional view of an array."""
    return rows.reshape(-1)
