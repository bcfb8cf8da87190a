"""States, one file for each kind. A new one is added here by one line, or from outside with `STATES.add`."""

from gyrostat.model.states.state import State
from gyrostat.model.states.state_element import STATES, StateElement

for _state in (State,):
    STATES.add(_state)

__all__ = ["STATES", "State", "StateElement"]
