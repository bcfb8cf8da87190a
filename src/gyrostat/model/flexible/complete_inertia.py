"""The inertia of a beam of second order as mass points, with every product of its displacements kept.

Sections are mass points on the axis, and for rotary inertia mass points at the ends of their directors, less the terms
of the translation of the root (see `truncated_inertia`). The kinetic energy is a sum of squares, and the mass matrix
positive definite, at any deflection. Directors have lower degrees along the beam than its axis, and fewer sections.
"""

from __future__ import annotations

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.beam_properties import BeamProperties
from gyrostat.model.flexible.mass_point import MassPoint, opposite_pair, section_masses, turning_axes
from gyrostat.model.flexible.quadratic_point import QuadraticPoint
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, negate, total
from gyrostat.spatial import ZERO


def complete_inertia(beam: BeamProperties, value: Evaluator) -> tuple[MassPoint, ...]:
    """Return the mass points of a beam."""
    bent, twisted, stretched = beam.degree_of("v", "w"), beam.degree_of("phi"), beam.degree_of("u")
    on_axis, mass = section_masses(beam, value, 2 * max(1, stretched, 2 * bent - 1))
    points = [MassPoint(section.mass, section.field.position) for section in on_axis]
    sections, _ = section_masses(beam, value, 4 * max(bent - 1, twisted, stretched - 1))
    turned, size = turning_axes(sections), len(beam.labels)
    moment, negative = QuadraticPoint(size), list[Scalar]()
    for axis in turned:
        for section in sections:
            director, rotary = section.field.director(axis), section.rotary[axis]
            points.append(MassPoint(rotary, director))
            moment = moment.plus(director.scaled(negate(divide(rotary, mass))))
            negative.append(negate(rotary))
    if turned:
        points += [MassPoint(total(negative), QuadraticPoint(size)), *opposite_pair(ZERO, moment, mass)]
    return tuple(points)
