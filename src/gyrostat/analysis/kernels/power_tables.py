"""The arguments of the quadrature of powers over recorded steps."""

from __future__ import annotations

from typing import NamedTuple

from gyrostat.analysis.kernels.problem import Floats, Places, Tables
from gyrostat.analysis.kernels.rope_tables import Ropes


class PowerTables(NamedTuple):
    """Addresses of native functions of x that write ẏ and the net power, with what fills x."""

    rates: int
    """Zero where ẏ is not known, of algebraic variables: then powers alone are interpolated."""
    powers: int
    tables: Tables
    ropes: Ropes
    """Ropes of nodes, whose kernels stand for both functions."""
    x: Floats
    room: Floats
    """Room for rates."""


class Checkpoints(NamedTuple):
    """States at the beginning of steps and at the end of the last one."""

    times: Floats
    states: Floats
    """Shape (number of times, size of the state)."""
    modes: Floats
    """Modes of switching functions in each step, shape (number of steps, number of modes)."""
    breaks: Floats
    """Times of discontinuities, in order."""
    held: Places
    """Where in the state the values are that sampled blocks hold: they jump at breaks, and a state is that after it."""


class PowerNumbers(NamedTuple):
    """The quadrature of powers, and room for its numbers."""

    rule: Floats
    """Places and weights of a quadrature on (0, 1)."""
    course: Floats
    """Shape (3, number of checkpoints): time, power, and its rate."""
    state: Floats
    rates: Floats
    power: Floats
    """Shape (2,): the power, and the flow that goes with it."""
    room: Floats
    """Shape (2, 2 HERMITE_NODES)."""
