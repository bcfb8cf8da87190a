"""How the time from a model to the result of a second's motion grows with the number of links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np
from models import hinge_chain, hinge_tree

import gyrostat as gs

LINKS = (100, 300, 1000, 3000)
LIMIT = 1.3
"""The largest exponent of growth aimed at."""
_TASKS = ("model", "formulate", "rates and energies ready", "one evaluation of the rates", "simulate 1 s", "all")
_EACH = "simulate 1 s, for each evaluation"
"""Longer chains move faster, so that a run takes more evaluations."""
_EVALUATIONS = 50


@dataclass(frozen=True)
class Growth:
    """One task for growing numbers of links: seconds, and the exponent between the first and the last of them."""

    family: str
    task: str
    links: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def exponent(self) -> float:
        """The exponent of growth: 1 is linear."""
        return float(np.log(self.seconds[-1] / self.seconds[0]) / np.log(self.links[-1] / self.links[0]))

    @property
    def met(self) -> bool:
        """Whether the exponent is within the limit."""
        return self.exponent <= LIMIT


def measure_growth(*, links: Sequence[int] = LINKS) -> list[Growth]:
    """Return the growth of all tasks, of chains and of irregular trees; kinds of links are known."""
    rows: list[Growth] = []
    for family, build in (("chain", hinge_chain), ("tree", hinge_tree)):
        _times(build, 30)
        found = np.array([np.min([_times(build, count) for _ in range(2)], axis=0) for count in links])
        rows += [Growth(family, task, tuple(links), tuple(found[:, n])) for n, task in enumerate((*_TASKS, _EACH))]
    return rows


def _times(build: Callable[[int], gs.Model], links: int) -> list[float]:
    """Return the processor time of each task, for a new model."""
    q = 0.3 * np.cos(np.arange(links))
    clock = [process_time()]
    model = build(links)
    clock.append(process_time())
    system = gs.formulate(model)
    clock.append(process_time())
    rates = system.ready_program("rates")
    system.ready_program("energy")
    clock.append(process_time())
    rows = np.tile(system.row.of(0.0, system.initial_state(), system.parameter_values()), (_EVALUATIONS, 1))
    rates.loop(rows)
    clock.append(process_time())
    initial = dict(zip(system.coordinate_names, q.tolist(), strict=True))
    run = gs.simulate(system, 1.0, step=1.0, initial=initial, integrator=gs.DOP853(rtol=1e-4, atol=1e-4))
    clock.append(process_time())
    parts = np.diff(clock).tolist()
    parts[3] /= _EVALUATIONS
    return [*parts, clock[-1] - clock[0], parts[4] / run.status.evaluations]
