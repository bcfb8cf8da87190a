"""How an output varies with the state, and how that changes with parameters.

δy = (h_q, h_u + μ h_u̇, h_λ) x + h_w w along x e^μt, with x = (δq, δu, δλ) on the columns of the pencil.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.linear.sensitivities.pencil import Pencil
from gyrostat.analysis.variations.spectrum import Complexes
from gyrostat.once import cached_property
from gyrostat.program import Program


@dataclass(frozen=True, eq=False)
class OutputVariation:
    """The variation of one output about the operating point of a pencil."""

    pencil: Pencil
    output: str

    @cached_property
    def _program(self) -> Program:
        return self.pencil.variations.system.output_variation(self.output)

    def row(self, mu: complex) -> Complexes:
        """Return the derivatives of the output by x."""
        return self.along(np.eye(sum(self.pencil.sizes), dtype=complex), mu)

    def along(self, x: Complexes, mu: complex, acting: Complexes | None = None) -> Complexes:
        """Return the change of the output along x, and of inputs and parameters; x may have several columns."""
        values = self._values(x.reshape(len(x), -1), mu, acting, "along")
        return np.asarray(values[:, 0].reshape(x.shape[1:]))

    def gradient(self, x: Complexes, mu: complex, acting: Complexes | None = None) -> Complexes:
        """Return how this change itself changes with q, u, u̇, λ, inputs and parameters."""
        return np.asarray(self._values(x.reshape(-1, 1), mu, acting, "gradient")[0])

    def _values(self, columns: Complexes, mu: complex, acting: Complexes | None, port: str) -> Complexes:
        real, imaginary = (self.pencil.seeds(columns, mu, acting, part) for part in (np.real, np.imag))
        found = self._program.loop(np.vstack((real, imaginary)))[:, self._program.output_slice(port)]
        count = columns.shape[1]
        return np.asarray(found[:count] + 1j * found[count:])
