"""The conditions of all laws of a system, on any engine that locks them."""

from __future__ import annotations

from gyrostat.equations.loads import applied_loads
from gyrostat.kinematics.state_rates import delayed_signals, state_rates
from gyrostat.kinematics.world import WorldMotion
from gyrostat.scalar.locked import SwitchRecord


def record_conditions(motion: WorldMotion, record: SwitchRecord) -> None:
    """Record the conditions of all laws, in the order of inputs, force elements, states and delays."""
    applied_loads(motion)
    state_rates(motion)
    delayed_signals(motion)
    record.complete = True
