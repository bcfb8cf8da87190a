"""How an FMU for co-simulation integrates: the coefficients of a method, as C macros."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.integrators import DOP853, RKF45, Integrator, Rodas5P
from gyrostat.errors import GyrostatError

METHODS = (DOP853, RKF45, Rodas5P)
Method: TypeAlias = DOP853 | RKF45 | Rodas5P


@dataclass(frozen=True)
class Stepping:
    """A method with step control and its tolerances."""

    method: Method

    @property
    def stiff(self) -> bool:
        """Whether the method takes the Jacobian of the rates."""
        return isinstance(self.method, Rodas5P)

    def macros(self) -> Mapping[str, str]:
        """Return the macros of the method by name."""
        tableau = self.method.tableau
        found = {
            "STIFF": str(int(self.stiff)),
            "STAGES": str(tableau.stages),
            "ERROR_ORDER": repr(float(tableau.error_order)),
            "RELATIVE_TOLERANCE": repr(float(self.method.rtol)),
            "ABSOLUTE_TOLERANCE": repr(float(self.method.atol)),
            "METHOD_A": braces(tableau.a),
            "METHOD_B": braces(tableau.b),
            "METHOD_C": braces(tableau.c),
        }
        if isinstance(self.method, Rodas5P):
            stiff = self.method.tableau
            found |= {"METHOD_GAMMA": repr(float(stiff.gamma)), "METHOD_LINK": braces(stiff.link)}
            return found | {"METHOD_TIME": braces(stiff.time), "METHOD_ERROR": braces(stiff.error)}
        return found | {"METHOD_ERROR": braces(self.method.tableau.error_weights)}


def stepping_of(integrator: Integrator | None) -> Stepping:
    """Return how a unit integrates; raise an error for methods that it cannot have."""
    if integrator is None:
        return Stepping(DOP853())
    if isinstance(integrator, METHODS) and integrator.step is None:
        return Stepping(integrator)
    known = ", ".join(f"gs.{method.__name__}(rtol=…)" for method in METHODS)
    raise GyrostatError(
        f"An FMU cannot integrate by {integrator!r:.80}. It controls its steps itself: use one of {known}."
    )


def braces(array: NDArray[np.float64]) -> str:
    """Return an array as the initialiser of a C array."""
    inner = (braces(row) if isinstance(row, np.ndarray) else repr(float(row)) for row in array)
    return "{" + ", ".join(inner) + "}"
