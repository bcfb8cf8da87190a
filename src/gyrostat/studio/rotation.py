"""Orientations as rotation vectors: the form in which sliders turn joints that keep Euler parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gyrostat.model.joints import Joint

_LABELS = ("e0", "e1", "e2", "e3")
VECTOR = "rotation_vector"
"""The suffix of a joint's rotation vector."""


def has_euler_parameters(joint: Joint) -> bool:
    """Return whether a joint keeps its orientation in Euler parameters."""
    return {f"{joint.name}.{label}" for label in _LABELS} <= set(joint.coordinate_names)


def vector_of(e: Sequence[float]) -> tuple[float, float, float]:
    """Return the axis times the angle, 0 to 2π, of Euler parameters that need not be normalised.

    >>> vector_of((0, 0, 0, 2))
    (0.0, 0.0, 3.141592653589793)
    """
    sine = math.hypot(*e[1:])
    if sine == 0.0:
        return (0.0, 0.0, 0.0)
    factor = 2.0 * math.atan2(sine, e[0]) / sine
    return (factor * e[1], factor * e[2], factor * e[3])


def euler_parameters(joint: str, vector: Sequence[float]) -> dict[str, float]:
    """Return the unit Euler parameters of a rotation vector by the names of a joint's coordinates.

    >>> euler_parameters("ball", (0, 0, 0))
    {'ball.e0': 1.0, 'ball.e1': 0.0, 'ball.e2': 0.0, 'ball.e3': 0.0}
    """
    angle = math.hypot(*vector)
    factor = 0.5 if angle == 0.0 else math.sin(angle / 2) / angle
    values = (math.cos(angle / 2), *(factor * x for x in vector))
    return {f"{joint}.{label}": float(value) for label, value in zip(_LABELS, values, strict=True)}
