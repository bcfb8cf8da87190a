"""Gauss collocation: symplectic steps of fixed length, for long conservative motions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from gyrostat.analysis.integrators.integrator import Driver, Integrator, Stepper, positive
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.integrators.tableau import Floats, Tableau
from gyrostat.analysis.kernels.methods import COLLOCATION, Collocation, CollocationStages, Control, Method
from gyrostat.analysis.kernels.progress import STEP
from gyrostat.errors import StateError

STAGES = (1, 2, 3)


@lru_cache
def _tableau(stages: int) -> Tableau:
    """Return the tableau: c are the zeros of Legendre's polynomial on (0, 1), a and b integrals of Lagrange's."""
    if stages == 1:
        c, a, b = np.array([0.5]), np.array([[0.5]]), np.array([1.0])
    elif stages == 2:
        r = np.sqrt(3) / 6
        late = 0.25 + r
        c, b = np.array([0.5 - r, 0.5 + r]), np.array([0.5, 0.5])
        a = np.array([[0.25, 0.5 - late], [late, 0.25]])  # a12 + a21 = 1/2 exactly: the method is symplectic to the bit
    else:
        r = np.sqrt(15)
        c = np.array([0.5 - r / 10, 0.5, 0.5 + r / 10])
        b = np.array([5, 8, 5]) / 18
        a = np.array(
            [
                [5 / 36, 2 / 9 - r / 15, 5 / 36 - r / 30],
                [5 / 36 + r / 24, 2 / 9, 5 / 36 - r / 24],
                [5 / 36 + r / 30, 2 / 9 + r / 15, 5 / 36],
            ]
        )
    return Tableau(f"Gauss–Legendre {stages}", 2 * stages, a=a, b=b, c=c)


def _dense(nodes: Floats) -> Floats:
    """Return the powers of θ of the polynomial with given end, rates at both ends and rates at nodes."""
    degree = 3 + len(nodes)
    powers = np.arange(1, degree + 1)
    conditions = np.array([np.ones(degree), *(powers * theta ** (powers - 1.0) for theta in (0.0, 1.0, *nodes))])
    return np.ascontiguousarray(np.linalg.inv(conditions).T)


@dataclass(frozen=True)
class GaussLegendre(Integrator):
    """Gauss collocation with 1, 2 or 3 stages, order 2, 4 or 6: for long motions that conserve energy.

    The method integrates coordinates and momenta and is symplectic: the error of the energy stays bounded over millions
    of steps; it is also symmetric in time and preserves quadratic invariants, such as the length of Euler parameters.
    Steps are implicit and solved by fixed-point iteration to rounding, with compensated sums, which requires steps well
    below the shortest period; it is not made for stiff systems. Dense output is of order 3, 4, 5.

    >>> GaussLegendre(step=0.01, stages=3).tableau.order
    6
    """

    step: float
    stages: int = 2

    momenta: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive(self.step, self, "step")
        if self.stages not in STAGES:
            raise StateError(f"GaussLegendre(stages={self.stages!r}): the number of stages must be 1, 2 or 3.")

    @property
    def tableau(self) -> Tableau:
        """The coefficients of the method."""
        return _tableau(self.stages)

    @property
    def first_step(self) -> float:
        """The step."""
        return self.step

    @property
    def advice(self) -> str:
        """A smaller step, or another method."""
        return f"Use a smaller step than {self.step:g} s, or integrator=gs.Rodas5P() if the system is stiff."

    def _collocation(self) -> Collocation:
        tableau = self.tableau
        # with a node at the middle, Simpson's rule would leave a polynomial undetermined
        nodes = tableau.c[[0, -1]] if self.stages > 1 else np.empty(0)
        return Collocation(tableau.a, tableau.b, tableau.c, nodes, _dense(nodes))

    def stepper(self, run: Run) -> Stepper:
        """Return the driver of the method for a run."""
        if run.projection.coordinates:
            raise StateError(
                "GaussLegendre integrates coordinates and momenta, which closed loops and constraints bind: it is for "
                "mechanisms without them. Use integrator=gs.DOP853()."
            )
        n, method = run.y.size, self._collocation()
        run.clock[STEP] = self.step
        control = Control(False, 1.0, np.empty(0), 1.0, 1.0, 1.0, 0.5, 0.5, 1.0, 1.0)
        return Driver(run, Method(COLLOCATION, control, method, CollocationStages.of(method, n)), exponential=False)
