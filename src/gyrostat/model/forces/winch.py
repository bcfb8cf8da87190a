"""A winch that pays out and takes in a rope."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import LAW, ForceElement, ForceOutput, Load, Motion
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import ChoiceKind, CountKind, OptionalKind, Quantity, QuantityKind, ReferenceKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.ropes.drum import DrumLayers
from gyrostat.model.ropes.material import Feed
from gyrostat.model.ropes.rope_mass import FedEnd
from gyrostat.model.state_variable import StateVariable
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import multiply
from gyrostat.scalar.floats import FloatScalars


@dataclass(frozen=True)
class Winch(ForceElement):
    """A drum at an end of a `Reeving` that pays out rope: by the angle of a joint, or at a given speed.

    With `joint`, rope is paid out as the coordinate grows from zero, at the radius of the drum; the tension acts on the
    coordinate. With `layers` the drum is full at zero: the outermost layer, with `turns` turns, is paid out first, and
    each layer below is smaller by the `diameter` of the rope. With `speed` rope is paid out at a speed given by a
    formula, and `name.length`, a state, is how much of it is out. The motor and the brake of a winch act on the joint.

    >>> import gyrostat as gs
    >>> winch = gs.Winch("hoist", "rope", joint="drum", radius=0.2)
    """

    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "payout": ForceOutput(1, "m", "rope paid out"),
        "rate": ForceOutput(1, "m/s", "speed at which rope is paid out"),
        "radius": ForceOutput(1, "m", "radius at which the rope leaves the drum"),
    }
    rope: str = value(ReferenceKind("rope"), doc="the rope, a Reeving")
    joint: str | None = value(OptionalKind(ReferenceKind("coordinate")), None, doc="the coordinate of the drum")
    radius: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="radius of the rope's centre line in the innermost layer (m)"
    )
    layers: int = value(CountKind(100), 1, doc="number of layers", keyword=True)
    turns: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="turns in each layer; needed for several layers", keyword=True
    )
    diameter: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="diameter of the rope (m); needed for several layers", keyword=True
    )
    speed: Quantity | None = value(
        OptionalKind(QuantityKind(LAW)), None, doc="speed at which rope is paid out, a formula (m/s)", keyword=True
    )
    at: str = value(ChoiceKind(("first", "last")), "first", doc="the end of the rope: first or last", keyword=True)

    def validate(self, place: Place) -> None:
        """Require either a joint with a radius or a speed, and the dimensions of several layers."""
        if (self.joint is None) == (self.speed is None):
            fact = "it has neither a joint nor a speed." if self.joint is None else "it has a joint and a speed."
            place.report(fact, "Give joint=… with radius=…, or speed=….")
        if (self.joint is None) != (self.radius is None):
            place.inside("radius").report("a radius belongs to the joint of a drum.", "Give both, or a speed alone.")
        for name in ("radius", "turns", "diameter"):
            given = getattr(self, name)
            if given is not None:
                require_positive(place, name, given, "Give a value above zero.")
            elif self.layers > 1 and name != "radius":
                place.inside(name).report(f"it is missing for {self.layers} layers.", "Give turns=… and diameter=….")

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The length of rope paid out, where a speed gives it."""
        if self.speed is None:
            return ()
        return (StateVariable(f"{self.name}.length", "m", f"rope paid out by {self.name}"),)

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the speed."""
        return {} if self.speed is None else {f"{self.name}.length": motion.evaluate(self.speed)}

    @property
    def may_switch(self) -> bool:
        """Whether the radius changes from layer to layer."""
        return self.layers > 1

    def _drum(self, evaluate: Callable[[Formula], Scalar], scalars: Scalars) -> DrumLayers:
        assert self.radius is not None, "validated when it was made"
        turns = 0 if self.turns is None else evaluate(self.turns)
        diameter = 0 if self.diameter is None else evaluate(self.diameter)
        return DrumLayers(evaluate(self.radius), self.layers, multiply(multiply(2, scalars.pi()), turns), diameter)

    def paid_out(self, angle: float, evaluate: Callable[[Formula], float]) -> float:
        """Return the length of rope that has left the drum at an angle, in numbers."""
        numbers = FloatScalars()
        return float(self._drum(evaluate, numbers).paid_out(angle, numbers))

    def lever(self, motion: Motion) -> Scalar:
        """Return the length paid out per angle of the drum: the radius; zero where a speed gives the length."""
        if self.joint is None:
            return 0
        drum = self._drum(motion.evaluate, motion.scalars)
        return drum.radius_at(motion.coordinate(self.joint), motion.scalars)

    def feed(self, motion: Motion) -> Feed:
        """Return the length paid out and its rate."""
        if self.joint is None:
            assert self.speed is not None, "validated when it was made"
            return Feed(motion.quantity(f"{self.name}.length"), motion.evaluate(self.speed))
        drum = self._drum(motion.evaluate, motion.scalars)
        length = drum.paid_out(motion.coordinate(self.joint), motion.scalars)
        return Feed(length, multiply(self.lever(motion), motion.speed(self.joint)))

    def fed_end(self, motion: Motion) -> FedEnd:
        """Return the end of the rope at the drum, with the rope that is wound on it."""
        assert self.joint is not None, "a checked rope with mass has drums"
        drum, angle = self._drum(motion.evaluate, motion.scalars), motion.coordinate(self.joint)
        wound, second = drum.wound(angle, motion.scalars)
        return FedEnd(self.joint, self.lever(motion), motion.speed(self.joint), wound, second)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield nothing: the rope itself loads the drum."""
        yield from ()

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rope paid out, its rate, and the radius."""
        feed = self.feed(motion)
        return {"payout": feed.length, "rate": feed.rate, "radius": self.lever(motion)}

    @property
    def coordinate(self) -> str | None:
        """The coordinate of the drum."""
        return self.joint
