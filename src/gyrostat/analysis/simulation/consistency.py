"""Consistent algebraic variables: a damped Newton iteration on their equations, at the start and after each event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from gyrostat.analysis.simulation.input_rows import input_values
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.model.names import first_few

_ITERATIONS = 60
_HALVINGS = 30
_ROUNDING = 1e-14
"""A change, relative to the variables, that is a rounding error."""
_STALL_TOLERANCE = 1e-8
"""A change, relative to the variables, below which the iteration has converged once changes no longer shrink."""
_SMALLEST_SCALE = 1e-3
"""Variables below this, relative to the largest and to one, are measured in this."""
_RANK_TOLERANCE = 1e-14
"""A singular value of ∂g/∂w, relative to the largest with rows of unit size, that counts as zero."""


def consistent_state(
    problem: Problem, t: float, state: StateParts, parameters: Mapping[str, float], plan: InputPlan
) -> StateParts:
    """Return a state whose algebraic variables w obey their equations g = 0; all else is unchanged.

    Newton's method with steps that are halved until the next step, with the same Jacobian, is shorter.
    """
    places = list(problem.system.coordinates.algebraic)
    if not places:
        return state
    equations = _Equations(problem, t, state.copy(), parameters, plan)
    names = [problem.system.state_names[place] for place in places]
    w = state.z[places]
    residuals, jacobian = equations.at(w)
    last = np.inf
    for _ in range(_ITERATIONS):
        change = _solved(jacobian, -residuals, names, t)
        size = float(np.abs(change / _scale(w)).max())
        if size <= _ROUNDING or (last <= _STALL_TOLERANCE and size >= 0.5 * last):
            return equations.state
        w, residuals, jacobian = _damped(equations, w, change, jacobian, names, t)
        last = size
    raise _without_solution(names, residuals, t)


class _Equations:
    """The equations of the algebraic variables at an instant, with all else given."""

    def __init__(
        self, problem: Problem, t: float, state: StateParts, parameters: Mapping[str, float], plan: InputPlan
    ) -> None:
        self._problem, self._t, self._parameters, self._plan = problem, t, parameters, plan
        self._places = list(problem.system.coordinates.algebraic)
        self._program = problem.system.program("algebraic_equations", inputs=plan.formulas or None)
        self.state = state

    def at(self, w: Floats) -> tuple[Floats, Floats]:
        """Return g and ∂g/∂w; they need not be finite."""
        self.state.z[self._places] = w
        problem, plan = self._problem, self._plan
        x = problem.vector(self._t, self.state, self._parameters, plan)
        if not plan.constant:
            x[problem.system.row.inputs] = input_values(problem.system, plan, x[None, :])[0]
        found, (residuals, jacobian), n = self._program.loop(x[None, :])[0], self._program.outputs, len(w)
        return found[: residuals.size], jacobian.full(found[residuals.size :]).reshape(n, n)


def _damped(
    equations: _Equations, w: Floats, change: Floats, jacobian: Floats, names: list[str], t: float
) -> tuple[Floats, Floats, Floats]:
    """Return the variables after a step along a change that brings them nearer, with g and ∂g/∂w there."""
    scale, step = np.maximum(_scale(w), np.abs(change)), 1.0
    length = float(np.linalg.norm(change / scale))
    for _ in range(_HALVINGS):
        trial = w + step * change
        residuals, following = equations.at(trial)
        if np.isfinite(residuals).all() and np.isfinite(following).all():
            next_change = np.asarray(np.linalg.solve(jacobian, -residuals), dtype=float)
            with np.errstate(over="ignore"):  # exponentials far from the solution
                size = float(np.linalg.norm(next_change / scale))
            if length <= _STALL_TOLERANCE or size <= (1.0 - 0.25 * step) * length:
                return trial, residuals, following
        step *= 0.5
    raise _without_solution(names, equations.at(w)[0], t)


def _scale(w: Floats) -> Floats:
    """Return the sizes in which changes of the variables are measured: their own, of small ones a larger one."""
    return np.maximum(np.abs(w), _SMALLEST_SCALE * max(1.0, float(np.abs(w).max())))


def _solved(jacobian: Floats, right: Floats, names: list[str], t: float) -> Floats:
    """Return (∂g/∂w)⁻¹ times a right side; a singular matrix is explained by the equations that are dependent."""
    if not (np.isfinite(jacobian).all() and np.isfinite(right).all()):
        wrong = [name for name, row, g in zip(names, jacobian, right, strict=True) if not np.isfinite([*row, g]).all()]
        raise StateError(
            f"At t = {t:g} s the equations of the algebraic states {first_few(wrong)} have no finite value or "
            "derivative. Begin at other initial values of these states."
        )
    require_regular(jacobian, names)
    return np.asarray(np.linalg.solve(jacobian, right))


def require_regular(jacobian: Floats, names: Sequence[str]) -> None:
    """Raise an error if ∂g/∂w is singular, with the equations that are dependent and the states that stay open."""
    scales = np.abs(jacobian).max(axis=1, keepdims=True)
    scaled = jacobian / np.where(scales > 0.0, scales, 1.0)
    if scales.all() and _is_surely_regular(scaled):
        return
    left, sizes, directions = np.linalg.svd(scaled)
    if sizes[-1] > _RANK_TOLERANCE * max(float(sizes[0]), 1.0) and scales.all():
        return
    dependent, free = (first_few(_large(vector, names)) for vector in (left[:, -1], directions[-1]))
    raise StateError(
        f"The equations of {dependent} do not determine the algebraic states {free}: the matrix of their derivatives "
        "is singular. An algebraic state needs an equation that changes with it; begin at other initial values, or "
        "give one of the states a rate."
    )


def _is_surely_regular(matrix: Floats) -> bool:
    """Tell whether norms of a matrix and its inverse, which bound the singular values, show that it is regular."""
    try:
        inverse = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return False
    return bool(_RANK_TOLERANCE * max(float(np.linalg.norm(matrix)), 1.0) * float(np.linalg.norm(inverse)) < 1.0)


def _large(vector: Floats, names: Iterable[str]) -> list[str]:
    """Return the names with large entries in a vector."""
    return [name for name, entry in zip(names, np.abs(vector), strict=True) if entry > 0.2 * np.abs(vector).max()]


def _without_solution(names: list[str], residuals: Floats, t: float) -> StateError:
    left = ", ".join(f"{name} {residual:.3g}" for name, residual in zip(names, residuals, strict=True))
    return StateError(
        f"At t = {t:g} s no values of the algebraic states obey their equations near the initial values: the residuals "
        f"{left} are left. Give initial values nearer to a solution, and check that there is one."
    )
