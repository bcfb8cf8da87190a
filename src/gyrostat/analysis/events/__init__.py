"""Events: zero-crossings of functions of the state during a simulation, and actions there."""

from gyrostat.analysis.events.action import Action, Effect, Instant, Record
from gyrostat.analysis.events.actions import Impulse, SetInput, SetParameter, SetState, Stop
from gyrostat.analysis.events.event import Direction, Event
from gyrostat.analysis.events.impact_law import ImpactLaw
from gyrostat.analysis.events.restitution import Restitution

__all__ = [
    "Action",
    "Direction",
    "Effect",
    "Event",
    "ImpactLaw",
    "Impulse",
    "Instant",
    "Record",
    "Restitution",
    "SetInput",
    "SetParameter",
    "SetState",
    "Stop",
]
