"""Local coordinates of one step, zero at its start, and kernels for vectors.

Ordinary states add up. A rotation given by Euler parameters e turns by a rotation vector φ in axes of the child,
e = e₀ ∘ exp(φ/2) (Crous 2000, eq. 3.6.25), whose rate follows from the angular velocity; then any Runge–Kutta method
keeps its order and e its norm. φ takes the places of e0, e1, e2; the fourth stays zero.
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.problem import Floats, Rotations
from gyrostat.program.translation import kernel

_SMALL_ANGLE = 1e-4


@kernel
def copy(source: Floats, target: Floats) -> None:
    """Copy a vector."""
    for i in range(source.size):
        target[i] = source[i]


@kernel
def clear(target: Floats) -> None:
    """Write zeros."""
    for i in range(target.size):
        target[i] = 0.0


@kernel
def is_finite(values: Floats) -> bool:
    """Return whether all values are finite."""
    total = 0.0
    for i in range(values.size):
        total += 0.0 * values[i]
    return total == 0.0


@kernel
def move(start: Floats, step: Floats, rotations: Rotations, y: Floats) -> None:
    """Write into y the state that a step leads to from a start."""
    for i in range(start.size):
        y[i] = start[i] + step[i]
    for r in range(rotations.places.shape[0]):
        p = rotations.places[r, 0]
        if rotations.exponential:
            x1, x2, x3 = step[p], step[p + 1], step[p + 2]
            half = 0.5 * math.sqrt(x1 * x1 + x2 * x2 + x3 * x3)
            # sin(half)/(2 half), by its series near zero
            s = 0.5 - half * half / 12.0 if half < _SMALL_ANGLE else 0.5 * math.sin(half) / half
            c, x1, x2, x3 = math.cos(half), s * x1, s * x2, s * x3
            e0, e1, e2, e3 = start[p], start[p + 1], start[p + 2], start[p + 3]
            y[p] = e0 * c - e1 * x1 - e2 * x2 - e3 * x3
            y[p + 1] = e1 * c + e0 * x1 + e2 * x3 - e3 * x2
            y[p + 2] = e2 * c + e0 * x2 + e3 * x1 - e1 * x3
            y[p + 3] = e3 * c + e0 * x3 + e1 * x2 - e2 * x1


@kernel
def normalise(rotations: Rotations, y: Floats) -> None:
    """Give Euler parameters unit length; rounding errors only where they were turned."""
    for r in range(rotations.places.shape[0]):
        p = rotations.places[r, 0]
        size = math.sqrt(y[p] * y[p] + y[p + 1] * y[p + 1] + y[p + 2] * y[p + 2] + y[p + 3] * y[p + 3])
        for k in range(4):
            y[p + k] /= size


@kernel
def local_rates(step: Floats, y: Floats, rotations: Rotations, rates: Floats) -> None:
    """Replace ė by φ̇ = ω + ½ φ×ω + κ φ×(φ×ω), κ = (1 − |φ|/2 cot(|φ|/2))/|φ|², where rotations are turned."""
    if not rotations.exponential:
        return
    for r in range(rotations.places.shape[0]):
        p, w = rotations.places[r, 0], rotations.places[r, 1]
        x1, x2, x3 = step[p], step[p + 1], step[p + 2]
        w1, w2, w3 = y[w], y[w + 1], y[w + 2]
        square = x1 * x1 + x2 * x2 + x3 * x3
        half = 0.5 * math.sqrt(square)
        kappa = 1.0 / 12.0 + square / 720.0 if half < _SMALL_ANGLE else (1.0 - half / math.tan(half)) / square
        c1, c2, c3 = x2 * w3 - x3 * w2, x3 * w1 - x1 * w3, x1 * w2 - x2 * w1
        rates[p] = w1 + 0.5 * c1 + kappa * (x2 * c3 - x3 * c2)
        rates[p + 1] = w2 + 0.5 * c2 + kappa * (x3 * c1 - x1 * c3)
        rates[p + 2] = w3 + 0.5 * c3 + kappa * (x1 * c2 - x2 * c1)
        rates[p + 3] = 0.0
