"""Budgets of a run: limits of steps and computing time, and the end of runs that would take years."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.progress import END, REJECTED, STEPS
from gyrostat.analysis.simulation.status import Ending, Outcome
from gyrostat.errors import StateError

_STEP_LIMIT = 1e9
"""A run that would need more steps than this for the rest of its time is ended."""
_PACE_STEPS = 200_000
"""The number of steps by which the pace is judged."""

YEAR = 365.25 * 86400.0
"""Seconds; a run without a budget whose rest would take longer is ended."""
WINDOW = 1.0
"""Seconds of computation over which the pace is measured; two successive windows decide."""
_LONGEST_ALARM = 1e8
"""Longest time (s) of an alarm, well within the range of the operating system's timers."""
_ALARM_INTERVAL = 0.1
"""Interval (s) at which the alarm repeats after the budget is exhausted."""

Watch: TypeAlias = Callable[[Run], Ending | None]
"""Returns the outcome of a run that must not go on, otherwise None."""


@dataclass(frozen=True)
class Budget:
    """Largest number of accepted steps and of seconds that the integration of a run may take; None for no limit.

    Seconds are elapsed time from the first step on. They include the compilation of programs during the integration;
    they are examined between steps, so that no compilation is cut short.
    """

    most_steps: int | None = None
    most_seconds: float | None = None

    @staticmethod
    def of(most_steps: Any, most_seconds: Any) -> Budget:
        """Read and validate the user's arguments."""
        if most_steps is not None and (
            isinstance(most_steps, bool)
            or not _is_number(most_steps)
            or most_steps < 1
            or most_steps != int(most_steps)
        ):
            raise StateError(f"most_steps is {most_steps!r}. Give a whole number of steps, 1 or more.")
        if most_seconds is not None and (
            isinstance(most_seconds, bool) or not _is_number(most_seconds) or not most_seconds > 0.0
        ):
            raise StateError(f"most_seconds is {most_seconds!r}. Give a positive number of seconds.")
        return Budget(
            None if most_steps is None else int(most_steps), None if most_seconds is None else float(most_seconds)
        )

    @property
    def given(self) -> bool:
        """Whether there is a limit."""
        return self.most_steps is not None or self.most_seconds is not None


def _is_number(value: Any) -> bool:
    try:
        return bool(abs(float(value)) < math.inf)
    except (TypeError, ValueError):
        return False


class BudgetEnded(BaseException):
    """The computing time is exhausted while a function of the user runs."""


class Meter:
    """Steps and time spent by a run, compared with its budget."""

    def __init__(self, budget: Budget, start: float, end: float) -> None:
        self.budget = budget
        self.ending: Ending | None = None
        """The outcome, once the budget is exhausted."""
        self.slowness = ""
        """A sentence on the pace, once that is hopeless."""
        self.watch: Watch | None = None
        """A condition of the state that ends the run, examined between chunks of steps."""
        self.calling = False
        """Whether a function of the user runs, which the alarm may end."""
        now = time.perf_counter()
        self.began = now
        self.deadline = None if budget.most_seconds is None else now + budget.most_seconds
        self._start, self._end = start, end
        self._steps_before = 0
        self._mark = _Mark(time.thread_time(), 0, start)
        self._slow_windows = 0

    @property
    def expired(self) -> bool:
        """Whether the computing time is exhausted."""
        return self.deadline is not None and time.perf_counter() >= self.deadline

    def add(self, run: Run) -> None:
        """Count the steps of a finished segment."""
        self._steps_before += run.steps

    def chunk(self, run: Run, wanted: int) -> int:
        """Return how many of the wanted steps are allowed; 0 where the run ends, with the reason in `ending`."""
        most, spent = self.budget.most_steps, self._steps_before + run.steps
        if most is not None:
            wanted = min(wanted, most - spent)
            if wanted <= 0:
                self.ending = self._exhausted(f"{most} steps", "most_steps", run.time)
        if self.expired:
            self.ending = self.out_of_time(run.time)
        if self.watch is not None and self.ending is None:
            self.ending = self.watch(run)
        return 0 if self.ending else wanted

    def too_slow(self, run: Run) -> bool:
        """Tell whether the rest would take years, with a sentence in `slowness`; a given budget decides alone."""
        now = _Mark(time.thread_time(), self._steps_before + run.steps, run.time)
        spent = now.clock - self._mark.clock
        if self.budget.given or spent < WINDOW:
            return False
        covered, steps = now.time - self._mark.time, now.steps - self._mark.steps
        left = (self._end - now.time) * spent / covered if covered > 0.0 else math.inf
        self._slow_windows = self._slow_windows + 1 if left > YEAR else 0
        self._mark = now
        if self._slow_windows < 2:
            return False
        years = f"about {left / YEAR:.2g} years" if left < math.inf else "forever"
        self.slowness = (
            f"the last {spent:.2g} s of computation, with {steps} steps, advanced the motion by {covered:.2g} s; at "
            f"this pace the rest takes {years}."
        )
        return True

    def out_of_time(self, t: float) -> Ending:
        """Return the outcome where the computing time is exhausted."""
        return self._exhausted(f"{self.budget.most_seconds:g} s of computation", "most_seconds", t)

    def _exhausted(self, what: str, name: str, t: float) -> Ending:
        part = 100.0 * (t - self._start) / (self._end - self._start) if self._end > self._start else 100.0
        return Outcome.BUDGET_EXHAUSTED, (
            f"the budget of {what} is exhausted after {part:.3g} % of the duration. Give a larger one ({name}=…), go "
            "on from the last state (initial=run.state), or choose looser tolerances or another integrator."
        )

    def alarm(self, *, calls: bool) -> AbstractContextManager[None]:
        """End functions of the user that run beyond the budget, also where they sleep.

        That takes a signal, which only the main thread on POSIX receives; elsewhere a function is awaited.
        """
        if not calls or self.deadline is None or not _can_alarm():
            return nullcontext()
        return self._alarm_at(self.deadline)

    @contextmanager
    def _alarm_at(self, deadline: float) -> Iterator[None]:
        def ring(*_: object) -> None:
            if self.calling:
                self.calling = False
                raise BudgetEnded

        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(
            signal.ITIMER_REAL, min(max(deadline - time.perf_counter(), 1e-6), _LONGEST_ALARM), _ALARM_INTERVAL
        )
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _can_alarm() -> bool:
    """Tell whether this thread receives alarms and no other handler of them is installed."""
    return (
        hasattr(signal, "SIGALRM")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        and signal.getitimer(signal.ITIMER_REAL)[0] == 0.0
    )


class _Mark(NamedTuple):
    """Processor time (s), which other work on the computer does not change, accepted steps and time of the motion."""

    clock: float
    steps: int
    time: float


class StepCounts(NamedTuple):
    """Time reached by a run, with its accepted and rejected steps."""

    steps: int
    rejected: int
    time: float

    @staticmethod
    def of(run: Run) -> StepCounts:
        """Return the counts of a run."""
        return StepCounts(int(run.counts[STEPS]), int(run.counts[REJECTED]), run.time)

    def far_from(self, mark: StepCounts) -> bool:
        """Tell whether there are enough steps since a mark to judge by."""
        return self.steps + self.rejected >= mark.steps + mark.rejected + _PACE_STEPS

    def hopeless_since(self, mark: StepCounts, first: StepCounts, run: Run) -> bool:
        """Tell whether the rest would take too many steps: many are rejected, or they have become far shorter.

        A chattering load has this effect, for example.
        """
        end = float(run.clock[END])
        steps, rejected, covered = self.steps - mark.steps, self.rejected - mark.rejected, self.time - mark.time
        shorter = covered * (mark.steps - first.steps) < 1e-3 * (mark.time - first.time) * steps
        return (10 * rejected > steps or shorter) and covered * _STEP_LIMIT < (end - self.time) * (steps + rejected)
