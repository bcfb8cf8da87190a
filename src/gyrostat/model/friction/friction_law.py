"""The contract of a friction law: friction force and rates of its states, from sliding velocity and normal load."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from gyrostat.model.formula import Formula
from gyrostat.model.registry import Registry
from gyrostat.model.shapes.dimensioned import Dimensioned
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, multiply, square, total

Components = tuple[Scalar, ...]
"""Components of a vector in the directions of sliding: one on a coordinate or along a rope, two in a contact."""

_SQUARE_ROUNDING = 1e-30
"""Added to squares below a root, so that its derivative at zero is finite: far below squares of speeds and lengths."""


@dataclass(frozen=True)
class Sliding:
    """Sliding at an instant: velocity, normal load, deflection of the bristles, and how formulas are evaluated."""

    velocity: Components
    """The velocity of sliding, in each direction."""
    load: Scalar
    """The normal load N, at least zero."""
    bristle: Components
    """The state of the law, in each direction; empty for laws without a state."""
    scalars: Scalars
    evaluate: Callable[[Formula], Scalar]
    """The value of a formula of parameters."""

    @property
    def speed(self) -> Scalar:
        """The size of the velocity."""
        return self.size(self.velocity)

    def size(self, vector: Components) -> Scalar:
        """Return the size of a vector; of a single component its absolute value, which has a derivative off zero.

        Of several components the derivative at zero is zero.
        """
        if len(vector) == 1:
            return self.scalars.call("abs", vector)
        return self.scalars.call("sqrt", (add(total([square(one) for one in vector]), _SQUARE_ROUNDING),))

    def smoothed(self, width: Scalar) -> Components:
        """Return the direction of sliding, v/√(v² + w²), which passes zero smoothly over a speed w."""
        size = self.scalars.call("sqrt", (add(total([square(one) for one in self.velocity]), square(width)),))
        return tuple(one / size for one in self.velocity)


class Friction(NamedTuple):
    """The friction force on the sliding body, the rate of the law's state, in each direction, and energy."""

    force: Components
    rates: Components = ()
    stored: Scalar = 0
    """The elastic energy of the bristles (J), under the present load."""
    dissipation: Scalar = 0
    """The power that is lost under a constant load (W)."""


@dataclass(frozen=True)
class FrictionLaw(Dimensioned):
    """Base of all friction laws; a subclass declares its coefficients and defines `friction`.

    Laws know no bodies: a joint, a contact or a rope gives the velocity of sliding and the normal load.
    """

    has_bristle: ClassVar[bool] = False
    """Whether the law has a state in each direction: the deflection of bristles (m or rad)."""

    @abstractmethod
    def friction(self, sliding: Sliding) -> Friction:
        """Return the friction force, opposite to sliding, and the rate of the deflection."""

    def bristle_at_touch(self, sliding: Sliding) -> Components:
        """Return the deflection with which a contact begins; of laws that have one."""
        return (0,) * len(sliding.velocity)

    @property
    def holding(self) -> tuple[Formula, Formula] | None:
        """The coefficient of friction at rest and the stiffness of bristles: their ratio is the deflection that holds.

        None for laws without bristles, and for bristles that give way at rest too.
        """
        return None


def power(a: Components, b: Components) -> Scalar:
    """Return the sum of the products of components."""
    return total([multiply(x, y) for x, y in zip(a, b, strict=True)])


FRICTION_LAWS: Registry[FrictionLaw] = Registry("friction law", FrictionLaw)


def coefficient(sliding: Sliding, mu: Formula, mu_static: Formula, speed: Formula) -> Scalar:
    """Return Stribeck's coefficient of friction, μ_k + (μ_s − μ_k) exp(−(v/v_s)²)."""
    mu_s, mu_k = sliding.evaluate(mu_static), sliding.evaluate(mu)
    ratio = total([square(one / sliding.evaluate(speed)) for one in sliding.velocity])
    return add(mu_k, multiply(mu_s - mu_k, sliding.scalars.call("exp", (-ratio,))))
