"""Rattling: settling that jumps to and fro about a kink of the potential energy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.coordinates.arguments import Floats

_REVERSALS = 60
"""Steps by which settling at a smooth minimum, or on stiff contacts, has long made the accelerations fade."""


@dataclass
class Rattling:
    """Counts reversals of the accelerations since they were last halved.

    A disc that rolls without slip has such a kink where it lies on its plane: the side on which its rim touches the
    plane changes there, and the accelerations with it.
    """

    before: Floats | None = None
    least: float = np.inf
    reversals: int = 0

    def is_rattling(self, udot: Floats) -> bool:
        """Take note of the accelerations of a step, in scaled directions; return whether the mechanism rattles."""
        size = float(np.linalg.norm(udot))
        if size < 0.5 * self.least:
            self.least, self.reversals = size, 0
        elif self.before is not None and float(udot @ self.before) < 0.0:
            self.reversals += 1
        self.before = udot
        return self.reversals > _REVERSALS
