"""Motions at equal achieved error: every solver gets the coarsest setting that reaches it, then all are timed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter

import numpy as np
from peers.solver import Solver
from peers.tree import Floats
from timing import Candidate, Timing, measure

_NARROW = 3.0
"""Errors within this factor below the error aimed at are accepted as equal."""
_FAR = 1.5
"""The ratio of a setting that is too coarse to one that is fine enough from which those between are tried."""
_ATTEMPTS = 9
_LONGEST = 15.0
"""Seconds that one run may be expected to take; after one that took longer, a solver is tried with no other setting."""
_SHORTEST = 2.0
"""Seconds that one run of a peer may take in any case."""
_SLOW = 300.0
"""How many times slower than gyrostat's runs those of a peer may be in the search of its setting."""
_HOPELESS = 3.0
"""How many times slower than another way of its package a solver may be, still too coarse, until it is given up."""
_COARSEST = 1e3
"""How many times the first setting the coarsest one may be: motions that events end do not depend on it."""
_PATIENCE = 6.0
"""Seconds that the slowest candidate may take in all its rounds, if these are more than three."""


@dataclass(frozen=True)
class Matched:
    """A solver with the setting that gives the error aimed at, and the error."""

    solver: Solver
    setting: float
    error: float

    @property
    def run(self) -> partial[object]:
        """The run with that setting."""
        return partial(self.solver.run, self.setting)


@dataclass(frozen=True)
class MotionRow:
    """A motion: our time and error, a peer's, the ratio of times; where a peer failed, why."""

    motion: str
    ours: str
    seconds: float
    error: float
    peer: str
    peer_seconds: float | None
    peer_error: float | None
    ratio: float | None
    target: float | None
    failure: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none, or nothing to compare with."""
        return None if self.target is None or self.ratio is None else self.ratio <= self.target


def error_of(q: Floats, reference: Floats) -> float:
    """Return the largest difference of a coordinate at the end of a motion; infinity where one is not finite."""
    return float(np.max(np.abs(q - reference))) if np.isfinite(q).all() else float("inf")


def match(solver: Solver, reference: Floats, error: float, longest: float = _LONGEST) -> Matched | str:
    """Return the setting whose error lies just below the error aimed at, or a reason why there is none.

    The search follows the solver's order of convergence; where errors jump, the coarsest setting that was found to be
    fine enough is taken. Steps become no shorter than a run of the longest duration (s) allows.
    """
    setting, fine, coarse = solver.first, 0.0, np.inf
    best: Matched | None = None
    least = np.inf
    reason, limited = "", ""
    for _ in range(_ATTEMPTS):
        began = perf_counter()
        try:
            found = error_of(solver.run(setting).q, reference)
        except (ArithmeticError, ValueError, RuntimeError) as failure:
            found, reason = float("inf"), str(failure).strip().splitlines()[0]
        least = min(least, found)
        if found <= error:
            fine = max(fine, setting)
            if best is None or setting > best.setting:
                best = Matched(solver, setting, found)
            if found >= error / _NARROW and not fine * _FAR < coarse < np.inf:
                break
        else:
            coarse = min(coarse, setting)
        spent = perf_counter() - began
        if spent > 0.7 * longest:
            limited = f" in runs of {spent:.1g} s"
            break
        previous = setting
        aimed = 0.6 * error / max(found, 1e-3 * error) if np.isfinite(found) else 1e-2
        setting *= float(np.clip(aimed, 1e-4, 1e3)) ** (1.0 / solver.order)
        if fine and np.isfinite(coarse) and not fine < setting < coarse:
            setting = float(np.sqrt(fine * coarse))
        elif fine and np.isfinite(coarse) and fine * _FAR < coarse:  # an error of the model hides that of the steps
            setting = float(np.clip(setting, fine * _FAR**0.5, coarse / _FAR**0.5))
        if solver.setting == "step":
            setting = max(setting, previous * spent / longest)
        setting = min(setting, _COARSEST * solver.first)
        if setting == previous:
            break
    if best is None:
        return f"failed: {reason}" if reason and not np.isfinite(least) else f"no better than {least:.0e}{limited}"
    return best


def compare_motions(
    motion: str,
    own: Sequence[Solver],
    peers: Sequence[Solver],
    targets: dict[str, float],
    reference: Floats,
    *,
    error: float,
    rounds: int,
) -> list[MotionRow]:
    """Return a row for each of our ways and each package, of which only the fastest way counts."""
    ours = [found for solver in own if isinstance(found := match(solver, reference, error), Matched)]
    if not ours:
        raise AssertionError(f"gyrostat does not reach an error of {error:g} in {motion!r}.")
    usual = min(_LONGEST, max(_SHORTEST, _SLOW * min(_once(one) for one in ours)))
    fastest: dict[str, Matched] = {}
    failures: dict[str, list[str]] = {}
    times: dict[str, float] = {}
    for solver in peers:
        longest = min(usual, _HOPELESS * times.get(solver.package, np.inf))
        found = match(solver, reference, error, longest)
        if isinstance(found, str):
            failures.setdefault(solver.package, []).append(f"{solver.method}: {found}")
            continue
        spent = _once(found)
        if spent < times.get(solver.package, np.inf):
            times[solver.package], fastest[solver.package] = spent, found
    candidates = {one.solver.name: _candidate(one) for one in (*ours, *fastest.values())}
    slowest = max(times.values(), default=0.0)
    timing = measure(candidates, rounds=max(3, min(rounds, int(_PATIENCE / (slowest + 1e-9)))))
    packages = dict.fromkeys(solver.package for solver in peers)
    return [
        _row(motion, one, package, fastest.get(package), timing, targets, failures.get(package, []))
        for one in ours
        for package in packages
    ]


def _row(
    motion: str,
    own: Matched,
    package: str,
    peer: Matched | None,
    timing: Timing,
    targets: dict[str, float],
    failures: list[str],
) -> MotionRow:
    name, target = own.solver.name, targets.get(package)
    ours = own.solver.method, timing.seconds(name), own.error
    if peer is None:
        return MotionRow(motion, *ours, package, None, None, None, target, "; ".join(failures))
    label = f"{peer.solver.name}, {peer.solver.setting} {peer.setting:.1e}"
    ratio = timing.ratio(name, peer.solver.name)
    return MotionRow(motion, *ours, label, timing.seconds(peer.solver.name), peer.error, ratio, target)


def _once(matched: Matched) -> float:
    times = []
    for _ in range(2):
        began = perf_counter()
        matched.run()
        times.append(perf_counter() - began)
    return min(times)


def _candidate(matched: Matched) -> Candidate:
    found = matched.solver.run(matched.setting)
    if found.seconds is None:
        return Candidate(matched.run)
    return Candidate(lambda: matched.solver.run(matched.setting).seconds, own_clock=True)
