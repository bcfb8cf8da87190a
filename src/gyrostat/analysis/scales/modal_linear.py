"""The linear part M a + K x of a mechanism's equations about its equilibrium, which must have real modes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.scales.excitation import names_in
from gyrostat.analysis.scales.mechanism_loads import MechanismLoads
from gyrostat.analysis.scales.taylor import GradedTerm
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import Fault, ModelError
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Element, evaluate

_SYMMETRY_TOLERANCE = 1e-9
"""Tolerance of the symmetry of a numerical K, relative to its largest entry."""


@dataclass(frozen=True, eq=False)
class LinearPart:
    """M and K by rows, exact, in the order of the coordinates."""

    coordinates: tuple[str, ...]
    mass: Sequence[Sequence[Scalar]]
    stiffness: Sequence[Sequence[Scalar]]

    def numbers(self, values: Mapping[str, float]) -> tuple[Floats, Floats]:
        """Return M and K at values of the parameters."""
        mass, stiffness = (
            np.array([[evaluate(entry, values) for entry in row] for row in matrix], dtype=float)
            for matrix in (self.mass, self.stiffness)
        )
        return mass, stiffness

    def blocks(self) -> list[list[int]]:
        """Return the groups of coordinates that M or K couple."""
        n = len(self.coordinates)
        group = list(range(n))
        for i in range(n):
            for j in range(i):
                if not (is_zero(self.mass[i][j]) and is_zero(self.stiffness[i][j])) and group[i] != group[j]:
                    old, new = max(group[i], group[j]), min(group[i], group[j])
                    group = [new if each == old else each for each in group]
        return [[i for i in range(n) if group[i] == first] for first in sorted(set(group))]


def is_zero(value: Scalar) -> bool:
    """Tell whether a scalar vanishes identically."""
    return not isinstance(value, Element) and value == 0


def linear_part(
    loads: MechanismLoads, names: Sequence[str], terms: Sequence[GradedTerm], values: Mapping[str, float]
) -> LinearPart:
    """Return M and K from the terms of grade one; gyroscopic and circulatory terms are errors."""
    n = len(names)
    matrices: list[list[list[Scalar]]] = [[[0] * n for _ in range(n)] for _ in range(3)]
    sources: list[list[str]] = [[], [], []]
    for term in terms:
        if term.grade != 1 or term.degree != 1:
            continue
        if term.harmonic is not None:
            raise _fault(
                loads,
                term.source,
                f"its excitation {term.coefficient} {term.harmonic} changes the linear equations at leading order.",
                f"Declare it small: ordering=gs.Ordering(parameters={{…: 1}}) with one of {_names(term.coefficient)}.",
            )
        place = term.powers.index(1)
        row = matrices[place // n][term.equation]
        row[place % n] = row[place % n] + term.coefficient
        if term.source not in sources[place // n]:
            sources[place // n].append(term.source)
    stiffness, rates, mass = matrices
    _refuse_rates(loads, names, rates, terms)
    _refuse_circulatory(loads, names, stiffness, terms, values)
    return LinearPart(tuple(names), mass, stiffness)


def _refuse_rates(
    loads: MechanismLoads, names: Sequence[str], rates: Sequence[Sequence[Scalar]], terms: Sequence[GradedTerm]
) -> None:
    """Raise an error for gyroscopic terms, and for damping that is not small."""
    n = len(names)
    for term in terms:
        if term.grade == 1 and term.degree == 1 and term.harmonic is None and n <= term.powers.index(1) < 2 * n:
            i, j = term.equation, term.powers.index(1) - n
            if is_zero(rates[i][j]):
                continue
            gyroscopic = i != j and is_zero(rates[i][j] + rates[j][i])
            what = "gyroscopic terms" if gyroscopic else "damping"
            raise _fault(
                loads,
                term.source,
                f"the linear equations have {what} at leading order: {rates[i][j]} times the rate of {names[j]!r} in "
                f"the equation of {names[i]!r}. Multiple scales starts from the modes of mass and stiffness alone.",
                f"Where they are small, declare it: ordering=gs.Ordering(parameters={{…: 1}}) with one of "
                f"{_names(rates[i][j])}.",
            )


def _refuse_circulatory(
    loads: MechanismLoads,
    names: Sequence[str],
    stiffness: Sequence[Sequence[Scalar]],
    terms: Sequence[GradedTerm],
    values: Mapping[str, float],
) -> None:
    """Raise an error for an unsymmetric stiffness matrix (circulatory loads)."""
    scale = max((abs(evaluate(entry, values)) for row in stiffness for entry in row), default=0.0)
    for i in range(len(names)):
        for j in range(i):
            off = stiffness[i][j] - stiffness[j][i]
            if not is_zero(off) and abs(evaluate(off, values)) > _SYMMETRY_TOLERANCE * scale:
                source = next(
                    term.source
                    for term in terms
                    if term.grade == 1 and term.degree == 1 and {term.equation, term.powers.index(1)} == {i, j}
                )
                raise _fault(
                    loads,
                    source,
                    f"the stiffness between {names[j]!r} and {names[i]!r} is not symmetric, as of a load that follows "
                    "the motion: there are no orthogonal modes.",
                    "Make the load small by an ordering, or leave it out.",
                )


def _names(value: Scalar) -> str:
    return ", ".join(sorted(names_in(value))) or "no parameter (name its size first)"


def _fault(loads: MechanismLoads, source: str, fact: str, remedy: str) -> ModelError:
    item = f"force {source!r}" if source in loads.system.model.forces else source
    return ModelError(Fault(item, fact, remedy), f"Multiple scales of {loads.system.model.name!r}:")
