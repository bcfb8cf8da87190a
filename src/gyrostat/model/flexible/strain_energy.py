"""Strain energy of a beam with curvatures to second order, and its loads on the elastic coordinates.

    U = ½ ∫ (E A u′² + G J κx² + E Iy κy² + E Iz κz²) dx,
    κx = φ′ + ½ (v″ w′ − v′ w″),  κy = −w″ + φ v″,  κz = v″ + φ w″.
With curvatures of first order lateral buckling would not exist. A stress of E (ε + damping · ε̇), of G likewise, gives
Kelvin and Voigt's damping.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.beam_properties import BeamProperties
from gyrostat.model.flexible.displacement import Form, Row, SectionField, opposite_form, scaled_form, times
from gyrostat.model.flexible.mass_point import TAPER_DEGREE
from gyrostat.model.flexible.order_kind import EXACT
from gyrostat.model.flexible.polynomial import Polynomial, derivative, integral, product, rational
from gyrostat.model.flexible.quadrature import nodes
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, is_zero, multiply, negate, total


@dataclass(frozen=True)
class Strain:
    """A strain or curvature of a section: linear and quadratic form in the elastic coordinates."""

    linear: Row
    quadratic: Form

    def at(self, q: Sequence[Scalar]) -> Scalar:
        """Return its value."""
        parts = [multiply(x, q[i]) for i, x in self.linear.items()]
        return total(parts + [multiply(x, multiply(q[i], q[j])) for (i, j), x in self.quadratic.items()])

    def derivatives(self, q: Sequence[Scalar]) -> dict[int, Scalar]:
        """Return its derivatives by the coordinates on which it depends."""
        found = dict(self.linear)
        for (i, j), x in self.quadratic.items():
            found[i] = add(found.get(i, 0), multiply(x, q[j]))
            found[j] = add(found.get(j, 0), multiply(x, q[i]))
        return found


@dataclass(frozen=True)
class StrainSums:
    """The sums over sections: stiffnesses with weights, and strains; linear strains of one kind as a matrix."""

    matrix: Form
    """The strain energy of all strains that are linear in the coordinates, as a quadratic form."""
    curved: tuple[tuple[Scalar, Strain], ...]
    """Stiffness with weight of each other strain."""

    def energy(self, q: Sequence[Scalar]) -> Scalar:
        """Return the strain energy."""
        parts = [multiply(x, multiply(q[i], q[j])) for (i, j), x in self.matrix.items()]
        for stiffness, strain in self.curved:
            size = strain.at(q)
            parts.append(divide(multiply(stiffness, multiply(size, size)), 2))
        return total(parts)

    def loads(self, q: Sequence[Scalar], u: Sequence[Scalar], damping: Scalar) -> list[Scalar]:
        """Return the loads on the coordinates."""
        found: list[Scalar] = [0] * len(q)
        acting = [add(x, multiply(damping, rate)) for x, rate in zip(q, u, strict=True)]
        for (i, j), x in self.matrix.items():
            found[i] = add(found[i], multiply(x, acting[j]))
            found[j] = add(found[j], multiply(x, acting[i]))
        for stiffness, strain in self.curved:
            derivatives = strain.derivatives(q)
            rate = total([multiply(x, u[i]) for i, x in derivatives.items()])
            stress = multiply(stiffness, add(strain.at(q), multiply(damping, rate)))
            for i, x in derivatives.items():
                found[i] = add(found[i], multiply(stress, x))
        return [negate(load) for load in found]


def strain_sums(beam: BeamProperties, value: Evaluator) -> StrainSums:
    """Return the sums of the strain energy of a beam."""
    bent = [direction for direction in ("v", "w", "phi") if beam.terms[direction]]
    curves = beam.order == 2 and len(bent) > 1
    if not curves and not beam.tapered:
        return StrainSums(_integrals(beam, value), ())
    matrix: dict[tuple[int, int], Scalar] = {}
    curved: list[tuple[Scalar, Strain]] = []
    degree = 2 * (_degree_of_curves(beam) if curves else beam.degree)
    for xi, weight in nodes(degree + (TAPER_DEGREE if beam.tapered else 0), value):
        field = SectionField(beam, xi, value)
        share = multiply(weight, field.length)
        for stiffness, strain in zip(stiffnesses(beam, xi, value), strains(field), strict=True):
            weighted = multiply(stiffness, share)
            if is_zero(weighted):
                continue
            if strain.quadratic:
                curved.append((weighted, strain))
                continue
            for (i, j), x in times(strain.linear, strain.linear).items():
                matrix[i, j] = add(matrix.get((i, j), 0), divide(multiply(weighted, x), 2))
    return StrainSums(matrix, tuple(curved))


def _degree_of_curves(beam: BeamProperties) -> int:
    """Return the highest degree along the beam among u′, φ′, v″, φ v″ and v″ w′."""
    bent, twisted = beam.degree_of("v", "w"), beam.degree_of("phi")
    return max(beam.degree_of("u") - 1, twisted - 1, bent - 2 + twisted, 2 * bent - 3)


def stiffnesses(beam: BeamProperties, xi: Scalar, value: Evaluator) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Return E A, G J, E Iy and E Iz of a section."""
    E, G = (0 if held is None else value(held) for held in (beam.E, beam.G))
    section = beam.section_at(xi, value)
    return multiply(E, section.area), multiply(G, section.J), multiply(E, section.Iy), multiply(E, section.Iz)


def _integrals(beam: BeamProperties, value: Evaluator) -> Form:
    """Return the strain energy of a uniform beam with linear strains: integrals of polynomials, without nodes."""
    found: dict[tuple[int, int], Scalar] = {}
    L = value(beam.length)
    for direction, stiffness in zip(("u", "phi", "w", "v"), stiffnesses(beam, 0, value), strict=True):
        powers = 2 if direction in ("v", "w") and beam.order != EXACT else 1
        scaled = divide(stiffness, 2)
        for _ in range(2 * powers - 1):
            scaled = divide(scaled, L)
        members = [(i, _strain_function(beam, member, powers)) for i, member in beam.functions[direction]]
        for i, a in members:
            for j, b in members:
                size = sum(integral(product(a, b)), Fraction(0)) * (1 if i == j else 2)
                if i <= j and size:
                    found[i, j] = multiply(scaled, rational(size, value))
    return found


def _strain_function(beam: BeamProperties, member: Polynomial, derivatives: int) -> Polynomial:
    """Return the strain of a Ritz function, by powers of 1/L."""
    for _ in range(0 if beam.order == EXACT else derivatives):
        member = derivative(member)
    return member


def strains(field: SectionField) -> tuple[Strain, Strain, Strain, Strain]:
    """Return stretch u′ and the curvatures κx, κy, κz at a section."""
    if field.beam.order == EXACT:
        u, phi, w, v = (_per_length(field, direction) for direction in ("u", "phi", "w", "v"))
        return (Strain(u, {}), Strain(phi, {}), Strain(opposite_form(w), {}), Strain(v, {}))
    row, half = field.row, rational(Fraction(1, 2), field.value)
    v1, w1, v2, w2, phi = row("v", 1), row("w", 1), row("v", 2), row("w", 2), row("phi")
    linear = (row("u", 1), row("phi", 1), opposite_form(w2), v2)
    if field.beam.order == 1:
        return (Strain(linear[0], {}), Strain(linear[1], {}), Strain(linear[2], {}), Strain(linear[3], {}))
    twist = dict(scaled_form(half, times(v2, w1)))
    for pair, x in times(v1, w2).items():
        twist[pair] = add(twist.get(pair, 0), negate(multiply(half, x)))
    return (
        Strain(linear[0], {}),
        Strain(linear[1], twist),
        Strain(linear[2], times(phi, v2)),
        Strain(linear[3], times(phi, w2)),
    )


def _per_length(field: SectionField, direction: str) -> Row:
    return {i: divide(x, field.length) for i, x in field.row(direction).items()}
