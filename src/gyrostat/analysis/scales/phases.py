"""Autonomous phases: the combinations of angles in modulation equations, and rotating frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

Integers: TypeAlias = tuple[int, ...]


def phase_basis(vectors: Iterable[Integers]) -> tuple[Integers, ...]:
    """Return a basis of the lattice of given integer vectors, of short vectors where possible.

    The last entry that is not zero is positive: σ t − β for a force, β_2 − 2 β_1 for an internal resonance.

    >>> phase_basis([(-2, 1), (2, -1), (-4, 2)])
    ((-2, 1),)
    """
    candidates = sorted({_positive(v) for v in vectors if any(v)}, key=lambda v: (sum(map(abs, v)), v))
    chosen: list[Integers] = []
    for vector in candidates:
        if coordinates(chosen, vector) is None:
            chosen.append(vector)
    if len(chosen) > rank(chosen):
        return tuple(_positive(tuple(row)) for row in _echelon([list(v) for v in chosen]))
    return tuple(chosen)


def coordinates(basis: Sequence[Integers], vector: Integers) -> tuple[int, ...] | None:
    """Return the integer coefficients of a vector in a basis, None where there are none."""
    solution = solve_rational([list(column) for column in zip(*basis, strict=True)] if basis else [], list(vector))
    if solution is None or (not basis and any(vector)):
        return None
    return tuple(int(x) for x in solution) if all(x.denominator == 1 for x in solution) else None


def solve_rational(rows: Sequence[Sequence[int | Fraction]], right: Sequence[int | Fraction]) -> list[Fraction] | None:
    """Return a solution of linear equations, free unknowns zero; None if they are inconsistent."""
    if not rows:
        return []
    width = len(rows[0])
    table = [[Fraction(x) for x in row] + [Fraction(b)] for row, b in zip(rows, right, strict=True)]
    pivots: list[int] = []
    for column in range(width):
        at = len(pivots)
        found = next((r for r in range(at, len(table)) if table[r][column]), None)
        if found is None:
            continue
        table[at], table[found] = table[found], table[at]
        lead = table[at][column]
        table[at] = [x / lead for x in table[at]]
        for r, row in enumerate(table):
            if r != at and row[column]:
                factor = row[column]
                table[r] = [x - factor * y for x, y in zip(row, table[at], strict=True)]
        pivots.append(column)
    if any(row[width] for row in table[len(pivots) :]):
        return None
    solution = [Fraction(0)] * width
    for r, column in enumerate(pivots):
        solution[column] = table[r][width]
    return solution


def rotating_frame(vectors: Iterable[Integers], n: int) -> tuple[tuple[Fraction, ...], ...] | None:
    """Return ν with A_k = B_k exp(i Σ ν_ks ψ_s) in which phasors drop out of the rates; None if there is no such frame.

    `vectors` are the phases of the terms of each rate over exp(i β_k): Σ_k v_k ν_ks + r_s = 0 for every phasor s.
    """
    distinct = sorted(set(vectors))
    if not distinct:
        return ((),) * n
    m = len(distinct[0]) - n
    columns = []
    for s in range(m):
        solution = solve_rational([v[:n] for v in distinct], [-v[n + s] for v in distinct])
        if solution is None:
            return None
        columns.append(solution)
    return tuple(tuple(column[k] for column in columns) for k in range(n))


def rank(rows: Sequence[Sequence[int]]) -> int:
    """Return the rank of integer rows."""
    return len(_echelon([list(row) for row in rows]))


def null_space(rows: Sequence[Sequence[int]], fixed: Sequence[int], n: int) -> tuple[tuple[Fraction, ...], ...]:
    """Return a basis of the null space of the rows, with zeros at the `fixed` places.

    >>> null_space([(-2, 1)], [], 2)
    ((Fraction(1, 1), Fraction(2, 1)),)
    """
    whole = [*(list(row) for row in rows), *([int(i == k) for i in range(n)] for k in fixed)]
    found: list[tuple[Fraction, ...]] = []
    for k in range(n):  # with earlier vectors' leading entries zero, the entry at k is one
        unit = [int(i == k) for i in range(n)]
        solution = solve_rational([*whole, unit], [*[0] * len(whole), 1])
        if solution is not None:
            found.append(tuple(solution))
            whole.append(unit)
    return tuple(found)


def _positive(vector: Integers) -> Integers:
    last = next((x for x in reversed(vector) if x), 1)
    return vector if last > 0 else tuple(-x for x in vector)


def _echelon(rows: list[list[int]]) -> list[list[int]]:
    """Return the integer row echelon form: a basis of the lattice of the rows."""
    done: list[list[int]] = []
    for column in range(len(rows[0]) if rows else 0):
        while True:
            active = [row for row in rows if row[column]]
            if len(active) < 2:
                break
            active.sort(key=lambda row: abs(row[column]))
            least = active[0]
            for row in active[1:]:
                factor = row[column] // least[column]
                row[:] = [x - factor * y for x, y in zip(row, least, strict=True)]
        for row in rows:
            if row[column]:
                done.append(row)
                rows = [other for other in rows if other is not row]
                break
    return done
