"""Slopes of beams in a floating frame: a note where they exceed the validity of the beam's order, an end beyond it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.order_kind import EXACT, Order
from gyrostat.model.flexible.station_arm import StationArm
from gyrostat.scalar import FloatScalars
from gyrostat.system import System

LARGEST_SLOPE: Final = 0.15
"""The slope up to which beams of first and second order are accurate: the error of a deflection is one percent."""

_DIVERGENCE_SLOPE: Final = 10.0
"""The slope from which the motion of such a beam has diverged: deflections are many times its length."""

_ERROR: Final = 0.46
"""The relative error of the deflection under a dead load across the beam, over the square of the slope at the tip."""


def note_on_slopes(
    system: System, q: Floats, parameters: Mapping[str, float], times: Floats | None = None
) -> str | None:
    """Return a note on the beam with the largest slope, if that is too large; q are coordinates in rows."""
    size, name, row = _largest(system, q, parameters, LARGEST_SLOPE)
    if not name:
        return None
    order = system.station_arms[name].beam.order
    when = "" if times is None else f" at t = {times[row]:.6g} s"
    return (
        f"The slope of beam {name!r} reaches {size:.3g}{when}; order {order} is accurate up to {LARGEST_SLOPE}, and "
        f"deflections are off by about {100 * min(_ERROR * size**2, 1.0):.0f} %.{_cause(order)} Use order='exact', or "
        "several beams in a row."
    )


def divergence(system: System, q: Floats, parameters: Mapping[str, float], t: float) -> str | None:
    """Return why a motion has diverged, if a beam of first or second order has a slope without meaning."""
    size, name, _ = _largest(system, q[None, :], parameters, _DIVERGENCE_SLOPE)
    if not name:
        return None
    order = system.station_arms[name].beam.order
    return (
        f"at t = {t:.6g} s the slope of beam {name!r} has grown to {size:.3g}; order {order} is accurate up to "
        f"{LARGEST_SLOPE}.{_cause(order)} Use {'order=2 or ' if order == 1 else ''}order='exact'."
    )


def _cause(order: Order) -> str:
    if order != 1:
        return ""
    return " Order 1 has no shortening by bending: a beam that rotates fast is not stiffened and diverges."


def _largest(system: System, q: Floats, parameters: Mapping[str, float], above: float) -> tuple[float, str, int]:
    """Return the largest slope above a limit, the name of its beam and the row; an empty name if there is none."""
    worst: tuple[float, str, int] = (above, "", 0)
    for name, arm in system.station_arms.items():
        if arm.beam.order != EXACT and len(q):
            slopes = _largest_slopes(system, arm, q, parameters)
            if (slopes <= worst[0]).all():
                continue
            row = int(np.nanargmax(slopes)) if np.isfinite(slopes).any() else 0
            worst = max(worst, (float(slopes[row]), name, row))
    return worst


def _largest_slopes(system: System, arm: StationArm, q: Floats, parameters: Mapping[str, float]) -> Floats:
    """Return the largest slope at the quarters of a beam for each row of coordinates."""
    length = float(Evaluator(FloatScalars(), dict(parameters).__getitem__)(arm.beam.length))
    places = [system.coordinates.place_of[f"{arm.parent.body}.{label}"][1] for label in arm.beam.labels]
    by_xi = np.einsum("pdi,ni->pdn", arm.beam.slopes_at_quarters, q[:, places])
    found: Floats = np.hypot(by_xi[:, 0], by_xi[:, 1]).max(axis=0) / length
    return found
