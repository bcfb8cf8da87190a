"""Outputs of a varied motion."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gyrostat.analysis.variations.flow import Flow
from gyrostat.analysis.variations.variations import evaluated_ports
from gyrostat.coordinates.arguments import Floats
from gyrostat.system.kernel_forces import refuse_kernel_outputs


def observe(flow: Flow, names: Iterable[str]) -> tuple[tuple[str, ...], Floats, Floats]:
    """Return outputs by name, vectors by components; their values; and their variations on (x, w, ẇ, ẅ)."""
    asked = tuple(names)
    width = flow.theta.shape[1]
    if not asked:
        return (), np.zeros(0), np.zeros((0, width))
    found = flow.variations
    outputs, program = found.system.linear_outputs(asked)
    jacobians = evaluated_ports(program, np.concatenate((found.point.row, found.udot, found.loads)))
    varied = jacobians["by_position"] @ flow.theta + jacobians["by_speed"] @ flow.u
    varied = varied + jacobians["by_rate"] @ flow.udot + jacobians["by_load"] @ flow.loads
    if len(flow.z):
        varied = varied + jacobians["by_state"] @ flow.z
    if found.contacts is not None:
        by_input = jacobians["by_input"][:, : len(found.contacts.by_speed)]
        refuse_kernel_outputs(found.system, asked)
        varied = varied + by_input @ (found.contacts.by_position @ flow.theta + found.contacts.by_speed @ flow.u)
    if flow.acting.count:
        varied[:, flow.states :] += flow.acting.of(jacobians["by_input"])
    return outputs, jacobians["values"][:, 0], varied
