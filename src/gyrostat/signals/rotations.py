"""Rotations and relative motion of places, formed on the scalars of any instant.

Formulas here use operators alone, as scalars may be columns of values.
"""

from __future__ import annotations

from collections.abc import Sequence

from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.scalar import Scalar
from gyrostat.signals.signal import Components, SystemInstant

WORLD = End(GROUND)


def relative_rotation(base: End, end: End, instant: SystemInstant) -> Sequence[Scalar]:
    """Return the entries of R_AB = R_WAᵀ R_WB, row by row, of the axes of two places A and B."""
    b = instant.rotation(end)
    if base == WORLD:
        return [b[k] for k in range(9)]
    a = instant.rotation(base)
    return [sum_of([a[3 * k + i] * b[3 * k + j] for k in range(3)]) for i in range(3) for j in range(3)]


def roll_pitch_yaw(base: End, end: End, instant: SystemInstant) -> Sequence[Scalar]:
    """Return the angles of R_AB = R_z(yaw) R_y(pitch) R_x(roll); pitch from −π/2 to π/2, the others from −π to π."""
    R, call = relative_rotation(base, end, instant), instant.scalars.call
    return [
        call("atan2", (R[7], R[8])),
        call("atan2", (-R[6], call("hypot", (R[0], R[3])))),
        call("atan2", (R[3], R[0])),
    ]


def relative_position(end: End, base: End, instant: SystemInstant) -> Sequence[Scalar]:
    """Return the position of a place from another, in the axes of that other."""
    return _in_axes(base, _difference(instant.position(end), instant.position(base)), instant)


def relative_velocity(end: End, base: End, instant: SystemInstant) -> Sequence[Scalar]:
    """Return the rate of the relative position, as an observer on the other body sees it, in the axes of that other."""
    arm = _difference(instant.position(end), instant.position(base))
    w = instant.omega(base.body)
    turning = (w[1] * arm[2] - w[2] * arm[1], w[2] * arm[0] - w[0] * arm[2], w[0] * arm[1] - w[1] * arm[0])
    sliding = _difference(instant.velocity(end), instant.velocity(base))
    return _in_axes(base, _difference(sliding, turning), instant)


def _difference(a: Components, b: Components) -> list[Scalar]:
    return [a[i] - b[i] for i in range(3)]


def _in_axes(base: End, vector: Components, instant: SystemInstant) -> list[Scalar]:
    """Return a vector in world axes in the axes of a place."""
    R = instant.rotation(base)
    return [sum_of([R[3 * k + i] * vector[k] for k in range(3)]) for i in range(3)]


def sum_of(terms: Sequence[Scalar]) -> Scalar:
    """Return the sum of three terms."""
    first, second, third = terms
    return first + second + third
