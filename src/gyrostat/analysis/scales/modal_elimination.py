"""Parameters written by frequencies: where k = m ω² holds, results read better in ω than in k."""

from __future__ import annotations

from collections.abc import Mapping

from gyrostat.analysis.scales.excitation import names_in
from gyrostat.analysis.scales.modal_blocks import Mode
from gyrostat.analysis.scales.modal_linear import LinearPart
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Element, ExactRing, substitute
from gyrostat.scalar.exact.harmonics import UNIT


def elimination(
    mode: Mode, linear: LinearPart, ring: ExactRing, i: int, before: Mapping[str, Scalar], keep: frozenset[str]
) -> dict[str, Scalar]:
    """Return a parameter of one stiffness, linear in it and in no mass, written by the frequency; {} where none is.

    The stiffness is of coordinate i, which is its own mode; `before` are parameters that are replaced already.
    """
    stiffness, mass = linear.stiffness[i][i], linear.mass[i][i]
    n = range(len(linear.coordinates))
    masses = frozenset().union(*(names_in(linear.mass[j][k]) for j in n for k in n))
    others = frozenset().union(*(names_in(linear.stiffness[j][k]) for j in n for k in n if (j, k) != (i, i)))
    used = frozenset().union(*(names_in(value) for value in before.values()))
    omega = ring.symbol(mode.frequency)
    fit = names_in(stiffness) - masses - keep - before.keys() - used
    for name in sorted(fit, key=lambda name: (name in others, name)):
        slope, rest = _linear_in(stiffness, name)
        if slope is not None and _is_monomial(slope) and not names_in(rest) & before.keys():
            return {name: (mass * omega * omega - rest) / slope}
    return {}


def _linear_in(value: Element, name: str) -> tuple[Scalar | None, Scalar]:
    """Return a and b of a value a × name + b; a is None where it is not of that kind."""
    index = value.ring.generator(name).index
    value.lifted()
    if dict(value.below).get(index) or any(int(c.degrees()[index]) > 1 for c in value.terms.values()):
        return None, 0
    rest = substitute(value, {name: 0})
    slope = substitute(value, {name: 1}) - rest
    return (None, 0) if name in names_in(slope) | names_in(rest) else (slope, rest)


def _is_monomial(value: Scalar) -> bool:
    return not isinstance(value, Element) or (list(value.terms) == [UNIT] and len(value.terms[UNIT]) == 1)
