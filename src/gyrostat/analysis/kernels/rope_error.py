"""The error of a step with ropes: the largest of a node, which a mean over hundreds of them would hide."""

from __future__ import annotations

from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.rope_tables import RopeTables
from gyrostat.program.translation import kernel


@kernel
def largest_error(tables: RopeTables, scaled: Floats) -> float:
    """Return the largest mean square of errors in units of the tolerance: of a node, a bristle, or the rest."""
    nodes, points, rest = tables.nodes, tables.points, tables.rest
    largest = 0.0
    for i in range(nodes.masses.size):
        if nodes.ports[i] < 0:
            total = 0.0
            for k in range(3):
                total += scaled[nodes.positions[i] + k] ** 2 + scaled[nodes.speeds[i] + k] ** 2
            largest = max(largest, total / 6.0)
    for c in range(points.bristles.size):
        if points.bristles[c] >= 0:
            largest = max(largest, scaled[points.bristles[c]] ** 2 / 6.0)
    total = 0.0
    for j in range(rest.states.size):
        total += scaled[rest.states[j]] ** 2
    return max(largest, total / max(rest.states.size, 1))
