"""All variables of a network at an instant, over abstract scalars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gyrostat.model.elements.edge import Expression, Function, Variable
from gyrostat.model.forces import Motion
from gyrostat.model.networks.affine import Affine
from gyrostat.model.networks.elimination import Pivots, solve
from gyrostat.model.networks.plan import Block, Plan
from gyrostat.model.networks.relations import Residual
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply, subtract


def solution(
    plan: Plan, pivots: Sequence[Pivots], motion: Motion, known: Mapping[Variable, Scalar]
) -> dict[Variable, Scalar]:
    """Return the values of all variables from those of states and algebraic unknowns."""
    values = dict(known)
    _evaluate(plan, plan.first, motion, values)
    for block, order in zip(plan.blocks, pivots, strict=True):
        found = solve(block_equations(plan, block, motion, values), order)
        values |= {unknown: found[i] for i, unknown in enumerate(block.unknowns)}
        _evaluate(plan, block.following, motion, values)
    return values


def residual_value(residual: Residual, motion: Motion, values: Mapping[Variable, Scalar]) -> Scalar:
    """Return the residual of an equation."""
    value = expression_value(residual.expression, motion, values)
    return value if residual.target is None else subtract(value, values[residual.target])


def _evaluate(plan: Plan, variables: Sequence[Variable], motion: Motion, values: dict[Variable, Scalar]) -> None:
    for variable in variables:
        values[variable] = expression_value(plan.relations.assigned[variable], motion, values)


def expression_value(expression: Expression, motion: Motion, values: Mapping[Variable, Scalar]) -> Scalar:
    """Return the value of an expression of network variables."""
    if isinstance(expression, Function):
        return expression.form(motion, *(values[need] for need in expression.needs))
    total: Scalar = 0 if expression.constant is None else expression.constant(motion)
    for variable, coefficient in expression.terms:
        total = add(total, multiply(coefficient(motion), values[variable]))
    return total


def block_equations(plan: Plan, block: Block, motion: Motion, values: Mapping[Variable, Scalar]) -> list[Affine]:
    """Return the equations of a block as affine forms of its unknowns."""
    forms = {unknown: Affine(0, {i: 1}) for i, unknown in enumerate(block.unknowns)}

    def form_of(variable: Variable) -> Affine:
        return forms[variable] if variable in forms else Affine(values[variable])

    for variable in block.region:
        forms[variable] = _form(plan.relations.assigned[variable], motion, values, form_of)
    found = []
    for residual in block.residuals:
        form = _form(residual.expression, motion, values, form_of)
        found.append(form if residual.target is None else form.plus(form_of(residual.target), -1))
    return found


def _form(
    expression: Expression, motion: Motion, values: Mapping[Variable, Scalar], form_of: Callable[[Variable], Affine]
) -> Affine:
    if isinstance(expression, Function):
        return Affine(expression_value(expression, motion, values))
    form = Affine(0 if expression.constant is None else expression.constant(motion))
    for variable, coefficient in expression.terms:
        form = form.plus(form_of(variable), coefficient(motion))
    return form
