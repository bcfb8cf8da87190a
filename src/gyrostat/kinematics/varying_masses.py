"""Links with masses that vary: the mass, mass moment and inertia that variable masses add to their bodies at a state.

Recursions find them in the links and use them as constants: Newton–Euler equations with the instantaneous mass, mass
centre and inertia (McPhee and Dubey 1991), without terms of their rates. Loads of what leaves, arrives or shifts are
those of the force element.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from gyrostat.kinematics.mechanism import Carried, Drift
from gyrostat.scalar.algebra import add
from gyrostat.scalar.operations import law
from gyrostat.spatial import apply, cross, dot, matrix_sum, plus, point_inertia, scale

if TYPE_CHECKING:
    from gyrostat.kinematics.world import WorldMotion
    from gyrostat.model.forces import VariableMass

SomeMotion = TypeVar("SomeMotion", bound="WorldMotion")


def with_varying_masses(motion: SomeMotion) -> SomeMotion:
    """Return the motion with the masses that vary in the links of its tree."""
    tree = motion.tree
    if not tree.varying_masses:
        return motion
    links = list(tree.links)
    for element in tree.varying_masses:
        index = tree.index_of[element.body]
        with law(motion.scalars, element.name):
            links[index] = _loaded(links[index], element, motion)
    return motion.with_masses(links)


def _loaded(link: Carried, element: VariableMass, motion: WorldMotion) -> Carried:
    """Return a link with a mass that varies."""
    held = element.properties(motion)
    own = held.turned(link.R_HB).moved(link.r_HB_H)
    about = matrix_sum(own.inertia, point_inertia(own.mass, own.com))
    loaded = replace(
        link,
        mass=add(link.mass, own.mass),
        moment=plus(link.moment, scale(own.mass, own.com)),
        inertia=matrix_sum(link.inertia, about),
    )
    if not element.shifts:
        return loaded
    velocity = apply(link.R_HB, element.shift_velocity(motion))
    linear = scale(own.mass, velocity)
    return replace(loaded, drift=link.drift.plus(Drift(cross(own.com, linear), linear, dot(linear, velocity))))
