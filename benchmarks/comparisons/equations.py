"""Exact equations of motion beside Kane's method in sympy.physics.mechanics: time to derive them, and their size."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import equation_models
import numpy as np
import sympy
from peers import sympy_peer
from peers.sympy_peer import KaneEquations
from sympy.core.cache import clear_cache

import gyrostat as gs
from comparisons.agreement import demand_agreement
from gyrostat.written.derivation import DERIVATIONS

_FEW = 5
"""Systems with so few rounds take long enough to be measured one by one."""


@dataclass(frozen=True)
class Derived:
    """One system: seconds to derive it here and there, both with all caches emptied before each run and filled.

    Filled, SymPy finds operations in its cache, and gyrostat the equations of an equal model.
    """

    model: str
    seconds: float
    peer_seconds: float
    ratio: float
    ratio_beside_filled: float
    """With SymPy's cache filled, and ours emptied."""
    ratio_repeated: float
    operations: int
    peer_operations: int
    simplified_operations: int | None
    """SymPy's operations after `trigsimp`, None where that was not tried."""
    difference: float
    target: float | None


@dataclass(frozen=True)
class Budget:
    """One derivation that has a limit of time: seconds that it took, and the limit."""

    what: str
    seconds: float
    target: float


@dataclass(frozen=True)
class _Case:
    model: Callable[[], gs.Model]
    peer: Callable[[], KaneEquations]
    target: float | None
    rounds: int
    simplify: bool = False

    @property
    def in_a_row(self) -> int:
        """How many derivations make a round."""
        return 5 if self.rounds > _FEW else 1


def _pendulum(links: int, target: float | None, rounds: int, *, simplify: bool = False) -> _Case:
    return _Case(
        lambda: equation_models.pendulum(links), lambda: sympy_peer.pendulum(links), target, rounds, simplify=simplify
    )


def _points(links: int, target: float | None, rounds: int, *, simplify: bool = False) -> _Case:
    return _Case(
        lambda: equation_models.point_pendulum(links),
        lambda: sympy_peer.point_pendulum(links),
        target,
        rounds,
        simplify=simplify,
    )


_CASES = (
    _pendulum(2, 50, 15, simplify=True),
    _pendulum(3, None, 9, simplify=True),
    _pendulum(5, 20, 5),
    _points(2, None, 15, simplify=True),
    _points(5, None, 5),
    _Case(equation_models.arm, sympy_peer.arm, 8, 3),
)


def compare_equations(*, short: bool = False) -> tuple[list[Derived], list[Budget]]:
    """Return the derivations beside SymPy's, and those that have a limit of their own."""
    return [_derived(case, 2 if short else case.rounds) for case in _CASES], _budgets()


def _derive(model: gs.Model, form: str = "textbook") -> gs.Equations:
    """Derive the equations and turn them into SymPy's matrices."""
    equations = gs.formulate(model).equations(form)
    _ = equations.mass_matrix, equations.forcing
    return equations


def _derived(case: _Case, rounds: int) -> Derived:
    own, other = _derive(case.model()), case.peer()
    model = case.model().name
    print(f"Equations of {model} …", flush=True)
    cold = [_round(case, clear=True) for _ in range(rounds)]
    repeated = [_round(case, clear=False) for _ in range(rounds)]
    return Derived(
        model,
        median(ours for ours, _ in cold),
        median(theirs for _, theirs in cold),
        median(theirs / ours for ours, theirs in cold),
        median(theirs for _, theirs in repeated) / median(ours for ours, _ in cold),
        median(theirs / ours for ours, theirs in repeated),
        _size(own),
        _size(other),
        _simplified_size(other) if case.simplify else None,
        demand_agreement("KanesMethod", model, _at_random(other, own), _at_random(own, own)),
        case.target,
    )


def _round(case: _Case, *, clear: bool) -> tuple[float, float]:
    """Return our time and the peer's, medians of some derivations in a row; each has a new model, made beforehand.

    Making it takes half a millisecond for two links. The peer has all that its documentation writes down: symbols,
    frames, points, bodies and loads (a third of it for two links, a fifth for five), `kanes_equations`, and both
    matrices as they come.
    """
    models = [case.model() for _ in range(case.in_a_row)]
    own = _elapsed([partial(_derive, model) for model in models], clear)
    return own, _elapsed([case.peer] * case.in_a_row, clear)


def _elapsed(works: Sequence[Callable[[], object]], clear: bool) -> float:
    """Return the median time of things done in a row: what comes first finds the processor's caches full of others."""
    gc.collect()
    gc.disable()
    try:
        return median([_seconds(work, clear) for work in works])
    finally:
        gc.enable()


def _seconds(work: Callable[[], object], clear: bool) -> float:
    if clear:
        clear_cache()
        DERIVATIONS.forget()
    start = perf_counter()
    work()
    return perf_counter() - start


def _size(equations: Any) -> int:
    return int(sympy.count_ops([*equations.mass_matrix, *equations.forcing]))


def _simplified_size(equations: KaneEquations) -> int:
    return int(sympy.count_ops([sympy.trigsimp(x) for x in (*equations.mass_matrix, *equations.forcing)]))


def _at_random(equations: Any, own: gs.Equations) -> dict[str, Any]:
    """Return M and forcing at one random point, the same for both packages."""
    draw = np.random.default_rng(3)
    dynamic = isinstance(equations, KaneEquations)
    q, u = (equations.q, equations.u) if dynamic else (equations.coordinates, equations.speeds)
    parameters = [sympy.Symbol(name) for name in own.layout.topology.model.parameters]
    plain = [sympy.Dummy() for _ in (*q, *u)]
    names = dict(zip((*q, *u), plain, strict=True))
    function = sympy.lambdify(
        [*plain, *parameters], [equations.mass_matrix.xreplace(names), equations.forcing.xreplace(names)]
    )
    M, forcing = function(*draw.uniform(-1, 1, len(plain)), *draw.uniform(0.5, 2, len(parameters)))
    return {"mass_matrix": np.array(M, dtype=float)[None], "forcing": np.array(forcing, dtype=float)[None]}


def _budgets() -> list[Budget]:
    def recursive() -> None:
        equations = gs.formulate(equation_models.arm()).recursive_equations()
        _ = equations.replacements, equations.mass_matrix, equations.forcing

    work = (
        ("six-joint arm, recursive form", recursive, 0.2),
        ("six-joint arm, regrouped form", lambda: _derive(equation_models.arm(), "regrouped"), 5.0),
        ("10-link pendulum, expanded form", lambda: _derive(equation_models.pendulum(10), "expanded"), 5.0),
    )
    found = []
    for what, run, target in work:
        run()
        found.append(Budget(what, _elapsed([run], True), target))
    return found
