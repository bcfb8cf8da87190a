"""Switching functions of a formula: expressions whose zeros are the only places where the formula is not smooth.

A comparison changes where its sides are equal, `abs` and `sign` where their argument is zero, `min` and `max` where two
arguments are equal, `floor` and `ceil` where their argument is a whole number. Parts of a formula that depend on time
alone are found here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import combinations
from typing import NamedTuple

from gyrostat.model.formula import TIME, Formula
from gyrostat.model.formula_tree import Node, difference_of, nodes_of, part_of


class SwitchingFormula(NamedTuple):
    """A switching function; with `whole`, every whole value of it is a switch, otherwise zero alone."""

    function: Formula
    whole: bool = False


def switches_of(formula: Formula) -> Iterator[SwitchingFormula]:
    """Yield the switching functions of a formula, those of its parts first.

    >>> [str(switch.function) for switch in switches_of(Formula.of("where(t > 5, max(x, 0), 1)"))]
    ['part of where(t > 5, max(x, 0), 1)', 'part of where(t > 5, max(x, 0), 1)']
    """
    for node in nodes_of(formula):
        kind, payload, _ = formula.steps[node.place]
        if kind == "compare" and payload not in ("==", "!="):
            yield SwitchingFormula(difference_of(formula, *node.operands))
        elif kind == "call" and payload in ("abs", "sign", "floor", "ceil"):
            yield SwitchingFormula(part_of(formula, node.operands[0]), whole=payload in ("floor", "ceil"))
        elif kind == "call" and payload in ("min", "max"):
            for left, right in combinations(node.operands, 2):
                yield SwitchingFormula(difference_of(formula, left, right))


def parts_of_time(formula: Formula, known: Set[str]) -> Iterator[Formula]:
    """Yield the largest parts of a formula that depend on time and otherwise on known names alone.

    >>> [sorted(part.names) for part in parts_of_time(Formula.of("k*x*exp(-t**2) + sin(w*t)"), {"t", "k", "w"})]
    [['t'], ['t', 'w']]
    """
    largest: dict[int, Node] = {}
    for node in nodes_of(formula):
        kind, payload, _ = formula.steps[node.place]
        if (kind != "name" or payload in known) and all(operand.place in largest for operand in node.operands):
            for operand in node.operands:
                del largest[operand.place]
            largest[node.place] = node
    for node in largest.values():
        part = part_of(formula, node)
        if TIME in part.names and len(part.steps) > 1:
            yield part


def varying_part(formula: Formula) -> Formula:
    """Return a formula of time without constant factors and summands: a multiple of its variation.

    >>> varying_part(Formula.of("3 - 2*sin(w*t)/k")).steps == Formula.of("sin(w*t)").steps
    True
    """
    *_, node = nodes_of(formula)
    while (following := _varying_operand(formula, node)) is not None:
        node = following
    return part_of(formula, node)


def _varying_operand(formula: Formula, node: Node) -> Node | None:
    """Return the operand of which an operation is a multiple, up to a constant; None where there is none."""
    kind, payload, _ = formula.steps[node.place]
    varying = [operand for operand in node.operands if ("name", TIME, 0) in operand.steps_of(formula)]
    if kind != "arithmetic" or len(varying) != 1 or (payload == "/" and varying[0] is not node.operands[0]):
        return None
    return varying[0] if payload in ("+", "-", "*", "/") else None
