"""The widths of banded factors of ropes: neighbours along the rope, and the next ones where bends are stiff."""

from __future__ import annotations

from gyrostat.program.translation import kernel


@kernel
def stretching() -> int:
    """Return the entries beside the diagonal where a node couples with one on each side."""
    return 5


@kernel
def bending() -> int:
    """Return the entries beside the diagonal where a node couples with two on each side."""
    return 8
