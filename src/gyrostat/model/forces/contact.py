"""Contact of two bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.contacts import NORMAL_LAWS, NormalLaw, RollingResistance
from gyrostat.model.contacts.contact_pair import ContactLaws, ContactPair
from gyrostat.model.contacts.surface_pair import SurfacePair
from gyrostat.model.contacts.touch import Touch, total_of
from gyrostat.model.forces.force_element import ForceOutput, Load, Motion, PointLoad
from gyrostat.model.forces.touching_pair import TOUCH_OUTPUTS, TouchingPair
from gyrostat.model.friction import FRICTION_LAWS, FrictionLaw
from gyrostat.model.kinds import End, OptionalKind, RecordKind, TaggedKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.state_variable import Reset, StateVariable
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import total
from gyrostat.spatial import Vector, cross, minus, opposite, plus


@dataclass(frozen=True)
class Contact(TouchingPair):
    """Two bodies that press on each other where they overlap, by a normal law, and rub, by a friction law.

    Each side is a body, whose solid or only surface is meant, a named surface of a body, or a point on a body. The
    shape of a side can also be given here, in the axes of its end. Integration steps end where bodies touch and where
    they part. Where the normal law remembers the speed of approach, it is a state, `name.approach`; laws with bristles
    have their deflection as states. Flat shapes touch at several points, whose states are `name.p1.approach` and so on.
    The outputs of such a contact are the least gap, sums of forces, and means of sliding and place, weighted by loads.

    >>> import gyrostat as gs
    >>> contact = Contact("touch", "ball", "ground.floor", gs.HuntCrossley(1e8, restitution=0.8))
    """

    stores_energy: ClassVar[bool] = True
    dissipates: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        **TOUCH_OUTPUTS,
        "dissipation": ForceOutput(1, "W", "power that is lost"),
    }
    normal: NormalLaw | None = value(
        OptionalKind(TaggedKind(lambda: NORMAL_LAWS)), None, doc="the normal law, required"
    )
    friction: FrictionLaw | None = value(
        OptionalKind(TaggedKind(lambda: FRICTION_LAWS)), None, doc="the friction law; by default there is no friction"
    )
    rolling: RollingResistance | None = value(
        OptionalKind(RecordKind(RollingResistance)), None, doc="resistance to rolling and drilling", keyword=True
    )

    def validate(self, place: Place) -> None:
        """Require two different bodies and a normal law."""
        super().validate(place)
        if self.normal is None:
            fact = "it has no normal law" if self.friction is None else "it has friction but no normal force"
            place.inside("normal").report(
                f"{fact}.", "Give normal=gs.HuntCrossley(stiffness, restitution=…) or another normal law."
            )

    @cached_property
    def pair(self) -> ContactPair:
        """The pair of shapes."""
        assert self.normal is not None, "validated when it was made"
        laws = ContactLaws(self.normal, self.friction, self.rolling)
        return ContactPair(self.name, *self.sides, laws)

    @property
    def geometry(self) -> SurfacePair | None:
        """How nearest points are found; None where the pair of shapes has no closed form."""
        return self.pair.geometry

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The speed of approach and the deflections of bristles at each point of contact, as laws have them."""
        return self.pair.state_variables

    @property
    def may_switch(self) -> bool:
        """True: laws change where bodies touch."""
        return True

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the contact forces on both bodies."""
        a, b = End(self.a.body), End(self.b.body)
        for touch in self.pair.touches(motion):
            force, moment = touch.force_on_a, touch.moment_on_a
            yield PointLoad(a, force, plus(moment, cross(minus(touch.point, motion.end(a).position), force)))
            back, turn = opposite(force), opposite(moment)
            yield PointLoad(b, back, plus(turn, cross(minus(touch.point, motion.end(b).position), back)))

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rates of bristles, zero in open contacts; speeds of approach are set at touch alone."""
        return {name: rate for touch in self.pair.touches(motion) for name, rate in touch.state_rates.items()}

    def resets(self, motion: Motion) -> Iterator[Reset]:
        """Yield the states that are set at touch: the speed of approach, and bristles without deflection."""
        for touch in self.pair.touches(motion):
            if touch.state_rates:
                yield Reset(touch.touching, touch.values_at_touch)

    def touching(self, motion: Motion) -> Iterator[Scalar]:
        """Yield the condition of an overlap at each point of contact."""
        for touch in self.pair.touches(motion):
            yield touch.touching

    def observed(self, motion: Motion) -> Mapping[str, Scalar | Vector]:
        """Return gap, normal force, friction, sliding, place, and the power lost."""
        touches = self.pair.touches(motion)
        return {
            "gap": self.pair.gap(motion),
            "force": total([touch.normal.force for touch in touches]),
            "friction": total_of([touch.friction_on_a for touch in touches]),
            "sliding": Touch.mean(touches, [touch.sliding for touch in touches]),
            "point": Touch.mean(touches, [touch.point for touch in touches]),
            "total": total_of([touch.force_on_a for touch in touches]),
            "dissipation": total([touch.dissipation for touch in touches]),
        }

    def measured(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the least gap."""
        return {"gap": self.pair.gap(motion)}

    def potential(self, motion: Motion) -> Scalar:
        """Return the elastic energy of the surfaces and of bristles."""
        return total([touch.stored for touch in self.pair.touches(motion)])
