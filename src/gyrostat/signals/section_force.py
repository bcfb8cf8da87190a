"""The force in a section of a beam, by the equilibrium of the part beyond it.

The inner part of the beam acts on the outer one with
    F = ∫ ρA (a − g) dx + Σ F_s,
over the axis beyond the section and over the loads F_s of the beam on stations there: joints, force elements and
constraints act on these. Third derivatives of the displacements are not needed; at the root F is the load of the joint
that carries the beam.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.mass_point import TAPER_DEGREE
from gyrostat.model.flexible.polynomial_arm import along_rates
from gyrostat.model.flexible.quadrature import nodes
from gyrostat.model.flexible.station_arm import StationArm
from gyrostat.model.flexible.strain_chain import quadrature_degree
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End, Triple
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply, subtract
from gyrostat.signals.signal import Components, SystemInstant
from gyrostat.spatial import ZERO, Matrix, Vector, apply, cross, minus, opposite, plus, scale, transpose

_TIP_SIDE = Formula.of("where(other >= here - 1e-12, 1, 0)")


@dataclass(frozen=True)
class SectionForce:
    """The force of the outer on the inner part of a beam, at a station or at the root.

    Loads on a station count as beyond the section at its own place.
    """

    arm: StationArm
    stations: tuple[StationArm, ...]
    """All stations of the beam."""
    gravity: Triple
    root: bool = False

    def at(self, instant: SystemInstant) -> list[Scalar]:
        """Return normal force and shear forces along y and z, in the axes of the section."""
        value = Evaluator(instant.scalars, instant.parameter)
        xi: Scalar = 0 if self.root else self.arm.place(value)
        root = _RootMotion.of(self.arm, instant)
        force = ZERO
        for station in self.stations:
            known = {"other": station.place(value), "here": xi}
            beyond = _TIP_SIDE.evaluate(instant.scalars, known.__getitem__)
            force = plus(force, scale(beyond, root.in_root(instant.reaction_force(station.name))))
        gravity = root.in_root(value.vector(self.gravity))
        beam, rest = self.arm.beam, subtract(1, xi)
        share = multiply(multiply(value(beam.density), value(beam.length)), rest)
        for place, weight in nodes(quadrature_degree(beam) + (TAPER_DEGREE if beam.tapered else 0), value):
            there = add(xi, multiply(rest, place))
            mass = multiply(multiply(share, weight), beam.section_at(there, value).area)
            force = plus(force, scale(mass, minus(root.acceleration(self.arm, there, value), gravity)))
        if self.root:
            return list(opposite(force))
        R_PC = self.arm.at_place(xi, value).pose(root.q, value).R_PC
        return list(opposite(apply(transpose(R_PC), force)))


@dataclass(frozen=True)
class _RootMotion:
    """The motion of the root of a beam, in its own axes, with the elastic coordinates."""

    R_WB: Matrix
    omega: Vector
    alpha: Vector
    a: Vector
    q: Sequence[Scalar]
    u: Sequence[Scalar]
    rates: Sequence[Scalar]

    @staticmethod
    def of(arm: StationArm, instant: SystemInstant) -> _RootMotion:
        body = arm.parent.body
        entries = instant.rotation(End(body))
        x, y, z = ((entries[3 * i], entries[3 * i + 1], entries[3 * i + 2]) for i in range(3))
        R_BW = transpose((x, y, z))
        names = [f"{body}.{label}" for label in arm.beam.labels]
        return _RootMotion(
            (x, y, z),
            apply(R_BW, _vector(instant.omega(body))),
            apply(R_BW, _vector(instant.alpha(body))),
            apply(R_BW, _vector(instant.place_acceleration(End(body)))),
            [instant.quantity(name) for name in names],
            [instant.quantity(f"{name}.rate") for name in names],
            [instant.acceleration(name) for name in names],
        )

    def in_root(self, vector: Components) -> Vector:
        """Return a vector in world axes in those of the root."""
        return apply(transpose(self.R_WB), _vector(vector))

    def acceleration(self, arm: StationArm, xi: Scalar, value: Evaluator) -> Vector:
        """Return the acceleration of the axis at a place."""
        pose, modes, bias = arm.at_place(xi, value).motion(self.q, self.u, value)
        linear, turning = [mode.linear for mode in modes], [mode.angular for mode in modes]
        velocity, spin = along_rates(linear, self.u), along_rates(turning, self.u)
        bent = plus(plus(along_rates(linear, self.rates), bias.linear), cross(spin, velocity))
        r, v, own = pose.r_PC_P, apply(pose.R_PC, velocity), apply(pose.R_PC, bent)
        carried = plus(cross(self.alpha, r), cross(self.omega, plus(cross(self.omega, r), scale(2, v))))
        return plus(plus(self.a, carried), own)


def _vector(a: Components) -> Vector:
    return (a[0], a[1], a[2])
