"""Multiple scales: approximate analytical solutions of weakly nonlinear oscillators, resonances declared or found."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from gyrostat.analysis.scales.approximation import MultipleScales
from gyrostat.analysis.scales.basis import FrequencyBasis
from gyrostat.analysis.scales.expansion import Expansion
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.resonance import Resonance
from gyrostat.analysis.scales.small_divisors import NearResonance, near_resonances
from gyrostat.errors import StateError
from gyrostat.program.warning import GyrostatWarning

if TYPE_CHECKING:
    from gyrostat.analysis.scales.mechanism import Mechanism
    from gyrostat.analysis.scales.ordering import Ordering
    from gyrostat.model import Model
    from gyrostat.pipeline import System

NEARNESS = 0.1
"""How near, relative to it, a force must come to a natural frequency to count as near resonance."""

_MOST_FOUND = 12


def multiple_scales(
    problem: Oscillators | Mechanism | System | Model,
    order: int = 1,
    resonances: Iterable[Resonance | str] | None = None,
    *,
    nearness: float = NEARNESS,
    at: object = None,
    inputs: Mapping[str, object] | None = None,
    parameters: Mapping[str, object] | None = None,
    ordering: Ordering | None = None,
    floating: bool | None = None,
) -> MultipleScales:
    """Return the approximate solution of weakly nonlinear oscillators by the method of multiple scales.

    The problem is given as `Oscillators`, or as a mechanism, which is written as oscillators about its equilibrium;
    `at`, `inputs`, `parameters`, `ordering` and `floating` say how, as in `oscillators_of`.

    Order N keeps the slow scales T₁ … T_N and x through ε^(N−1): over times up to T/ε the error is of order ε^N.
    `resonances` are relations between frequencies such as "Omega ≈ w0" or "w2 ≈ 2*w1 + eps*sigma". Where none are given
    and values of the frequencies are known, resonances within `nearness` are found; where some are given, others that
    are near cause a warning.

    >>> problem = Oscillators("x'' + w0**2*x + 2*eps*mu*x' + eps*alpha*x**3 = eps*F*cos(Omega*t)")
    >>> ms = multiple_scales(problem, order=1, resonances=["Omega = w0 + eps*sigma"])
    >>> print(ms.polar_form)
    a' = F*eps*sin(gamma)/(2*w0) - a*eps*mu
    gamma' = F*eps*cos(gamma)/(2*a*w0) - 3*a**2*alpha*eps/(8*w0) + eps*sigma
    where gamma = -beta + eps*sigma*t
    """
    if order < 1 or int(order) != order:
        raise StateError(f"The order is {order}; it counts the slow scales that are kept: 1, 2, 3, ….")
    declared = None if resonances is None else tuple(Resonance.of(resonance) for resonance in resonances)
    mechanism: Mechanism | None = None
    if not isinstance(problem, Oscillators):
        from gyrostat.analysis.scales.mechanism import Mechanism, oscillators_of

        mechanism = (
            problem
            if isinstance(problem, Mechanism)
            else oscillators_of(
                problem,
                order=order,
                at=at,
                inputs=inputs,
                parameters=parameters,
                ordering=ordering,
                resonances=declared or (),
                floating=floating,
            )
        )
        problem = mechanism.oscillators
    expansion = _expanded(problem, order, declared or ())
    values = dict(problem.values)
    notes: list[str] = []
    if declared is None:
        for _ in range(_MOST_FOUND):
            near = next(near_resonances(expansion, _numbers(expansion, values), nearness), None)
            if near is None:
                break
            notes.append(f"Found a resonance: {near}; {near.resonance} is taken.")
            expansion = _expanded(problem, order, (*expansion.basis.resonances, near.resonance))
    else:
        for near in near_resonances(expansion, _numbers(expansion, values), nearness):
            notes.append(_warning(near))
            warnings.warn(_warning(near), GyrostatWarning, stacklevel=2)
    return MultipleScales(problem, order, expansion, tuple(notes), mechanism)


def _expanded(problem: Oscillators, order: int, resonances: tuple[Resonance, ...]) -> Expansion:
    names = [name for oscillator in problem.oscillators for name in oscillator.frequency.names]
    return Expansion(problem, order, FrequencyBasis.of([*names, *problem.forcing_frequencies], resonances))


def _numbers(expansion: Expansion, values: Mapping[str, float]) -> dict[str, float]:
    problem = expansion.problem
    return expansion.basis.values(values, values.get(problem.small), problem.small)


def _warning(near: NearResonance) -> str:
    relation = f"{near.resonance.frequency} ≈ {near.resonance.near}"
    return f"A near resonance is not declared: {near}. Its small divisor spoils the result; declare {relation!r}."
