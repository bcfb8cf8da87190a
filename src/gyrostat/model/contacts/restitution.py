"""Damping of the Hunt–Crossley law for a coefficient of restitution."""

from __future__ import annotations

from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, is_number, multiply, negate, subtract

_ROUNDS = 4
"""Newton steps; from e = 0.1 to 0.95 the third changes the result by rounding only."""


def impact_damping(restitution: Scalar, scalars: Scalars) -> Scalar:
    """Return δ = χ v with which F = k dⁿ (1 + χ ḋ) returns a body of approach speed v with the speed e v.

    With v dv = −(F/m) dd, the depth cancels, whatever n: ∫ v/(1 + χ v) dv over approach and return vanishes, which is
    δ (1 + e) = ln((1 + δ)/(1 − e δ)). It is solved for y = −ln(1 − e δ), which is nearly linear in the equation.

    >>> from gyrostat.scalar import FloatScalars
    >>> round(impact_damping(0.5, FloatScalars()), 9)
    1.432750533
    """
    e, call = restitution, scalars.call
    if is_number(e) and e >= 1:
        return 0
    y = multiply(1.5, multiply(subtract(1, e), scalars.power(e, -0.75)))
    for _ in range(_ROUNDS):
        remaining = call("exp", (negate(y),))
        delta = divide(subtract(1, remaining), e)
        residual = add(subtract(y, multiply(delta, add(1, e))), call("log", (add(1, delta),)))
        slope = subtract(1, multiply(divide(remaining, e), subtract(add(1, e), divide(1, add(1, delta)))))
        y = subtract(y, divide(residual, slope))
    return divide(subtract(1, call("exp", (negate(y),))), e)
