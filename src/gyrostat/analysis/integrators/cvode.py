"""Multistep methods of SUNDIALS, for stiff systems."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from gyrostat.analysis.integrators.integrator import Integrator, Stepper, positive
from gyrostat.analysis.integrators.run import Run
from gyrostat.errors import StateError


class Multistep(Enum):
    """Families of linear multistep methods."""

    BDF = "bdf"
    """Backward differentiation, orders 1 to 5: for stiff systems."""
    ADAMS = "adams"
    """Adams and Moulton, orders 1 to 12: for smooth systems whose rates are costly."""

    @property
    def highest_order(self) -> int:
        """The highest order of the family."""
        return 5 if self is Multistep.BDF else 12


@dataclass(frozen=True)
class CVODE(Integrator):
    """Variable step and order, implicit, with the exact Jacobian: for stiff systems (Crous 2000, §3.6).

    Backward differentiation of orders 1 to 5, or Adams methods of orders 1 to 12, by SUNDIALS. Dense output is the
    polynomial of the method itself, of the order of the step. Euler parameters are integrated like other coordinates,
    in equations that do not depend on their length, and normalised wherever they are seen.

    >>> CVODE(rtol=1e-6).method
    <Multistep.BDF: 'bdf'>
    """

    method: Multistep = Multistep.BDF
    rtol: float = 1e-8
    atol: float = 1e-10
    largest_step: float | None = None
    starting_step: float | None = None
    largest_order: int | None = None

    repeatable: ClassVar[bool] = False
    jacobian: ClassVar[bool] = True
    pairs: ClassVar[bool] = True
    pair_memory: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for field in ("rtol", "atol", "largest_step", "starting_step"):
            positive(getattr(self, field), self, field)
        try:
            object.__setattr__(self, "method", Multistep(self.method))
        except ValueError:
            raise StateError(f"CVODE(method={self.method!r}): the method must be 'bdf' or 'adams'.") from None
        highest = self.method.highest_order
        if self.largest_order is not None and self.largest_order not in range(1, highest + 1):
            raise StateError(
                f"CVODE(largest_order={self.largest_order!r}): the order of {self.method.name} is 1 to {highest}."
            )

    def stepper(self, run: Run) -> Stepper:
        """Return the solver, bound to a run."""
        from gyrostat.analysis.integrators.cvode_run import CvodeRun

        return CvodeRun(self, run)

    @property
    def advice(self) -> str:
        """Other tolerances."""
        return (
            "Check loads and positions at this time; where the motion is sudden but regular, give a largest_step or "
            f"tolerances below rtol={self.rtol:g} and atol={self.atol:g}."
        )
