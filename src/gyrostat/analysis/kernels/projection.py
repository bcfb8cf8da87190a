"""Projection of a state onto the constraints: the smallest change in the metric of the masses."""

from __future__ import annotations

from gyrostat.analysis.kernels.local_coordinates import normalise
from gyrostat.analysis.kernels.problem import Equations, Floats, Projection
from gyrostat.analysis.kernels.right_side import set_state
from gyrostat.program.translation import call, kernel, rare_kernel

_RESIDUAL_LIMIT = 1e-7
"""A residual, relative to the size of the mechanism, after which one step of Newton's method leaves only rounding."""
_TRIALS = 8


@rare_kernel
def project(equations: Equations, t: float, within: float, y: Floats) -> bool:
    """Project y onto the constraints, coordinates first and then speeds; return whether Newton's method converged."""
    projection, x = equations.projection, equations.x
    if projection.coordinates == 0:
        return True
    found, n_q = projection.found, projection.n_q
    near = False
    for _ in range(_TRIALS):
        set_state(equations, t, within, y)
        call(projection.coordinates, x.ctypes.data, found.ctypes.data)
        largest = 0.0
        for i in range(n_q, n_q + projection.rows):
            largest = max(largest, abs(found[i]))
        if not largest < 1e300:
            return False
        near = largest <= _RESIDUAL_LIMIT * projection.size
        change = 0.0
        for i in range(n_q):
            change = max(change, abs(found[i] - y[i]))
        if near and change * change * projection.size > largest:
            break  # at a singular position so long a step leaves more than it takes away
        for i in range(n_q):
            y[i] = found[i]
        normalise(equations.rotations, y)
        if near:
            break
    set_state(equations, t, within, y)
    call(projection.speeds, x.ctypes.data, found.ctypes.data)
    for i in range(projection.n_u):
        y[n_q + i] = found[i]
    return near


@kernel
def nearness(projection: Projection, pivots: Floats) -> float:
    """Return how near a singular position is: the smallest pivot, or the product of all, in terms of its largest value.

    The larger of both counts. Rows that turn with a body exchange light and heavy directions, which changes pivots by
    the ratio of their masses but not the product; that of many rows changes in regular motions too.
    """
    if projection.rows == 0:
        return 1.0
    largest, smallest, product = projection.largest_pivots, 1.0, 1.0
    for i in range(projection.rows):
        size = abs(pivots[i])
        product *= size
        if size > largest[i]:
            largest[i] = size
        elif size < smallest * largest[i]:
            smallest = size / largest[i]
    if product > largest[projection.rows]:
        largest[projection.rows] = product
    share = product / largest[projection.rows] if largest[projection.rows] > 0.0 else 0.0
    return share if share > smallest else smallest
