"""Switching functions of a formula: expressions whose zeros are the only places where the formula is not smooth.

A comparison changes where its sides are equal, `abs` and `sign` where their argument is zero, `min` and `max` where two
arguments are equal, `floor` and `ceil` where their argument is a whole number.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from gyrostat.model.formula import Formula, Step

_DIFFERENCE: Step = ("arithmetic", "-", 2)


class Switch(NamedTuple):
    """A switching function; with `whole`, every whole value of it is a switch, otherwise zero alone."""

    function: Formula
    whole: bool = False


def switches_of(formula: Formula) -> Iterator[Switch]:
    """Yield the switching functions of a formula, those of its parts first.

    >>> [str(switch.function) for switch in switches_of(Formula.of("where(t > 5, max(x, 0), 1)"))]
    ['part of where(t > 5, max(x, 0), 1)', 'part of where(t > 5, max(x, 0), 1)']
    """
    starts: list[int] = []
    for i, (kind, payload, count) in enumerate(formula.steps):
        first = starts[len(starts) - count :] if count else [i]
        ends = [*first[1:], i] if count else []
        operands = [formula.steps[a:b] for a, b in zip(first, ends, strict=False)]
        del starts[len(starts) - count :]
        starts.append(first[0])
        if kind == "compare" and payload not in ("==", "!="):
            yield Switch(_part(formula, (*operands[0], *operands[1], _DIFFERENCE)))
        elif kind == "call" and payload in ("abs", "sign", "floor", "ceil"):
            yield Switch(_part(formula, operands[0]), whole=payload in ("floor", "ceil"))
        elif kind == "call" and payload in ("min", "max"):
            for left, right in combinations(operands, 2):
                yield Switch(_part(formula, (*left, *right, _DIFFERENCE)))


def _part(formula: Formula, steps: tuple[Step, ...]) -> Formula:
    return Formula(f"part of {formula.source}", steps)
