"""Timing: candidates run alternately, so that a busy machine slows all of them alike."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True)
class Candidate:
    """What is timed: `run` makes `evaluations` evaluations; with a clock of its own it returns the seconds."""

    run: Callable[[], object]
    evaluations: int = 1
    own_clock: bool = False


@dataclass(frozen=True)
class Timing:
    """Seconds for each evaluation: for every candidate one value from each round."""

    rounds: Mapping[str, Sequence[float]]

    def seconds(self, name: str) -> float:
        """Return the median of a candidate's rounds."""
        return median(self.rounds[name])

    def ratio(self, name: str, reference: str) -> float:
        """Return the median, over rounds, of a candidate's time divided by the reference's in the same round."""
        pairs = zip(self.rounds[name], self.rounds[reference], strict=True)
        return median(own / other for own, other in pairs)


def measure(
    candidates: Mapping[str, Candidate],
    *,
    rounds: int = 21,
    least: float = 4e-3,
    clock: Callable[[], float] = perf_counter,
) -> Timing:
    """Time candidates alternately, each for at least `least` seconds in every round."""
    repeats = {name: _repeats(candidate, least, clock) for name, candidate in candidates.items()}
    found: dict[str, list[float]] = {name: [] for name in candidates}
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, candidate in candidates.items():
                elapsed = _elapsed(candidate, repeats[name], clock)
                found[name].append(elapsed / (repeats[name] * candidate.evaluations))
    finally:
        if collecting:
            gc.enable()
    return Timing(found)


def _elapsed(candidate: Candidate, repeats: int, clock: Callable[[], float]) -> float:
    run = candidate.run
    if candidate.own_clock:
        return sum(float(run()) for _ in range(repeats))  # type: ignore[arg-type]
    start = clock()
    for _ in range(repeats):
        run()
    return clock() - start


def _repeats(candidate: Candidate, least: float, clock: Callable[[], float]) -> int:
    """Return how often a function must run to take `least` seconds."""
    candidate.run()
    repeats = 1
    while (elapsed := _elapsed(candidate, repeats, clock)) < least:
        repeats = max(2 * repeats, int(1.2 * repeats * least / max(elapsed, 1e-9)))
    return repeats
