"""Kinks: whether laws with conditions are smooth at an operating point, so that a linear model holds on all sides."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np

from gyrostat.analysis.variations.dynamics import Dynamics
from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.analysis.variations.reduction import orthonormal_reduction
from gyrostat.coordinates.arguments import Floats
from gyrostat.program.warning import GyrostatWarning

_SIZES = 1e-7, 1e-8, 1e-9
"""Disturbances on both sides, in terms of the scales of coordinates and speeds; switches farther away do not count."""
_KINK_THRESHOLD = 1e-3
"""The difference of the changes on both sides, in terms of the larger one, from which on it is a kink."""
_SHRINKAGE_RATIO = 0.5
"""A kink's difference does not shrink with the disturbance; that of a smooth law does, by their ratio."""
_JUMP_GROWTH = 2.0
"""The growth of the change per disturbance, from one size to the next, from which on it is a jump."""
_CHANGE_ROUNDING = 1e-6
"""Changes per disturbance that count as rounding errors, in terms of the largest."""


def warn_of_kinks(point: OperatingPoint) -> None:
    """Warn where accelerations or rates of states change differently on both sides of an operating point."""
    system = point.system
    if not system.laws_may_switch:
        return
    q, u, z = point.parts
    dynamics = Dynamics.at(point)
    mechanical = orthonormal_reduction(dynamics.constraint_jacobians(q, u)).basis
    scales = np.concatenate((dynamics.scales, dynamics.scales))
    free = [place for place in range(len(z)) if place not in system.coordinates.algebraic]
    directions = [(scales * column, np.zeros(len(z))) for column in mechanical.T]
    directions += [(np.zeros(len(scales)), np.eye(len(z))[place] * max(1.0, abs(float(z[place])))) for place in free]
    names = (*system.speed_names, *(f"{system.state_names[place]}.rate" for place in free))

    def rates(change: Floats, own: Floats) -> Floats:
        n, at = len(u), replace(dynamics, z=z + own)
        moved, speeds = dynamics.moved(q, change[:n]), u + change[n:]
        states = at.state_rates(moved, speeds)[free] if free else np.zeros(0)
        return np.concatenate((at.accelerations(moved, speeds), states))

    still = rates(np.zeros(len(scales)), np.zeros(len(z)))
    if not directions:
        return
    ahead, behind = (
        [np.array([(rates(h * change, h * own) - still) / h for change, own in directions]) for h in sizes]
        for sizes in (_SIZES, np.negative(_SIZES))
    )
    gaps = [np.abs(one - other) for one, other in zip(ahead, behind, strict=True)]
    sizes = [np.maximum(np.abs(one), np.abs(other)) for one, other in zip(ahead, behind, strict=True)]
    larger = sizes[-1]
    kinked = (gaps[-1] > _KINK_THRESHOLD * larger) & (gaps[-1] > _SHRINKAGE_RATIO * gaps[-2])
    kinked |= (sizes[1] > _JUMP_GROWTH * sizes[0]) & (sizes[2] > _JUMP_GROWTH * sizes[1])
    kinked &= larger > _CHANGE_ROUNDING * larger.max(initial=0.0)
    if kinked.any():
        _warn(system.model.name, names[int(np.argmax(np.where(kinked, larger, 0.0).max(axis=0)))])


def _warn(model: str, name: str) -> None:
    warnings.warn(
        f"A law of {model!r} switches at the operating point: beside it the acceleration {name!r} changes differently "
        "from side to side, so that no linear model holds on both. Take a point beside the switch, or a law that is "
        "smooth there.",
        GyrostatWarning,
        stacklevel=4,
    )
