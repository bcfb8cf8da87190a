"""Bushing: an elastic mount between two frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import ForceElement, ForceOutput, Load, Motion, PointLoad, PointMotion
from gyrostat.model.kinds import End, EndKind, Quantity, Triple, VectorKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, square, subtract, total
from gyrostat.spatial import Matrix, Vector, apply, cross, minus, opposite, plus, product, transpose


@dataclass(frozen=True)
class Bushing(ForceElement):
    """An elastic mount with stiffness and damping along and about the axes of frame a.

    Force and moment act on b, their reactions on a. The rotational spring has the potential ½ tr(W (1 − R)) with
    W = diag(k_y + k_z − k_x, …): for small angles the moment is stiffness times angle about each axis; for large angles
    the spring remains conservative and has no singular orientation.

    >>> import gyrostat as gs
    >>> mount = gs.Bushing("mount", "ground", "frame", stiffness=(1e5, 1e5, 1e6))
    """

    stores_energy: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "force": ForceOutput(3, "N", "force on b"),
        "moment": ForceOutput(3, "N·m", "moment on b, about its own origin"),
    }
    a: End = value(EndKind(), doc="the frame whose axes are those of the mount")
    b: End = value(EndKind(), doc="the other frame")
    stiffness: Triple = value(VectorKind(), (0, 0, 0), doc="stiffness along x, y, z (N/m)")
    damping: Triple = value(VectorKind(), (0, 0, 0), doc="damping along x, y, z (N·s/m)")
    rotational_stiffness: Triple = value(VectorKind(), (0, 0, 0), doc="stiffness about x, y, z (N·m/rad)")
    rotational_damping: Triple = value(VectorKind(), (0, 0, 0), doc="damping about x, y, z (N·m·s/rad)")

    def validate(self, place: Place) -> None:
        """Require a stiffness or damping."""
        coefficients = (*self.stiffness, *self.damping, *self.rotational_stiffness, *self.rotational_damping)
        if all(coefficient.number == 0 for coefficient in coefficients):
            place.report("it has no stiffness or damping.", "Give at least one of them.")

    def _offset(self, motion: Motion) -> tuple[PointMotion, PointMotion, Vector, Matrix]:
        """Return both ends, the position of b relative to a in the axes of a, and R_ab."""
        a, b = motion.end(self.a), motion.end(self.b)
        R_aW = transpose(a.rotation)
        return a, b, apply(R_aW, minus(b.position, a.position)), product(R_aW, b.rotation)

    def _weights(self, motion: Motion) -> Vector:
        """Return the diagonal of W."""
        kx, ky, kz = (motion.evaluate(k) for k in self.rotational_stiffness)
        return (subtract(add(ky, kz), kx), subtract(add(kz, kx), ky), subtract(add(kx, ky), kz))

    def _load_on_b(self, motion: Motion) -> tuple[Vector, Vector, Vector]:
        """Return force and moment on b, and the vector from a to b, in world axes."""
        a, b, offset, R_ab = self._offset(motion)
        R_aW = transpose(a.rotation)
        sliding = minus(minus(b.velocity, a.velocity), cross(a.omega, minus(b.position, a.position)))
        force_a = opposite(
            plus(_times(motion, self.stiffness, offset), _times(motion, self.damping, apply(R_aW, sliding)))
        )
        turning = apply(R_aW, minus(b.omega, a.omega))
        moment_a = minus(self._elastic_moment(motion, R_ab), _times(motion, self.rotational_damping, turning))
        return apply(a.rotation, force_a), apply(a.rotation, moment_a), minus(b.position, a.position)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the loads on both frames; the reaction on a acts at the position of b, so that moments balance."""
        force, moment, arm = self._load_on_b(motion)
        yield PointLoad(self.b, force, moment)
        yield PointLoad(self.a, opposite(force), opposite(plus(moment, cross(arm, force))))

    def _elastic_moment(self, motion: Motion, R_ab: Matrix) -> Vector:
        """Return −∂V/∂θ on b in the axes of a: the axial vector of the skew part of W R, rotated to a."""
        w = self._weights(motion)

        def skew_part(i: int, j: int) -> Scalar:
            return divide(subtract(multiply(w[i], R_ab[i][j]), multiply(w[j], R_ab[j][i])), 2)

        return apply(R_ab, (skew_part(1, 2), skew_part(2, 0), skew_part(0, 1)))

    def observed(self, motion: Motion) -> Mapping[str, Vector]:
        """Return force and moment on b."""
        force, moment, _ = self._load_on_b(motion)
        return {"force": force, "moment": moment}

    @property
    def dampers(self) -> tuple[Quantity, ...]:
        """The damping along and about all axes."""
        return (*self.damping, *self.rotational_damping)

    @property
    def laws(self) -> tuple[Quantity, ...]:
        """None: the loads are those of the springs and dampers."""
        return ()

    def potential(self, motion: Motion) -> Scalar:
        """Return the potential energy of translational and rotational stiffness."""
        _, _, offset, R_ab = self._offset(motion)
        sliding = total([multiply(motion.evaluate(k), square(x)) for k, x in zip(self.stiffness, offset, strict=True)])
        turning = total([multiply(w, subtract(1, R_ab[i][i])) for i, w in enumerate(self._weights(motion))])
        return divide(add(sliding, turning), 2)


def _times(motion: Motion, coefficients: Triple, vector: Vector) -> Vector:
    x, y, z = (multiply(motion.evaluate(c), v) for c, v in zip(coefficients, vector, strict=True))
    return (x, y, z)
