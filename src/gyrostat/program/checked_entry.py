"""Entries of kernels, plain or with checks of array indices."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import TypeAlias

from gyrostat.errors import ProgramError
from gyrostat.program.native import LoadedObject

SWITCH = "GYROSTAT_CHECK_BOUNDS"
"""The environment variable that turns checks on, unless it is empty or 0."""

Entry: TypeAlias = Callable[[int, int], None]
"""Runs a kernel; takes the addresses of the table of arguments and of the result."""

_PLAIN_ENTRY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_CHECKED_ENTRY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def bounds_are_checked() -> bool:
    """Whether kernels are to check the indices of arrays."""
    return os.environ.get(SWITCH, "0") not in ("", "0")


def kernel_entry(native: LoadedObject, symbol: str, *, checked: bool) -> Entry:
    """Return the entry of a kernel; raises ProgramError on a call in which a check fails."""
    return entry_at(native.address(symbol), checked=checked)


def entry_at(address: int, *, checked: bool) -> Entry:
    """Return the entry of a kernel at an address."""
    if not checked:
        return _PLAIN_ENTRY(address)
    function = _CHECKED_ENTRY(address)

    def entry(table: int, result: int) -> None:
        record = (ctypes.c_int64 * 3)()
        function(table, result, ctypes.addressof(record))
        place, index, size = record
        if place:
            text = ctypes.string_at(place).decode()
            raise ProgramError(f"{text}: index {index} is out of range for size {size}.")

    return entry
