"""Single contacts whose bodies overlap: a position near by at which none does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from gyrostat.analysis.assembly.overlaps import GapProgram
from gyrostat.closing.closing import Closer
from gyrostat.closing.null_space import null_space, unit_rows
from gyrostat.coordinates.arguments import Floats
from gyrostat.system import System

_ROUNDS = 60
_DIFFERENCE = 1e-6
"""The step of central differences, in radians or sizes of the mechanism."""
_LONGEST_STEP = 0.2
"""The longest step, in the same units."""
_TARGET_GAP = 1e-9
"""The gap that is asked for, in sizes of the mechanism."""
_FEASIBILITY_TOLERANCE = 1e-12
"""A share of the residual of least distance programming below which no displacement opens all gaps."""


@dataclass(frozen=True, eq=False)
class Parting:
    """Moves bodies of single contacts apart, by the least displacements in the metric of the masses."""

    system: System
    parameters: Mapping[str, object] | None
    gaps: GapProgram

    def parted(self, q: Floats) -> Floats:
        """Return coordinates without overlaps near given ones, or the last ones that were reached."""
        closer = Closer(self.system, parameters=self.parameters)
        size = self.system.model_size
        for _ in range(_ROUNDS):
            gaps = self._gaps(q[None])[0]
            if (gaps >= 0.0).all():
                break
            basis = self._basis(closer, q)
            jacobian = self._jacobian(closer, q) @ basis
            change = basis @ least_displacement(jacobian, _TARGET_GAP * size - gaps)
            length = float(np.abs(change / closer.scales).max(initial=0.0))
            if not 0.0 < length < np.inf:
                break
            q = closer.moved(q, change * min(1.0, _LONGEST_STEP / length))
            if self.system.constrained:
                q = closer.closed(q)[0]
        return q

    def _gaps(self, q: Floats) -> Floats:
        return self.gaps.at(q, self.parameters)

    def _jacobian(self, closer: Closer, q: Floats) -> Floats:
        """Return the derivatives of gaps by displacements."""
        steps = np.diag(_DIFFERENCE * closer.scales)
        ahead, behind = (self._gaps(np.array([closer.moved(q, s * step) for step in steps])) for s in (1.0, -1.0))
        return (ahead - behind).T / (2.0 * np.diag(steps))

    def _basis(self, closer: Closer, q: Floats) -> Floats:
        """Return the displacements that constraints allow, as columns of unit length in the metric of the masses."""
        scales, system = closer.scales, self.system
        free = np.diag(scales)
        if system.constrained:
            matrix = closer.at(q, np.zeros(len(scales))).matrix * scales
            free = scales[:, None] * null_space(unit_rows(matrix))
        program = system.program("mass_matrix")
        row = system.row.of(
            0.0,
            system.row.mechanical(q, 0.0 * scales),
            system.parameter_values(self.parameters),
            np.zeros(len(system.inputs)),
        )
        mass = program.matrix("mass_matrix", program.loop(row[None])[0])
        return np.asarray(np.linalg.solve(np.linalg.cholesky(free.T @ mass @ free), free.T).T)


def least_displacement(jacobian: Floats, least: Floats) -> Floats:
    """Return the least y with G y ≥ h, zeros where there is none (Lawson and Hanson 1974, problem LDP).

    >>> least_displacement(np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([2.0, -1.0])).round(9).tolist()
    [1.0, 1.0]
    """
    target = np.zeros(jacobian.shape[1] + 1)
    target[-1] = 1.0
    matrix = np.vstack((jacobian.T, least))
    weights, _ = nnls(matrix, target)
    residual = matrix @ weights - target
    if abs(residual[-1]) <= _FEASIBILITY_TOLERANCE:
        return np.zeros(jacobian.shape[1])
    return np.asarray(-residual[:-1] / residual[-1])
