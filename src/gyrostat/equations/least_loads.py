"""Statically indeterminate loads: the minimum-norm loads of joints and constraints that produce a motion.

The unit loads of all joints, whether they close a loop or not, of drivers and of constraint components act on bodies;
together they balance each body's inertia and applied loads: E ℓ = w. Where constraints are redundant
many ℓ do. The smallest, Σℓ² with moments in units of force times the size of the mechanism, does not depend on the
joints that were chosen to close loops, nor on the coordinates: two equal hinges of a door carry equal loads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gyrostat.equations.armature import inertia_loads
from gyrostat.equations.dynamics import body_wrenches
from gyrostat.equations.loads import applied_loads
from gyrostat.equations.saddle_point import factorise_saddle_point
from gyrostat.kinematics.chords import (
    chord_directions,
    chord_loads,
    held_directions,
    load_on_coordinate,
    speed_direction_in_world,
)
from gyrostat.kinematics.constraint_loads import constraint_loads
from gyrostat.kinematics.constraints import component_rows
from gyrostat.kinematics.laws import loads_of
from gyrostat.kinematics.mechanism import GROUND_INDEX
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.forces import CoordinateLoad, Load, PointLoad
from gyrostat.model.joints import Joint, Mode
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, is_zero, multiply, subtract
from gyrostat.spatial import Vector, cross, minus, plus

_SOFTNESS = 1e-9
"""Softness of the balances of bodies, since those along free motions are redundant."""
_FLOOR = 1e-8


@dataclass(frozen=True)
class _UnitLoad:
    """A unit load: the row whose multiplier it is, or none; its unit; its components in the balances of bodies."""

    row: str | None
    size: float
    """A force is counted as it is, a moment in terms of the size of the mechanism."""
    balance: dict[int, Scalar]
    """By number of balance: six for each link, forces and then moments in terms of the mechanism's size."""


def least_loads(
    motion: WorldMotion, rates: Sequence[Scalar], known: Mapping[str, Scalar], *, redundant: bool
) -> dict[str, Scalar]:
    """Return the loads along all rows, by name: with those of all joints, the minimum-norm loads of the motion.

    `known` are loads that produce it, without those of trivial rows. They are kept where these alone produce it: in
    groups of unit loads without a trivial row, if rows are not `redundant`.
    """
    units = list(_unit_loads(motion))
    wanted = _right_sides(motion, rates)
    found = {unit.row: known.get(unit.row, 0) for unit in units if unit.row is not None}
    for group in _together(units):
        balances = sorted({place for unit in group for place in unit.balance})
        right = [wanted.get(place, 0) for place in balances]
        if all(is_zero(value) for value in right):
            continue
        if not redundant and all(unit.row is None or unit.row in known for unit in group):
            continue
        for unit, size in zip(group, _smallest(group, balances, right), strict=True):
            if unit.row is not None:
                found[unit.row] = multiply(unit.size, size)
    return found


def _smallest(units: Sequence[_UnitLoad], balances: Sequence[int], right: Sequence[Scalar]) -> list[Scalar]:
    """Return the minimum-norm multiples of unit loads that satisfy the balances."""
    number = {place: i for i, place in enumerate(balances)}
    rows = {(number[place], j): entry for j, unit in enumerate(units) for place, entry in unit.balance.items()}
    alike: dict[tuple[int, int], Scalar] = {(j, j): 1 for j in range(len(units))}
    factor = factorise_saddle_point(alike, rows, len(units), len(balances), softness=_SOFTNESS, floor=_FLOOR)
    return factor.solve([0] * len(units), list(right))[0]


def _together(units: Sequence[_UnitLoad]) -> list[list[_UnitLoad]]:
    """Return the unit loads in groups that have no balance in common."""
    owner: dict[int, int] = {}
    groups: dict[int, list[_UnitLoad]] = {}
    for i, unit in enumerate(units):
        touched = {owner[place] for place in unit.balance if place in owner}
        groups[i] = [other for k in sorted(touched) for other in groups.pop(k)] + [unit]
        for member in groups[i] if touched else [unit]:
            owner |= dict.fromkeys(member.balance, i)
    return list(groups.values())


def _unit_loads(motion: WorldMotion) -> Iterator[_UnitLoad]:
    """Yield the unit loads of all joints, of their drivers, and of constraint components."""
    coordinates = motion.tree.coordinates
    for joint in coordinates.topology.joints.values():
        held = ((None, mode) for mode in (*held_directions(motion, joint), *_driven(motion, joint)))
        for name, mode in (*chord_directions(motion, joint), *held):
            turns = all(is_zero(x) for x in mode.linear)
            yield _unit(motion, name, turns, chord_loads(motion, joint, [(mode, 1)]))
    for component in coordinates.topology.model.constraints.values():
        for row in component_rows(motion, component):
            yield _unit(motion, row.name, row.unit == "N·m", constraint_loads(motion, component, {row.name: 1}))


def _driven(motion: WorldMotion, joint: Joint) -> list[Mode]:
    """Return the loads of drivers of coordinates that a tree has."""
    names, driven = joint.coordinate_names, motion.tree.coordinates.driven
    return [speed_direction_in_world(motion, joint, i) for i, name in enumerate(names) if name in driven]


def _unit(motion: WorldMotion, row: str | None, turns: bool, loads: Iterable[Load]) -> _UnitLoad:
    size = motion.tree.coordinates.size if turns else 1.0
    balance = _balance(motion, loads)
    return _UnitLoad(row, size, {place: multiply(size, x) for place, x in balance.items() if not is_zero(x)})


def _right_sides(motion: WorldMotion, rates: Sequence[Scalar]) -> dict[int, Scalar]:
    """Return the right sides of the balances, inertia less applied loads; those on coordinates act on two bodies."""
    wanted: dict[int, Scalar] = {}
    for index, (force, moment) in body_wrenches(motion, rates, applied_loads(motion)).items():
        _add(wanted, motion, index, force, moment)
    forces = motion.tree.coordinates.topology.model.forces.values()
    loads = (load for load in loads_of(motion, forces) if isinstance(load, CoordinateLoad))
    of_trees = (load for load in loads if motion.chord_of(load.coordinate) is None)
    for place, value in _balance(motion, (*of_trees, *inertia_loads(motion, rates))).items():
        wanted[place] = subtract(wanted.get(place, 0), value)
    return wanted


def _balance(motion: WorldMotion, loads: Iterable[Load]) -> dict[int, Scalar]:
    """Return the sum of loads on each body, by number of balance."""
    found: dict[int, Scalar] = {}
    for load in loads:
        for part in _on_bodies(motion, load):
            index = motion.tree.index_of[part.end.body]
            if index != GROUND_INDEX:
                arm = minus(motion.end(part.end).position, motion.pose(index).r_WH_W)
                _add(found, motion, index, part.force, plus(part.moment, cross(arm, part.force)))
    return found


def _on_bodies(motion: WorldMotion, load: Load) -> tuple[PointLoad, ...]:
    """Return a load as loads on bodies; none where it acts within one, on a rotor."""
    if isinstance(load, PointLoad):
        return (load,)
    joint = motion.tree.coordinates.topology.model.directory.joint(load.coordinate)
    return () if joint is None else load_on_coordinate(motion, joint, load)


def _add(found: dict[int, Scalar], motion: WorldMotion, index: int, force: Vector, moment: Vector) -> None:
    """Add force and moment about the origin of the hinge frame, in world axes, to the balance of a link."""
    size = motion.tree.coordinates.size
    for k, value in enumerate((*force, *(divide(x, size) for x in moment))):
        found[6 * index + k] = add(found.get(6 * index + k, 0), value)
