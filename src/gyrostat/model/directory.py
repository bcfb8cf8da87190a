"""The directory of a model: what names with dots stand for, by longest match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gyrostat.model.body import Body
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, prefixes
from gyrostat.model.record import Component
from gyrostat.model.rotor import Rotor
from gyrostat.once import cached_property

_AXES = ("x", "y", "z")


@dataclass(frozen=True)
class Directory:
    """The components of a flat model by name.

    A name is that of a component, or begins with one: "left.axle.hub.x" may be a component of the position of the point
    `hub` of the body `left.axle`. Of several components whose names it begins with, the longest one is meant.
    """

    components: Mapping[str, Component]
    ground: Body

    def split(self, name: str) -> tuple[Component | None, str]:
        """Return the component that a name begins with and the rest, or None and the name."""
        for start in prefixes(name):
            found = self._component(start)
            if found is not None:
                return found, name[len(start) + 1 :]
        return None, name

    def end(self, name: str) -> End | None:
        """Return the frame of a body, or a point or frame on one, or None."""
        body, rest = self.split(name)
        if not isinstance(body, Body) or (rest and rest not in body.points and rest not in body.frames):
            return None
        return End(body.name, rest or None)

    def position(self, name: str) -> tuple[End, int] | None:
        """Return place and number of a component of a position, such as "bar.tip.x", or None."""
        place, _, axis = name.rpartition(".")
        end = self.end(place)
        return (end, _AXES.index(axis)) if end is not None and axis in _AXES else None

    def joint(self, coordinate: str) -> Joint | None:
        """Return the joint that a coordinate belongs to, or None for that of a rotor and for unknown names."""
        return self._joint_of.get(coordinate)

    def rotor(self, name: str) -> Rotor | None:
        """Return the rotor of a name such as "satellite.wheel", or None."""
        body, rest = self.split(name)
        rotors = body.rotors if isinstance(body, Body) else ()
        return next((rotor for rotor in rotors if rotor.name == rest), None)

    @cached_property
    def _joint_of(self) -> dict[str, Joint]:
        joints = (component for component in self.components.values() if isinstance(component, Joint))
        return {name: joint for joint in joints for name in joint.coordinate_names}

    def _component(self, name: str) -> Component | None:
        return self.ground if name == GROUND else self.components.get(name)
