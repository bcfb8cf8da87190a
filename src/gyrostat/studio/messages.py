"""Messages to the page: plain values, and arrays that follow them in binary form."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ALIGNMENT = 8


@dataclass(frozen=True)
class StudioMessage:
    """A message of one type, with plain values and arrays by name."""

    type: str
    values: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def text(self, **further: Any) -> str:
        """Return type and values as JSON; numbers that are not finite become null."""
        plain = {"type": self.type, **self.values, **further}
        try:
            return json.dumps(plain, separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError):  # seldom, so that the usual case need not be searched
            return json.dumps(_finite(plain), separators=(",", ":"), allow_nan=False)

    def encoded(self) -> bytes:
        """Return the length of a header, the header, and the bytes of all arrays, each at a multiple of 8.

        The header is JSON: type and values, and `arrays` with kind, shape and offset of each array behind the header.
        Its length is padded so that the arrays begin at a multiple of 8. Floats of 64 bits are sent as they are, other
        arrays as floats of 32 bits, except bytes.
        """
        table, parts, offset = {}, [], 0
        for name, array in self.arrays.items():
            kind, data = _bytes_of(array)
            table[name] = {"kind": kind, "shape": list(array.shape), "offset": offset}
            padded = data + bytes(-len(data) % _ALIGNMENT)
            parts.append(padded)
            offset += len(padded)
        header = self.text(arrays=table).encode()
        header += b" " * (-(len(header) + 4) % _ALIGNMENT)
        return b"".join([struct.pack("<I", len(header)), header, *parts])


def _bytes_of(array: NDArray[Any]) -> tuple[str, bytes]:
    if array.dtype == np.uint8:
        return "u1", array.tobytes()
    kind = "f8" if array.dtype == np.float64 else "f4"
    return kind, np.ascontiguousarray(array, f"<{kind}").tobytes()


def _finite(value: Any) -> Any:
    """Return plain data with None in the place of numbers that JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    if isinstance(value, np.generic):
        return _finite(value.item())
    return value
