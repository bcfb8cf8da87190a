"""States and blocks, one file for each kind. A new one is listed here, or added from outside with `STATES.add`.

The kinds are imported when they are first used.
"""

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from
from gyrostat.model.states.state_element import STATES, StateElement, StateOutput

if TYPE_CHECKING:
    from gyrostat.model.states.delay import Delay
    from gyrostat.model.states.lag import Lag
    from gyrostat.model.states.pi import PI
    from gyrostat.model.states.pid import PID
    from gyrostat.model.states.rate_limiter import RateLimiter
    from gyrostat.model.states.sampled import Sampled
    from gyrostat.model.states.state import State
    from gyrostat.model.states.state_space_block import StateSpaceBlock
    from gyrostat.model.states.transfer_function_block import TransferFunctionBlock

__all__ = [
    "PI",
    "PID",
    "STATES",
    "Delay",
    "Lag",
    "RateLimiter",
    "Sampled",
    "State",
    "StateElement",
    "StateOutput",
    "StateSpaceBlock",
    "TransferFunctionBlock",
]

_KINDS = {
    "state": ("State",),
    "lag": ("Lag",),
    "pi": ("PI",),
    "pid": ("PID",),
    "transfer_function_block": ("TransferFunctionBlock",),
    "state_space_block": ("StateSpaceBlock",),
    "rate_limiter": ("RateLimiter",),
    "delay": ("Delay",),
    "sampled": ("Sampled",),
}

__getattr__ = names_from(__name__, _KINDS)
STATES.declare(__getattr__, (name for names in _KINDS.values() for name in names))
