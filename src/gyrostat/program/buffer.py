"""Flat vectors at a fixed address, which a call need not look up."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from gyrostat.errors import ProgramError
from gyrostat.program.port import Floats


class Buffer:
    """A vector of `size` doubles, `array`, and its `address`, which stays the same as long as the buffer lives."""

    __slots__ = ("address", "array", "size")

    def __init__(self, size: int) -> None:
        self.array: Floats = np.zeros(size)
        self.address: int = self.array.ctypes.data
        self.size = size

    def __repr__(self) -> str:
        return f"Buffer({self.array!r})"


def checked_array(values: Any, shape: tuple[int, ...], what: str, *, writable: bool) -> Floats:
    """Return the values if they are a contiguous array of doubles of the given shape; raise ProgramError otherwise."""
    if isinstance(values, Buffer):
        values = values.array
    if not isinstance(values, np.ndarray):
        raise ProgramError(f"The {what} must be a numpy array of float64 or a Buffer, not {type(values).__name__}.")
    if values.dtype != np.float64:
        raise ProgramError(f"The {what} has dtype {values.dtype}; it must be float64. Use numpy.asarray(…, float).")
    if values.shape != shape:
        raise ProgramError(f"The {what} has shape {values.shape}; this program needs {shape}.")
    if not values.flags.c_contiguous:
        raise ProgramError(f"The {what} is not contiguous in memory. Use numpy.ascontiguousarray.")
    if writable and not values.flags.writeable:
        raise ProgramError(f"The {what} is read-only. Give an array that can be written.")
    return values


def address(array: Floats) -> int:
    """Return the address of an array's data, in a quarter of the time of `array.ctypes.data`."""
    try:
        return ctypes.addressof(_BYTE(array))
    except (BufferError, TypeError, ValueError):  # read-only, or empty
        place: int = array.__array_interface__["data"][0]
        return place


_BYTE: Any = ctypes.c_char.from_buffer


def refuse_overlap(inputs: Floats, outputs: Floats) -> None:
    """Raise when two arrays share memory: native code writes outputs before it has read all inputs."""
    if np.may_share_memory(inputs, outputs):
        raise ProgramError("The inputs and the outputs share memory. Give two separate arrays.")
