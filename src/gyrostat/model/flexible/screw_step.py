"""Exponentials on SE(3): the pose at the end of a step along a beam, its velocity and its acceleration.

A step with the rotation vector K and the vector E has the rotation R = 1 + f₁ K̃ + f₂ K̃² and the displacement
r = E + f₂ K̃ E + f₃ K̃² E, where fₙ = Σ (−1)ʲ tʲ/(2j + n)! are series in t = K²: smooth at zero, without roots. They
satisfy fₙ = 1/n! − t fₙ₊₂ and dfₙ/dt = −½ (fₙ₊₁ − n fₙ₊₂).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from typing import Final

from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, subtract
from gyrostat.spatial import Matrix, Vector, apply, cross, dot, minus, plus, scale, transpose

_TERMS: Final = 7
"""Terms of f₆ and f₇: a step of two radians is exact to 1e-14."""


@dataclass(frozen=True)
class ScrewStep:
    """The pose exp(K, E), in the frame where the step begins."""

    K: Vector
    E: Vector

    @cached_property
    def _f(self) -> list[Scalar]:
        """The functions f₁ … f₇ of t, at their own numbers."""
        t = dot(self.K, self.K)
        f: list[Scalar] = [0] * 8
        for n in (7, 6):
            for j in reversed(range(_TERMS)):
                f[n] = subtract(1 / factorial(2 * j + n), multiply(t, f[n]))
        for n in (5, 4, 3, 2, 1):
            f[n] = subtract(1 / factorial(n), multiply(t, f[n + 2]))
        return f

    @cached_property
    def R(self) -> Matrix:
        """The rotation."""
        f, (x, y, z) = self._f, self.K

        def diagonal(a: Scalar, b: Scalar) -> Scalar:
            return subtract(1, multiply(f[2], add(multiply(a, a), multiply(b, b))))

        def beside(a: Scalar, b: Scalar, c: Scalar) -> Scalar:
            return add(multiply(f[2], multiply(a, b)), multiply(f[1], c))

        return (
            (diagonal(y, z), beside(x, y, negate(z)), beside(x, z, y)),
            (beside(x, y, z), diagonal(z, x), beside(y, z, negate(x))),
            (beside(x, z, negate(y)), beside(y, z, x), diagonal(x, y)),
        )

    @cached_property
    def r(self) -> Vector:
        """The displacement."""
        f, once = self._f, cross(self.K, self.E)
        return plus(self.E, plus(scale(f[2], once), scale(f[3], cross(self.K, once))))

    def velocity(self, K_rate: Vector, E_rate: Vector) -> tuple[Vector, Vector]:
        """Return angular velocity and velocity, in the axes at the end of the step, for rates of K and E."""
        return self._omega(K_rate), apply(transpose(self.R), self._r_rate(K_rate, E_rate))

    def rate_of_velocity(
        self, K_rate: Vector, E_rate: Vector, K_second: Vector, E_second: Vector
    ) -> tuple[Vector, Vector]:
        """Return the rates of the components of `velocity`, for rates and second rates of K and E."""
        f, K, t_rate = self._f, self.K, self._t_rate(K_rate)
        f2_rate, f3_rate = (multiply(slope, t_rate) for slope in self._slopes)
        across = cross(K, K_rate)
        angular = plus(self._omega(K_second), scale(negate(f2_rate), across))
        angular = plus(angular, plus(scale(f3_rate, cross(K, across)), scale(f[3], cross(K_rate, across))))
        omega, velocity = self.velocity(K_rate, E_rate)
        second = apply(transpose(self.R), self._r_second(K_rate, E_rate, K_second, E_second))
        return angular, minus(second, cross(omega, velocity))

    def _omega(self, K_rate: Vector) -> Vector:
        """Return K̇ − f₂ K × K̇ + f₃ K × (K × K̇)."""
        f, across = self._f, cross(self.K, K_rate)
        return plus(plus(K_rate, scale(negate(f[2]), across)), scale(f[3], cross(self.K, across)))

    def _t_rate(self, K_rate: Vector) -> Scalar:
        return multiply(2, dot(self.K, K_rate))

    @cached_property
    def _slopes(self) -> tuple[Scalar, Scalar]:
        """The derivatives of f₂ and f₃ by t."""
        return self._derivative(2), self._derivative(3)

    def _derivative(self, n: int) -> Scalar:
        return divide(subtract(multiply(n, self._f[n + 2]), self._f[n + 1]), 2)

    def _second_derivative(self, n: int) -> Scalar:
        return divide(subtract(multiply(n, self._derivative(n + 2)), self._derivative(n + 1)), 2)

    def _r_rate(self, K_rate: Vector, E_rate: Vector) -> Vector:
        f, K, E = self._f, self.K, self.E
        once, t_rate = cross(K, E), self._t_rate(K_rate)
        once_rate = plus(cross(K_rate, E), cross(K, E_rate))
        twice_rate = plus(cross(K_rate, once), cross(K, once_rate))
        result = plus(E_rate, plus(scale(f[2], once_rate), scale(f[3], twice_rate)))
        slope2, slope3 = (multiply(slope, t_rate) for slope in self._slopes)
        return plus(result, plus(scale(slope2, once), scale(slope3, cross(K, once))))

    def _r_second(self, K_rate: Vector, E_rate: Vector, K_second: Vector, E_second: Vector) -> Vector:
        f, K, E = self._f, self.K, self.E
        once, t_rate = cross(K, E), self._t_rate(K_rate)
        t_second = multiply(2, add(dot(K_rate, K_rate), dot(K, K_second)))
        once_rate = plus(cross(K_rate, E), cross(K, E_rate))
        once_second = plus(plus(cross(K_second, E), scale(2, cross(K_rate, E_rate))), cross(K, E_second))
        twice, twice_rate = cross(K, once), plus(cross(K_rate, once), cross(K, once_rate))
        twice_second = plus(plus(cross(K_second, once), scale(2, cross(K_rate, once_rate))), cross(K, once_second))
        result = E_second
        for n, vector, rate, second in ((2, once, once_rate, once_second), (3, twice, twice_rate, twice_second)):
            slope = multiply(self._slopes[n - 2], t_rate)
            bent = multiply(self._second_derivative(n), multiply(t_rate, t_rate))
            bent = add(bent, multiply(self._slopes[n - 2], t_second))
            result = plus(result, plus(scale(f[n], second), plus(scale(multiply(2, slope), rate), scale(bent, vector))))
        return result
