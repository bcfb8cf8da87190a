"""Kernels for multistep methods: rates independent of the norm of Euler parameters, and the polynomial of a step."""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.local_coordinates import clear, copy, is_finite, normalise
from gyrostat.analysis.kernels.problem import Equations, Floats
from gyrostat.analysis.kernels.right_side import evaluate_here, set_inputs
from gyrostat.program.translation import kernel


@kernel
def set_normalised(equations: Equations, t: float, within: float, y: Floats) -> None:
    """Write time, inputs and state into x, with Euler parameters of unit length."""
    copy(y, equations.state)
    normalise(equations.rotations, equations.state)
    set_inputs(equations, t, within)


@kernel
def homogeneous_rates(equations: Equations, t: float, within: float, y: Floats, rates: Floats) -> bool:
    """Write ẏ into rates and return whether it is finite; a rotation's Euler parameters e may have any length.

    The mechanics sees e/|e|, and ė grows with |e|: errors of the length, which a multistep method does not correct,
    change no motion.
    """
    rotations = equations.rotations
    copy(y, equations.state)
    normalise(rotations, equations.state)
    evaluate_here(equations, t, within, rates)
    for r in range(rotations.places.shape[0]):
        p = rotations.places[r, 0]
        size = math.sqrt(y[p] * y[p] + y[p + 1] * y[p + 1] + y[p + 2] * y[p + 2] + y[p + 3] * y[p + 3])
        for i in range(p, p + 4):
            rates[i] *= size
    return is_finite(rates)


@kernel
def polynomial_through(nodes: Floats, states: Floats, polynomial: Floats, factor: Floats) -> None:
    """Write the powers of θ of the polynomial through states at nodes, the first of which is θ = 0.

    Divided differences, which keep their accuracy also at a high degree; `states` is overwritten, and so is `factor`,
    one number for each node.
    """
    count, n = states.shape
    for i in range(n):
        for order in range(1, count):
            for k in range(count - 1, order - 1, -1):
                states[k, i] = (states[k, i] - states[k - 1, i]) / (nodes[k] - nodes[k - order])
    for j in range(count - 1):
        for i in range(n):
            polynomial[j, i] = 0.0
    # factor holds the powers of θ Π (θ − node) / θ, that is, those of θ^1, θ^2, …
    clear(factor)
    factor[0] = 1.0
    for order in range(1, count):
        for j in range(order):
            for i in range(n):
                polynomial[j, i] += states[order, i] * factor[j]
        for j in range(order, 0, -1):
            factor[j] = factor[j - 1] - nodes[order] * factor[j]
        factor[0] *= -nodes[order]
