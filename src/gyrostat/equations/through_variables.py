"""Forces and torques through the elements of the finer graph, by free-body diagrams (McPhee 2002, part 4).

Those of a joint are the load of its parent on its child, without loads on its coordinates; those of a force element
the load on its second end; those of a body its inertia load: F = Σm(g − a) and T = Σ r × F − d(angular momentum),
about the origin of its hinge frame, with all sections of a flexible body. The load of a flexible arm is that of the
body on its station.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gyrostat.equations.dynamics import FoundLoads, body_wrenches, joint_reactions
from gyrostat.equations.loads import applied_loads
from gyrostat.kinematics.chords import load_on_coordinate
from gyrostat.kinematics.mechanism import GROUND_INDEX
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.forces import CoordinateLoad, Load, PointLoad
from gyrostat.model.joints import Joint
from gyrostat.scalar import Scalar
from gyrostat.spatial import ZERO, Vector, cross, minus, opposite, plus


@dataclass(frozen=True)
class ThroughVariable:
    """Force and torque through an element, in world axes."""

    force: Vector = ZERO
    torque: Vector = ZERO

    def plus(self, other: ThroughVariable) -> ThroughVariable:
        """Return the sum."""
        return ThroughVariable(plus(self.force, other.force), plus(self.torque, other.torque))

    @property
    def opposite(self) -> ThroughVariable:
        """The opposite."""
        return ThroughVariable(opposite(self.force), opposite(self.torque))


@dataclass
class _Diagram:
    """All loads on bodies while they are listed: by element, on which body, at which place."""

    motion: WorldMotion
    on_body: dict[tuple[str, str], ThroughVariable] = field(default_factory=dict)
    arms: dict[str, Vector] = field(default_factory=dict)

    def add(self, element: str, load: PointLoad, at: Vector | None = None) -> None:
        """Add a load of an element on a body; its moment about the hinge frame's origin counts for the body."""
        body = load.end.body
        index = self.motion.tree.index_of[body]
        position = self.motion.end(load.end).position if at is None else at
        known = self.on_body.get((element, body), ThroughVariable())
        self.on_body[element, body] = known.plus(ThroughVariable(load.force, load.moment))
        if index != GROUND_INDEX:
            arm = minus(position, self.motion.pose(index).r_WH_W)
            self.arms[body] = plus(self.arms.get(body, ZERO), cross(arm, load.force))


def through_variables(
    found: FoundLoads,
    rates: list[Scalar],
    chords: Mapping[str, tuple[PointLoad, PointLoad]],
    forces: Mapping[str, Iterable[Load]],
) -> dict[tuple[str, str], ThroughVariable]:
    """Return the load of each element on each body, by (element, body): joints, given loads by element, bodies.

    `chords` are the loads of constraints on the children and on the parents of joints that close loops.
    """
    motion = found.motion
    joints = motion.tree.coordinates.topology.joints
    directory = motion.tree.coordinates.topology.model.directory
    diagram = _Diagram(motion)
    on_coordinates: dict[str, ThroughVariable] = {}
    for name, loads in forces.items():
        for load in loads:
            if not isinstance(load, CoordinateLoad):
                diagram.add(name, load)
            elif (joint := directory.joint(load.coordinate)) and not joint.flexible:
                on_child, _ = load_on_coordinate(motion, joint, load)
                _both_sides(diagram, name, joint, on_child.force, on_child.moment)
                own = on_coordinates.get(joint.name, ThroughVariable())
                on_coordinates[joint.name] = own.plus(ThroughVariable(on_child.force, on_child.moment))
    for name, pair in chords.items():
        for load in pair:
            diagram.add(name, load)
    for name, (force, moment) in joint_reactions(found, {}).items():
        acting = on_coordinates.get(name, ThroughVariable())
        _both_sides(diagram, name, joints[name], minus(force, acting.force), minus(moment, acting.torque))
    result = dict(diagram.on_body)
    needs = body_wrenches(motion, rates, applied_loads(motion, ()))
    for i, link in motion.tree.bodies:
        force, moment = needs[i]
        for k in motion.tree.sections_of(link.body):
            arm = minus(motion.pose(k).r_WH_W, motion.pose(i).r_WH_W)
            force, moment = plus(force, needs[k][0]), plus(moment, plus(needs[k][1], cross(arm, needs[k][0])))
        torque = minus(diagram.arms.get(link.body, ZERO), moment)
        result[link.body, link.body] = ThroughVariable(opposite(force), torque)
    return result


def _both_sides(diagram: _Diagram, element: str, joint: Joint, force: Vector, moment: Vector) -> None:
    """Add a load on a joint's child and its opposite on the parent, at the child's place."""
    place = diagram.motion.end(joint.child).position
    diagram.add(element, PointLoad(joint.child, force, moment), place)
    diagram.add(element, PointLoad(joint.parent, opposite(force), opposite(moment)), place)
