"""The kernels of pairs for systems without any, and for time stepping, which forms the loads of contacts itself."""

from __future__ import annotations

from gyrostat.analysis.kernels.methods import Control
from gyrostat.analysis.kernels.problem import Equations, Floats, Progress, Step
from gyrostat.program.translation import kernel


@kernel
def present() -> bool:
    """Return False: no step is searched for touches."""
    return False


@kernel
def hold(equations: Equations, progress: Progress, at: float, within: float, control: Control) -> int:
    """List no pairs."""
    return 0


@kernel
def apply(equations: Equations) -> None:
    """Leave loads as they are."""


@kernel
def vary(equations: Equations) -> bool:
    """Write no derivatives."""
    return False


@kernel
def slope(equations: Equations, j: int, seeds: Floats) -> bool:
    """Return False."""
    return False


@kernel
def glance(equations: Equations, step: Step) -> float:
    """Return −1."""
    return -1.0


@kernel
def pass_touches(equations: Equations, step: Step) -> float:
    """Return −1."""
    return -1.0
