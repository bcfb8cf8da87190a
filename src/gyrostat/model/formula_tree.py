"""The tree of a formula: its operations with their operands, and parts of it as formulas of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gyrostat.model.formula import Formula, Step

_DIFFERENCE: Step = ("arithmetic", "-", 2)


class Node(NamedTuple):
    """An operation in a formula with its operands: the steps from `first` to `place`."""

    first: int
    place: int
    operands: tuple[Node, ...]

    def steps_of(self, formula: Formula) -> tuple[Step, ...]:
        """Return the steps of the operation and its operands."""
        return formula.steps[self.first : self.place + 1]


def nodes_of(formula: Formula) -> Iterator[Node]:
    """Yield the operations of a formula in the order of evaluation; the last is the formula itself."""
    stack: list[Node] = []
    for place, (_, _, count) in enumerate(formula.steps):
        operands = tuple(stack[len(stack) - count :])
        del stack[len(stack) - count :]
        stack.append(Node(operands[0].first if operands else place, place, operands))
        yield stack[-1]


def part_of(formula: Formula, node: Node) -> Formula:
    """Return an operation of a formula as a formula of its own.

    >>> formula = Formula.of("2*sin(x) + 1")
    >>> [sorted(part_of(formula, node).names) for node in nodes_of(formula)][-2:]
    [[], ['x']]
    """
    return Formula(f"part of {formula.source}", node.steps_of(formula))


def difference_of(formula: Formula, left: Node, right: Node) -> Formula:
    """Return the difference of two operations of a formula."""
    steps = (*left.steps_of(formula), *right.steps_of(formula), _DIFFERENCE)
    return Formula(f"part of {formula.source}", steps)
