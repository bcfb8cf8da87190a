"""Where the entries of a Jacobian go in a solver's matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gyrostat.program import Program


@dataclass(frozen=True)
class JacobianLayout:
    """Where the stored entries of the program of ∂ẏ/∂y go in the solver's matrix.

    A matrix of many speeds with many zeros is factorised as a sparse one, with its diagonal; others are dense.
    """

    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    size: int

    SMALLEST_SPARSE: ClassVar[int] = 60
    LARGEST_SHARE: ClassVar[float] = 0.15
    """Measured: below so many states, or with a larger share of entries, dense factors are faster."""

    @staticmethod
    def of(program: Program) -> JacobianLayout:
        """Return the layout of a program's output "jacobian"."""
        port = next(port for port in program.outputs if port.name == "jacobian")
        if port.pattern is None:
            columns, rows = (part.ravel().astype(np.int32) for part in np.divmod(np.arange(port.size), port.rows))
            return JacobianLayout(rows, columns, port.rows)
        return JacobianLayout(*port.pattern, port.rows)

    @property
    def sparse(self) -> bool:
        """Whether the matrix is factorised as a sparse one."""
        return self.size >= self.SMALLEST_SPARSE and self.rows.size <= self.LARGEST_SHARE * self.size**2

    @property
    def pattern(self) -> Any:
        """The sparse pattern with its diagonal."""
        from scipy import sparse

        diagonal = np.arange(self.size, dtype=np.int32)
        rows, columns = np.concatenate((self.rows, diagonal)), np.concatenate((self.columns, diagonal))
        pattern = sparse.coo_matrix((np.ones(rows.size), (rows, columns)), (self.size, self.size)).tocsc()
        pattern.sort_indices()
        pattern.data[:] = 1.0
        return pattern

    @property
    def places(self) -> NDArray[np.int64]:
        """Where each stored entry of the program is among the entries of the pattern, column by column."""
        pattern = self.pattern
        keys = np.repeat(np.arange(self.size), np.diff(pattern.indptr)) * self.size + pattern.indices
        return np.searchsorted(keys, self.columns.astype(np.int64) * self.size + self.rows)
