"""The kernels of ropes for systems that have none."""

from __future__ import annotations

from gyrostat.analysis.kernels.problem import Equations, Floats
from gyrostat.program.translation import call, kernel


@kernel
def present() -> bool:
    """Return False."""
    return False


@kernel
def rates(function: int, tables: tuple[()], x: Floats, state: Floats, found: Floats) -> None:
    """Write ẏ by the program of the whole system."""
    call(function, x.ctypes.data, found.ctypes.data)


@kernel
def power(function: int, tables: tuple[()], x: Floats, state: Floats, room: Floats, found: Floats) -> None:
    """Write the power by the program of the whole system."""
    call(function, x.ctypes.data, found.ctypes.data)


@kernel
def differentiate(equations: Equations, h: float, by_time: Floats) -> bool:
    """Return False."""
    return False


@kernel
def factorise(equations: Equations, step: float) -> bool:
    """Return False."""
    return False


@kernel
def solve(equations: Equations, right: Floats) -> None:
    """Do nothing."""


@kernel
def error(equations: Equations, scaled: Floats) -> float:
    """Return 0."""
    return 0.0
