"""Vectors that are polynomials of second degree in the elastic coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply
from gyrostat.spatial import ZERO, Vector, plus, scale

Columns: TypeAlias = tuple[Vector, tuple[Vector, ...], tuple[tuple[Vector, ...], ...]]
"""Coefficients of a polynomial of second degree: constant, linear, and quadratic ones i ≤ j by rows."""


@dataclass(frozen=True)
class QuadraticPoint:
    """r = constant + Σ linear_i q_i + Σ quadratic_ij q_i q_j, i ≤ j, in the axes of the root."""

    size: int
    """The number of elastic coordinates."""
    constant: Vector = ZERO
    linear: Mapping[int, Vector] = field(default_factory=dict)
    quadratic: Mapping[tuple[int, int], Vector] = field(default_factory=dict)

    @property
    def columns(self) -> Columns:
        """All coefficients in order, with zeros: the constant, the linear ones, and rows of the quadratic ones."""
        every = range(self.size)
        rows = tuple(tuple(self.quadratic.get((i, j), ZERO) for j in every[i:]) for i in every)
        return self.constant, tuple(self.linear.get(i, ZERO) for i in every), rows

    @staticmethod
    def of_columns(columns: Columns) -> QuadraticPoint:
        """Return the vector of all coefficients in order."""
        constant, linear, rows = columns
        pairs = {(i, i + k): column for i, row in enumerate(rows) for k, column in enumerate(row)}
        return QuadraticPoint(
            len(linear),
            constant,
            {i: column for i, column in enumerate(linear) if column is not ZERO},
            {pair: column for pair, column in pairs.items() if column is not ZERO},
        )

    @property
    def moves(self) -> bool:
        """Whether the vector depends on the coordinates."""
        return bool(self.linear or self.quadratic)

    def at(self, q: Sequence[Scalar]) -> Vector:
        """Return its value."""
        found = self.constant
        for i, column in self.linear.items():
            found = plus(found, scale(q[i], column))
        for (i, j), column in self.quadratic.items():
            found = plus(found, scale(multiply(q[i], q[j]), column))
        return found

    def derivatives(self, q: Sequence[Scalar]) -> tuple[Vector, ...]:
        """Return its derivatives by the coordinates."""
        found = [self.linear.get(i, ZERO) for i in range(self.size)]
        for (i, j), column in self.quadratic.items():
            found[i] = plus(found[i], scale(q[j], column))
            found[j] = plus(found[j], scale(q[i], column))
        return tuple(found)

    def second_rate(self, u: Sequence[Scalar]) -> Vector:
        """Return its second derivative in time while the rates u of the coordinates do not change."""
        found = ZERO
        for (i, j), column in self.quadratic.items():
            found = plus(found, scale(multiply(2, multiply(u[i], u[j])), column))
        return found

    def plus(self, other: QuadraticPoint) -> QuadraticPoint:
        """Return the sum of two."""
        linear, quadratic = dict(self.linear), dict(self.quadratic)
        for i, column in other.linear.items():
            linear[i] = plus(linear[i], column) if i in linear else column
        for pair, column in other.quadratic.items():
            quadratic[pair] = plus(quadratic[pair], column) if pair in quadratic else column
        return QuadraticPoint(self.size, plus(self.constant, other.constant), linear, quadratic)

    def scaled(self, factor: Scalar) -> QuadraticPoint:
        """Return a multiple."""
        return QuadraticPoint(
            self.size,
            scale(factor, self.constant),
            {i: scale(factor, column) for i, column in self.linear.items()},
            {pair: scale(factor, column) for pair, column in self.quadratic.items()},
        )
