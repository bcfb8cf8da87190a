"""Conditions of the state: evaluations at equal error with steps that end at switches, beside steps that pass them.

Counts do not depend on the machine. Without watching, conditions are evaluated in every stage, as other codes do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest import mock

import numpy as np

import gyrostat as gs
from gyrostat.analysis.simulation.state_switches import StateSwitches

ERROR = 1e-5
TARGET = 0.5
"""Evaluations with watching, in terms of those without."""
SMOOTH = "pendulum"
TOLERANCES = 10.0 ** -np.arange(3.0, 13.0, 0.5)


@dataclass(frozen=True)
class SwitchRow:
    """Evaluations of one model and integrator at an error of the position at the end."""

    model: str
    integrator: str
    evaluations: int | None
    """With watching; None where no tolerance gives the error."""
    unwatched: int | None
    """Without; None where no tolerance gives the error."""

    @property
    def target(self) -> float:
        """The largest ratio: a system without conditions loses nothing."""
        return 1.0 if self.model == SMOOTH else TARGET

    @property
    def ratio(self) -> float:
        """Evaluations with watching in terms of those without; 0 where only watching gives the error."""
        if self.evaluations is None:
            return float("inf")
        return 0.0 if self.unwatched is None else self.evaluations / self.unwatched


def bouncing() -> gs.System:
    """Return a ball on a floor of Hertz' law, in a box with dry friction."""
    model = gs.Model("bouncing ball", gravity=(0, -9.81, 0))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("x", "ground", "ball", axis="y", initial=1.0))
    model.add(gs.TorsionSpring("soil", "x", torque="1e4*max(-angle, 0)**1.5 - 0.05*sign(rate)"))
    return gs.formulate(model)


def smooth() -> gs.System:
    """Return a pendulum without conditions."""
    model = gs.Model(SMOOTH, gravity=(0, -9.81, 0))
    model.add(gs.Body("bar", gs.slender_rod(1.0, 1.0, along="y"), points={"top": (0, 0.5, 0)}))
    model.add(gs.Revolute("x", "ground", "bar.top", initial=1.0))
    return gs.formulate(model)


def compare_switching(
    *, methods: tuple[Callable[..., gs.Integrator], ...] = (gs.DOP853, gs.RKF45, gs.Rodas5P), error: float = ERROR
) -> list[SwitchRow]:
    """Return the evaluations with and without watching, at equal error, and those of a smooth system."""
    rows = []
    for system, duration in ((bouncing(), 5.0), (smooth(), 10.0)):
        exact = float(gs.simulate(system, times=[0, duration], integrator=gs.DOP853(rtol=1e-13, atol=1e-13)).q[-1, 0])
        for method in methods:
            with _unwatched():
                without = _evaluations(system, duration, method, exact, error)
            watched = _evaluations(system, duration, method, exact, error)
            rows.append(SwitchRow(system.model.name, method.__name__, watched, without))
    return rows


def _evaluations(
    system: gs.System, duration: float, method: Callable[..., gs.Integrator], exact: float, error: float
) -> int | None:
    """Return the evaluations at the loosest tolerance from which on all errors are below the given one."""
    found = None
    for tolerance in TOLERANCES[::-1]:
        run = gs.simulate(system, times=[0, duration], integrator=method(rtol=tolerance, atol=tolerance))
        if abs(run.q[-1, 0] - exact) > error:
            return found
        found = run.status.evaluations
    return found


@contextmanager
def _unwatched() -> Iterator[None]:
    with mock.patch.object(StateSwitches, "of", staticmethod(lambda *_, **__: None)):
        yield


if __name__ == "__main__":
    for row in compare_switching():
        print(f"{row.model:16} {row.integrator:8} {row.evaluations!s:>8} {row.unwatched!s:>8} {row.ratio:6.3f}")
