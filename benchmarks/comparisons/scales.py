"""Multiple scales beside oscilate: time from equations to modulation equations in polar form."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from scales_problems import DUFFING, ONE_THREE, ONE_TWO, ScalesProblem
from sympy.core.cache import clear_cache

import gyrostat as gs
from comparisons.agreement import demand_agreement, difference

TARGET = 50.0
"""How many times faster than the peer it must be."""

_PATIENCE = 120
"""Seconds that a peer is given for one problem."""
_AGREES = 2
"""Through this order the peer's results agree; at order three even a linear oscillator's differ, by terms of ε³."""
_CASES = ((DUFFING, 1), (DUFFING, 2), (DUFFING, 3), (ONE_TWO, 1), (ONE_THREE, 1), (ONE_TWO, 2))
_VALUES = {"w1": 1.1, "c": 0.3, "g": 0.7, "F": 0.9, "delta": 0.4, "sigma": 0.2, "eps": 0.1}
_AMPLITUDES, _PHASES = [0.8, 0.5], [0.3, 1.1]


@dataclass(frozen=True)
class ScalesRow:
    """One problem: seconds here and there, how many times as long the peer takes, and the largest difference.

    Where the peer fails, its seconds are missing and `failure` tells what it says.
    """

    problem: str
    order: int
    seconds: float
    peer_seconds: float | None
    times_faster: float | None
    difference: float | None
    failure: str = ""

    @property
    def met(self) -> bool:
        """Whether the target is met; where the peer fails, that ours gives a result is enough."""
        return self.times_faster is None or self.times_faster >= TARGET


def compare_scales(*, short: bool) -> list[ScalesRow]:
    """Measure all problems; runs of both sides alternate, with SymPy's cache emptied before each.

    There are none where the peer is not installed.
    """
    if find_spec("oscilate") is None:
        return []
    _solved(DUFFING, 1)  # loads what is loaded when it is first used
    return [_compared(problem, order, 1 if short else 3) for problem, order in _CASES]


def _compared(problem: ScalesProblem, order: int, rounds: int) -> ScalesRow:
    from peers import oscilate_peer

    ours: list[float] = []
    theirs: list[float] = []
    failure, worst = "", None
    for _ in range(rounds):
        seconds, found = _timed(lambda: _solved(problem, order))
        ours.append(seconds)
        if failure:
            continue
        try:
            with _patience():
                seconds, rates = _timed(lambda: oscilate_peer.amplitude_rates(problem, order))
        except Exception as error:  # whatever the peer stumbles over is reported
            failure = f"{type(error).__name__}: {error}"[:120]
            continue
        theirs.append(seconds)
        other = np.array([oscilate_peer.numbers(rates, _VALUES, _AMPLITUDES, _PHASES)])
        results = {"rates": np.array([_numbers(found)])}, {"rates": other}
        worst = difference(*results)
        if order <= _AGREES:
            demand_agreement("oscilate", f"{problem.name}, order {order}", *results)
    if not theirs:
        return ScalesRow(problem.name, order, median(ours), None, None, None, failure)
    ratio = median(b / a for a, b in zip(ours, theirs, strict=False))  # a peer may give up in a later round
    return ScalesRow(problem.name, order, median(ours), median(theirs), ratio, worst)


@contextmanager
def _patience() -> Iterator[None]:
    """Context manager that ends a peer's endless simplification, which depends on the order of hashed symbols."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"no result within {_PATIENCE} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(_PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _solved(problem: ScalesProblem, order: int) -> gs.MultipleScales:
    ms = gs.multiple_scales(gs.Oscillators(*problem.equations), order, problem.resonances)
    assert ms.polar_form.rates
    return ms


def _numbers(ms: gs.MultipleScales) -> list[float]:
    """Return the rates of the amplitudes at the same point."""
    notation, known = ms.notation, dict(_VALUES)
    rates = ms.polar_form.rates
    at = {symbol: known[symbol.name] for rate in rates.values() for symbol in rate.free_symbols if symbol.name in known}
    at |= dict(zip(notation.amplitudes, _AMPLITUDES, strict=False))
    for gamma, vector in ms.modulation.gammas.items():
        at[gamma] = sum(v * phase for v, phase in zip(vector, _PHASES[: ms.modulation.n], strict=False))
    return [float(rates[a].subs(at)) for a in notation.amplitudes]


def _timed(call: Callable[[], Any]) -> tuple[float, Any]:
    clear_cache()
    gc.collect()
    began = process_time()
    result = call()
    return process_time() - began, result
