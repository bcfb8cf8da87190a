"""How kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile a function with numba when it is first called; the machine code is kept on disk.

    Division by zero gives infinities, as in native programs; products and sums may be fused; other threads go on.
    In every step, pass arrays, not tuples of them, whose references are counted one by one.
    """
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})(function))
