"""Many coefficients in numbers at once: all their monomials are evaluated together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gyrostat.analysis.scales.quotients import Quotient

Complexes = npt.NDArray[np.complex128]


class CoefficientTable:
    """Coefficients of either kind; quotients are kept as one table of monomials.

    >>> from gyrostat.analysis.scales.quotients import QuotientField
    >>> field = QuotientField(["k", "m"])
    >>> CoefficientTable([field.symbol("k") / field.symbol("m"), 2j])({"k": 3.0, "m": 2.0})
    array([1.5+0.j, 0. +2.j])
    """

    def __init__(self, coefficients: Sequence[Any]) -> None:
        self._fixed = np.array([0 if isinstance(c, Quotient) else complex(c) for c in coefficients], dtype=complex)
        quotients = [(i, c) for i, c in enumerate(coefficients) if isinstance(c, Quotient)]
        self._places = np.array([i for i, _ in quotients], dtype=int)
        self._names = quotients[0][1].field.names if quotients else ()
        exponents: list[tuple[int, ...]] = []
        weights: list[float] = []
        rows: list[int] = []
        for at, (_, quotient) in enumerate(quotients):
            for part, polynomial in enumerate((quotient.real, quotient.imag, quotient.below)):
                for powers, weight in polynomial.to_dict().items():
                    exponents.append(tuple(int(e) for e in powers)[: len(self._names)])
                    weights.append(float(int(weight)))
                    rows.append(3 * at + part)
        self._exponents = np.array(exponents, dtype=float).reshape(len(rows), len(self._names))
        self._used = np.asarray(self._exponents.any(axis=0))
        self._exponents = self._exponents[:, self._used]
        self._weights, self._rows = np.array(weights), np.array(rows, dtype=int)

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that occur."""
        return tuple(name for name, used in zip(self._names, self._used, strict=True) if used)

    def __call__(self, values: Mapping[str, float]) -> Complexes:
        """Return the coefficients at numbers for all parameters that occur."""
        result = self._fixed.copy()
        if len(self._places):
            known = np.array([values[name] for name in self.names], dtype=float)
            monomials = self._weights * (known**self._exponents).prod(axis=1)
            sums = np.bincount(self._rows, monomials, minlength=3 * len(self._places)).reshape(-1, 3)
            result[self._places] = (sums[:, 0] + 1j * sums[:, 1]) / sums[:, 2]
        return result
