"""The order in which the variables of a network are evaluated, and the blocks of equations that are solved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from gyrostat.errors import Fault
from gyrostat.model.elements.edge import Linear, Role, Side, Variable
from gyrostat.model.names import first_few
from gyrostat.model.networks.components import match, strong_components
from gyrostat.model.networks.graph import NetworkGraph
from gyrostat.model.networks.relations import Relations, Residual

EXPLICIT_EQUATION_LIMIT: Final = 16
"""The largest number of linear equations that are solved by explicit formulas; more of them stay algebraic states."""


@dataclass(frozen=True)
class Block:
    """Linear equations that are solved together for their unknowns."""

    unknowns: tuple[Variable, ...]
    residuals: tuple[Residual, ...]
    region: tuple[Variable, ...]
    """The assigned variables between unknowns and equations, in the order of evaluation."""
    following: tuple[Variable, ...]
    """The assigned variables that can be evaluated after this block, in order."""


@dataclass(frozen=True)
class Plan:
    """States, algebraic unknowns with their equations, and the steps that give all other variables."""

    relations: Relations
    first: tuple[Variable, ...]
    """The assigned variables that follow from states, algebraic unknowns and drivers."""
    blocks: tuple[Block, ...]
    algebraic: tuple[Variable, ...]
    equations: tuple[Residual, ...]
    """The equations of the algebraic unknowns, in their order."""
    faults: tuple[Fault, ...] = ()


@dataclass
class _Groups:
    """Blocks of unknowns and residuals by number, dependencies first."""

    unknowns: list[list[int]] = field(default_factory=list)
    residuals: list[list[int]] = field(default_factory=list)


def plan_of(network: NetworkGraph, relations: Relations) -> Plan:
    """Return the plan; its faults are those of equations that do not determine the unknowns."""
    order = _ordered(network, relations)
    masks = _masks(relations, order, range(len(relations.unknowns)))
    of_residuals = [_union(masks, residual.needs) for residual in relations.residuals]
    groups, faults = _groups(network, relations, of_residuals)
    if faults:
        return Plan(relations, (), (), (), (), tuple(faults))
    explicit: list[int] = []
    for number, (own, equations) in enumerate(zip(groups.unknowns, groups.residuals, strict=True)):
        if len(own) <= EXPLICIT_EQUATION_LIMIT and _is_linear(relations, order, masks, own, equations):
            explicit.append(number)
    implicit = sorted(i for number, own in enumerate(groups.unknowns) if number not in explicit for i in own)
    owner = {
        unknown: equation
        for own, equations in zip(groups.unknowns, groups.residuals, strict=True)
        for unknown, equation in zip(own, equations, strict=True)
    }
    return _staged(relations, order, groups, explicit, [(i, owner[i]) for i in implicit])


def _staged(
    relations: Relations, order: list[Variable], groups: _Groups, explicit: list[int], implicit: list[tuple[int, int]]
) -> Plan:
    """Return the plan with assigned variables divided among the blocks after which they can be evaluated."""
    stage_of = {unknown: stage for stage, number in enumerate(explicit) for unknown in groups.unknowns[number]}
    masks = _masks(relations, order, stage_of)
    stage = {variable: max((stage_of[i] for i in _bits(masks[variable])), default=-1) for variable in order}
    by_stage: list[list[Variable]] = [[] for _ in range(len(explicit) + 1)]
    for variable in order:
        by_stage[stage[variable] + 1].append(variable)
    blocks = []
    for number, group in enumerate(explicit):
        residuals = tuple(relations.residuals[i] for i in groups.residuals[group])
        unknowns = tuple(relations.unknowns[i] for i in groups.unknowns[group])
        region = _region(relations, residuals, by_stage[number + 1])
        blocks.append(Block(unknowns, residuals, region, tuple(by_stage[number + 1])))
    return Plan(
        relations,
        tuple(by_stage[0]),
        tuple(blocks),
        tuple(relations.unknowns[unknown] for unknown, _ in implicit),
        tuple(relations.residuals[equation] for _, equation in implicit),
    )


def _region(relations: Relations, residuals: tuple[Residual, ...], available: list[Variable]) -> tuple[Variable, ...]:
    """Return the variables of a stage that its equations need, directly or by others, in order."""
    inside, needed = set(available), set[Variable]()
    pending = [need for residual in residuals for need in residual.needs]
    while pending:
        variable = pending.pop()
        if variable in inside and variable not in needed:
            needed.add(variable)
            pending.extend(relations.assigned[variable].needs)
    return tuple(variable for variable in available if variable in needed)


def _ordered(network: NetworkGraph, relations: Relations) -> list[Variable]:
    """Return the assigned variables in an order of evaluation; cycles are broken by leaving unknowns."""
    while True:
        names = list(relations.assigned)
        number = {variable: i for i, variable in enumerate(names)}
        needs = [[number[need] for need in relations.assigned[variable].needs if need in number] for variable in names]
        components = strong_components(needs)
        cyclic = [c for c in components if len(c) > 1 or c[0] in needs[c[0]]]
        if not cyclic:
            return [names[component[0]] for component in components]
        for component in cyclic:
            for variable in _torn(network, relations, [names[i] for i in sorted(component)]):
                relations.leave(variable)


def _torn(network: NetworkGraph, relations: Relations, cycle: list[Variable]) -> list[Variable]:
    """Return the variables of a cycle that become unknowns: those of resistive arcs, else of drivers, else all."""
    primary = [variable for variable in cycle if variable in relations.primary]
    roles = {variable: network.edges[variable.edge].role for variable in primary}
    resistive = (Role.RESISTOR, Role.NONLINEAR)
    arcs = [v for v in primary if roles[v] in resistive and v.side is Side.ACROSS]
    drivers = [v for v in primary if roles[v] in (Role.ACROSS_DRIVER, Role.THROUGH_DRIVER)]
    return arcs or drivers or primary


def _masks(relations: Relations, order: list[Variable], counted: Iterable[int]) -> dict[Variable, int]:
    """Return for each variable the unknowns on which it depends, as bits; unknowns that are not counted are known."""
    counts = set(counted)
    masks = {v: 1 << i for i, v in enumerate(relations.unknowns) if i in counts}
    for variable in order:
        masks[variable] = _union(masks, relations.assigned[variable].needs)
    return masks


def _union(masks: dict[Variable, int], needs: tuple[Variable, ...]) -> int:
    found = 0
    for need in needs:
        found |= masks.get(need, 0)
    return found


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def _groups(network: NetworkGraph, relations: Relations, masks: list[int]) -> tuple[_Groups, list[Fault]]:
    """Return blocks of equations and unknowns, dependencies first, or faults if some unknowns are not determined."""
    contains = [_bits(mask) for mask in masks]
    unknown_of, short = match(contains, len(relations.unknowns))
    if len(relations.residuals) != len(relations.unknowns) or short:
        return _Groups(), [_singular(network, relations, short or range(len(contains)))]
    equation_of = {unknown: equation for equation, unknown in enumerate(unknown_of)}
    following = [[equation_of[unknown] for unknown in own] for own in contains]
    components = strong_components(following)
    return _Groups([[unknown_of[e] for e in c] for c in components], components), []


def _singular(network: NetworkGraph, relations: Relations, short: Iterable[int]) -> Fault:
    """Return the fault of equations that contain fewer unknowns than they are."""
    owners = [relations.residuals[i].owner for i in sorted(short)]
    names = dict.fromkeys(network.owner[one].name if one in network.owner else one for one in owners)
    fact = f"the equations of {first_few([repr(name) for name in names])} leave no unknown that they could determine."
    remedy = "They constrain states or sources among each other (hidden index 2); put a resistance between them."
    return Fault("network", fact, remedy)


def _is_linear(
    relations: Relations, order: list[Variable], masks: dict[Variable, int], own: list[int], equations: list[int]
) -> bool:
    """Tell whether equations are linear in their own unknowns."""
    mask = sum(1 << i for i in own)
    residuals = tuple(relations.residuals[i] for i in equations)
    region = _region(relations, residuals, [variable for variable in order if masks[variable] & mask])
    expressions = [relations.assigned[variable] for variable in region]
    expressions += [residual.expression for residual in residuals]
    return all(
        isinstance(each, Linear) or not any(masks.get(need, 0) & mask for need in each.needs) for each in expressions
    )
