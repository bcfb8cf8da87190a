"""Growing chains: what each link costs to build, to compile and to evaluate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from models import hinge_chain
from states import loop_task, random_states
from timing import measure

import gyrostat as gs
from gyrostat.program import Program, compile_program
from gyrostat.recipes import RECIPES, build_function

LINKS = (10, 30, 100, 300, 1000)
COMPILE_TARGET = 60e-6


@dataclass(frozen=True)
class Chain:
    """One chain: seconds of the processor to formulate, to build the graph, to compile it, and for one evaluation."""

    links: int
    operations: int
    formulate: float
    graph: float
    compile_2: float
    compile_0: float
    evaluation: float


def measure_chains(*, links: tuple[int, ...] = LINKS, rounds: int = 11) -> list[Chain]:
    """Return the costs of chains of hinges, smallest first."""
    _measure_chain(links[0], 1)  # the first of all imports what the others use
    return [_measure_chain(count, rounds) for count in links]


def exponent(chains: list[Chain], cost: Callable[[Chain], float]) -> float:
    """Return p in cost ∝ linksᵖ, by least squares on logarithms: 1 for a linear cost."""
    x, y = (np.log([part(chain) for chain in chains]) for part in (lambda chain: chain.links, cost))
    return float(np.polyfit(x, y, 1)[0])


def _measure_chain(links: int, rounds: int) -> Chain:
    repeats = 5 if links < 100 else 3 if links < 1000 else 1
    model = hinge_chain(links)
    formulating, system = _timed(lambda: gs.formulate(model), repeats)
    recipe = RECIPES["forward_dynamics"]
    graphing, function = _timed(lambda: build_function("chain", recipe, system.coordinates, in_order=True), repeats)
    fast, _ = _timed(lambda: compile_program(function, optimisation=0, cache=False), repeats)
    optimised, program = _timed(lambda: compile_program(function, optimisation=2, cache=False), repeats)
    return Chain(
        links, program.operations, formulating, graphing, optimised, fast, _evaluation(system, program, rounds)
    )


def _evaluation(system: gs.System, program: Program, rounds: int) -> float:
    states = random_states(system, max(1, 2000 // len(system.speed_names)))
    return measure({"loop": loop_task(program, states).candidate}, rounds=rounds, clock=process_time).seconds("loop")


def _timed(work: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Return the median time of some work, and its last result."""
    times = []
    for _ in range(repeats):
        start = process_time()
        result = work()
        times.append(process_time() - start)
    return median(times), result
