"""A linear model at other values of parameters: the operating point recomputed, modes identified by their shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.analysis.linear.modes import Mode
from gyrostat.analysis.operating.equilibrium import equilibrium
from gyrostat.analysis.variations.operating_point import OperatingKind, OperatingPoint
from gyrostat.errors import StateError

if TYPE_CHECKING:
    from gyrostat.analysis.linear.linear_model import LinearModel

_SMALLEST_COSINE = 0.8
"""The least cosine between shapes of one mode."""


def changed_point(point: OperatingPoint, parameters: Mapping[str, float]) -> OperatingPoint:
    """Return an operating point at other parameters: an equilibrium is recomputed, started from the given one."""
    changed = {**point.parameters, **parameters}
    if point.kind is not OperatingKind.EQUILIBRIUM:
        raise StateError(
            "Only equilibria are found again when parameters change. Linearize steady motions at each value: "
            "gs.root_locus."
        )
    return equilibrium(
        point.system, guess={**point.coordinates, **point.states}, inputs=point.inputs, parameters=changed
    )


def changed_linear_model(linear: LinearModel, parameters: Mapping[str, float]) -> LinearModel:
    """Return the linear model with other parameters, in the same independent coordinates."""
    if linear.linearized is None:
        raise StateError(
            "This linear model was not made by gs.linearize, so that it cannot be made again with other parameters. "
            "Use gs.linearize."
        )
    return linear.linearized(changed_point(linear.point, parameters))


def matching_mode(mode: Mode, linear: LinearModel) -> Mode:
    """Return the mode of another linear model whose shape is most similar to that of a mode."""
    found = max(linear.modes(), key=lambda other: likeness(mode, other))
    if likeness(mode, found) < _SMALLEST_COSINE:
        raise StateError(
            f"Mode {mode.number} cannot be recognised after the change of parameters: no shape is similar. Change "
            "them by less."
        )
    return found


def likeness(mode: Mode, other: Mode) -> float:
    """Return the cosine between the motions of two modes, from 0 to 1; zero for modes of different kinds."""
    if mode.oscillates != other.oscillates or (mode.eigenvalue == 0) != (other.eigenvalue == 0):
        return 0.0
    a, b = (np.append(each.motion, each.states) for each in (mode, other))
    return float(abs(np.vdot(a, b)) / (np.linalg.norm(a) * np.linalg.norm(b)))
