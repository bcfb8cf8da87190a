"""The load in a joint."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Reaction:
    """Load of a joint's parent on its child at the child's joint point, world axes, arrays of shape (…, 3)."""

    force: NDArray[np.float64]
    moment: NDArray[np.float64]
