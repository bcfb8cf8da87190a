"""The chain of sections of a strain-based beam: curvatures and stretch are sums of Ritz functions of the place.

    κx = κx⁰ + Σ φᵢ Pᵢ/L,  κy = κy⁰ − Σ wᵢ Pᵢ/L,  κz = κz⁰ + Σ vᵢ Pᵢ/L,  stretch 1 + Σ uᵢ Pᵢ/L,
with angles φᵢ, wᵢ, vᵢ and lengths uᵢ as coordinates. From one section to the next the pose is exp(Ω) on SE(3) by
Magnus's series of the strains s = (κ, stretch along x).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Final

from gyrostat.errors import Fault, ModelError
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.beam_properties import BeamProperties
from gyrostat.model.flexible.magnus import ScrewMotion
from gyrostat.model.flexible.order_kind import EXACT
from gyrostat.model.flexible.polynomial import is_exact, value_at
from gyrostat.model.flexible.quadrature import nodes
from gyrostat.model.flexible.screw_arm import LinearScrew, ScrewArm
from gyrostat.model.kinds import End
from gyrostat.model.sections.section import SectionProperties
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, is_number, multiply, subtract
from gyrostat.spatial import Matrix, Vector, scale

_EXTRA_SECTIONS: Final = 4
"""Sections beyond the number of terms in one direction: poses have errors of 2e-8 at rotations of 70°."""


@dataclass(frozen=True)
class ChainSection:
    """A section of the chain: its place, the step to it, its mass and its rotary inertia with its share of length."""

    xi: Scalar
    arm: ScrewArm
    mass: Scalar
    inertia: Matrix


def quadrature_degree(beam: BeamProperties) -> int:
    """Return the degree to which products along a beam are integrated."""
    return 4 * beam.degree if beam.order != EXACT else 2 * (max(beam.terms.values()) + _EXTRA_SECTIONS) - 1


def chain_sections(beam: BeamProperties, root: str, value: Evaluator) -> tuple[ChainSection, ...]:
    """Return the sections of a beam from the root outward, each with the step from the one before."""
    if is_exact(value):
        fact = "its order is 'exact', which has no written equations."
        raise ModelError(Fault(f"compound {root!r}", fact, "Use order=2."))
    found: list[ChainSection] = []
    before: Scalar = 0
    volume = multiply(value(beam.density), value(beam.length))
    for k, (xi, weight) in enumerate(nodes(quadrature_degree(beam), value)):
        section = beam.section_at(xi, value)
        share = multiply(volume, weight)
        arm = step_arm(beam, f"{root}.section{k}", (End(root), End(root)), (before, xi), value)
        inertia = _rotary(section, share) if beam.rotary_inertia else _NO_INERTIA
        found.append(ChainSection(xi, arm, multiply(share, section.area), inertia))
        before = xi
    return tuple(found)


def step_arm(
    beam: BeamProperties, name: str, ends: tuple[End, End], places: tuple[Scalar, Scalar], value: Evaluator
) -> ScrewArm:
    """Return the step from one place ξ along the beam to another."""
    start, stop = places
    L, natural = value(beam.length), value.vector(beam.curvature)
    h = multiply(subtract(stop, start), L)
    middle, half = divide(add(start, stop), 2), multiply(subtract(stop, start), sqrt(3 / 20))
    before, at, after = (_strains(beam, xi, value) for xi in (subtract(middle, half), middle, add(middle, half)))
    constant = ScrewMotion(natural, (1, 0, 0)).scaled(h)
    over = subtract(stop, start)
    first = LinearScrew(constant, tuple(_screw(b, x, over) for b, x in at))
    raw = tuple((b, subtract(z, x)) for (b, x), (_, z) in zip(before, after, strict=True))
    bent = tuple(
        (b, subtract(add(x, z), multiply(2, y))) for (b, x), (_, y), (_, z) in zip(before, at, after, strict=True)
    )
    second = LinearScrew(ScrewMotion(), tuple(_screw(b, x, multiply(over, sqrt(15) / 3)) for b, x in raw))
    third = LinearScrew(ScrewMotion(), tuple(_screw(b, x, multiply(over, 10 / 3)) for b, x in bent))
    return ScrewArm(name, *ends, labelled=beam.coordinates, screws=(first, second, third))


def carrier(sections: Iterable[ChainSection], xi: Scalar) -> int | None:
    """Return the number of the last section inward of a station, None if there is none; the last if ξ is unknown."""
    inward = [k for k, section in enumerate(sections) if not is_number(xi) or section.xi <= xi]
    return inward[-1] if inward else None


_NO_INERTIA: Matrix = ((0, 0, 0), (0, 0, 0), (0, 0, 0))


def _rotary(section: SectionProperties, share: Scalar) -> Matrix:
    about_y, about_z = multiply(share, section.Iy), multiply(share, section.Iz)
    return ((add(about_y, about_z), 0, 0), (0, about_y, 0), (0, 0, about_z))


def _strains(beam: BeamProperties, xi: Scalar, value: Evaluator) -> tuple[tuple[str, Scalar], ...]:
    """Return direction and Ritz function at a place for each coordinate."""
    return tuple(
        (direction, value_at(member, xi, value))
        for direction, members in beam.functions.items()
        for _, member in members
    )


def _screw(direction: str, size: Scalar, factor: Scalar) -> ScrewMotion:
    """Return the change of curvature or stretch with a coordinate."""
    vector = scale(multiply(size, factor), _AXES[direction])
    return ScrewMotion(shift=vector) if direction == "u" else ScrewMotion(vector)


_AXES: Final[dict[str, Vector]] = {"v": (0, 0, 1), "w": (0, -1, 0), "phi": (1, 0, 0), "u": (1, 0, 0)}
"""The axis of each curvature, and that of stretch."""
