"""Numerical placement of ends on their bodies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gyrostat.model import Model
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import End


def place_on_body(model: Model, end: End, value: Evaluator) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return R_BE (3, 3) and r_BE_B (3,): the pose of an end in its body."""
    placement = model.placement(end, value)
    assert placement is not None, "a checked model has every end"
    return np.array(placement[0], dtype=float), np.array(placement[1], dtype=float)
