"""Events: what to look for during a simulation, and what to do when it happens."""

from gyrostat.analysis.events.action import Action, Effect, Instant, Record
from gyrostat.analysis.events.actions import Impulse, Restitution, SetInput, SetParameter, Stop
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
    "Stop",
]
