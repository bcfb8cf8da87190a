"""A closed unilateral contact at an instant."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from gyrostat.analysis.events.impact_law import ImpactLaw
from gyrostat.coordinates.arguments import Floats

REST_SPEED = 1e-12
"""Speed below which a contact is at rest, relative to the fastest approach or to the changes of its terms."""


def _none() -> Floats:
    return np.zeros(0)


@dataclass(frozen=True, eq=False)
class ClosedContact:
    """A closed unilateral contact at an instant, with Coulomb friction where `friction` is not zero."""

    event: str
    direction: Floats
    """Derivatives of the separation speed by the speeds u: the direction of the contact impulse."""
    speed: float
    """Separation speed γ; negative for an approach."""
    restitution: float
    friction: float = 0.0
    """Coefficient of friction μ."""
    tangents: Floats | None = None
    """Derivatives (n_u, k) of the sliding speeds by the speeds u: the directions of the tangential impulses."""
    sliding: Floats = field(default_factory=_none)
    """Sliding speeds along the tangents (k), orthogonal directions of equal scale as the separation speed."""
    law: ImpactLaw = ImpactLaw.NEWTON

    def after(self, change: Floats) -> ClosedContact:
        """Return the contact after a change of the speeds u; speeds that are rounding errors of its terms are zero."""
        speed = self.speed + float(self.direction @ change)
        at_rest = abs(speed) <= REST_SPEED * float(np.abs(self.direction) @ np.abs(change))
        sliding = self.sliding
        if self.tangents is not None:
            sliding = sliding + change @ self.tangents
            sliding = np.where(np.abs(sliding) <= REST_SPEED * (np.abs(change) @ np.abs(self.tangents)), 0.0, sliding)
        return replace(self, speed=0.0 if at_rest else speed, sliding=sliding)

    @property
    def reversed(self) -> ClosedContact:
        """The contact with the obstacle on the other side."""
        return replace(self, direction=-self.direction, speed=-self.speed)

    @property
    def columns(self) -> Floats:
        """Directions of the normal impulse and, with friction, of the tangential impulses (n_u, 1 + k)."""
        if self.friction == 0.0 or self.tangents is None:
            return self.direction[:, None]
        return np.column_stack((self.direction, self.tangents))

    @property
    def speeds(self) -> Floats:
        """Separation speed and, with friction, sliding speeds (1 + k)."""
        rubbing = self.friction != 0.0 and self.tangents is not None
        return np.append(self.speed, self.sliding) if rubbing else np.array([self.speed])
