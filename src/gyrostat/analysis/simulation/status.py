"""The status of a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from gyrostat.results.text_table import NotebookText


class Outcome(Enum):
    """Reasons for which a simulation ends."""

    COMPLETED = "completed"
    STOPPED = "stopped by an event"
    INTERRUPTED = "interrupted"
    STEP_UNDERFLOW = "the step became too small"
    NON_FINITE = "a value is not finite"
    DIVERGED = "the deflection of a beam diverged"
    NOT_CONVERGED = "an iteration did not converge"
    NOT_CLOSED = "the constraints cannot be satisfied"
    ACCUMULATION = "events accumulate"
    INPUT_FAILED = "an input failed"
    ACTION_FAILED = "an action of an event failed"
    BUDGET_EXHAUSTED = "the budget is exhausted"
    TOO_SLOW = "the run would take years"
    NO_MOTION = "conditions of the state admit no motion"
    CHATTER = "conditions of the state switch without end"
    IMPOSSIBLE_MASS = "a mass is impossible"
    UNRESOLVED_CONTACT = "a contact is not resolved by the steps"


Ending: TypeAlias = tuple[Outcome, str]
"""The outcome of a motion with a sentence."""


@dataclass(frozen=True)
class Status(NotebookText):
    """The outcome of a simulation, with the time reached, the reason and the cost."""

    outcome: Outcome
    time: float
    message: str = ""
    notes: tuple[str, ...] = ()
    """Remarks on a completed run, such as signs of stiffness."""
    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    seconds: float = 0.0
    """Time that the integration took."""
    switches: int = 0
    """Number of conditions of the state that changed."""
    unwatched: str = ""
    """Why the energy was not compared with the work of loads; empty where it was."""

    @property
    def success(self) -> bool:
        """Whether the simulation reached its end, or an event that stops it."""
        return self.outcome in (Outcome.COMPLETED, Outcome.STOPPED)

    def __str__(self) -> str:
        lines = [f"{self.outcome.value}, t = {self.time:g} s{': ' + self.message if self.message else ''}"]
        rejected = f" ({self.rejected} rejected)" if self.rejected else ""
        switches = f", {self.switches} {'switch' if self.switches == 1 else 'switches'}" if self.switches else ""
        steps = f"{self.steps} {'step' if self.steps == 1 else 'steps'}{rejected}"
        lines.append(f"{steps}, {self.evaluations} evaluations{switches}, {self.seconds:.3g} s")
        return "\n".join([*lines, *self.notes, *filter(None, (self.unwatched,))])


INTERRUPTED: Ending = (Outcome.INTERRUPTED, "interrupted by the user.")
