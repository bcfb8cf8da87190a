"""The second-order form of a linear model: mass, damping and stiffness in independent coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.variations.flow import Flow
from gyrostat.coordinates.arguments import Floats


@dataclass(frozen=True, eq=False)
class SecondOrder:
    """mass ẍ + damping ẋ + stiffness x = forces w, with x the changes of the independent coordinates at constant z.

    With rolling or gliding there are fewer speeds v than positions x; then mass v̇ + damping v + stiffness x = forces w,
    with ẋ = kinematics x + motion v.
    """

    mass: Floats
    damping: Floats
    stiffness: Floats
    forces: Floats
    kinematics: Floats
    motion: Floats


def second_order_of(flow: Flow) -> SecondOrder:
    """Return the second-order form.

    From ẋ = S x + v and M v̇ + D v + P x = 0 follows M ẍ + (D − M S) ẋ + (P − D S) x = 0 for constant S.
    """
    n_p, states = len(flow.reduction.positions), flow.states
    end = n_p + len(flow.reduction.speeds)
    rates, mass = flow.state_rates[:n_p], (flow.mass + flow.mass.T) / 2
    S, motion = rates[:, :n_p], rates[:, n_p:end]
    stiffness, damping = flow.needs[:, :n_p], flow.needs[:, n_p:end]
    forces = -flow.needs[:, states : states + flow.acting.count]
    if flow.reduction.holonomic:
        stiffness, damping = stiffness - damping @ S, damping - mass @ S
        S = np.zeros_like(S)
    return SecondOrder(mass, damping, stiffness, forces, S, motion)
