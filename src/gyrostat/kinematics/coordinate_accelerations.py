"""Second derivatives of coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gyrostat.kinematics.mechanism import Carried, KinematicTree
from gyrostat.kinematics.state import State
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.model.evaluator import Evaluator
from gyrostat.scalar import Scalar
from gyrostat.scalar.jets import Jet, JetScalars, as_jet


def coordinate_accelerations(tree: KinematicTree[Carried], state: State, udot: Sequence[Scalar]) -> list[Scalar]:
    """Return q̈ = Ṅ u + N u̇: the rates of q̇ = N(q) u, formed on jets."""
    qdot = coordinate_rates(tree, state)
    q = [Jet(value, rate) for value, rate in zip(state.q, qdot, strict=True)]
    u = [Jet(value, rate) for value, rate in zip(state.u, udot, strict=True)]
    value = Evaluator(JetScalars(tree.value.scalars), tree.value.lookup)
    moving = replace(tree, value=value)
    return [as_jet(rate).rate for rate in coordinate_rates(moving, State(q, u, Jet(state.t, 1), state.inputs, state.z))]
