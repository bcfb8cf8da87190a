"""Unknowns: names of coordinates and speeds, numbered in order."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from gyrostat.coordinates.layout import JointLayout
from gyrostat.model import Model
from gyrostat.model.formula import Formula
from gyrostat.model.joints import Joint


@dataclass
class Unknowns:
    """Builder of the lists of coordinates and speeds of a system."""

    coordinates: list[str] = field(default_factory=list)
    speeds: list[str] = field(default_factory=list)

    def of_joint(
        self, joint: Joint, coordinates: Container[int] | None = None, speeds: Container[int] | None = None
    ) -> JointLayout:
        """Give places to coordinates and speeds of a joint that are not driven: to all, or to some by number."""
        q: list[int | Formula | None] = []
        u: list[int | Formula | None] = []
        for i, coordinate in enumerate(joint.coordinates):
            formula = joint.drivers.get(coordinate.label)
            named = joint.full_name(coordinate.label)
            needed = coordinates is None or i in coordinates
            q.append(self._place(self.coordinates, named, formula, shared=joint.flexible) if needed else None)
        for i, label in enumerate(joint.speed_labels):
            formula = joint.drivers.get(label.removesuffix(".rate"))
            needed = speeds is None or i in speeds
            named = joint.full_name(label)
            u.append(self._place(self.speeds, named, formula, shared=joint.flexible) if needed else None)
        return JointLayout(tuple(q), tuple(u), joint.coordinate_names)

    @staticmethod
    def _place(names: list[str], name: str, formula: Formula | None, *, shared: bool) -> int | Formula:
        if formula is not None:
            return formula
        if shared and name in names:
            return names.index(name)
        names.append(name)
        return len(names) - 1

    def of_rotors(self, model: Model) -> dict[str, tuple[int, int]]:
        """Give places to the angles of all free rotors."""
        rotors: dict[str, tuple[int, int]] = {}
        for body in model.bodies.values():
            for rotor in body.rotors:
                if rotor.free:
                    name = f"{body.name}.{rotor.name}"
                    rotors[name] = (len(self.coordinates), len(self.speeds))
                    self.coordinates.append(name)
                    self.speeds.append(f"{name}.rate")
        return rotors
