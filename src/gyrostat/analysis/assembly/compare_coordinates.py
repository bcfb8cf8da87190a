"""Comparison of coordinates: operation count and condition number of each choice, and a recommendation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.assembly.assemble import assemble
from gyrostat.closing.closing import Closer
from gyrostat.errors import GyrostatError, StateError
from gyrostat.model import Model
from gyrostat.results.html_table import html_table
from gyrostat.system import System, formulate
from gyrostat.topology import Trees

_CONDITION_LIMIT = 1e8
"""Condition number at which half of the digits are lost."""
_OPERATION_RATIO = 1.15
"""Choices whose operation counts differ by less than this are equivalent; the one with fewer equations is taken."""
_HEAD = ("coordinates", "q", "u", "constraints", "multipliers", "operations", "condition")


@dataclass(frozen=True)
class ComparedChoice:
    """A choice of coordinates with its cost; `fault` is the reason if it cannot be used."""

    choice: str
    coordinates: int
    speeds: int
    constraints: int
    operations: int
    """Operations of one evaluation of the right-hand side."""
    condition: float
    """Condition number of the matrix for accelerations and multipliers, with speeds scaled to unit inertia."""
    fault: str = ""

    @property
    def multipliers(self) -> int:
        """Number of multipliers, one for each constraint."""
        return self.constraints

    @property
    def row(self) -> tuple[str, ...]:
        """The row of the table."""
        counts = (self.coordinates, self.speeds, self.constraints, self.multipliers, self.operations)
        return (self.choice, *(str(number) for number in counts), self.fault or f"{self.condition:.1e}")


@dataclass(frozen=True)
class CoordinateComparison:
    """Choices of coordinates, and the recommended one."""

    model: str
    choices: tuple[ComparedChoice, ...]
    recommended: str
    reason: str

    def __iter__(self) -> Iterator[ComparedChoice]:
        return iter(self.choices)

    def __getitem__(self, choice: str) -> ComparedChoice:
        return {one.choice: one for one in self.choices}[choice]

    def __str__(self) -> str:
        rows = [_HEAD, *(one.row for one in self.choices)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(_HEAD))]
        lines = [
            "  " + "  ".join(f"{cell:<{w}}" if i == 0 else f"{cell:>{w}}" for i, (cell, w) in enumerate(cells)).rstrip()
            for cells in (list(zip(row, widths, strict=True)) for row in rows)
        ]
        return "\n".join([f"Coordinates for {self.model!r}", *lines, f"Use {self.recommended!r}: {self.reason}."])

    def _repr_html_(self) -> str:
        table = html_table(f"Coordinates for {self.model!r}", _HEAD, [one.row for one in self.choices])
        return f"{table}<p>Use {self.recommended!r}: {self.reason}.</p>"


def compare_coordinates(
    model: Model | System,
    choices: Sequence[str | Trees] = ("joint", "absolute", "branch"),
    *,
    parameters: Mapping[str, object] | None = None,
) -> CoordinateComparison:
    """Compare the cost of choices of coordinates of a model at its initial position, and recommend one.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    >>> bar = model.add(gs.Body("bar", gs.rod(2, 1, along="y"), points={"top": (0, 0.5, 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top"))
    >>> found = gs.compare_coordinates(model)
    >>> [(one.choice, one.speeds, one.constraints) for one in found]
    [('joint', 1, 0), ('absolute', 3, 2), ('branch', 1, 0)]
    """
    given = model.model if isinstance(model, System) else model
    found = tuple(_compared(given, choice, parameters) for choice in choices)
    best, reason = _recommended(found)
    return CoordinateComparison(given.name, found, best, reason)


def _compared(model: Model, choice: str | Trees, parameters: Mapping[str, object] | None) -> ComparedChoice:
    system = formulate(model, choice)
    rows = len(system.constraints) if system.constrained else 0
    counts = (system.coordinates.label, system.coordinates.n_q, system.coordinates.n_u, rows)
    try:
        return ComparedChoice(*counts, system.program("rates").operations, _condition(system, parameters))
    except GyrostatError as error:
        return ComparedChoice(*counts, 0, np.inf, str(error).partition(". ")[0])


def _condition(system: System, parameters: Mapping[str, object] | None) -> float:
    """Return the condition of [M Aᵀ; A 0] with unit diagonal of M and rows of unit length in its metric."""
    start = assemble(system, parameters=parameters)
    M = system.mass_matrix(start.q, parameters=parameters)
    if not len(M):
        return 1.0
    moved = np.diag(M)  # zero for a massless speed, which constraints determine
    scale = 1.0 / np.sqrt(np.where(moved > 0.0, moved, 1.0))
    M = scale[:, None] * M * scale
    if not system.constrained or not system.constraints:
        return float(np.linalg.cond(M))
    A = Closer(system, 0.0, parameters).at(start.q, start.u).matrix * scale
    sizes = np.linalg.norm(A, axis=1)
    A = A / np.where(sizes > 0, sizes, 1.0)[:, None]
    if system.rank.redundant:  # redundant rows are not solved for
        _, values, turned = np.linalg.svd(A)
        A = turned[: int((values > 1e-8 * values[0]).sum())]
    return float(np.linalg.cond(np.block([[M, A.T], [A, np.zeros((len(A), len(A)))]])))


def _recommended(choices: Sequence[ComparedChoice]) -> tuple[str, str]:
    """Return the choice with the fewest operations that is well conditioned, with the reason in words."""
    usable = [one for one in choices if not one.fault]
    if not usable:
        raise StateError(f"None of the choices can be used: {choices[0].fault}. Check the model: gs.check(model).")
    regular = [one for one in usable if one.condition < _CONDITION_LIMIT] or usable
    fewest = min(one.operations for one in regular)
    alike = [one for one in regular if one.operations <= _OPERATION_RATIO * fewest]
    best = min(alike, key=lambda one: (one.speeds + one.constraints, one.operations))
    others = [one for one in usable if one is not best]
    costs = ", ".join(f"{one.operations} in {one.choice}" for one in others)
    reason = f"{best.operations} operations for the right-hand side" + (f" against {costs}" if costs else "")
    if best.operations > fewest:
        reason += f", about as few as any, with only {best.speeds + best.constraints} equations"
    left = [one.choice for one in usable if one not in regular]
    if left:
        reason += f"; {' and '.join(left)} {'is' if len(left) == 1 else 'are'} badly conditioned here"
    return best.choice, reason
