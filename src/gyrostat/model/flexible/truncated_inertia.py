"""The inertia of a beam as mass points whose kinetic energy is that of the beam to second order in its coordinates.

With W(s) = ω × s + ṡ, the velocity that rotation of the root and deformation give to a vector s of the root frame,
a section at r = r₀ + r₁ + r₂ (by orders in the elastic coordinates) has the kinetic energy to second order
    ½ ρA |v₀ + W(r₀ + r₁)|² + ρA (v₀ + ω × r₀)·W(r₂).
The first term is that of a mass point at r₀ + r₁. In the second r₀ is linear along the beam, so that its integral is
(v₀ + ω × c)·W(s) for two places c with two vectors s; it is that of two mass points of opposite sign,
    M/2 at c + s/M and −M/2 at c − s/M.
Rotary inertia is the kinetic energy ½ ρI |W(d)|² of the directors d: of mass points at the ends of the directors, less
the terms of v₀. Weights of these points are those of the beam as well. Points that do not move with the elastic
coordinates are one rigid body.

The truncated energy is not a sum of squares: of the connecting rod of a slider-crank with four terms in each direction
the mass matrix is indefinite at slopes of 0.1. `complete_inertia` keeps every product.
"""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.beam_properties import BeamProperties
from gyrostat.model.flexible.mass_point import MassPoint, SectionMass, opposite_pair, section_masses, turning_axes
from gyrostat.model.flexible.quadratic_point import QuadraticPoint
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, negate, total
from gyrostat.spatial import UNIT, ZERO


def truncated_inertia(beam: BeamProperties, value: Evaluator) -> tuple[MassPoint, ...]:
    """Return the mass points of a beam whose kinetic energy is kept to second order."""
    sections, mass = section_masses(beam, value, 2 * beam.degree)
    points = [MassPoint(section.mass, section.field.first_order_position) for section in sections]
    turned = turning_axes(sections)
    for axis in turned:
        points += [MassPoint(s.rotary[axis], s.field.first_order_director(axis)) for s in sections]
    points += _without_translation(sections, turned, mass)
    points += _second_order(beam, sections, turned, mass, value)
    return tuple(points)


def _without_translation(sections: list[SectionMass], turned: list[str], mass: Scalar) -> Iterator[MassPoint]:
    """Yield points that take the translation of the root out of the kinetic energy of the directors."""
    if not turned:
        return
    size = len(sections[0].field.beam.labels)
    linear, weight = QuadraticPoint(size), []
    for section in sections:
        for axis in turned:
            rotary = section.rotary[axis]
            linear = linear.plus(section.field.first_order_director(axis).scaled(negate(divide(rotary, mass))))
            weight.append(negate(rotary))
    yield MassPoint(total(weight), QuadraticPoint(size))
    yield from opposite_pair(ZERO, linear, mass)


def _second_order(
    beam: BeamProperties, sections: list[SectionMass], turned: list[str], mass: Scalar, value: Evaluator
) -> Iterator[MassPoint]:
    """Yield the pairs of points with the terms of second order in the displacements.

    A beam of first order has no shortening; its directors keep their length, as sections are rigid.
    """
    size = len(beam.labels)
    at_root, at_tip = QuadraticPoint(size), QuadraticPoint(size)
    directors = {axis: QuadraticPoint(size) for axis in turned}
    for section in sections:
        field = section.field
        if beam.order != 1:
            shortened = field.second_order_position.scaled(section.share)
            to_tip = shortened.scaled(field.xi)
            at_tip = at_tip.plus(to_tip)
            at_root = at_root.plus(shortened).plus(to_tip.scaled(-1))
        for axis in turned:
            more = field.second_order_director(axis).scaled(divide(section.rotary[axis], mass))
            directors[axis] = directors[axis].plus(more)
            at_root = at_root.plus(more.scaled(-1))
    yield from opposite_pair(ZERO, at_root, mass)
    yield from opposite_pair((value(beam.length), 0, 0), at_tip, mass)
    for axis, moved in directors.items():
        yield from opposite_pair(UNIT[axis], moved, mass)
