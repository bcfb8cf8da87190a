"""Models of beams, with bending stiffness, mass per length and length equal to one unless said."""

from __future__ import annotations

from typing import Any

import numpy as np

import gyrostat as gs
from gyrostat.system import System

UNIT: dict[str, Any] = {"length": 1, "area": 1, "Iz": 1, "E": 1, "density": 1, "rotary_inertia": False}
TWISTED: dict[str, Any] = {"Iy": 0.6, "J": 0.8, "G": 0.7}


def beam_on(joint: Any = "clamp", **changed: Any) -> gs.Model:
    """Return a beam on a joint, by default a clamp."""
    model = gs.Model("beam")
    model.add(gs.Beam("beam", **(UNIT | {"terms": {"v": 8}} | changed)))
    model.add(gs.Weld(joint, "ground", "beam") if isinstance(joint, str) else joint)
    return model


def squared_frequencies(model: gs.Model | System, **options: Any) -> Any:
    """Return the squares of the natural frequencies at the model's own state, in ascending order."""
    linear = gs.linearize(model, at=options.pop("at", {}), **options)
    return np.sort(np.linalg.eigvals(np.linalg.solve(linear.mass, linear.stiffness)).real)
