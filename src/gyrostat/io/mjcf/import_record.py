"""Record of an import of a compiled model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.io.names import Names
from gyrostat.io.places import place
from gyrostat.model import Model
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND

FREE, BALL, SLIDE, HINGE = range(4)
"""Types of joints (mjtJoint)."""


@dataclass
class ImportRecord:
    """MuJoCo's compiled model `m`, the model that is built from it, names by number, and what could not be taken."""

    m: Any
    model: Model
    names: Names = field(default_factory=Names)
    bodies: dict[int, str] = field(default_factory=lambda: {0: GROUND})
    joints: dict[int, str] = field(default_factory=dict)
    mesh_references: Mapping[str, NDArray[np.float64] | None] = field(default_factory=dict)
    """The references of meshes by name, where they are not zero; None where a mesh is turned as well."""
    undrawn: list[str] = field(default_factory=list)
    """Bodies with geometries that are not drawn."""
    notes: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """Parts that change the motion and have no counterpart, in words."""

    def coordinate(self, joint: int) -> str | None:
        """Return the coordinate of a hinge or slide; None of other joints."""
        return self.joints[joint] if self.m.jnt_type[joint] in (SLIDE, HINGE) else None

    def site_end(self, site: int) -> End:
        """Return the place of a site on its body."""
        return place(self.bodies[int(self.m.site_bodyid[site])], self.m.site_pos[site], self.m.site_quat[site])


def written(number: float) -> str:
    """Return a number for a formula, exactly."""
    text = repr(float(number) + 0.0)
    return f"({text})" if text.startswith("-") else text


def times(factor: float, formula: str) -> str:
    """Return a formula, a name or a sum, times a number."""
    inside = formula if formula.replace(".", "").replace("_", "").isalnum() else f"({formula})"
    return inside if factor == 1 else f"{written(factor)}*{inside}"
