"""Inertia of masses that move with several bodies, such as ropes: their share of M, loads and energy.

The velocities of such a mass are functions of the state, linear in u. Their derivatives by u and in time are formed on
jets, with any engine and in any choice of coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gyrostat.equations.composite_body import Entries
from gyrostat.equations.loads import AppliedLoads, Load, applied_loads
from gyrostat.kinematics.jet_motion import in_time, on_jets
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.forces import MassElement, mass_elements
from gyrostat.model.kinds import End
from gyrostat.model.ropes.moving_mass import MovingMass, product_of
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, is_zero, negate, total
from gyrostat.scalar.jets import Jet, rate_of
from gyrostat.scalar.operations import law
from gyrostat.spatial import ZERO, Vector, dot, rates_of


def elements_with_mass(motion: WorldMotion) -> tuple[MassElement, ...]:
    """Return the force elements that have mass."""
    return mass_elements(motion.tree.coordinates.topology.model.forces.values())


def moving_masses(motion: WorldMotion) -> list[MovingMass]:
    """Return the parts of all moving masses."""
    found = list[MovingMass]()
    for element in elements_with_mass(motion):
        with law(motion.scalars, element.name):
            found += element.masses(motion)
    return found


def inertia_loads(motion: WorldMotion, rates: Sequence[Scalar]) -> list[Load]:
    """Return the loads of inertia and weight of moving masses for given u̇."""
    elements = elements_with_mass(motion)
    if not elements:
        return []
    moving, found = in_time(motion, rates), list[Load]()
    for element in elements:
        with law(motion.scalars, element.name):
            found += element.inertia_loads(moving, motion.tree.gravity)
    return found


def with_inertia_loads(motion: WorldMotion, rates: Sequence[Scalar], loads: AppliedLoads | None) -> AppliedLoads | None:
    """Return applied loads, None for all of the model, with those of inertia and weight of moving masses."""
    added = inertia_loads(motion, rates)
    if not added:
        return loads
    if loads is None:
        return applied_loads(motion, extra=added)
    return loads.plus(applied_loads(motion, (), extra=added))


def with_moving_masses(motion: WorldMotion, entries: Entries) -> Entries:
    """Return the lower half of a mass matrix with the share of moving masses."""
    elements = elements_with_mass(motion)
    if not elements:
        return entries
    found = dict(entries)
    unit = _unit_motions(motion, elements)
    masses = moving_masses(motion)
    for i, one in enumerate(unit):
        momenta = [mass.momenta(a) if _moves(a) else None for mass, a in zip(masses, one, strict=True)]
        for j in range(i + 1):
            pairs = zip(unit[j], momenta, strict=True)
            moved = total([product_of(a, p) for a, p in pairs if p is not None])
            if not is_zero(moved):
                found[i, j] = add(found.get((i, j), 0), moved)
    return found


def momenta_of_masses(motion: WorldMotion) -> list[Scalar]:
    """Return the share of moving masses in ∂T/∂u for each speed."""
    elements, n = elements_with_mass(motion), motion.tree.coordinates.n_u
    if not elements:
        return [0] * n
    masses = moving_masses(motion)
    unit = _unit_motions(motion, elements)
    momenta = [mass.momenta(mass.velocities) for mass in masses]
    return [total([product_of(a, p) for a, p in zip(one, momenta, strict=True)]) for one in unit]


def kinetic_energy_of_masses(motion: WorldMotion) -> Scalar:
    """Return the kinetic energy of moving masses."""
    return total([mass.kinetic for mass in moving_masses(motion)])


def weight_energy_of_masses(motion: WorldMotion) -> Scalar:
    """Return the potential energy of gravity of moving masses whose elements do not store it themselves."""
    found = list[MovingMass]()
    for element in elements_with_mass(motion):
        with law(motion.scalars, element.name):
            found += element.weighing_masses(motion)
    return negate(total([dot(motion.tree.gravity, mass.moment) for mass in found]))


@dataclass(frozen=True)
class _UnitSpeed:
    """The virtual motion of a unit of one speed, by its place in u: derivatives of velocities by it, formed on jets."""

    motion: WorldMotion
    place: int

    @cached_property
    def moving(self) -> WorldMotion:
        """The motion on jets; most speeds move no place that masses ask for, so that it is not formed."""
        state = self.motion.state
        u = [Jet(value, 1) if i == self.place else value for i, value in enumerate(state.u)]
        return on_jets(self.motion, replace(state, u=u))

    def of_end(self, end: End) -> tuple[Vector, Vector]:
        """Return the derivatives of the velocity of a place on a body, and of its angular velocity."""
        if self.place not in self.motion.speeds_to(end):
            return ZERO, ZERO
        place = self.moving.end(end)
        return rates_of(place.velocity), rates_of(place.omega)

    def of_coordinate(self, name: str) -> Scalar:
        """Return the derivative of the rate of a coordinate."""
        if name in self.motion.tree.coordinates.driven:
            return 0
        return rate_of(self.moving.speed(name))


def _unit_motions(motion: WorldMotion, elements: Iterable[MassElement]) -> list[list[tuple[Vector, ...]]]:
    """Return for each speed the derivatives of the velocities of all parts by it."""
    found = list[list[tuple[Vector, ...]]]()
    for place in range(motion.tree.coordinates.n_u):
        virtual = _UnitSpeed(motion, place)
        found.append([])
        for element in elements:
            with law(motion.scalars, element.name):
                found[-1] += [mass.velocities for mass in element.moved_masses(motion, virtual)]
    return found


def _moves(velocities: tuple[Vector, ...]) -> bool:
    return not all(is_zero(x) for vector in velocities for x in vector)
