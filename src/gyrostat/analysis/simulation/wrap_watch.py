"""Notes on ropes over pulleys whose course left what the formulas of their wrap angles describe."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.model.forces import RopeElement
from gyrostat.model.ropes import Pulley
from gyrostat.model.ropes.course import Course

_ROUNDING = 1e-6
"""Wrap angles above minus this are not negative (rad)."""
_END_DISTANCE = 0.05
"""The distance from the ends of the range that is followed at which it may have been left between outputs (rad)."""


def notes_on_wraps(rope: RopeElement, course: Course, times: Floats) -> Iterator[str]:
    """Yield a note on each pulley that the rope would have left, or about which it may have gained a turn."""
    for pulley in rope.path:
        if isinstance(pulley, Pulley):
            wrap = np.broadcast_to(course.wraps[pulley.name], times.shape) - 2 * math.pi * pulley.turns
            note = _note(rope.name, pulley, wrap, times)
            if note:
                yield note


def _note(rope: str, pulley: Pulley, wrap: Floats, times: Floats) -> str | None:
    lowest, highest = -0.5 * math.pi + _END_DISTANCE, 1.5 * math.pi - _END_DISTANCE
    beyond = (wrap > highest) | (wrap < lowest)
    beyond[1:] |= np.abs(np.diff(wrap)) > math.pi
    if beyond.any():
        at = int(np.argmax(beyond))
        return (
            f"The wrap angle of rope {rope!r} on pulley {pulley.name!r} is {math.degrees(wrap[at]):.0f}° at "
            f"t = {times[at]:.6g} s; it is followed from −90° to 270° beyond the whole turns, and jumps there. Give "
            "the pulley other turns=, or move it."
        )
    off = wrap < -_ROUNDING
    if off.any() and not pulley.lifts:
        at = int(np.argmax(off))
        return (
            f"Rope {rope!r} is off pulley {pulley.name!r} at t = {times[at]:.6g} s (its wrap angle is "
            f"{math.degrees(wrap[at]):.3g}°), but goes on as if the pulley held it. Give the pulley lifts=True."
        )
    return None
