"""States and blocks, one file for each kind. A new one is added here by one line, or from outside with `STATES.add`."""

from gyrostat.model.states.delay import Delay
from gyrostat.model.states.lag import Lag
from gyrostat.model.states.pi import PI
from gyrostat.model.states.pid import PID
from gyrostat.model.states.rate_limiter import RateLimiter
from gyrostat.model.states.sampled import Sampled
from gyrostat.model.states.state import State
from gyrostat.model.states.state_element import STATES, StateElement, StateOutput
from gyrostat.model.states.state_space_block import StateSpaceBlock
from gyrostat.model.states.transfer_function_block import TransferFunctionBlock

for _state in (State, Lag, PI, PID, TransferFunctionBlock, StateSpaceBlock, RateLimiter, Delay, Sampled):
    STATES.add(_state)

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
