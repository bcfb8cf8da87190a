"""A design: a model with values of the parameters that vary, its equilibrium, linear model and modes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from gyrostat.analysis.linear.linear_model import LinearModel
from gyrostat.analysis.linear.linearize import linearize
from gyrostat.analysis.linear.modes import Mode, Modes
from gyrostat.analysis.linear.sensitivities.changed import matching_mode
from gyrostat.analysis.linear.sensitivities.sensitivity import ModeSensitivity, SensitivityWork
from gyrostat.analysis.operating.equilibrium import equilibrium
from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.coordinates.arguments import Floats
from gyrostat.once import cached_property
from gyrostat.system import System


@dataclass(frozen=True, eq=False)
class Task:
    """What all designs of an optimisation have in common."""

    system: System
    vary: tuple[str, ...]
    guess: Mapping[str, object]
    inputs: tuple[str, ...]
    parameters: Mapping[str, object]


@dataclass(frozen=True, eq=False)
class Design:
    """The model at values of its parameters; all that is asked for is found once."""

    task: Task
    values: Floats
    before: Design | None = field(default=None, repr=False)
    """An earlier design, whose position is near and by whose modes these are recognised."""

    @property
    def parameters(self) -> dict[str, object]:
        """All values of parameters that differ from the model's."""
        return {**self.task.parameters, **dict(zip(self.task.vary, self.values.tolist(), strict=True))}

    @cached_property
    def point(self) -> OperatingPoint:
        """The equilibrium, near that of the design before."""
        guess = self.task.guess if self.before is None else self.before.point.coordinates
        return equilibrium(self.task.system, guess=guess, parameters=self.parameters)

    @cached_property
    def linear(self) -> LinearModel:
        """The linear model about the equilibrium."""
        chosen = None if self.before is None else self.before.linear.flow.reduction.positions
        return linearize(self.task.system, self.point, inputs=self.task.inputs, coordinates=chosen)

    @cached_property
    def modes(self) -> Modes:
        """The modes as they come."""
        return self.linear.modes()

    @cached_property
    def work(self) -> SensitivityWork:
        """What sensitivities have in common."""
        return SensitivityWork(self.linear)

    def mode(self, number: int) -> Mode:
        """Return the mode that has, followed from design to design, a number of the first one."""
        if self.before is None:
            return self.modes.numbered(number)
        return matching_mode(self.before.mode(number), self.linear)

    def sensitivity(self, number: int) -> ModeSensitivity:
        """Return how that mode changes with the parameters that vary."""
        return self.work.of_mode(self.mode(number), self.task.vary)

    def following(self, values: Sequence[float]) -> Design:
        """Return a design after this one."""
        first = self if self.before is None else self.before
        return Design(self.task, np.array(values, dtype=float), first)
