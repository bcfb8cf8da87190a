"""Slopes of beams in a floating frame: a note where they exceed what the order of a beam is valid for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.displacement import SectionField
from gyrostat.model.flexible.order_kind import EXACT
from gyrostat.model.flexible.station_arm import StationArm
from gyrostat.scalar import FloatScalars
from gyrostat.system import System

LARGEST_SLOPE: Final = 0.15
"""The slope up to which beams of first and second order are accurate: the error of a deflection is one percent."""

_ERROR: Final = 0.46
"""The relative error of the deflection under a dead load across the beam, over the square of the slope at the tip."""

_PLACES: Final = (0.25, 0.5, 0.75, 1.0)


def note_on_slopes(
    system: System, q: Floats, parameters: Mapping[str, float], times: Floats | None = None
) -> str | None:
    """Return a note on the beam with the largest slope, if that is too large; q are coordinates in rows."""
    beams = system.station_arms
    if not beams:
        return None
    worst: tuple[float, str, int] = (LARGEST_SLOPE, "", 0)
    for name, arm in beams.items():
        if arm.beam.order != EXACT and len(q):
            slopes = _largest_slopes(system, arm, q, parameters)
            row = int(np.nanargmax(slopes)) if np.isfinite(slopes).any() else 0
            worst = max(worst, (float(slopes[row]), name, row))
    size, name, row = worst
    if not name:
        return None
    order = beams[name].beam.order
    when = "" if times is None else f" at t = {times[row]:.6g} s"
    more = ""
    if order == 1:
        more = " Order 1 has no shortening by bending: a beam that rotates fast is not stiffened and diverges."
    return (
        f"The slope of beam {name!r} reaches {size:.3g}{when}; order {order} is accurate up to {LARGEST_SLOPE}, and "
        f"deflections are off by about {100 * min(_ERROR * size**2, 1.0):.0f} %.{more} Use order='exact', or several "
        "beams in a row."
    )


def _largest_slopes(system: System, arm: StationArm, q: Floats, parameters: Mapping[str, float]) -> Floats:
    """Return the largest slope along a beam for each row of coordinates."""
    value = Evaluator(FloatScalars(), dict(parameters).__getitem__)
    places = [system.coordinates.place_of[f"{arm.parent.body}.{label}"][1] for label in arm.beam.labels]
    found = np.zeros(len(q))
    for xi in _PLACES:
        field, slopes = SectionField(arm.beam, xi, value), []
        for direction in ("v", "w"):
            row = np.zeros(len(places))
            for i, x in field.row(direction, 1).items():
                row[i] = x
            slopes.append(q[:, places] @ row)
        found = np.maximum(found, np.hypot(*slopes))
    return found
