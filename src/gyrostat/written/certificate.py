"""Certificates: exact equations compared with the traced engine at random states and parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from gyrostat import recipes
from gyrostat.coordinates import Coordinates
from gyrostat.errors import StateError

if TYPE_CHECKING:
    from gyrostat.written.equation_set import Equations

_DRAWS = 20
"""The largest number of random states per point."""


@dataclass(frozen=True)
class Certificate:
    """The outcome of a comparison: the number of random points, and the largest relative difference."""

    points: int
    error: float

    @property
    def agrees(self) -> bool:
        """Whether the difference is rounding."""
        return self.error < 1e-10

    def __str__(self) -> str:
        verdict = "agree" if self.agrees else "DISAGREE"
        return f"{verdict} at {self.points} random points; largest relative difference {self.error:.1e}"


def certificate(equations: Equations, points: int, seed: int) -> Certificate:
    """Compare written equations with the traced engine: M and forcing, A, γ and residuals of constraints, and ż.

    Positions need not satisfy the constraints. States at which the traced engine is not finite, as outside the domain
    of a square root, are drawn again.
    """
    draw = np.random.default_rng(seed)
    layout, model = equations.layout, equations.layout.topology.model
    names = (*layout.place_of, "t", *model.parameters, *model.inputs)
    evaluate = _function(equations, names)
    other = recipes.equations_function(layout)
    errors: list[float] = []
    for _ in range(_DRAWS * points):
        if len(errors) == points:
            break
        q = _on_sphere(layout, draw.uniform(-1.5, 1.5, layout.n_q))
        u, t = draw.uniform(-1, 1, layout.n_u), draw.uniform(0, 1, 1)
        z = draw.uniform(-1, 1, len(layout.state_names)).tolist() if layout.state_names else []
        parameters, inputs = draw.uniform(0.5, 2, len(model.parameters)), draw.uniform(-1, 1, len(model.inputs))
        expected = [np.array(x.full()) for x in other(t, q, u, z, parameters, inputs)]
        if all(np.isfinite(right).all() for right in expected):
            with np.errstate(all="ignore"):
                found = evaluate(*q, *u, *z, *t, *parameters, *inputs)
            errors.append(max(_relative(part, right) for part, right in zip(found, expected, strict=True)))
    if len(errors) < points:
        raise StateError(
            f"The equations of {model.name!r} have finite values at only {len(errors)} of {_DRAWS * points} random "
            "states. Check the formulas for roots, logarithms and quotients of negative numbers and zeros."
        )
    return Certificate(points, max(errors, default=0.0))


def _function(equations: Equations, names: tuple[str, ...]) -> Callable[..., tuple[Any, ...]]:
    """Return the written counterparts of the traced outputs as a function of numbers in the order of names."""
    shown = [equations.mass_matrix, equations.forcing]
    if equations.constrained:
        of_rows = (equations.constraint_matrix, equations.constraint_rates, equations.constraints)
        shown.extend(_in_traced_order(equations, part) for part in of_rows)
    if equations.layout.state_names:
        shown.append(equations.column(equations.exact_states))
    function: Callable[..., tuple[Any, ...]] = sympy.lambdify(
        [equations.symbols.sympy[n] for n in names],
        tuple(part.xreplace(equations.constants) for part in shown),
        "numpy",
    )
    return function


def _in_traced_order(equations: Equations, part: Any) -> Any:
    """Return rows in the order of the traced engine, which may have rows that are zero on the exact engine."""
    known = {each.name: i for i, each in enumerate(equations.multiplier_table)}
    names = [row.name for row in recipes.named_rows(equations.layout)]
    rows = [part[known[name], :] if name in known else sympy.zeros(1, part.cols) for name in names]
    return sympy.ImmutableMatrix.vstack(sympy.zeros(0, part.cols), *rows).as_immutable()


def _relative(found: Any, right: Any) -> float:
    """Return the largest difference relative to the largest number, or to one; infinite where it is not a number."""
    difference = np.abs(np.asarray(found, dtype=complex).reshape(right.shape) - right)
    largest = float(difference.max(initial=0.0)) / max(1.0, float(np.abs(right).max(initial=0.0)))
    return largest if np.isfinite(largest) else float("inf")


def _on_sphere(layout: Coordinates, q: Any) -> Any:
    """Return coordinates whose Euler parameters have length one."""
    for first in layout.euler_parameters.values():
        q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
    return q
