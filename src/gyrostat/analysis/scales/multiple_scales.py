"""The method of multiple scales: approximate solutions of weakly nonlinear oscillators near resonances."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gyrostat.analysis.scales.approximation import MultipleScales
from gyrostat.analysis.scales.basis import FrequencyBasis
from gyrostat.analysis.scales.expansion import PerturbationExpansion
from gyrostat.analysis.scales.frequencies import Resonance
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.refusals import UndeclaredResonanceError, declaration, exact_resonance
from gyrostat.analysis.scales.small_divisors import NearResonance, exact_ratios, near_resonances
from gyrostat.errors import Fault, ModelError, StateError
from gyrostat.lazy import later
from gyrostat.program.warning import GyrostatWarning

if TYPE_CHECKING:
    from gyrostat.analysis.scales import mechanism, mechanism_record
    from gyrostat.analysis.scales.mechanism_record import Mechanism
    from gyrostat.analysis.scales.ordering import Ordering
    from gyrostat.model import Model
    from gyrostat.system import System
else:
    mechanism, mechanism_record = later("gyrostat.analysis.scales", "mechanism", "mechanism_record")

NEARNESS = 0.1
"""Relative distance of an excitation frequency from a natural frequency that counts as near resonance."""

_RESONANCE_LIMIT = 12
_FREQUENCY_TOLERANCE = 1e-9
"""Relative difference below which frequencies are equal."""


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
    `at`, `inputs`, `parameters`, `ordering` and `floating` are as in `oscillators_of`.

    Order N keeps the slow scales T₁ … T_N and x through ε^(N−1): over times up to T/ε the error is of order ε^N.
    `resonances` are relations between frequencies such as "Omega ≈ w0" or "w2 ≈ 2*w1 + eps*sigma". Without them,
    and with values of the frequencies, resonances within `nearness` are found; with them, further near resonances cause
    a warning.

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
    how = {"at": at, "inputs": inputs, "parameters": parameters, "ordering": ordering, "floating": floating}
    origin = None
    if isinstance(problem, Oscillators):
        _refuse_options(how)
    else:
        origin = _mechanism_of(problem, order, declared or (), how)
        problem = origin.oscillators
    expansion, notes = (
        _found(problem, order, nearness) if declared is None else _given(problem, order, declared, nearness)
    )
    return MultipleScales(problem, order, expansion, notes, origin)


def _mechanism_of(
    problem: Mechanism | System | Model, order: int, declared: tuple[Resonance, ...], how: Mapping[str, Any]
) -> Mechanism:
    """Return a mechanism as oscillators, expanded at least to an order."""
    if isinstance(problem, mechanism_record.Mechanism):
        _refuse_options(how)
        found = problem
    else:
        found = mechanism.oscillators_of(problem, order=order, resonances=declared, **how)
    if found.order < order:
        raise StateError(
            f"The mechanism was expanded to order {found.order} and order {order} is requested. Expand it with "
            f"oscillators_of(…, order={order})."
        )
    return found


def _refuse_options(how: Mapping[str, object]) -> None:
    """Raise an error for options of mechanisms if oscillators are given."""
    if given := [name for name, value in how.items() if value is not None]:
        raise StateError(
            f"{', '.join(given)} are options of mechanisms, and oscillators are given. Leave them out; "
            "values of parameters belong to the oscillators."
        )


def _given(
    problem: Oscillators, order: int, declared: tuple[Resonance, ...], nearness: float
) -> tuple[PerturbationExpansion, tuple[str, ...]]:
    """Expand with declared resonances; raise an error for others that hold exactly, warn of near ones."""
    for ratio in exact_ratios(problem):
        if ratio.frequency not in {resonance.frequency for resonance in declared}:
            raise ModelError(
                Fault(
                    f"frequency {ratio.frequency!r}",
                    f"equals {ratio.near}: an undeclared resonance.",
                    declaration(ratio),
                )
            )
    expansion = _expanded(problem, order, declared)
    notes = []
    for near in near_resonances(expansion, _numbers(expansion), nearness):
        if near.distance < _FREQUENCY_TOLERANCE:
            k = problem.names.index(near.oscillator)
            raise exact_resonance(problem, k, near.force, near.natural)
        notes.append(_warning(near))
        warnings.warn(_warning(near), GyrostatWarning, stacklevel=3)
    return expansion, tuple(notes)


def _found(problem: Oscillators, order: int, nearness: float) -> tuple[PerturbationExpansion, tuple[str, ...]]:
    """Expand with the resonances that are found: exact ones, and near ones by numbers."""
    taken = list(exact_ratios(problem))
    notes = [f"Found a resonance that holds exactly: {resonance}." for resonance in taken]
    while True:
        try:
            expansion = _expanded(problem, order, tuple(taken))
        except UndeclaredResonanceError as error:
            if error.resonance is None or len(taken) >= _RESONANCE_LIMIT:
                raise
            taken.append(error.resonance)
            notes.append(f"Found a resonance: {error.resonance} is taken.")
            continue
        found = list(near_resonances(expansion, _numbers(expansion), nearness))
        new = _independent(found) if len(taken) < _RESONANCE_LIMIT else []
        for near in new:
            notes.append(f"Found a resonance: {near}; {near.resonance} is taken.")
        taken += [near.resonance for near in new if near.resonance is not None]
        if not new:
            for near in found:
                notes.append(_warning(near))
                warnings.warn(_warning(near), GyrostatWarning, stacklevel=3)
            return expansion, tuple(notes)


def _independent(found: list[NearResonance]) -> list[NearResonance]:
    """Return near resonances that are compatible, nearest first: none determines a frequency of another."""
    explained: set[str] = set()
    used: set[str] = set()
    chosen = []
    for near in found:
        resonance = near.resonance
        if resonance is None or resonance.frequency in explained | used:
            continue
        if explained.isdisjoint(resonance.near.names):
            chosen.append(near)
            explained.add(resonance.frequency)
            used |= {*resonance.near.names}
    return chosen


def _expanded(problem: Oscillators, order: int, resonances: tuple[Resonance, ...]) -> PerturbationExpansion:
    names = [name for oscillator in problem.oscillators for name in oscillator.frequency.names]
    return PerturbationExpansion(problem, order, FrequencyBasis.of([*names, *problem.forcing_frequencies], resonances))


def _numbers(expansion: PerturbationExpansion) -> dict[str, float]:
    """Return the known values of base frequencies."""
    problem = expansion.problem
    return expansion.basis.values(problem.values, problem.values.get(problem.small), problem.small)


def _warning(near: NearResonance) -> str:
    if near.resonance is None:
        remedy = "give the frequencies names, so that their relation can be declared."
    else:
        remedy = f"declare '{near.resonance.frequency} ≈ {near.resonance.near}'."
    return f"A near resonance is not declared: {near}. Its small divisor spoils the result; {remedy}"
