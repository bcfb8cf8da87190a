"""Mass points that stand for the inertia of a beam, and the sections of the quadrature with their masses."""

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
from gyrostat.spatial import Vector

TAPER_DEGREE = 4
"""The degree in x up to which products with a tapered section are integrated without error on both engines."""


@dataclass(frozen=True)
class MassPoint:
    """A point mass, of either sign, at a place that depends on the elastic coordinates."""

    mass: Scalar
    place: QuadraticPoint


@dataclass(frozen=True)
class SectionMass:
    """A section of the quadrature: its field, and mass and rotary inertias with its share of the length."""

    field: SectionField
    share: Scalar
    """Its mass over that of the beam."""
    mass: Scalar
    rotary: dict[str, Scalar]
    """ρI of the directors d_y and d_z, as masses at a metre's distance."""


def section_masses(beam: BeamProperties, value: Evaluator, degree: int) -> tuple[list[SectionMass], Scalar]:
    """Return sections that integrate polynomials up to a degree, and the mass of the beam."""
    places = nodes(degree + (TAPER_DEGREE if beam.tapered else 0), value)
    volume = multiply(value(beam.density), value(beam.length))
    known = beam.section_at(0, value)
    found = [(node, beam.section_at(node.xi, value) if beam.tapered else known) for node in places]
    mass = multiply(volume, total([multiply(n.weight, s.area) for n, s in found]) if beam.tapered else known.area)
    return [_section(beam, node, section, mass, volume, value) for node, section in found], mass


def _section(
    beam: BeamProperties, node: Node, section: SectionProperties, mass: Scalar, volume: Scalar, value: Evaluator
) -> SectionMass:
    weight = multiply(volume, node.weight)
    own = multiply(weight, section.area)
    share = divide(own, mass) if beam.tapered else node.weight
    about = {"y": section.Iz, "z": section.Iy} if beam.rotary_inertia else {"y": 0, "z": 0}
    rotary = {axis: multiply(weight, moment) for axis, moment in about.items()}
    return SectionMass(SectionField(beam, node.xi, value), share, own, rotary)


def turning_axes(sections: list[SectionMass]) -> list[str]:
    """Return the axes whose directors have rotary inertia."""
    return [axis for axis in ("y", "z") if any(not is_zero(section.rotary[axis]) for section in sections)]


def opposite_pair(place: Vector, moved: QuadraticPoint, mass: Scalar) -> Iterator[MassPoint]:
    """Yield M/2 at c + s and −M/2 at c − s, whose kinetic energy is M (v₀ + ω × c)·W(s)."""
    if not moved.moves:
        return
    constant = QuadraticPoint(moved.size, place)
    half = divide(mass, 2)
    yield MassPoint(half, constant.plus(moved))
    yield MassPoint(negate(half), constant.plus(moved.scaled(-1)))
