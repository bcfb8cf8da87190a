"""Mobility by counting: freedoms of bodies and free rotors minus constraints of joints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gyrostat.model.joints import Joint


@dataclass(frozen=True)
class Mobility:
    """The number of degrees of freedom by counting, driven coordinates subtracted.

    `spatial` counts six freedoms for each body, `planar` three, where every joint has a place in a planar mechanism;
    both count one for each free rotor. The geometry decides which of them holds, and whether constraints are
    redundant.
    """

    spatial: int
    planar: int | None
    drivers: int

    @staticmethod
    def of(bodies: int, joints: Iterable[Joint], rotors: int = 0) -> Mobility:
        """Count the degrees of freedom of moving bodies and free rotors with given joints (Grübler, Kutzbach)."""
        listed = list(joints)
        drivers = sum(len(joint.driven) for joint in listed)
        elastic = {joint.parent.body: len(joint.speed_labels) for joint in listed if joint.flexible}
        own = sum(0 if joint.flexible else len(joint.speed_labels) for joint in listed) + sum(elastic.values())
        spatial = 6 * bodies + rotors - 6 * len(listed) + own - drivers
        freedoms = [0 if joint.flexible and joint.bends_in_plane else joint.planar_freedoms for joint in listed]
        if None in freedoms:
            return Mobility(spatial, None, drivers)
        constraints = sum(3 - (freedom or 0) for freedom in freedoms)
        planar = 3 * bodies + rotors + sum(elastic.values()) - constraints - drivers
        return Mobility(spatial, planar, drivers)

    def __str__(self) -> str:
        text = f"{self.spatial} in space"
        if self.planar is not None and self.planar != self.spatial:
            text += f", {self.planar} if all motion is in one plane"
        if self.drivers:
            text += f" ({self.drivers} driven coordinate{'s' if self.drivers > 1 else ''} subtracted)"
        return text
