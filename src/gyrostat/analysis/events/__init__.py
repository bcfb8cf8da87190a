"""Events: zero-crossings of functions of the state during a simulation, and actions there."""

from gyrostat.analysis.events.action import Action, Effect, Instant, Record
from gyrostat.analysis.events.actions import Impulse, Restitution, SetInput, SetParameter, SetState, Stop
from gyrostat.analysis.events.event import Direction, Event

__all__ = [
    "Action",
    "Direction",
    "Effect",
    "Event",
    "Impulse",
    "Instant",
    "Record",
    "Restitution",
    "SetInput",
    "SetParameter",
    "SetState",
    "Stop",
]
