"""Parts of a formula that may vary rapidly between two instants at which they are evaluated, such as a narrow pulse.

A sum or product of few signals varies about as slowly as the signals themselves. A transcendental function, a quotient
or a high power may rise and fall while its arguments hardly change. Terms of a sum are parts of their own. Parts end at
operations that jump, since switching functions tell of these; the sides of a comparison are such a part, of which only
the sign matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from gyrostat.model.formula import TIME, Formula
from gyrostat.model.formula_tree import Node, difference_of, nodes_of, part_of

_JUMP_FUNCTIONS = frozenset({"sign", "floor", "ceil", "where"})
"""Functions that jump."""
_STEADY_FUNCTIONS = frozenset({"abs", "min", "max", *_JUMP_FUNCTIONS})
"""Functions that do not vary faster than their arguments, between switches."""
_LOW_POWERS = (0, 1, 2, 3)
"""Exponents of powers that vary about as slowly as their base."""


class RapidPart(NamedTuple):
    """A part of a formula that may vary rapidly; with `condition`, only its sign matters."""

    function: Formula
    condition: bool = False


class _Nature(NamedTuple):
    """Whether an operation varies at all, with jumps in it or its operands, and possibly faster than its names."""

    varies: bool
    jumps: bool
    rapid: bool


def rapid_parts(formula: Formula, fixed: Set[str]) -> Iterator[RapidPart]:
    """Yield the parts of a formula that may vary rapidly, where all but some fixed names vary.

    >>> formula = Formula.of("x/k + exp(-y**2)*where(tan(z) > 1, w, 0)")
    >>> [sorted(part.function.names) for part in rapid_parts(formula, {"k"})]
    [['z'], ['y']]
    """
    natures: dict[int, _Nature] = {}
    for node in nodes_of(formula):
        natures[node.place] = _nature(formula, node, natures, fixed)
    pending = [node]
    while pending:
        node = pending.pop()
        kind, payload, _ = formula.steps[node.place]
        sides_jump = any(natures[operand.place].jumps for operand in node.operands)
        if kind == "compare" and payload not in ("==", "!=") and not sides_jump:
            if natures[node.place].rapid:
                yield RapidPart(difference_of(formula, *node.operands), condition=True)
        elif natures[node.place].jumps or (kind == "arithmetic" and payload in ("+", "-")):
            pending += node.operands
        elif natures[node.place].rapid:
            yield RapidPart(part_of(formula, node))


def may_vary_rapidly(formulas: Iterable[Formula], parameters: Iterable[str]) -> bool:
    """Return whether formulas, by their text alone, have parts that may vary rapidly with anything but time."""
    fixed = frozenset(parameters)
    return any(part.function.names - fixed - {TIME} for formula in formulas for part in rapid_parts(formula, fixed))


def sign_of(formula: Formula) -> Formula:
    """Return the comparison of a formula with zero: only the sign of an event function matters."""
    return Formula(formula.source, (*formula.steps, ("number", 0, 0), ("compare", ">", 2)))


def varies_as_a_whole(formula: Formula, parameters: Iterable[str]) -> bool:
    """Return whether the sign of a formula is a single part that may vary rapidly, without jumps.

    >>> [varies_as_a_whole(Formula.of(one), ()) for one in ("sin(x) - y", "x - y", "where(sin(x) > 0, y, 0)")]
    [True, False, False]
    """
    parts = list(rapid_parts(sign_of(formula), frozenset(parameters)))
    return len(parts) == 1 and parts[0].condition and len(parts[0].function.steps) > len(formula.steps)


def _nature(formula: Formula, node: Node, natures: dict[int, _Nature], fixed: Set[str]) -> _Nature:
    kind, payload, _ = formula.steps[node.place]
    own = [natures[operand.place] for operand in node.operands]
    varies = any(one.varies for one in own) or (kind == "name" and payload not in fixed)
    jumps = (
        any(one.jumps for one in own) or kind in ("compare", "logic") or (kind == "call" and payload in _JUMP_FUNCTIONS)
    )
    return _Nature(varies, jumps, any(one.rapid for one in own) or (varies and _is_rapid(formula, node, own)))


def _is_rapid(formula: Formula, node: Node, own: list[_Nature]) -> bool:
    """Return whether an operation may vary faster than its operands."""
    kind, payload, _ = formula.steps[node.place]
    if kind == "call":
        return payload not in _STEADY_FUNCTIONS
    if kind != "arithmetic" or len(own) < 2:
        return False
    if payload == "/":
        return own[1].varies
    exponent = formula.steps[node.operands[1].place]
    return payload == "**" and not (exponent[0] == "number" and exponent[1] in _LOW_POWERS)
