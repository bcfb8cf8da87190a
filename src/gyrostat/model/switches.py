"""Switching functions of a formula: expressions whose zeros are the only places where the formula is not smooth.

A comparison changes where its sides are equal, `abs` and `sign` where their argument is zero, `min` and `max` where two
arguments are equal, `floor` and `ceil` where their argument is a whole number. Parts of a formula that depend on time
alone are found here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import combinations
from typing import NamedTuple

from gyrostat.model.formula import TIME, Formula, Step

_DIFFERENCE: Step = ("arithmetic", "-", 2)


class SwitchingFormula(NamedTuple):
    """A switching function; with `whole`, every whole value of it is a switch, otherwise zero alone."""

    function: Formula
    whole: bool = False


def switches_of(formula: Formula) -> Iterator[SwitchingFormula]:
    """Yield the switching functions of a formula, those of its parts first.

    >>> [str(switch.function) for switch in switches_of(Formula.of("where(t > 5, max(x, 0), 1)"))]
    ['part of where(t > 5, max(x, 0), 1)', 'part of where(t > 5, max(x, 0), 1)']
    """
    for node in _nodes(formula):
        kind, payload, _ = formula.steps[node.place]
        if kind == "compare" and payload not in ("==", "!="):
            yield SwitchingFormula(_difference(formula, *node.operands))
        elif kind == "call" and payload in ("abs", "sign", "floor", "ceil"):
            yield SwitchingFormula(
                _part(formula, node.operands[0].steps_of(formula)), whole=payload in ("floor", "ceil")
            )
        elif kind == "call" and payload in ("min", "max"):
            for left, right in combinations(node.operands, 2):
                yield SwitchingFormula(_difference(formula, left, right))


def parts_of_time(formula: Formula, known: Set[str]) -> Iterator[Formula]:
    """Yield the largest parts of a formula that depend on time and otherwise on known names alone.

    >>> [sorted(part.names) for part in parts_of_time(Formula.of("k*x*exp(-t**2) + sin(w*t)"), {"t", "k", "w"})]
    [['t'], ['t', 'w']]
    """
    largest: dict[int, _Node] = {}
    for node in _nodes(formula):
        kind, payload, _ = formula.steps[node.place]
        if (kind != "name" or payload in known) and all(operand.place in largest for operand in node.operands):
            for operand in node.operands:
                del largest[operand.place]
            largest[node.place] = node
    for node in largest.values():
        part = _part(formula, node.steps_of(formula))
        if TIME in part.names and len(part.steps) > 1:
            yield part


def varying_part(formula: Formula) -> Formula:
    """Return a formula of time without constant factors and summands: a multiple of its variation.

    >>> varying_part(Formula.of("3 - 2*sin(w*t)/k")).steps == Formula.of("sin(w*t)").steps
    True
    """
    *_, node = _nodes(formula)
    while (following := _varying_operand(formula, node)) is not None:
        node = following
    return _part(formula, node.steps_of(formula))


def _varying_operand(formula: Formula, node: _Node) -> _Node | None:
    """Return the operand of which an operation is a multiple, up to a constant; None where there is none."""
    kind, payload, _ = formula.steps[node.place]
    varying = [operand for operand in node.operands if ("name", TIME, 0) in operand.steps_of(formula)]
    if kind != "arithmetic" or len(varying) != 1 or (payload == "/" and varying[0] is not node.operands[0]):
        return None
    return varying[0] if payload in ("+", "-", "*", "/") else None


class _Node(NamedTuple):
    """An operation in a formula with its operands: the steps from `first` to `place`."""

    first: int
    place: int
    operands: tuple[_Node, ...]

    def steps_of(self, formula: Formula) -> tuple[Step, ...]:
        return formula.steps[self.first : self.place + 1]


def _nodes(formula: Formula) -> Iterator[_Node]:
    """Yield the operations of a formula in the order of evaluation."""
    stack: list[_Node] = []
    for place, (_, _, count) in enumerate(formula.steps):
        operands = tuple(stack[len(stack) - count :])
        del stack[len(stack) - count :]
        stack.append(_Node(operands[0].first if operands else place, place, operands))
        yield stack[-1]


def _difference(formula: Formula, left: _Node, right: _Node) -> Formula:
    return _part(formula, (*left.steps_of(formula), *right.steps_of(formula), _DIFFERENCE))


def _part(formula: Formula, steps: tuple[Step, ...]) -> Formula:
    return Formula(f"part of {formula.source}", steps)
