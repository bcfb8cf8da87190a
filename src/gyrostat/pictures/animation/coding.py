"""Arrays as text: rounded to steps, differenced in time, split in planes of bytes, deflated, in base 64.

Neighbouring frames differ little, so the differences are small integers. Their sign goes to the lowest bit (0, −1, 1,
−2, … become 0, 1, 2, 3, …), and bytes of the same weight are put together: the upper planes are nearly all zeros, which
deflate to almost nothing. The page undoes these steps in `arrays.js`.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.errors import PictureError

_LARGEST_VALUE = 2.0**30
"""Rounded values stay below this, so that differences fit 32 bits."""


@dataclass(frozen=True)
class CodedArray:
    """An array's bytes, and what is needed to read them."""

    facts: dict[str, Any]
    data: bytes


def exact(values: NDArray[np.float64]) -> CodedArray:
    """Code an array as it is."""
    return CodedArray({"shape": list(values.shape)}, np.ascontiguousarray(values, "<f8").tobytes())


def stepped(values: NDArray[np.float64], step: float) -> CodedArray:
    """Code an array (N, …) in multiples of a step; the error is at most half of it.

    Values that are not finite are marked as missing.
    """
    missing = ~np.isfinite(values)
    whole = np.rint(np.where(missing, 0.0, values) / step)
    if np.abs(whole).max(initial=0.0) > _LARGEST_VALUE:
        raise PictureError(
            f"Values up to {np.abs(values[~missing]).max():.3g} cannot be drawn in steps of {step:.3g}; "
            "bring positions and sizes of the scene to similar magnitudes."
        )
    steps = whole.astype(np.int32)
    if missing.any():
        steps = _held(steps, missing)
    planes = _planes(_differences(steps))
    facts: dict[str, Any] = {"shape": list(values.shape), "step": step, "planes": len(planes)}
    if missing.any():
        facts["missing"] = True
        return CodedArray(facts, planes.tobytes() + missing.astype(np.uint8).tobytes())
    return CodedArray(facts, planes.tobytes())


def joined(arrays: Mapping[str, CodedArray]) -> tuple[dict[str, dict[str, Any]], str]:
    """Return the table of contents, and the text of all arrays together."""
    table: dict[str, dict[str, Any]] = {}
    parts: list[bytes] = []
    offset = 0
    for name, array in arrays.items():
        table[name] = {"offset": offset, **array.facts}
        padded = array.data + bytes(-len(array.data) % 8)
        parts.append(padded)
        offset += len(padded)
    return table, base64.b64encode(zlib.compress(b"".join(parts), 6)).decode("ascii")


def _held(steps: NDArray[np.int32], missing: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the steps with missing ones replaced by their predecessors, so that their difference is zero."""
    frames = np.arange(len(steps)).reshape(-1, *(1,) * (steps.ndim - 1))
    latest = np.maximum.accumulate(np.where(missing, 0, frames), axis=0)
    return np.asarray(np.take_along_axis(steps, latest, axis=0))


def _differences(steps: NDArray[np.int32]) -> NDArray[np.uint32]:
    """Return the change from frame to frame, the first frame as it is, with the sign in the lowest bit."""
    change = np.diff(steps, axis=0, prepend=np.zeros_like(steps[:1]))
    return ((change << 1) ^ (change >> 31)).astype(np.uint32)


def _planes(numbers: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return the bytes of the numbers, (planes, count), lowest first, without the upper ones that are all zero."""
    octets = numbers.astype("<u4").reshape(-1, 1).view(np.uint8)
    used = max(1, (int(numbers.max(initial=0)).bit_length() + 7) // 8)
    return np.ascontiguousarray(octets.T[:used])
