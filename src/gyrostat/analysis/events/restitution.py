"""Impacts as the action of an event: restitution and friction."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from gyrostat.analysis.events.action import Action, Effect, Instant, check_speed, number_of
from gyrostat.analysis.events.contact import ClosedContact
from gyrostat.analysis.events.impact import Impact, solve_impact
from gyrostat.analysis.events.impact_law import ImpactLaw
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.formula import Formula
from gyrostat.model.names import GROUND
from gyrostat.signals.contact_place import ContactPlace
from gyrostat.system import System

RATE_ROUNDING = 1e-12
"""Rates below this may have the wrong sign by rounding errors."""
_SPEED_TOLERANCE = 1e-6
"""Difference of the normal speeds of event and contact point, relative to them, that rounding may cause."""


@dataclass(frozen=True)
class Restitution(Action):
    """An impact with a coefficient of restitution e from 0 to 1 and a coefficient of friction μ.

    Without a coordinate the event's own function is the distance to the obstacle, and the impulse acts along its
    gradient; with one, at that coordinate, such as a joint at its limit. A single contact without friction is left with
    −e times its speed of approach, and all coupled speeds change: Δu = −(1 + e) M⁻¹ d v / (dᵀ M⁻¹ d), v = dᵀ u.

    All contacts that are closed at the instant take part, with constraints. No contact is left approaching, the
    impulses push and never pull, friction stays within its cone, and energy is never gained (`impact.solve_impact`).

    law: the meaning of e (`ImpactLaw`), by default Newton's without and Poisson's with friction.
    at: with friction, the contact point: "body.point", or a place and the way to the contact point in world axes, such
    as ("ball", (0, "-r", 0)). An event over a component of a named point knows it by itself.
    against: the body that is touched, if not the ground.
    sliding: instead of a contact point, formulas of the sliding speeds in one or two orthogonal directions.

    >>> import gyrostat as gs
    >>> bounce = gs.Restitution(0.8, friction=0.3, at=("ball", (0, "-r", 0)))
    >>> gs.Event("impact", "ball.y - r", "falling", bounce).actions[0].law
    <ImpactLaw.POISSON: 'poisson'>
    """

    unilateral: ClassVar[bool] = True

    coefficient: object
    coordinate: str | None = None
    friction: object = field(default=0, kw_only=True)
    law: ImpactLaw | str | None = field(default=None, kw_only=True)
    at: object = field(default=None, kw_only=True)
    against: str = field(default=GROUND, kw_only=True)
    sliding: object = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        if self.law is None:
            law = ImpactLaw.NEWTON if self._frictionless else ImpactLaw.POISSON
        else:
            law = ImpactLaw.of(self.law)
        object.__setattr__(self, "law", law)  # never None or a text from here on
        ContactPlace.of(self.at, self.against, self.sliding)

    @property
    def hypothesis(self) -> ImpactLaw:
        """The meaning of the coefficient of restitution."""
        assert self.law is not None
        return ImpactLaw.of(self.law)

    @property
    def _frictionless(self) -> bool:
        return Formula.of(self.friction).number == 0

    @property
    def needs_direction(self) -> bool:
        """Whether the direction is the gradient of the event's function: if there is no coordinate."""
        return self.coordinate is None

    @property
    def place(self) -> ContactPlace | None:
        """The contact point; None without friction."""
        return None if self._frictionless else ContactPlace.of(self.at, self.against, self.sliding)

    def check(self, system: System, event: str) -> None:
        """Raise an error for coefficients out of range and for unknown coordinates."""
        value = number_of(self.coefficient, system.model.values(), event)
        if not 0.0 <= value <= 1.0:
            raise StateError(f"Event {event!r} has a coefficient of restitution of {value:g}. It must be from 0 to 1.")
        friction = number_of(self.friction, system.model.values(), event)
        if not 0.0 <= friction < np.inf:
            raise StateError(f"Event {event!r} has a coefficient of friction of {friction:g}. It must not be negative.")
        if self.coordinate is not None:
            check_speed(system, self.coordinate, event)
            if self.place is not None and not self.place.sliding:
                raise StateError(
                    f"Event {event!r} has friction and acts on the coordinate {self.coordinate!r}, so that the "
                    "direction of sliding is not known. Give its speed: sliding=('…',)."
                )

    def contact(self, instant: Instant) -> ClosedContact | None:
        """Return the contact with the obstacle; None where no side of it is known to be free."""
        if self.coordinate is None:
            direction, speed = instant.gradient(), instant.rate
            side = -instant.crossing or -int(np.sign(speed))
        else:
            speed, direction = instant.along(self.coordinate)
            side = -instant.crossing * self._sense(instant, speed, direction)
        if not side:
            return None
        coefficient = number_of(self.coefficient, instant.parameters, instant.event)
        found = ClosedContact(instant.event, side * direction, side * speed, coefficient, law=self.hypothesis)
        return found if self.place is None else self._rubbing(found, self.place, instant)

    def _rubbing(self, contact: ClosedContact, place: ContactPlace, instant: Instant) -> ClosedContact:
        """Return a contact with friction, its speeds scaled to those of the contact point."""
        assert instant.touch is not None
        touch, friction = instant.touch(place), number_of(self.friction, instant.parameters, instant.event)
        if touch.normal is None:
            return replace(contact, friction=friction, tangents=touch.jacobian.T, sliding=touch.speeds)
        size = float(np.linalg.norm(touch.normal))
        if size == 0.0:
            raise StateError("its function has no gradient at the contact point. Write it as a distance.")
        normal = touch.normal / size
        direction, same = contact.direction / size, normal @ touch.jacobian
        mobile = instant.mobility(direction)
        gap = direction - (same if same @ mobile >= 0.0 else -same)
        if gap @ instant.mobility(gap) > _SPEED_TOLERANCE**2 * (direction @ mobile):
            raise StateError(
                "the rate of its function is not the normal speed of the contact point. Check at= and against=, and "
                "write the function as the distance of that point."
            )
        tangents = np.linalg.svd(normal[None, :])[2][1:]
        return replace(
            contact,
            direction=direction,
            speed=contact.speed / size,
            friction=friction,
            tangents=(tangents @ touch.jacobian).T,
            sliding=tangents @ touch.speeds,
        )

    def _sense(self, instant: Instant, speed: float, direction: Floats) -> int:
        """Return 1 if the event's function rises with the coordinate, −1 if it falls, 0 if that is unknown."""
        if min(abs(instant.rate), abs(speed)) > RATE_ROUNDING:
            return int(np.sign(instant.rate * speed))
        try:
            return int(np.sign(instant.gradient() @ instant.mobility(direction)))
        except StateError:  # the function depends on speeds
            return 0

    def effect(self, instant: Instant) -> Effect:
        """Return the speeds after the impact of all closed contacts."""
        own = self.contact(instant)
        contacts = instant.contacts() or ((own,) if own is not None else ())
        impact = solve_impact(contacts, instant.mobility)
        if impact is None:
            return Effect()
        hit = tuple(contact.event for contact, size in zip(contacts, impact.impulses, strict=True) if size > 0.0)
        return Effect(u=instant.u + impact.change, hit=hit, remarks=_remarks(contacts, impact, instant.t))


def _remarks(contacts: tuple[ClosedContact, ...], impact: Impact, t: float) -> dict[str, str]:
    """Return a remark for each event whose coefficient of restitution was reduced."""
    found = {}
    for contact in contacts:
        if contact.event not in impact.reduced:
            continue
        reduction, e = impact.reduced[contact.event], contact.restitution
        poisson = contact.law is ImpactLaw.POISSON
        remedy = "Use law='poisson' or 'stronge', with equal coefficients"
        if poisson:
            remedy = "Reduce the friction" if reduction.jammed else "Use equal coefficients"
        fact = "cannot be satisfied, since contacts jam" if reduction.jammed else "would gain energy (Kane's paradox)"
        found[contact.event] = (
            f"Event {contact.event!r} at t = {t:.9g} s: {contact.law.value.capitalize()}'s law with e = {e:g} and "
            f"friction {fact}. e was reduced to {e * reduction.factor:.6g}, "
            f"{'the largest value that can' if reduction.jammed else 'which conserves it'}. {remedy} at contacts "
            "that are hit together."
        )
    return found
