"""Conversion of degrees to radians in formulas."""

from __future__ import annotations

import math


def deg(angle: float) -> float:
    """Return the radians of an angle in degrees.

    >>> round(deg(180), 6)
    3.141593
    """
    return math.radians(angle)
