"""Moreau's time stepping: many rigid contacts on the level of velocities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gyrostat.analysis.integrators.integrator import Driver, Integrator, Stepper, positive
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.methods import MOREAU, Control, Method
from gyrostat.analysis.kernels.moreau_tables import MoreauNumbers, MoreauStages, RigidTables
from gyrostat.analysis.kernels.progress import STEP
from gyrostat.errors import StateError

_CONTACTS = 24
"""Room for so many points of contact of each shape."""


@dataclass(frozen=True)
class Moreau(Integrator):
    """Time stepping with rigid contacts: for very many contacts, and for long motions at rest on each other.

    The order is 2 between impacts, and 1 through impacts that press on one another within a step.

    `Contacts` are rigid: of their laws the coefficients of restitution and of Coulomb friction count, not stiffness and
    regularisation. In each step the impulses of all contacts follow from a complementarity problem, which is solved by
    projected Gauss–Seidel sweeps with conjugate gradients, from the impulses of the step before, until velocities
    change by less than `tolerance` of what contacts need, or `sweeps` times; where they are slow, Newton's method takes
    over. A note tells of steps that end beyond the tolerance. Impacts count as many in a step as occur.

    >>> Moreau(step=1e-3).first_step
    0.001
    """

    step: float
    tolerance: float = 1e-6
    sweeps: int = 500

    repeatable: ClassVar[bool] = False
    pairs: ClassVar[bool] = True
    rigid_pairs: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive(self.step, self, "step")
        positive(self.tolerance, self, "tolerance")
        if not isinstance(self.sweeps, int) or self.sweeps < 1:
            raise StateError(f"Moreau(sweeps={self.sweeps!r}): the number of sweeps must be an integer of at least 1.")

    @property
    def first_step(self) -> float:
        """The step."""
        return self.step

    @property
    def advice(self) -> str:
        """A smaller step."""
        return f"Use a smaller step than {self.step:g} s."

    @property
    def numbers(self) -> MoreauNumbers:
        """The settings, as kernels take them."""
        return MoreauNumbers(float(self.tolerance), int(self.sweeps))

    def stepper(self, run: Run) -> Stepper:
        """Return the driver of the method for a run."""
        run.clock[STEP] = self.step
        if run.loop is None:
            control = Control(False, 1.0, np.empty(0), 1.0, 1.0, 1.0, 0.5, 0.5, 1.0, 1.0)
            run.loop = Driver(run, Method(MOREAU, control, self.numbers, stages_of(run)), exponential=True)
        return run.loop


def stages_of(run: Run) -> MoreauStages:
    """Return memory of the method for a run."""
    tables: RigidTables = run.pairs.tables
    coupled = int(np.count_nonzero(tables.lone >= 0))
    shapes = tables.pairs.shapes.radii.size
    room = min(tables.pairs.touch.held.size, _CONTACTS * shapes + 64)
    return MoreauStages.of(run.y.size, run.projection.rows, tables.lone.size, coupled, room)
