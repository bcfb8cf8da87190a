"""An event: a zero-crossing of a function of the state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from gyrostat.analysis.events.action import Action, ContactMargin, Record
from gyrostat.errors import StateError
from gyrostat.model.formula import Formula

Actions: TypeAlias = Action | tuple[Action, ...] | list[Action]

RECORD = Record()
"""The default action."""


class Direction(Enum):
    """The direction of zero-crossings."""

    BOTH = "both"
    RISING = "rising"
    FALLING = "falling"

    @property
    def sign(self) -> int:
        """1, −1, or 0 for both."""
        return {"both": 0, "rising": 1, "falling": -1}[self.value]


@dataclass(frozen=True)
class Event:
    """A zero-crossing of a formula, and the actions there.

    `when` is a formula of scalar quantities by name: parameters, t, coordinates, speeds, inputs, components of points
    such as ball.y or bar2.tip.velocity.x, lengths and tensions of springs, accelerations, components of reactions such
    as a1.reaction.force.x, constraint loads. `action` is one action, or several in order; by default the event is
    recorded.

    >>> import gyrostat as gs
    >>> gs.Event("impact", when="ball.y - r", direction="falling", action=gs.Restitution(0.8)).direction.value
    'falling'
    """

    name: str
    when: Formula
    direction: Direction
    actions: tuple[Action, ...]

    def __init__(
        self,
        name: str,
        when: object,
        direction: Direction | str = Direction.BOTH,
        action: Actions = RECORD,
    ) -> None:
        if not isinstance(name, str) or not name:
            raise StateError(f"An event's name is {name!r}. Give it a text.")
        try:
            chosen = Direction(direction)
        except ValueError:
            raise StateError(
                f"Event {name!r} has direction {direction!r}. Use 'both', 'rising' or 'falling'."
            ) from None
        actions = tuple(action) if isinstance(action, (tuple, list)) else (action,)
        wrong = [one for one in actions if not isinstance(one, Action)]
        if wrong:
            raise StateError(
                f"Event {name!r} has the action {wrong[0]!r}. Use Record(), Stop(), Restitution(…), Impulse(…), "
                "SetParameter(…), SetInput(…), or an Action of your own."
            )
        for field, value in zip(
            ("name", "when", "direction", "actions"), (name, Formula.of(when), chosen, actions), strict=True
        ):
            object.__setattr__(self, field, value)

    @property
    def active(self) -> bool:
        """Whether an action does more than record the event."""
        return any(action.active for action in self.actions)

    @property
    def has_contact(self) -> bool:
        """Whether an action describes a unilateral contact, which a motion does not pass through."""
        return any(action.unilateral for action in self.actions)

    @property
    def is_margin(self) -> bool:
        """Whether the event is the end of a mode of a rigid contact, which the simulation adds by itself."""
        return any(isinstance(action, ContactMargin) for action in self.actions)

    @staticmethod
    def at_time(name: str, t: object, action: Actions = RECORD) -> Event:
        """Return the event of reaching a time."""
        return Event(name, f"t - ({Formula.of(t)})", Direction.RISING, action)

    @staticmethod
    def upper_limit(name: str, coordinate: str, limit: object, action: Actions = RECORD) -> Event:
        """Return the event of a coordinate rising to its limit."""
        return Event(name, f"{coordinate} - ({Formula.of(limit)})", Direction.RISING, action)

    @staticmethod
    def lower_limit(name: str, coordinate: str, limit: object, action: Actions = RECORD) -> Event:
        """Return the event of a coordinate falling to its limit."""
        return Event(name, f"{coordinate} - ({Formula.of(limit)})", Direction.FALLING, action)

    @staticmethod
    def height(name: str, point: str, level: object = 0, *, up: str = "y", action: Actions = RECORD) -> Event:
        """Return the event of a body or point coming down to a level, measured along x, y or z of the world."""
        if up not in ("x", "y", "z"):
            raise StateError(f"Event {name!r} measures height along {up!r}. Use up='x', 'y' or 'z'.")
        return Event(name, f"{point}.{up} - ({Formula.of(level)})", Direction.FALLING, action)
