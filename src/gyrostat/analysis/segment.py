"""A segment: motion between two sudden changes, with what is needed to repeat any part of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gyrostat.analysis.inputs import InputPlan
from gyrostat.pipeline.arguments import Floats


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
    times: Floats
    steps: Floats
    states: Floats
    stride: int
    """How many steps lie between checkpoints."""
