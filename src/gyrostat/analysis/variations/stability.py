"""Stability of an operating point under small disturbances, and the criterion that decides it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from gyrostat.once import cached_property
from gyrostat.results.text_table import NotebookText


class Verdict(Enum):
    """Verdicts on stability."""

    STABLE = "stable"
    UNSTABLE = "unstable"
    NEUTRAL = "neutral"
    """Stable except along a family of equilibria or motions, to which the point belongs."""
    UNDECIDED = "undecided"
    """The linear system is not decisive."""


@dataclass(frozen=True, eq=False)
class Stability(NotebookText):
    """A verdict and its reason; prints as a sentence."""

    verdict: Verdict
    reason: str
    found: NDArray[np.complex128] | Callable[[], NDArray[np.complex128]] = field(
        default_factory=lambda: np.zeros(0, dtype=complex), repr=False
    )
    """The eigenvalues, or a function that finds them: a criterion of energy does not need them."""
    family: bool = False
    """Whether there are displacements that lead to other points of the same kind."""

    @cached_property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Those of the linear system, in 1/s, without ignorable motions, zeros last."""
        return self.found() if callable(self.found) else self.found

    @property
    def stable(self) -> bool:
        """Whether the verdict is that it is stable."""
        return self.verdict is Verdict.STABLE

    def __str__(self) -> str:
        return f"{self.verdict.value}: {self.reason}"
