"""The inertia of a beam as mass points whose kinetic energy is that of the beam to second order.

With W(s) = ω × s + ṡ, the velocity that rotation of the root and deformation give to a vector s of the root frame,
a section at r = r₀ + r₁ + r₂ (by orders in the elastic coordinates) has the kinetic energy to second order
    ½ ρA |v₀ + W(r₀ + r₁)|² + ρA (v₀ + ω × r₀)·W(r₂).
The first term is that of a mass point at r₀ + r₁. In the second r₀ is linear along the beam, so that its integral is
(v₀ + ω × c)·W(s) for two places c with two vectors s; it is that of two mass points of opposite sign,
    M/2 at c + s/M and −M/2 at c − s/M.
Rotary inertia is the kinetic energy ½ ρI |W(d)|² of the directors d: of mass points at the ends of the directors, less
the terms of v₀. Weights of these points are those of the beam as well. Points that do not move with the elastic
coordinates are one rigid body.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.beam_properties import BeamProperties
from gyrostat.model.flexible.displacement import SectionField
from gyrostat.model.flexible.quadratic_point import QuadraticPoint
from gyrostat.model.flexible.quadrature import Node, nodes
from gyrostat.model.sections.section import SectionProperties
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, is_zero, multiply, negate, total
from gyrostat.spatial import UNIT, ZERO, Vector

TAPER_DEGREE = 4
"""The degree in x up to which products with a tapered section are integrated without error on both engines."""


@dataclass(frozen=True)
class MassPoint:
    """A point mass, of either sign, at a place that depends on the elastic coordinates."""

    mass: Scalar
    place: QuadraticPoint


@dataclass(frozen=True)
class _Section:
    """A section of the quadrature: its field, and mass and rotary inertias with its share of the length."""

    field: SectionField
    share: Scalar
    """Its mass over that of the beam."""
    mass: Scalar
    rotary: dict[str, Scalar]
    """ρI of the directors d_y and d_z, as masses at a metre's distance."""


def mass_points(beam: BeamProperties, value: Evaluator) -> tuple[MassPoint, ...]:
    """Return the mass points of a beam."""
    sections, mass = _sections(beam, value)
    points = [MassPoint(section.mass, section.field.first_order_position) for section in sections]
    turned = [axis for axis in ("y", "z") if any(not is_zero(section.rotary[axis]) for section in sections)]
    for axis in turned:
        points += [MassPoint(s.rotary[axis], s.field.first_order_director(axis)) for s in sections]
    points += _without_translation(sections, turned, mass)
    points += _second_order(beam, sections, turned, mass, value)
    return tuple(points)


def _sections(beam: BeamProperties, value: Evaluator) -> tuple[list[_Section], Scalar]:
    """Return the sections of the quadrature, and the mass of the beam."""
    places = nodes(2 * beam.degree + (TAPER_DEGREE if beam.tapered else 0), value)
    volume = multiply(value(beam.density), value(beam.length))
    known = beam.section_at(0, value)
    found = [(node, beam.section_at(node.xi, value) if beam.tapered else known) for node in places]
    mass = multiply(volume, total([multiply(n.weight, s.area) for n, s in found]) if beam.tapered else known.area)
    return [_section(beam, node, section, mass, volume, value) for node, section in found], mass


def _section(
    beam: BeamProperties, node: Node, section: SectionProperties, mass: Scalar, volume: Scalar, value: Evaluator
) -> _Section:
    weight = multiply(volume, node.weight)
    own = multiply(weight, section.area)
    share = divide(own, mass) if beam.tapered else node.weight
    about = {"y": section.Iz, "z": section.Iy} if beam.rotary_inertia else {"y": 0, "z": 0}
    rotary = {axis: multiply(weight, moment) for axis, moment in about.items()}
    return _Section(SectionField(beam, node.xi, value), share, own, rotary)


def _without_translation(sections: list[_Section], turned: list[str], mass: Scalar) -> Iterator[MassPoint]:
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
    yield from _pair(ZERO, linear, mass)


def _second_order(
    beam: BeamProperties, sections: list[_Section], turned: list[str], mass: Scalar, value: Evaluator
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
    yield from _pair(ZERO, at_root, mass)
    yield from _pair((value(beam.length), 0, 0), at_tip, mass)
    for axis, moved in directors.items():
        yield from _pair(UNIT[axis], moved, mass)


def _pair(place: Vector, moved: QuadraticPoint, mass: Scalar) -> Iterator[MassPoint]:
    """Yield M/2 at c + s and −M/2 at c − s, whose kinetic energy is M (v₀ + ω × c)·W(s)."""
    if not moved.moves:
        return
    constant = QuadraticPoint(moved.size, place)
    half = divide(mass, 2)
    yield MassPoint(half, constant.plus(moved))
    yield MassPoint(negate(half), constant.plus(moved.scaled(-1)))
