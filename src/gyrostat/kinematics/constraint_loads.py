"""Loads of constraints on bodies and coordinates, from the principle of virtual power.

A row with the speed A u − b and the multiplier λ does the work λ·δ(A u) in every variation. So the force on a body is λ
times the row's speed while that body alone has a unit velocity, and the load on a coordinate λ times the row's speed
while that coordinate alone has a unit rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gyrostat.coordinates import Coordinates
from gyrostat.kinematics.chords import chord_directions, chord_loads
from gyrostat.kinematics.constraints import varied_speeds
from gyrostat.kinematics.varied_motion import Variation, VirtualRate, VirtualTwist
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.constraints import Constraint
from gyrostat.model.forces import CoordinateLoad, Load, PointLoad
from gyrostat.model.formula import TIME
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End, FormulaUse, Reference
from gyrostat.model.names import GROUND
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply, total
from gyrostat.spatial import IDENTITY


@dataclass(frozen=True)
class ConstraintLoads:
    """The loads Aᵀλ of all constraints on bodies and coordinates, for given multipliers λ."""

    of_chords: Mapping[str, tuple[PointLoad, PointLoad]]
    """For each joint that closes a loop the load of its parent on its child, and the opposite on the parent."""
    of_components: Mapping[str, list[Load]]
    """The loads of each constraint component."""

    @property
    def on_children(self) -> dict[str, PointLoad]:
        """The loads on the children of joints that close loops."""
        return {name: on_child for name, (on_child, _) in self.of_chords.items()}

    @property
    def total(self) -> list[Load]:
        """All loads: those of chords first, then those of components."""
        return [load for loads in (*self.of_chords.values(), *self.of_components.values()) for load in loads]

    def of_owner(self, name: str) -> tuple[Load, ...]:
        """Return the loads of one chord or component."""
        return tuple(self.of_chords[name] if name in self.of_chords else self.of_components[name])


def all_constraint_loads(motion: WorldMotion, multipliers: Mapping[str, Scalar]) -> ConstraintLoads:
    """Return the loads of all constraints, given multipliers by the names of rows; rows without one have no load."""
    coordinates = motion.tree.coordinates
    joints = {name: coordinates.topology.joints[name] for name in coordinates.chords}
    components = coordinates.topology.model.constraints
    return ConstraintLoads(
        {name: _loads_of_chord(motion, joint, multipliers) for name, joint in joints.items()},
        {name: constraint_loads(motion, component, multipliers) for name, component in components.items()},
    )


def _loads_of_chord(
    motion: WorldMotion, joint: Joint, multipliers: Mapping[str, Scalar]
) -> tuple[PointLoad, PointLoad]:
    sizes = [(mode, multipliers.get(row, 0)) for row, mode in chord_directions(motion, joint)]
    return chord_loads(motion, joint, sizes)


def constraint_loads(motion: WorldMotion, constraint: Constraint, multipliers: Mapping[str, Scalar]) -> list[Load]:
    """Return the loads of a constraint, given its multipliers by the names of rows; rows that are not named have none.

    Loads on bodies act at the origin of their frames.
    """

    def work(variation: Variation) -> Scalar:
        speeds = varied_speeds(motion, constraint, variation)
        return total([multiply(multipliers.get(name, 0), speed) for name, speed in speeds.items()])

    loads: list[Load] = []
    for body in bodies_of(motion.tree.coordinates, constraint):
        moment = [work(VirtualTwist(body, angular=axis)) for axis in IDENTITY]
        force = [work(VirtualTwist(body, linear=axis)) for axis in IDENTITY]
        loads.append(PointLoad(End(body), (force[0], force[1], force[2]), (moment[0], moment[1], moment[2])))
    loads.extend(
        CoordinateLoad(name, work(VirtualRate(name))) for name in coordinates_of(motion.tree.coordinates, constraint)
    )
    return loads


def bodies_of(coordinates: Coordinates, constraint: Constraint) -> list[str]:
    """Return the bodies whose places a constraint names, but for the ground."""
    directory = coordinates.topology.model.directory
    ends = [directory.end(use.target) for use in _references(constraint) if use.role in ("end", "body")]
    components = (name for name in _positions(coordinates, constraint) if name not in coordinates.measures)
    ends += [place[0] for name in components if (place := directory.position(name))]
    return [body for body in dict.fromkeys(end.body for end in ends if end is not None) if body != GROUND]


def coordinates_of(coordinates: Coordinates, constraint: Constraint) -> list[str]:
    """Return the coordinates that a constraint names."""
    named = [
        *(use.target for use in _references(constraint) if use.role == "coordinate"),
        *(name for name in _positions(coordinates, constraint) if name in coordinates.measures),
    ]
    return list(dict.fromkeys(named))


def _references(constraint: Constraint) -> Iterator[Reference]:
    return (use for use in constraint.all_uses if isinstance(use, Reference))


def _positions(coordinates: Coordinates, constraint: Constraint) -> list[str]:
    """Return the names of coordinates and components of places in formulas of a constraint."""
    known = coordinates.topology.model.parameters
    uses = (use for use in constraint.all_uses if isinstance(use, FormulaUse) and use.scope.positions)
    return [name for use in uses for name in sorted(use.formula.names) if name not in known and name != TIME]
