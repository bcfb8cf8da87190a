"""Magnus's series on SE(3) to sixth order: the screw Ω whose exponential is the pose at the end of a step.

With the strains at three Gauss points s₁, s₂, s₃ of a step h,
    α₁ = h s₂,  α₂ = (√15/3) h (s₃ − s₁),  α₃ = (10/3) h (s₃ − 2 s₂ + s₁),
    C = [α₂, α₁],  D = −20 α₁ − α₃ + C,  F = α₂ − [2 α₃ + C, α₁]/60,  Ω = α₁ + α₃/12 + [F, D]/240
(Blanes, Casas, Oteo and Ros 2009, eqs. 251–252, with all commutators reversed: strains multiply the pose from the
right). The α are linear in the elastic coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.spatial import ZERO, Vector, cross, minus, plus, scale


class ScrewMotion(NamedTuple):
    """Rotation vector and displacement of an infinitesimal or finite motion."""

    turn: Vector = ZERO
    shift: Vector = ZERO

    def plus(self, other: ScrewMotion) -> ScrewMotion:
        """Return the sum."""
        return ScrewMotion(plus(self.turn, other.turn), plus(self.shift, other.shift))

    def scaled(self, factor: Scalar) -> ScrewMotion:
        """Return a multiple."""
        return ScrewMotion(scale(factor, self.turn), scale(factor, self.shift))

    def across(self, other: ScrewMotion) -> ScrewMotion:
        """Return the commutator [other, self]."""
        shift = minus(cross(other.turn, self.shift), cross(self.turn, other.shift))
        return ScrewMotion(cross(other.turn, self.turn), shift)


@dataclass(frozen=True)
class Magnus:
    """Ω of a step, with its derivatives along changes of the α."""

    first: ScrewMotion
    second: ScrewMotion
    third: ScrewMotion

    @cached_property
    def _C(self) -> ScrewMotion:
        return self.first.across(self.second)

    @cached_property
    def _inner(self) -> ScrewMotion:
        return self.third.scaled(2).plus(self._C)

    @cached_property
    def _D(self) -> ScrewMotion:
        return self.first.scaled(-20).plus(self.third.scaled(-1)).plus(self._C)

    @cached_property
    def _F(self) -> ScrewMotion:
        return self.second.plus(self.first.across(self._inner).scaled(-1 / 60))

    @property
    def value(self) -> ScrewMotion:
        """Ω."""
        return self.first.plus(self.third.scaled(1 / 12)).plus(self._D.across(self._F).scaled(1 / 240))

    def rate(self, change: Magnus) -> ScrewMotion:
        """Return the rate of Ω while the α change at given rates."""
        _, D_rate, F_rate = self._rates(change)
        bent = D_rate.across(self._F).plus(self._D.across(F_rate))
        return change.first.plus(change.third.scaled(1 / 12)).plus(bent.scaled(1 / 240))

    def second_rate(self, change: Magnus) -> ScrewMotion:
        """Return the second derivative of Ω in time while the α change at constant rates."""
        C_rate, D_rate, F_rate = self._rates(change)
        C_second = change.first.across(change.second).scaled(2)
        inner_rate = change.third.scaled(2).plus(C_rate)
        F_second = change.first.across(inner_rate).scaled(2).plus(self.first.across(C_second)).scaled(-1 / 60)
        bent = C_second.across(self._F).plus(D_rate.across(F_rate).scaled(2)).plus(self._D.across(F_second))
        return bent.scaled(1 / 240)

    def _rates(self, change: Magnus) -> tuple[ScrewMotion, ScrewMotion, ScrewMotion]:
        """Return the rates of C, D and F."""
        C_rate = change.first.across(self.second).plus(self.first.across(change.second))
        D_rate = change.first.scaled(-20).plus(change.third.scaled(-1)).plus(C_rate)
        inner_rate = change.third.scaled(2).plus(C_rate)
        nested = change.first.across(self._inner).plus(self.first.across(inner_rate))
        return C_rate, D_rate, change.second.plus(nested.scaled(-1 / 60))
