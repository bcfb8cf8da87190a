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
from gyrostat.errors import StateError
from gyrostat.once import cached_property
from gyrostat.system import System


@dataclass(frozen=True, eq=False)
class DesignTask:
    """System, varied parameters and inputs, common to all designs of an optimisation."""

    system: System
    vary: tuple[str, ...]
    guess: Mapping[str, object]
    inputs: tuple[str, ...]
    parameters: Mapping[str, object]


@dataclass(frozen=True, eq=False)
class DesignPoint:
    """The model at values of its parameters; results are cached."""

    task: DesignTask
    values: Floats
    before: DesignPoint | None = field(default=None, repr=False)
    """The design before: start of the equilibrium, and reference for tracking the modes."""

    @property
    def parameters(self) -> dict[str, object]:
        """All overridden parameter values."""
        return {**self.task.parameters, **dict(zip(self.task.vary, self.values.tolist(), strict=True))}

    @cached_property
    def point(self) -> OperatingPoint:
        """Equilibrium, started from the previous design's."""
        guess = self.task.guess if self.before is None else self.before.point.coordinates
        return equilibrium(self.task.system, guess=guess, parameters=self.parameters)

    @cached_property
    def linear(self) -> LinearModel:
        """The linear model about the equilibrium."""
        chosen = None if self.before is None else self.before.linear.flow.reduction.positions
        return linearize(self.task.system, self.point, inputs=self.task.inputs, coordinates=chosen)

    @cached_property
    def modes(self) -> Modes:
        """The modes in the order of the linear model."""
        return self.linear.modes()

    @cached_property
    def work(self) -> SensitivityWork:
        """Derivatives of the equations, common to all sensitivities."""
        return SensitivityWork(self.linear)

    @cached_property
    def _tracked(self) -> dict[int, Mode]:
        return {}

    def mode(self, number: int) -> Mode:
        """Return the mode with a number of the initial design, tracked from design to design."""
        if number not in self._tracked:
            self._tracked[number] = self._found(number)
        return self._tracked[number]

    def _found(self, number: int) -> Mode:
        if self.before is None:
            return self.modes.numbered(number)
        earlier = self.before.mode(number)
        try:
            return matching_mode(earlier, self.linear)
        except StateError as error:
            kind = "oscillation" if earlier.oscillates else "mode"
            raise StateError(
                f"Mode {number} of the initial design cannot be recognised: no {kind} has a shape like its own in the "
                "design before."
            ) from error

    def sensitivity(self, number: int) -> ModeSensitivity:
        """Return the sensitivity of that mode to the varied parameters."""
        return self.work.of_mode(self.mode(number), self.task.vary)

    def following(self, values: Sequence[float]) -> DesignPoint:
        """Return a design whose equilibrium and modes are tracked from this one."""
        return DesignPoint(self.task, np.array(values, dtype=float), self)
