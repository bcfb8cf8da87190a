"""Elimination in rolled code: kernels of an L D Lᵀ factor and of solutions with it, and the tables that they read.

A row has the kernel's function, the address of its table, the byte addresses of its operands in the workspace, and that
of the block that it writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.program.translation import kernel, module_of
from gyrostat.scalar.elimination import EliminationOrder

Words = NDArray[np.int64]

_HEAD = 4
"""The words of the table of an elimination before the places of entries."""


@dataclass(frozen=True, eq=False)
class TableKind:
    """A native function with a table of its own, whose address is in front of the operands of its rows."""

    address: int
    table: Words
    size: int
    operations: dict[str, int]
    pivots: dict[int, int] = field(default_factory=dict)
    result: Any = None

    @property
    def words(self) -> tuple[int, ...]:
        """The words of a row between the function's address and those of the operands."""
        return (self.table.ctypes.data,)


@kernel
def eliminate(work: Any, row: Any, table: Any) -> int:
    """Write the factors of a matrix, and return the number of words of the row.

    Written are the inverses of the pivots, the pivots, the columns of L one after the other, and numbers for own use.
    """
    entries, n, size = table[0], table[1], table[2]
    out = row[2 + entries] // 8
    own = out + table[3]
    for i in range(out, out + size):
        work[i] = 0.0
    for e in range(entries):
        work[out + table[4 + e]] = work[row[2 + e] // 8]
    word = 4 + entries
    column = out + 2 * n
    for k in range(n):
        inverse = 1.0 / work[out + n + k]
        work[out + k] = inverse
        length = table[word]
        word += 1
        for a in range(length):
            work[own + a] = work[column + a]
            work[column + a] *= inverse
        for a in range(length):
            factor = work[own + a]
            for b in range(a, length):
                work[out + table[word]] -= work[column + b] * factor
                word += 1
        column += length
    return int(entries) + 3


@kernel
def substitute(work: Any, row: Any, table: Any) -> int:
    """Write the solution with the factors at the first operand, and return the number of words of the row.

    The other operands are the right-hand side.
    """
    n = table[0]
    factor, x = row[2] // 8, row[3 + n] // 8
    columns, starts, below = factor + 2 * n, 1 + n, 2 + 2 * n
    for i in range(n):
        work[x + i] = work[row[3 + i] // 8]
    for k in range(n):
        value = work[x + table[1 + k]]
        for e in range(table[starts + k], table[starts + k + 1]):
            work[x + table[below + e]] -= work[columns + e] * value
    for k in range(n):
        work[x + table[1 + k]] *= work[factor + k]
    for m in range(n):
        k = n - 1 - m
        value = work[x + table[1 + k]]
        for e in range(table[starts + k], table[starts + k + 1]):
            value -= work[columns + e] * work[x + table[below + e]]
        work[x + table[1 + k]] = value
    return int(n) + 4


def elimination_kind(address: int, order: EliminationOrder, keys: Sequence[tuple[int, int]]) -> TableKind:
    """Return the kind of an elimination, for the entries of a matrix with the given rows and columns.

    Its table has the number of entries, that of unknowns, the size of what it writes, and the place of its own numbers
    there; the place of each entry; for each column its length, and the places of all products of two of its entries.
    """
    n = len(order.sequence)
    rank = {i: k for k, i in enumerate(order.sequence)}
    begins = [2 * n]
    for i in order.sequence:
        begins.append(begins[-1] + len(order.below[i]))
    place = {(i, i): n + k for k, i in enumerate(order.sequence)}
    for i, begin in zip(order.sequence, begins, strict=False):
        for a, j in enumerate(order.below[i]):
            place[i, j] = place[j, i] = begin + a
    longest = max((len(later) for later in order.below.values()), default=0)
    words = [len(keys), n, begins[-1] + longest, begins[-1], *(place[key] for key in keys)]
    products = 0
    for i in order.sequence:
        later = order.below[i]
        words.append(len(later))
        for a, j in enumerate(later):
            words += [place[j, other] for other in later[a:]]
        products += len(later) * (len(later) + 1) // 2
    counts = {"mul": products + begins[-1] - 2 * n, "sub": products, "inv": n}
    pivots = {i: n + k for i, k in rank.items()}
    return TableKind(address, np.array(words, np.int64), begins[-1] + longest, counts, pivots)


def substitution_kind(address: int, order: EliminationOrder) -> TableKind:
    """Return the kind of a solution with the factors of an elimination.

    Its table has the number of unknowns, the unknowns in order, where the column of each begins among those of L, and
    the unknowns of these columns.
    """
    n = len(order.sequence)
    starts = np.cumsum([0, *(len(order.below[i]) for i in order.sequence)])
    below = [j for i in order.sequence for j in order.below[i]]
    counts = {"mul": 2 * len(below) + n, "sub": 2 * len(below)}
    return TableKind(address, np.array([n, *order.sequence, *starts, *below], np.int64), n, counts)


def table_functions(name: str) -> str:
    """Return the module of gyrostat_<name>(work, row), which calls one of the kernels with the table of the row."""
    numbers, words = np.zeros(1), np.zeros(1, np.int64)
    kernels = {"eliminate": eliminate, "substitute": substitute}
    return f"{module_of(kernels[name], (numbers, words, words), 'entry', unrolled=True)}\n{_GLUE.format(name=name)}"


_GLUE = """define ptr @gyrostat_{name}(ptr %work, ptr %row) nounwind {{
%words = alloca [6 x i64], align 8
%width_at = alloca i64, align 8
%table_at = getelementptr i64, ptr %row, i64 1
%table = load ptr, ptr %table_at, align 8
%w0 = getelementptr i64, ptr %words, i64 0
%w1 = getelementptr i64, ptr %words, i64 1
%w2 = getelementptr i64, ptr %words, i64 2
%w3 = getelementptr i64, ptr %words, i64 3
%w4 = getelementptr i64, ptr %words, i64 4
%w5 = getelementptr i64, ptr %words, i64 5
store ptr %work, ptr %w0, align 8
store i64 0, ptr %w1, align 8
store ptr %row, ptr %w2, align 8
store i64 0, ptr %w3, align 8
store ptr %table, ptr %w4, align 8
store i64 0, ptr %w5, align 8
call void @entry(ptr %words, ptr %width_at)
%width = load i64, ptr %width_at, align 8
%next = getelementptr i64, ptr %row, i64 %width
ret ptr %next
}}"""
