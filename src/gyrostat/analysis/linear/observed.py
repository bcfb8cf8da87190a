"""Outputs of a linear model on states and inputs."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gyrostat.analysis.linear.flow import Flow
from gyrostat.analysis.linear.variations import evaluated_ports
from gyrostat.coordinates.arguments import Floats


def observe(flow: Flow, names: Iterable[str]) -> tuple[tuple[str, ...], Floats, Floats]:
    """Return outputs by name, vectors by components; their values; and their variations on (x, w, ẇ, ẅ)."""
    asked = tuple(names)
    width = flow.theta.shape[1]
    if not asked:
        return (), np.zeros(0), np.zeros((0, width))
    found = flow.found
    outputs, program = found.system.linear_outputs(asked)
    slopes = evaluated_ports(program, np.concatenate((found.point.row, found.udot, found.loads)))
    varied = slopes["by_position"] @ flow.theta + slopes["by_speed"] @ flow.u
    varied = varied + slopes["by_rate"] @ flow.udot + slopes["by_load"] @ flow.loads
    if flow.acting.count:
        varied[:, flow.states :] += flow.acting.of(slopes["by_input"])
    return outputs, slopes["values"][:, 0], varied
