"""A belt over pulleys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.rope_element import RopeElement
from gyrostat.model.place import Place


@dataclass(frozen=True)
class Belt(RopeElement):
    """An elastic belt or closed chain without mass over pulleys, which transmits torque as far as friction holds it.

    `path` is the list of its pulleys, in the order of its motion where it runs forward; the last is followed by the
    first. Its length without tension, less than that of the path, determines the pretension. Pulleys on turning bodies
    are driven by friction `mu`, or without slip by `grip`; elastic creep comes with the difference of tensions.

    >>> import gyrostat as gs
    >>> motor = gs.Pulley("motor", "rotor", 0.05, "left", mu=0.4)
    >>> fan = gs.Pulley("fan", "impeller", 0.15, "left", mu=0.4)
    >>> belt = Belt("belt", [motor, fan], length=1.99, EA=5e4)
    """

    closed: ClassVar[bool] = True

    def validate(self, place: Place) -> None:
        """Require elasticity."""
        super().validate(place)
        if self.EA is None:
            place.inside("EA").report("it is missing.", "Give EA=…, the tension per strain of the belt.")
