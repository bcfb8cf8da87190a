"""Records of the loops: events with their search, checkpoints, outputs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.kernels.packing import Scratch
from gyrostat.analysis.kernels.problem import Floats, Places


class Room(NamedTuple):
    """Working arrays of the search for events in a step; samples are event functions and then their rates."""

    start: Floats
    """Sample at the start of the step."""
    samples: Floats
    """Row 0: sample at the left end of the present part of the step; rows above it: a stack of samples to its right."""
    places: Floats
    """Fractions of the step of these samples."""
    levels: Places
    """How often the step was divided to get there."""
    errors: Floats
    """For each of these samples the errors of the interpolants that it was compared with: values and then rates."""
    settled: Floats
    """For each function the fraction of the step up to which its crossings are known."""
    now: NDArray[np.int8]
    """For each function its side there."""
    found: Floats
    """The sample made last in the search for a zero."""
    other: Floats
    """Room for a sample with other modes, or at another place."""
    step: Floats
    state: Floats
    differenced: Places
    """Whether rates are differences along the polynomial of the step, one number."""


DEPTH = 20
"""Number of samples of a step that wait in the search, and of the part that it is at."""


def room_for(events: int, size: int) -> Scratch:
    """Return room for the search of a number of events, with a state of a size."""
    return Scratch(
        Room,
        ((2 * events,), "d"),
        ((DEPTH, 2 * events), "d"),
        ((DEPTH,), "d"),
        ((DEPTH,), "q"),
        ((DEPTH, 2 * events), "d"),
        ((events,), "d"),
        ((events,), "b"),
        ((2 * events,), "d"),
        ((2 * events,), "d"),
        ((size,), "d"),
        ((size,), "d"),
        ((1,), "q"),
    )


GUARD = 2
"""The direction of a guard: none of its crossings counts."""


class Watch(NamedTuple):
    """The event functions that are watched, and their sides of zero; behind them guards, at whose zeros they jump."""

    sides: NDArray[np.int8]
    """On which side of zero each event function is now: −1, 1, or 0 where it is not known."""
    wanted: NDArray[np.int8]
    """Which crossings count: 1 rising, −1 falling, 0 both; GUARD for guards."""
    active: NDArray[np.bool_]
    """Whether the event ends the step, because it has an action; others are only recorded."""


class Log(NamedTuple):
    """Records of events, checkpoints, and states at output times."""

    event_times: Floats
    event_numbers: Places
    event_directions: NDArray[np.int8]
    event_states: Floats
    checkpoint_times: Floats
    checkpoint_steps: Floats
    checkpoint_states: Floats
    checkpoint_modes: Floats
    """Shape (checkpoints, 2 n): modes and phases of switching functions."""
    checkpoint_works: Floats
    """The work of all loads up to each checkpoint, where the method adds it up."""
    start_modes: Floats
    """Modes of switching functions at the start of the run, shape (n,)."""
    grid: Floats
    states: Floats
    modes: Floats
    """Shape (output times, n): modes of switching functions; of those that slide, the values at these instants."""


class RunRecord(NamedTuple):
    """Records of the run: events, checkpoints, outputs."""

    watch: Watch
    log: Log
    room: Room
