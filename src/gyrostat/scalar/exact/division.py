"""Exact division of trigonometric polynomials.

With t = tan(θ/2) for each angle, cos θ = (1 − t²)/(1 + t²) and sin θ = 2t/(1 + t²): a trigonometric polynomial becomes
a polynomial in t over a power of 1 + t², polynomials divide, and the quotient is read back.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
from flint.utils.flint_exceptions import DomainError

from gyrostat.scalar.exact.element import Element, settled
from gyrostat.scalar.exact.harmonics import COSINE, UNIT
from gyrostat.scalar.exact.numbers import as_fraction
from gyrostat.scalar.operations import Scalar

_TERM_LIMIT = 4000
"""Terms of a dividend beyond which a division by a trigonometric polynomial is not tried."""


def exact_quotient(dividend: Element, divisor: Element) -> Scalar | None:
    """Return dividend/divisor, or None where that is no trigonometric polynomial; the divisor is over one."""
    dividend.lifted()
    divisor.lifted()
    if len(divisor.terms) == 1 and UNIT in divisor.terms:
        quotients = _coefficients(dividend.terms, divisor.terms[UNIT])
        return None if quotients is None else settled(dividend.ring, quotients, dividend.below, dividend.marks)
    return _half_angles(dividend, divisor)


def _coefficients(terms: dict[int, Any], divisor: Any) -> dict[int, Any] | None:
    quotients = {}
    for h, c in terms.items():
        try:
            quotients[h] = c / divisor
        except DomainError:
            return None
    return quotients


def _half_angles(dividend: Element, divisor: Element) -> Scalar | None:
    ring = dividend.ring
    angles = sorted(dividend.used_angles() | divisor.used_angles())
    if not divisor.used_angles() <= dividend.used_angles() or dividend.n_terms() > _TERM_LIMIT:
        return None
    places = {angle: ring.context.nvars() + i for i, angle in enumerate(angles)}
    context = _with_half_angles(dividend, angles)
    above, degrees = _rational(dividend, places, context)
    under, divisor_degrees = _rational(divisor, places, context)
    # a/p = A Π(1+t²)^(n_p − n_a) / P; whatever of P is a power of 1 + t² goes to the denominator
    missing = {angle: degrees[angle] - divisor_degrees[angle] for angle in angles}
    variables = context.gens()
    for angle, place in places.items():
        factor = 1 + variables[place] ** 2
        while True:
            try:
                under = under / factor
            except DomainError:
                break
            missing[angle] += 1
    try:
        quotient = above / under
    except DomainError:
        return None
    for angle, place in places.items():
        need = max(missing[angle], 0)
        quotient = quotient * (1 + variables[place] ** 2) ** (need - missing[angle])
        missing[angle] = need
        if int(quotient.degrees()[place]) > 2 * need:
            return None
    return _read_back(dividend, quotient, places, missing)


def trig_square_root(element: Element) -> tuple[Fraction, Scalar] | None:
    """Return (c, s) with element = c s², or None where it is no square; the element is over one.

    1 − cos 2a is 2 sin² a.
    """
    element.lifted()
    ring = element.ring
    if element.n_terms() > _TERM_LIMIT // 40:
        return None
    angles = sorted(element.used_angles())
    places = {angle: ring.context.nvars() + i for i, angle in enumerate(angles)}
    context = _with_half_angles(element, angles)
    value, degrees = _rational(element, places, context)
    for angle, degree in degrees.items():
        if degree % 2:
            value = value * (1 + context.gens()[places[angle]] ** 2)
            degrees[angle] += 1
    scale = value.leading_coefficient()
    try:
        root = (value * (1 / scale)).sqrt()
    except DomainError:
        return None
    return as_fraction(scale), _read_back(element, root, places, {angle: d // 2 for angle, d in degrees.items()})


def _with_half_angles(element: Element, angles: list[int]) -> Any:
    """Return the ring's context with a variable t for each angle behind the others."""
    names = [*element.ring.context.names(), *(f"t{angle}" for angle in angles)]
    return flint.fmpq_mpoly_ctx.get(names, flint.Ordering.lex)


def _rational(element: Element, places: dict[int, int], context: Any) -> tuple[Any, dict[int, int]]:
    """Return a polynomial in t and, for each angle, the power of 1 + t² that it is over."""
    factors = element.ring.harmonics.factors
    degrees = dict.fromkeys(places, 0)
    for h in element.terms:
        for _, _, combination in factors[h]:
            for angle, k in combination:
                degrees[angle] = max(degrees[angle], abs(k))
    variables = context.gens()
    total = context.constant(0)
    for h, c in element.terms.items():
        value = c.project_to_context(context)
        left = dict(degrees)
        for _, parity, combination in factors[h]:
            real, imaginary = context.constant(1), context.constant(0)
            for angle, k in combination:
                t = variables[places[angle]]
                one_real, one_imaginary = 1 - t**2, 2 * t if k > 0 else -2 * t
                left[angle] -= abs(k)
                for _ in range(abs(k)):
                    real, imaginary = (
                        real * one_real - imaginary * one_imaginary,
                        real * one_imaginary + imaginary * one_real,
                    )
            value = value * (real if parity == COSINE else imaginary)
        for angle, power in left.items():
            if power:
                value = value * (1 + variables[places[angle]] ** 2) ** power
        total = total + value
    return total, degrees


def _read_back(like: Element, quotient: Any, places: dict[int, int], powers: dict[int, int]) -> Scalar:
    """Return the element of a polynomial in t over Π(1 + t²)^powers."""
    ring = like.ring
    size = ring.context.nvars()
    parts: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
    for exponents, coefficient in quotient.to_dict().items():
        parts.setdefault(tuple(int(e) for e in exponents[size:]), {})[exponents[:size]] = coefficient
    total: Scalar = 0
    for in_t, mapping in parts.items():
        value: Scalar = settled(ring, {UNIT: ring.context.from_dict(mapping)}, like.below, like.marks)
        for angle, power in zip(sorted(places), in_t, strict=True):
            value = value * _half_angle_product(ring, angle, power, powers[angle])
        total = total + value
    return total


def _half_angle_product(ring: Any, angle: int, power: int, over: int) -> Scalar:
    """Return t^power/(1 + t²)^over = sin^power(θ/2) cos^(2 over − power)(θ/2)."""
    group = ring.angles[angle].group
    cosine, sine = ring.trig(0, group, {angle: 1}), ring.trig(1, group, {angle: 1})
    result: Scalar = 1 if power % 2 == 0 else sine / 2
    for _ in range(power // 2):
        result = result * ((1 - cosine) / 2)
    for _ in range((2 * over - power) // 2):
        result = result * ((1 + cosine) / 2)
    return result
