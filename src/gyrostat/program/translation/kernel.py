"""What kernels are written with: a mark, and two functions that Python has no words for."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, TypeVar

from gyrostat.errors import ProgramError

F = TypeVar("F", bound=Callable[..., object])

_MARK, _RARE = "__gyrostat_kernel__", "__gyrostat_rare__"


class KernelError(ProgramError):
    """A function that is marked as a kernel uses what cannot be translated."""


def kernel(function: F) -> F:
    """Mark a function as a kernel, or as a part of one. It stays what it is: Python runs it, slowly, to the same end.

    A kernel takes and returns numbers; arrays, contiguous and of any number of axes, named tuples and other kernels are
    arguments. A kernel that is an argument is known when its caller is translated, which is done once for each.
    It has annotations: `int`, `float` and `bool` are what arguments become and what is returned, nothing else is looked
    at. It assigns, counts with `for` over `range`, loops with `while`, decides with `if`, and calls kernels, functions
    of `math`, `abs`, `min`, `max`, `int`, `float`, `bool`, and those below. A name has one kind of value throughout.
    Arrays are neither made nor written as a whole. An index counts from the first element, and none is checked.
    Division by zero gives infinities, and products and sums may be fused.
    """
    setattr(function, _MARK, True)
    return function


def rare_kernel(function: F) -> F:
    """Mark a part of a kernel that seldom runs, or so long that a call does not matter.

    It is called, not copied to where it is used, and so compiled sooner.
    """
    setattr(function, _RARE, True)
    return kernel(function)


def is_kernel(function: object) -> bool:
    """Tell whether a function is marked as a kernel."""
    return getattr(function, _MARK, False) is True


def is_rare(function: object) -> bool:
    """Tell whether a kernel is marked as one that seldom runs."""
    return getattr(function, _RARE, False) is True


def call(address: int, *words: int) -> None:
    """Call a native function by its address; its arguments are addresses and whole numbers, and it returns nothing."""
    ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * len(words))(address)(*words)


def flat(rows: Any) -> Any:
    """Return the numbers of an array as one row, in the same memory."""
    return rows.reshape(-1)
