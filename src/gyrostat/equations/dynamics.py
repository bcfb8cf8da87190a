"""Dynamics of a mechanism, in any choice of coordinates.

Each function is the contract of an algorithm. A tree of joints has its own recursions along that tree
(`articulated_body`, `composite_body`, `newton_euler`), two trees have those of `branch_dynamics`; they are registered
here by the kind of motion, the only dispatch on it. Masses that move with several bodies, such as those of ropes, are
added here: their inertia is a load on bodies that depends on u̇, and a share of M.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import singledispatch
from typing import TypeAlias

from gyrostat.equations import articulated_body, branch_dynamics, composite_body, momentum, newton_euler
from gyrostat.equations.branch_dynamics import BranchLoads
from gyrostat.equations.composite_body import Entries
from gyrostat.equations.loads import AppliedLoads, JointReaction
from gyrostat.equations.moving_masses import (
    elements_with_mass,
    momenta_of_masses,
    with_inertia_loads,
    with_moving_masses,
)
from gyrostat.equations.newton_euler import JointLoads
from gyrostat.equations.saddle_point import factorise_saddle_point
from gyrostat.kinematics.branch_motion import BranchMotion
from gyrostat.kinematics.chords import load_on_chord
from gyrostat.kinematics.laws import loads_of
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.forces import CoordinateLoad, PointLoad
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, negate
from gyrostat.spatial import ZERO, Vector, plus

FoundLoads: TypeAlias = JointLoads | BranchLoads
"""The loads through all arcs or branches, for given u̇."""


def inverse_dynamics(motion: WorldMotion, rates: Sequence[Scalar], loads: AppliedLoads | None = None) -> list[Scalar]:
    """Return the load on each speed, beyond all applied ones, that produces u̇."""
    return _inverse_dynamics(motion, rates, with_inertia_loads(motion, rates, loads))


@singledispatch
def _inverse_dynamics(motion: WorldMotion, rates: Sequence[Scalar], loads: AppliedLoads | None) -> list[Scalar]:
    raise _unknown(motion)


_inverse_dynamics.register(TreeMotion, newton_euler.inverse_dynamics)
_inverse_dynamics.register(BranchMotion, branch_dynamics.inverse_dynamics)


def mass_matrix(motion: WorldMotion) -> Entries:
    """Return the lower half of M(q)."""
    return with_moving_masses(motion, _mass_matrix(motion))


@singledispatch
def _mass_matrix(motion: WorldMotion) -> Entries:
    raise _unknown(motion)


_mass_matrix.register(TreeMotion, composite_body.mass_matrix)
_mass_matrix.register(BranchMotion, branch_dynamics.mass_matrix)


def mass_solver(motion: WorldMotion) -> Callable[[Sequence[Scalar]], list[Scalar]]:
    """Return the function that gives M⁻¹ times a column, by factors along the tree of joints or sparse ones."""
    if isinstance(motion, TreeMotion) and not elements_with_mass(motion):
        return composite_body.mass_solver(motion)
    factor = factorise_saddle_point(mass_matrix(motion), {}, motion.tree.coordinates.n_u, 0)
    return lambda right: factor.solve(right, [])[0]


def forward_dynamics(motion: WorldMotion) -> list[Scalar]:
    """Return u̇ at a state without constraints, under gravity, force elements and given inputs."""
    if isinstance(motion, TreeMotion) and not elements_with_mass(motion):
        return articulated_body.forward_dynamics(motion)
    still: list[Scalar] = [0] * motion.tree.coordinates.n_u
    return mass_solver(motion)([negate(load) for load in inverse_dynamics(motion, still)])


def generalized_momenta(motion: WorldMotion) -> list[Scalar]:
    """Return ∂T/∂u for each speed."""
    pairs = zip(_generalized_momenta(motion), momenta_of_masses(motion), strict=True)
    return [add(one, other) for one, other in pairs]


@singledispatch
def _generalized_momenta(motion: WorldMotion) -> list[Scalar]:
    raise _unknown(motion)


_generalized_momenta.register(TreeMotion, momentum.generalized_momenta)
_generalized_momenta.register(BranchMotion, branch_dynamics.generalized_momenta)


def joint_loads(motion: WorldMotion, rates: Sequence[Scalar], loads: AppliedLoads | None = None) -> FoundLoads:
    """Return the loads through all arcs or branches for given u̇."""
    return _joint_loads(motion, rates, with_inertia_loads(motion, rates, loads))


@singledispatch
def _joint_loads(motion: WorldMotion, rates: Sequence[Scalar], loads: AppliedLoads | None) -> FoundLoads:
    raise _unknown(motion)


_joint_loads.register(TreeMotion, newton_euler.joint_loads)
_joint_loads.register(BranchMotion, branch_dynamics.branch_loads)


def body_wrenches(
    motion: WorldMotion, rates: Sequence[Scalar], applied: AppliedLoads
) -> dict[int, tuple[Vector, Vector]]:
    """Return by link the force and the moment about the origin of H, in world axes, that its body needs for given u̇.

    That is the resultant of joints and constraints: applied loads are subtracted, but not those on coordinates.
    """
    return _body_wrenches(motion, rates, with_inertia_loads(motion, rates, applied) or applied)


@singledispatch
def _body_wrenches(
    motion: WorldMotion, rates: Sequence[Scalar], applied: AppliedLoads
) -> dict[int, tuple[Vector, Vector]]:
    raise _unknown(motion)


_body_wrenches.register(TreeMotion, newton_euler.body_wrenches)
_body_wrenches.register(BranchMotion, branch_dynamics.body_wrenches)


@singledispatch
def weak_speeds(motion: WorldMotion) -> set[int]:
    """Return the speeds, by place in u, that may move no mass at some positions; along a tree of joints none does."""
    return set()


weak_speeds.register(BranchMotion, branch_dynamics.weak_speeds)


def driver_loads(found: FoundLoads) -> dict[str, Scalar]:
    """Return the load of the driver of each driven coordinate of a tree, by name, beyond all applied ones."""
    return found.driver_loads()


def joint_reactions(found: FoundLoads, chords: Mapping[str, PointLoad]) -> dict[str, JointReaction]:
    """Return the reactions of all joints, with given loads on the children of joints that close loops.

    Loads of force elements on a joint's coordinates are part of its reaction, whether a tree has these or not.
    """
    reactions = {name: (load.force, load.moment) for name, load in chords.items()}
    for name, load in _coordinate_loads(found.motion):
        force, moment = reactions.get(name, (ZERO, ZERO))
        reactions[name] = (plus(force, load.force), plus(moment, load.moment))
    return found.reactions(reactions)


def _coordinate_loads(motion: WorldMotion) -> Iterator[tuple[str, PointLoad]]:
    """Yield the loads on children of joints from force elements on coordinates that no tree has."""
    for load in loads_of(motion, motion.tree.coordinates.topology.model.forces.values()):
        joint = motion.chord_of(load.coordinate) if isinstance(load, CoordinateLoad) else None
        if joint is not None and isinstance(load, CoordinateLoad):
            yield joint.name, load_on_chord(motion, load)[0]


def _unknown(motion: WorldMotion) -> TypeError:
    return TypeError(f"There are no equations for a {type(motion).__name__}.")
