"""The contract of a normal law: the force between two bodies that press on each other, from depth and its rate."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from gyrostat.model.registry import Registry
from gyrostat.model.shapes.dimensioned import Dimensioned
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import multiply, negate, subtract


@dataclass(frozen=True)
class Indentation:
    """Two bodies at an instant: how far apart they are, how fast they approach, and how formulas are evaluated."""

    gap: Scalar
    """The distance of the surfaces (m); negative where they overlap."""
    rate: Scalar
    """The rate of the gap (m/s); negative on approach."""
    approach: Scalar
    """The speed of approach at the last touch (m/s), at least zero; for laws that remember it."""
    scalars: Scalars
    evaluate: Callable[..., Scalar]
    """The value of a formula of parameters, and of variables given by name."""

    @property
    def depth(self) -> Scalar:
        """The depth of the overlap, zero where there is none."""
        return self.scalars.call("max", (negate(self.gap), 0))

    @property
    def touching(self) -> Scalar:
        """The truth value of an overlap."""
        return self.scalars.compare(">", negate(self.gap), 0)

    def pressing(self, force: Scalar) -> Scalar:
        """Return a force where the bodies overlap and as far as it presses them apart, otherwise zero."""
        call = self.scalars.call
        return call("where", (self.touching, call("max", (force, 0)), 0))


class NormalForce(NamedTuple):
    """The force that presses two bodies apart, with its account of energy."""

    force: Scalar
    stored: Scalar = 0
    """The elastic energy (J)."""
    dissipation: Scalar = 0
    """The power that is lost (W)."""
    pressure: Scalar | None = None
    """The load of friction, where it is not the force itself: without a pull."""
    seat: Scalar | None = None
    """The load under which bristles store energy, where that of friction may jump: energies do not."""

    @property
    def friction_load(self) -> Scalar:
        """The load of friction (N)."""
        return self.force if self.pressure is None else self.pressure

    @staticmethod
    def beside(
        elastic: Scalar, stored: Scalar, force: Scalar, rate: Scalar, *, seat: Scalar | None = None
    ) -> NormalForce:
        """Return a force with an elastic part: what the gap's rate takes from the rest of it is lost."""
        return NormalForce(force, stored, multiply(subtract(elastic, force), rate), None, seat)


@dataclass(frozen=True)
class NormalLaw(Dimensioned):
    """Base of all normal laws; a subclass declares its coefficients and defines `normal`.

    Laws know no bodies: a contact, a joint limit or a kernel over many pairs gives the gap and its rate.
    """

    accounted: ClassVar[bool] = True
    """Whether the stored energy is known, so that the rest of the work is lost."""

    @property
    def remembers(self) -> bool:
        """Whether the law depends on the speed of approach at touch, which each contact records."""
        return False

    @property
    def continuous(self) -> bool:
        """Whether the force is known to be zero at touch, whatever the speed of approach."""
        return False

    @abstractmethod
    def normal(self, indentation: Indentation) -> NormalForce:
        """Return the force with its stored energy and lost power."""


NORMAL_LAWS: Registry[NormalLaw] = Registry("normal law", NormalLaw)
