"""Applied loads, gathered by link and by speed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from gyrostat.kinematics.chords import load_on_chord
from gyrostat.kinematics.laws import loads_of
from gyrostat.kinematics.mechanism import GROUND_INDEX
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.forces import CoordinateLoad, ForceElement, Load, PointLoad
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import ZERO, Matrix, Vector, apply, cross, minus, plus, transpose

JointReaction: TypeAlias = tuple[Vector, Vector]
"""Force and moment of the parent on the child at the child's joint point, in world axes."""


class Wrench(NamedTuple):
    """Moment about the origin of a hinge frame H, and force, in the axes of H; on two trees, force in world axes."""

    moment: Vector = ZERO
    force: Vector = ZERO

    def plus(self, other: Wrench) -> Wrench:
        """Return the sum of two wrenches on one link."""
        return Wrench(plus(self.moment, other.moment), plus(self.force, other.force))

    def minus(self, other: Wrench) -> Wrench:
        """Return the difference of two wrenches on one link."""
        return Wrench(minus(self.moment, other.moment), minus(self.force, other.force))


@dataclass(frozen=True)
class AppliedLoads:
    """Loads on links, on unknown speeds (by place in u) and on driven coordinates (by name)."""

    wrenches: tuple[Wrench, ...]
    on_speeds: tuple[Scalar, ...]
    on_driven: dict[str, Scalar]

    def plus(self, other: AppliedLoads) -> AppliedLoads:
        """Return the sum of loads on one system."""
        return AppliedLoads(
            tuple(a.plus(b) for a, b in zip(self.wrenches, other.wrenches, strict=True)),
            tuple(add(a, b) for a, b in zip(self.on_speeds, other.on_speeds, strict=True)),
            {
                name: add(self.on_driven.get(name, 0), other.on_driven.get(name, 0))
                for name in {**self.on_driven, **other.on_driven}
            },
        )


def applied_loads(
    motion: WorldMotion, forces: Iterable[ForceElement] | None = None, *, extra: Iterable[Load] = ()
) -> AppliedLoads:
    """Return all loads of force elements at a state, and extra ones; gravity is not among them."""
    tree = motion.tree
    coordinates = tree.coordinates
    wrenches = [Wrench()] * len(tree.links)
    on_speeds: list[Scalar] = [0] * coordinates.n_u
    on_driven: dict[str, Scalar] = {}
    chosen = coordinates.topology.model.forces.values() if forces is None else forces
    for load in (*loads_of(motion, chosen), *extra):
        if isinstance(load, CoordinateLoad) and motion.chord_of(load.coordinate) is not None:
            for part in load_on_chord(motion, load):
                index = tree.index_of[part.end.body]
                if index != GROUND_INDEX:
                    wrenches[index] = wrenches[index].plus(wrench_of(part, motion))
        elif isinstance(load, PointLoad):
            index = tree.index_of[load.end.body]
            if index != GROUND_INDEX:
                wrenches[index] = wrenches[index].plus(wrench_of(load, motion))
        elif load.coordinate in coordinates.place_of:
            place = coordinates.place_of[f"{load.coordinate}.rate"][1]
            on_speeds[place] = add(on_speeds[place], load.value)
        else:
            on_driven[load.coordinate] = add(on_driven.get(load.coordinate, 0), load.value)
    return AppliedLoads(tuple(wrenches), tuple(on_speeds), on_driven)


def wrench_of(load: PointLoad, motion: WorldMotion) -> Wrench:
    """Return a load at a place on a body as a wrench on its link."""
    R_WH = motion.pose(motion.tree.index_of[load.end.body]).R_WH
    _, r_HE_H = motion.tree.placement_in_hinge(load.end)
    found = _in_hinge(R_WH, r_HE_H, load.force, load.moment)
    return Wrench(found.moment, load.force) if motion.forces_in_world else found


@repeated
def _in_hinge(R_WH: Matrix, r_HE_H: Vector, force_W: Vector, moment_W: Vector) -> Wrench:
    """Return a load at a place E, given in world axes, as a wrench in the hinge frame."""
    R_HW = transpose(R_WH)
    force = apply(R_HW, force_W)
    return Wrench(plus(apply(R_HW, moment_W), cross(r_HE_H, force)), force)


__all__ = ["AppliedLoads", "JointReaction", "Load", "Wrench", "applied_loads", "wrench_of"]
