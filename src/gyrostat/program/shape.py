"""The shape of a value in native code: one double, or W doubles in the lanes of a SIMD register."""

from __future__ import annotations

import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class ValueShape:
    """Names of LLVM types and texts of LLVM constants for values of `lanes` doubles."""

    lanes: int

    @property
    def real(self) -> str:
        """The type of a value."""
        return self._many("double")

    @property
    def integer(self) -> str:
        """The integer type of the same width, for work on bits."""
        return self._many("i64")

    @property
    def boolean(self) -> str:
        """The type of a comparison."""
        return self._many("i1")

    @property
    def suffix(self) -> str:
        """Suffix of the names of intrinsics on this shape, as in llvm.sqrt.v4f64."""
        return "f64" if self.lanes == 1 else f"v{self.lanes}f64"

    def _many(self, kind: str) -> str:
        return kind if self.lanes == 1 else f"<{self.lanes} x {kind}>"

    def number(self, value: float) -> str:
        """Return a constant with `value` in every lane, exact to the bit."""
        return self._splat("double", f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}")

    def bits(self, value: int) -> str:
        """Return an integer constant with `value` in every lane."""
        return self._splat("i64", str(value))

    def _splat(self, kind: str, text: str) -> str:
        return text if self.lanes == 1 else f"<{', '.join([f'{kind} {text}'] * self.lanes)}>"
