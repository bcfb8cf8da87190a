"""Optimisation of a model's parameters for frequencies, damping, responses or positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

from gyrostat.analysis.optimization.design import DesignPoint, DesignTask
from gyrostat.analysis.optimization.goals import Goal, Limit
from gyrostat.analysis.optimization.quantities import DesignQuantity, ResponsePeak
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import GyrostatError, StateError
from gyrostat.model import Model
from gyrostat.model.names import did_you_mean
from gyrostat.results.text_table import NotebookText
from gyrostat.system import System, formulate

_SHORTEST_STEP = 1e-5
"""Steps below this, relative to the distance of the bounds, end a search that must shorten them."""


@dataclass(frozen=True, eq=False)
class Optimum(NotebookText):
    """The best design found, compared with the start."""

    design: DesignPoint
    start: DesignPoint
    bounds: Mapping[str, tuple[float, float]]
    goals: tuple[Goal, ...]
    limits: tuple[Limit, ...]
    success: bool
    message: str
    evaluations: int

    @property
    def parameters(self) -> dict[str, float]:
        """The varied parameters with their best values."""
        return dict(zip(self.design.task.vary, self.design.values.tolist(), strict=True))

    @property
    def at_bounds(self) -> dict[str, str]:
        """The parameters at a bound: "lower" or "upper"."""
        found: dict[str, str] = {}
        for name, value in self.parameters.items():
            low, high = self.bounds[name]
            slack = 1e-6 * (high - low)
            if value <= low + slack or value >= high - slack:
                found[name] = "lower" if value <= low + slack else "upper"
        return found

    @property
    def quantities(self) -> dict[str, tuple[float, float]]:
        """All quantities of goals and limits by description: at the start, and at the end."""
        every = dict.fromkeys([*(goal.quantity for goal in self.goals), *(limit.quantity for limit in self.limits)])
        return {str(quantity): (quantity.value(self.start), quantity.value(self.design)) for quantity in every}

    def __str__(self) -> str:
        word = "found" if self.success else "not found"
        lines = [f"Optimum of {self.design.task.system.model.name!r} {word}: {self.message}"]
        for i, (name, value) in enumerate(self.parameters.items()):
            bound = f"  (at its {self.at_bounds[name]} bound)" if name in self.at_bounds else ""
            lines.append(f"  {name}: {self.start.values[i]:.6g} → {value:.6g}{bound}")
        lines += [f"  {what}: {old:.6g} → {new:.6g}" for what, (old, new) in self.quantities.items()]
        broken = [limit for limit in self.limits if not limit.met(limit.quantity.value(self.design))]
        lines += [f"  not kept: {limit}" for limit in broken]
        return "\n".join([*lines, f"  {self.evaluations} designs were evaluated"])


def optimize(
    model: Model | System,
    vary: Mapping[str, tuple[float, float]],
    objective: Goal | Sequence[Goal],
    *,
    subject_to: Sequence[Limit] = (),
    guess: Mapping[str, object] | None = None,
    inputs: Sequence[str] = (),
    parameters: Mapping[str, object] | None = None,
    tolerance: float = 1e-9,
    most_steps: int = 200,
) -> Optimum:
    """Return the parameters within bounds that minimise the objective subject to all limits.

    The objective is a goal, or several whose costs are added; each has its exact gradient. `guess` selects the
    equilibrium, `inputs` are further inputs of the linear models. The search starts from the model's values.

    >>> import gyrostat as gs
    >>> model = gs.Model("slide", parameters={"m": 1.0, "k": 10.0})
    >>> body = model.add(gs.Body("body", gs.point_mass("m")))
    >>> joint = model.add(gs.Prismatic("s", "ground", "body", axis="x"))
    >>> spring = model.add(gs.TorsionSpring("spring", "s", stiffness="k"))
    >>> found = gs.optimize(model, {"k": (1, 100)}, gs.Target(gs.ModeFrequency(0), 1.0))
    >>> round(found.parameters["k"], 2)  # (2π)² m
    39.48
    """
    system = formulate(model) if isinstance(model, Model) else model
    goals = (objective,) if isinstance(objective, Goal) else tuple(objective)
    quantities = [getattr(one, "quantity", None) for one in (*goals, *subject_to)]
    own = (one.input for one in quantities if isinstance(one, ResponsePeak))
    every = tuple(dict.fromkeys((*inputs, *own)))
    task = DesignTask(system, tuple(vary), dict(guess or {}), every, dict(parameters or {}))
    bounds = _checked(task, vary, goals, subject_to)
    known = system.model.values(task.parameters)
    values = np.clip([known[name] for name in task.vary], *np.array(list(bounds.values())).T)
    start = DesignPoint(task, np.asarray(values, dtype=float))
    search = _Search(start, goals, tuple(subject_to), np.array(list(bounds.values()), dtype=float))
    return search.run(bounds, tolerance, most_steps)


def _checked(
    task: DesignTask, vary: Mapping[str, tuple[float, float]], goals: Sequence[Goal], limits: Sequence[Limit]
) -> dict[str, tuple[float, float]]:
    known = task.system.model.parameters
    if not vary or not goals:
        raise StateError("There is nothing to optimise. Give parameters to vary, with bounds, and an objective.")
    for name, (low, high) in vary.items():
        if name not in known:
            raise StateError(f"There is no parameter {name!r} to vary. {did_you_mean(name, known)}")
        if not (np.isfinite(low) and np.isfinite(high) and low < high):
            raise StateError(f"The bounds of {name!r} are {low} and {high}. Give finite numbers (lower, upper).")
    for quantity in (*(goal.quantity for goal in goals), *(limit.quantity for limit in limits)):
        quantity.check(task)
    return {name: (float(low), float(high)) for name, (low, high) in vary.items()}


class _Search:
    """The search, in variables from 0 to 1 between the bounds, with the evaluated designs."""

    def __init__(self, start: DesignPoint, goals: tuple[Goal, ...], limits: tuple[Limit, ...], bounds: Floats) -> None:
        self._start, self._goals, self._limits = start, goals, limits
        self._low, self._span = bounds[:, 0], bounds[:, 1] - bounds[:, 0]
        self._base = self._last = start
        self._known: dict[bytes, DesignPoint] = {start.values.tobytes(): start}
        self._best: tuple[float, DesignPoint] | None = None

    def _design(self, x: Floats) -> DesignPoint:
        values = self._low + np.clip(x, 0.0, 1.0) * self._span
        key = values.tobytes()
        if key not in self._known:
            self._known[key] = self._base.following(values.tolist())
        self._last = self._known[key]
        return self._last

    def _cost(self, x: Floats) -> tuple[float, Floats]:
        design = self._design(x)
        parts = [goal.cost(design) for goal in self._goals]
        value = sum(part for part, _ in parts)
        gradient = np.sum([part for _, part in parts], axis=0) * self._span
        kept = all(limit.met(limit.quantity.value(design)) for limit in self._limits)
        if kept and (self._best is None or value < self._best[0]):
            self._best = (value, design)
        return float(value), np.asarray(gradient)

    def _constraints(self) -> list[dict[str, Any]]:
        """Return the limits as constraints of SciPy, each relative to its bound."""
        found: list[dict[str, Any]] = []
        for limit in self._limits:
            for bound, sign in ((limit.least, 1.0), (limit.most, -1.0)):
                if bound is not None:
                    found.append(self._constraint(limit.quantity, float(bound), sign))
        return found

    def _constraint(self, quantity: DesignQuantity, bound: float, sign: float) -> dict[str, Any]:
        size = abs(bound) or 1.0

        def value(x: Floats) -> float:
            return sign * (quantity.value(self._design(x)) - bound) / size

        def gradient(x: Floats) -> Floats:
            return np.asarray(sign * quantity.gradient(self._design(x)) * self._span / size)

        return {"type": "ineq", "fun": value, "jac": gradient}

    def run(self, bounds: Mapping[str, tuple[float, float]], tolerance: float, most_steps: int) -> Optimum:
        """Search by sequential quadratic programming.

        Where a design on the way has no equilibrium or a mode cannot be recognised, the search continues from the last
        good design with steps of half the length, which may grow again; steps that become tiny end it.
        """
        x, longest, left = self._place(self._start), np.inf, most_steps
        first, gradient = self._cost(x)
        size = max(abs(first), float(np.abs(gradient).max(initial=0.0)), 1e-12)
        while True:
            low, high = np.maximum(x - longest, 0.0), np.minimum(x + longest, 1.0)
            try:
                result = self._minimized(x, size, list(zip(low, high, strict=True)), tolerance, left)
            except GyrostatError as error:
                x, left = self._place(self._base), left - 1
                longest = 0.5 * min(longest, float(np.abs(self._place(self._last) - x).max()))
                if longest < _SHORTEST_STEP or left <= 0:
                    design = self._best[1] if self._best else self._base
                    reason = f"stopped at {self._values_text()}: {error}"
                    return self._optimum(design, bounds, success=False, message=reason)
                continue
            x, left = np.clip(np.asarray(result.x, dtype=float), low, high), left - int(result.nit)
            slack = 1e-3 * longest
            held = ((x <= low + slack) & (low > 0.0)) | ((x >= high - slack) & (high < 1.0))
            if not (result.success and held.any() and left > 0):
                return self._ended(x, bounds, success=bool(result.success), message=str(result.message))
            self._base, longest = self._design(x), 2 * longest

    def _minimized(
        self, x: Floats, size: float, box: list[tuple[float, float]], tolerance: float, most_steps: int
    ) -> Any:
        """Return SciPy's result of a search within a box; costs are relative to a size."""

        def scaled(at: Floats) -> tuple[float, Floats]:
            cost, gradient = self._cost(at)
            return cost / size, gradient / size

        def accept(at: Floats) -> None:
            self._base = self._design(at)

        search: Callable[..., Any] = minimize
        return search(
            scaled,
            x,
            jac=True,
            method="SLSQP",
            bounds=box,
            constraints=self._constraints(),
            callback=accept,
            options={"ftol": tolerance, "maxiter": most_steps},
        )

    def _ended(self, x: Floats, bounds: Mapping[str, tuple[float, float]], *, success: bool, message: str) -> Optimum:
        """Return the result of a search that terminated regularly."""
        design = self._design(x)
        kept = all(limit.met(limit.quantity.value(design)) for limit in self._limits)
        if not kept and self._best is not None:
            design = self._best[1]
        if success:
            message = "the objective cannot be improved"
        if not kept and self._best is None:
            message = "no design satisfies all limits"
        return self._optimum(design, bounds, success=success and (kept or self._best is not None), message=message)

    def _place(self, design: DesignPoint) -> Floats:
        return np.asarray((design.values - self._low) / self._span)

    def _values_text(self) -> str:
        pairs = zip(self._last.task.vary, self._last.values, strict=True)
        return ", ".join(f"{name} = {value:.6g}" for name, value in pairs)

    def _optimum(
        self, design: DesignPoint, bounds: Mapping[str, tuple[float, float]], *, success: bool, message: str
    ) -> Optimum:
        return Optimum(design, self._start, bounds, self._goals, self._limits, success, message, len(self._known))
