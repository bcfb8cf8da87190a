"""The rates of amplitudes term by term: dA_k/dt = Σ ε^order coefficient Π A^p Ā^q × phasors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gyrostat.analysis.scales.expansion import PerturbationExpansion
from gyrostat.analysis.scales.variables import Polynomial


@dataclass(frozen=True)
class AmplitudeTerm:
    """One term: exponents of amplitudes (`direct`), of their conjugates, of phasors (`turns`) and of symbols."""

    order: int
    coefficient: Any
    direct: tuple[int, ...]
    conjugate: tuple[int, ...]
    turns: tuple[int, ...]
    symbols: tuple[int, ...]
    angles: tuple[int, ...]
    """Multiples of β_1 … β_n and of the angles of the phasors."""

    @property
    def degree(self) -> int:
        """The total degree in amplitudes."""
        return sum(self.direct) + sum(self.conjugate)

    def angles_over(self, k: int) -> tuple[int, ...]:
        """Return the multiples of angles of the term relative to exp(i β_k)."""
        return (*self.angles[:k], self.angles[k] - 1, *self.angles[k + 1 :])


def amplitude_terms(expansion: PerturbationExpansion, series: list[Polynomial]) -> tuple[AmplitudeTerm, ...]:
    """Return the terms of a series in amplitudes and phasors."""
    variables = expansion.variables
    n, m = expansion.n, len(variables.phasors)
    found = []
    for order, polynomial in enumerate(series):
        for monomial, coefficient in polynomial.items():
            e = variables.exponents(monomial)
            direct, conjugate, turns, symbols = e[:n], e[n : 2 * n], e[2 * n : 2 * n + m], e[2 * n + m :]
            slow = [0 if variables.free[k] else direct[k] - conjugate[k] for k in range(n)]
            found.append(AmplitudeTerm(order, coefficient, direct, conjugate, turns, symbols, (*slow, *turns)))
    return tuple(found)
