"""A segment: motion between two discontinuities, with checkpoints from which any part can be recomputed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from gyrostat.analysis.simulation.contact_modes import ContactModes
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.coordinates.arguments import Floats

NO_VALUES: Floats = np.empty(0)
NO_MODES: Floats = np.empty((0, 0))
"""Modes of a segment without switching functions."""


def _no_values() -> Floats:
    return NO_VALUES


@dataclass(frozen=True, eq=False)
class Segment:
    """Motion from `start` to `end` under constant parameters and one plan of inputs.

    Checkpoints are states at the beginning of steps, with the step that followed; from any of them the integrator
    repeats what it did. For methods that integrate momenta, these take the place of speeds in `states`.
    """

    start: float
    end: float
    parameters: Mapping[str, float]
    """All parameters."""
    plan: InputPlan
    times: Floats = field(default_factory=_no_values)
    steps: Floats = field(default_factory=_no_values)
    states: Floats = field(default_factory=_no_values)
    modes: Floats = field(default_factory=lambda: NO_MODES)
    """Modes and phases of switching functions at the checkpoints, one row for each."""
    final: Floats = field(default_factory=_no_values)
    """The state at the end, before the events there."""
    stops: Floats = field(default_factory=_no_values)
    """Times, besides those of tables, that no step passes over: where formulas of time switch."""
    largest_step: float = np.inf
    """The longest step, where a Python function acts whose course is not known."""
    stride: int = 1
    """Number of steps between checkpoints."""
    resting: tuple[str, ...] = ()
    """Events whose contacts rest: they are closed in this segment."""
    contacts: ContactModes | None = None
    """Modes of rigid contacts; None where the system has none."""
    carries_work: bool = False
    """Whether the integrator adds up the work of all loads."""
    works: Floats = field(default_factory=_no_values)
    """The work from the start to each checkpoint, where the integrator adds it up."""
    work: float = 0.0
    """The work from the start to the end."""
    target: float = np.inf
    """The end time for which the integrator chose its steps; an event may have ended the segment earlier."""
