"""Events: what to look for during a simulation, and what to do when it happens."""

from gyrostat.analysis.events.action import Action, Effect, Instant, Record
from gyrostat.analysis.events.event import Direction, Event
from gyrostat.analysis.events.impulse import Impulse
from gyrostat.analysis.events.restitution import Restitution
from gyrostat.analysis.events.settings import SetInput, SetParameter
from gyrostat.analysis.events.stop import Stop

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
