"""Dynamics of a mechanism, whatever its coordinates: by recursion along a tree of joints, or along two trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from gyrostat.equations import articulated_body, branch_dynamics, composite_body, momentum, newton_euler
from gyrostat.equations.branch_dynamics import BranchLoads
from gyrostat.equations.composite_body import Entries
from gyrostat.equations.loads import AppliedLoads, applied_loads
from gyrostat.equations.newton_euler import JointLoads
from gyrostat.equations.saddle_point import factorise_saddle_point
from gyrostat.kinematics.branch_motion import BranchMotion
from gyrostat.kinematics.chords import load_on_chord
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.forces import CoordinateLoad, PointLoad
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import negate
from gyrostat.spatial import ZERO, Vector, apply, minus, opposite, plus

FoundLoads: TypeAlias = JointLoads | BranchLoads
"""The loads through all arcs or branches, for given u̇."""

JointReaction: TypeAlias = tuple[Vector, Vector]
"""Force and moment of the parent on the child at the child's joint point, in world axes."""


def inverse_dynamics(motion: WorldMotion, rates: Sequence[Scalar], loads: AppliedLoads | None = None) -> list[Scalar]:
    """Return the load on each speed, beyond all applied ones, that makes u̇ happen."""
    if isinstance(motion, BranchMotion):
        return branch_dynamics.inverse_dynamics(motion, rates, applied_loads(motion) if loads is None else loads)
    return newton_euler.inverse_dynamics(_on_tree(motion), rates, loads)


def mass_matrix(motion: WorldMotion) -> Entries:
    """Return the lower half of M(q)."""
    if isinstance(motion, BranchMotion):
        return branch_dynamics.mass_matrix(motion)
    return composite_body.mass_matrix(_on_tree(motion))


def mass_solver(motion: WorldMotion) -> Callable[[Sequence[Scalar]], list[Scalar]]:
    """Return what gives M⁻¹ times a column, by sparse factors."""
    entries = mass_matrix(motion)
    if isinstance(motion, TreeMotion):
        return composite_body.factorise(motion, entries).solve
    factor = factorise_saddle_point(entries, {}, motion.tree.coordinates.n_u, 0)
    return lambda right: factor.solve(right, [])[0]


def forward_dynamics(motion: WorldMotion) -> list[Scalar]:
    """Return u̇ at a state without constraints, under gravity, force elements and given inputs."""
    if isinstance(motion, TreeMotion):
        return articulated_body.forward_dynamics(motion)
    still: list[Scalar] = [0] * motion.tree.coordinates.n_u
    return mass_solver(motion)([negate(load) for load in inverse_dynamics(motion, still)])


def generalized_momenta(motion: WorldMotion) -> list[Scalar]:
    """Return ∂T/∂u for each speed."""
    if isinstance(motion, BranchMotion):
        return branch_dynamics.generalized_momenta(motion)
    return momentum.generalized_momenta(_on_tree(motion))


def joint_loads(motion: WorldMotion, rates: Sequence[Scalar], loads: AppliedLoads | None = None) -> FoundLoads:
    """Return the loads through all arcs or branches that given u̇ ask for."""
    if isinstance(motion, BranchMotion):
        return branch_dynamics.branch_loads(motion, rates, applied_loads(motion) if loads is None else loads)
    return newton_euler.joint_loads(_on_tree(motion), rates, loads)


def body_wrenches(
    motion: WorldMotion, rates: Sequence[Scalar], applied: AppliedLoads
) -> dict[int, tuple[Vector, Vector]]:
    """Return by link the force and the moment about the origin of H, in world axes, that its body needs for given u̇.

    That is what joints and constraints must give it: applied loads are taken off, but not those on coordinates.
    """
    found: dict[int, tuple[Vector, Vector]] = {}
    if isinstance(motion, BranchMotion):
        for i, (moment, force) in enumerate(branch_dynamics.body_needs(motion, rates)):
            own = applied.wrenches[i]
            found[i] = minus(force, own.force), apply(motion.pose(i).R_WH, minus(moment, own.moment))
        return found
    on_tree = _on_tree(motion)
    for i, wrench in enumerate(newton_euler.body_wrenches(on_tree, rates, applied)):
        if on_tree.tree.links[i].body:
            R_WH = on_tree.pose(i).R_WH
            found[i] = apply(R_WH, wrench.force), apply(R_WH, wrench.moment)
    return found


def driver_loads(found: FoundLoads) -> dict[str, Scalar]:
    """Return the load of the driver of each driven coordinate of a tree, by name, beyond all applied ones."""
    if isinstance(found, BranchLoads):
        return branch_dynamics.driver_loads(found)
    return newton_euler.driver_loads(found)


def joint_reactions(found: FoundLoads, chords: Mapping[str, PointLoad]) -> dict[str, JointReaction]:
    """Return the reactions of all joints, with given loads on the children of joints that close loops.

    Loads of force elements on a joint's coordinates are part of its reaction, whether a tree has these or not.
    """
    reactions = {name: (load.force, load.moment) for name, load in chords.items()}
    for name, load in _coordinate_loads(found.motion):
        force, moment = reactions.get(name, (ZERO, ZERO))
        reactions[name] = (plus(force, load.force), plus(moment, load.moment))
    if isinstance(found, BranchLoads):
        return _branch_reactions(found, reactions)
    motion = found.motion
    for i, link in motion.tree.bodies:
        R_WH, wrench = motion.pose(i).R_WH, newton_euler.reaction(found, i)
        reactions[link.whole[0].name] = (apply(R_WH, wrench.force), apply(R_WH, wrench.moment))
    return reactions


def _coordinate_loads(motion: WorldMotion) -> Iterator[tuple[str, PointLoad]]:
    """Yield the loads on children of joints from force elements on coordinates that no tree has."""
    for element in motion.tree.coordinates.topology.model.forces.values():
        for load in element.loads(motion):
            joint = motion.chord_of(load.coordinate) if isinstance(load, CoordinateLoad) else None
            if joint is not None and isinstance(load, CoordinateLoad):
                yield joint.name, load_on_chord(motion, load)[0]


def _branch_reactions(found: BranchLoads, reactions: dict[str, JointReaction]) -> dict[str, JointReaction]:
    """Add the forces of joints that place bodies and the moments of joints that turn them.

    Both act at the child's point: there the displacement ends whose directions are fixed in the parent. Where a tree
    passes a joint backwards, the load on the child is the opposite of that on the body.
    """
    motion = found.motion
    result = {name: reactions.get(name, (ZERO, ZERO)) for name in motion.tree.coordinates.topology.joints}
    for i, link in enumerate(motion.tree.links):
        name, backwards = link.placing.joint.name, link.placing.reversed
        if name in result:
            force, moment = result[name]
            result[name] = (plus(force, opposite(found.forces[i]) if backwards else found.forces[i]), moment)
        name, backwards = link.turning.joint.name, link.turning.reversed
        if name in result:
            force, moment = result[name]
            own = apply(motion.rotations[i], found.moments[i])
            result[name] = (force, plus(moment, opposite(own) if backwards else own))
    return result


def _on_tree(motion: WorldMotion) -> TreeMotion:
    assert isinstance(motion, TreeMotion), "there are these two"
    return motion
