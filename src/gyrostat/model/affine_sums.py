"""Affine sums in a formula: sums of signals with constant factors, which vary no faster than the signals.

Bounds of a function over a box know nothing of terms that cancel: the voltage of a diode, a difference of potentials of
its nodes, varies much less than these. With the sum as an argument, its own samples bound it.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import NamedTuple

from gyrostat.model.formula import Formula, Step
from gyrostat.model.formula_tree import Node, nodes_of


class GatheredFormula(NamedTuple):
    """A formula in which names stand for affine sums, and these sums by name."""

    formula: Formula
    sums: dict[str, Formula]


class _Nature(NamedTuple):
    """Whether an operation varies, and whether it is affine in the names that vary."""

    varies: bool
    affine: bool


class _Term(NamedTuple):
    """A term of a sum with its sign: an operation, or a name that stands for several."""

    sign: str
    item: Node | Step


def gathered(formula: Formula, fixed: Set[str]) -> GatheredFormula:
    """Return a formula with a name for each affine sum of two names or more that vary; the fixed ones do not.

    >>> found = gathered(Formula.of("exp(k*(x - sin(z) - 2*y))"), {"k"})
    >>> sorted(found.formula.names), [sorted(one.names) for one in found.sums.values()]
    (['k', 'sum 1', 'z'], [['x', 'y']])
    """
    natures: dict[int, _Nature] = {}
    for node in nodes_of(formula):
        natures[node.place] = _nature(formula, node, [natures[one.place] for one in node.operands], fixed)
    names, steps = dict[tuple[Step, ...], str](), list[Step]()
    pending: list[Node | Step] = [node]
    while pending:
        item = pending.pop()
        if not isinstance(item, Node):
            steps.append(item)
        elif natures[item.place].affine or _is_sum(formula, item):
            terms = _with_stand_in(formula, _terms(formula, item, natures), natures, names, fixed)
            pending += reversed(_steps_of_sum(formula, terms, natures))
        else:
            pending += [formula.steps[item.place], *reversed(item.operands)]
    if not names:
        return GatheredFormula(formula, {})
    sums = {name: Formula(f"sum in {formula.source}", own) for own, name in names.items()}
    return GatheredFormula(Formula(formula.source, tuple(steps)), sums)


def _nature(formula: Formula, node: Node, own: list[_Nature], fixed: Set[str]) -> _Nature:
    kind, payload, _ = formula.steps[node.place]
    if not own:
        return _Nature(kind == "name" and payload not in fixed, affine=True)
    varies, affine = any(one.varies for one in own), all(one.affine for one in own)
    if not varies:
        return _Nature(varies, affine=True)
    linear = payload in ("+", "-") or (payload == "*" and not all(one.varies for one in own))
    divided = payload == "/" and not own[-1].varies
    return _Nature(varies, affine and kind == "arithmetic" and (linear or divided))


def _is_sum(formula: Formula, node: Node) -> bool:
    kind, payload, _ = formula.steps[node.place]
    return kind == "arithmetic" and payload in ("+", "-")


def _terms(formula: Formula, node: Node, natures: Mapping[int, _Nature]) -> list[_Term]:
    """Return the terms of a sum in order; terms that are affine are not divided."""
    found, pending = list[_Term](), [("+", node)]
    while pending:
        sign, one = pending.pop()
        if natures[one.place].affine or not _is_sum(formula, one):
            found.append(_Term(sign, one))
            continue
        changed = {"+": "-", "-": "+"}[sign] if formula.steps[one.place][1] == "-" else sign
        *first, last = one.operands
        pending += [(changed, last), *((sign, operand) for operand in first)]
    return found


def _with_stand_in(
    formula: Formula,
    terms: list[_Term],
    natures: Mapping[int, _Nature],
    names: dict[tuple[Step, ...], str],
    fixed: Set[str],
) -> list[_Term]:
    """Return the terms with a name for the affine ones, entered in `names`, if two names or more vary in these."""
    affine, others = list[_Term](), list[_Term]()
    for term in terms:
        (affine if isinstance(term.item, Node) and natures[term.item.place].affine else others).append(term)
    own = _steps_of_sum(formula, affine, natures)
    steps = tuple(step for step in own if not isinstance(step, Node))
    if len({payload for kind, payload, _ in steps if kind == "name"} - fixed) < 2:
        return terms
    stand_in: Step = ("name", names.setdefault(steps, f"sum {len(names) + 1}"), 0)
    return [_Term("+", stand_in), *others]


def _steps_of_sum(formula: Formula, terms: list[_Term], natures: Mapping[int, _Nature]) -> list[Node | Step]:
    """Return the steps that add up terms, with operations in them that are not affine."""
    found: list[Node | Step] = []
    for number, (sign, item) in enumerate(terms):
        if isinstance(item, Node) and natures[item.place].affine:
            found += item.steps_of(formula)
        else:
            found.append(item)
        if number or sign == "-":
            found.append(("arithmetic", sign, 2 if number else 1))
    return found
