"""Memory that holds machine code of this process: written first, executed then, never both at once."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

_READ, _WRITE, _EXECUTE = 1, 2, 4
_PRIVATE, _ANONYMOUS = 0x02, 0x20
_FAILED = ctypes.c_void_p(-1).value


def available() -> bool:
    """Whether this is 64-bit Linux on x86-64, where the functions and numbers below are as they are here."""
    return sys.platform == "linux" and os.uname().machine == "x86_64" and sys.maxsize > 2**32


class CodeMemory:
    """Pages of this process, `address` and `size`, given back when this object goes; raises OSError where refused."""

    def __init__(self, size: int) -> None:
        functions = _functions()
        address = functions.mmap(None, size, _READ | _WRITE, _PRIVATE | _ANONYMOUS, -1, 0)
        if address in (None, _FAILED):
            raise OSError(ctypes.get_errno(), "the system gives no memory for machine code")
        self.address: int = address
        self.size = size
        self._release: Callable[[int, int], Any] = functions.munmap

    def write(self, source: int, *, code_size: int) -> None:
        """Copy all contents from an address; from then on the first `code_size` bytes are code, the rest constants."""
        ctypes.memmove(self.address, source, self.size)
        for start, size, use in ((0, code_size, _READ | _EXECUTE), (code_size, self.size - code_size, _READ)):
            if size and _functions().mprotect(self.address + start, size, use):
                raise OSError(ctypes.get_errno(), "the system does not let machine code be executed")

    def __del__(self, finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        # At the end of the process its memory goes anyway, and another thread may still be in there.
        if hasattr(self, "_release") and not finalizing():
            self._release(self.address, self.size)


@cache
def _functions() -> Any:
    """Return the C library, the types of the functions used here declared."""
    library = ctypes.CDLL(None, use_errno=True)
    pointer, size, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    library.mmap.restype = pointer
    library.mmap.argtypes = (pointer, size, number, number, number, ctypes.c_long)
    library.mprotect.argtypes = (pointer, size, number)
    library.munmap.argtypes = (pointer, size)
    return library


def outside_address(name: str) -> int:
    """Return the address of a function in this process, as LLVM would find it; 0 if there is none."""
    try:
        function = _functions()[name]
    except AttributeError:
        return 0
    return ctypes.cast(function, ctypes.c_void_p).value or 0
