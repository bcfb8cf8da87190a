"""Where the iteration for algebraic unknowns begins: no voltage across nonlinear elements, as far as that is possible.

Far beyond its threshold a junction has no useful derivative; from zero a damped iteration reaches every solution.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from gyrostat.model.elements.edge import Expression, Function, Linear, Side, Variable
from gyrostat.model.networks.elimination import Pivots
from gyrostat.model.networks.plan import Plan
from gyrostat.model.networks.probe import Probe
from gyrostat.model.networks.solution import solution

_UNKNOWN_LIMIT: Final = 64
"""The largest number of unknowns for which a guess is computed; otherwise it is zero."""


def guesses(
    plan: Plan, pivots: Sequence[Pivots], probe: Probe, states: Mapping[Variable, float]
) -> dict[Variable, float]:
    """Return first values of the algebraic unknowns at given states: a least-squares solution."""
    unknowns = plan.algebraic
    expressions = [*plan.relations.assigned.values(), *(residual.expression for residual in plan.equations)]
    nonlinear = [one for one in expressions if isinstance(one, Function)]
    across = list(dict.fromkeys(need for one in nonlinear for need in one.needs if need.side is Side.ACROSS))
    zero = dict.fromkeys(unknowns, 0.0)
    if not across or not unknowns or len(unknowns) > _UNKNOWN_LIMIT:
        return zero
    assigned: dict[Variable, Expression] = {
        variable: Linear() if isinstance(one, Function) else one for variable, one in plan.relations.assigned.items()
    }
    linear = replace(plan, relations=replace(plan.relations, assigned=assigned))

    def voltages(values: Mapping[Variable, float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        found = solution(linear, pivots, probe, {**states, **values})
        return np.array([found[variable] for variable in across], dtype=float)

    begin = voltages(zero)
    matrix = np.column_stack([voltages({**zero, unknown: 1.0}) - begin for unknown in unknowns])
    if not (np.isfinite(begin).all() and np.isfinite(matrix).all()):
        return zero
    return dict(zip(unknowns, np.linalg.lstsq(matrix, -begin, rcond=1e-9)[0].tolist(), strict=True))
