"""Conditions of the state: evaluations at equal error with steps that end at switches, beside steps that pass them.

Counts do not depend on the machine. Without watching, conditions are evaluated in every stage, as other codes do.
Errors are root mean squares over several starts, since that of one motion beyond switches may be small by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from unittest import mock

import numpy as np
from numpy.typing import NDArray

import gyrostat as gs
from gyrostat.analysis.simulation.state_switches import StateSwitches

ERROR = 1e-5
TARGET = 0.5
"""Evaluations with watching, in terms of those without."""
SMOOTH = "pendulum"
TOLERANCES = 10.0 ** -np.arange(3.0, 12.0, 0.5)
STARTS = 1.0 + 0.03 * np.arange(5)
"""Factors of the initial values."""


@dataclass(frozen=True)
class SwitchRow:
    """Evaluations of one model and integrator at an error of the last coordinate at the end."""

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


@dataclass(frozen=True, eq=False)
class Example:
    """A motion, started several times."""

    system: gs.System
    duration: float
    initial: Mapping[str, float]
    inputs: Mapping[str, str] = field(default_factory=dict)

    def run(self, integrator: gs.Integrator, factor: float) -> gs.Trajectory:
        """Return the motion from initial values times a factor."""
        initial = {name: factor * value for name, value in self.initial.items()}
        return gs.simulate(
            self.system, times=[0, self.duration], initial=initial, inputs=self.inputs, integrator=integrator
        )


def _slider(name: str, law: str, gravity: float = 0.0) -> gs.System:
    model = gs.Model(name, gravity=(0, -gravity, 0))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("x", "ground", "ball", axis="y"))
    model.add(gs.TorsionSpring("law", "x", torque=law))
    return gs.formulate(model)


def bouncing() -> Example:
    """Return a ball on a floor of Hertz' law, in a tube with dry friction."""
    system = _slider("bouncing ball", "1e4*max(-angle, 0)**1.5 - 0.05*sign(rate)", 9.81)
    return Example(system, 5.0, {"x": 1.0})


def stopped() -> Example:
    """Return a driven oscillator between two stops with damping: the load jumps where it meets one."""
    stop = "where(abs(angle) > 1, 400*(abs(angle) - 1) + 2*abs(rate), 0)*sign(angle)"
    return Example(_slider("stops", f"2*sin(1.7*t) - angle - 0.05*rate - {stop}"), 20.0, {"x": 0.2})


def backlash() -> Example:
    """Return two wheels whose teeth have play: a mesh of piecewise linear stiffness, damped in contact."""
    model = gs.Model("backlash")
    for wheel, joint in (("pinion", "p"), ("gear", "x")):
        model.add(gs.Body(wheel, gs.sphere(1.0, 1.0)))
        model.add(gs.Revolute(joint, "ground", wheel, axis="z"))
        model.add(gs.Actuator(f"{wheel}_torque", joint))
    play = "100*(max(p - x - 0.02, 0) + min(p - x + 0.02, 0))"
    mesh = f"({play} + where(abs(p - x) > 0.02, 1, 0)*(p.rate - x.rate))"
    inputs = {"pinion_torque": f"2*sin(4*t) - 4*p - 0.5*p.rate - {mesh}", "gear_torque": f"{mesh} - 0.2*x.rate"}
    return Example(gs.formulate(model), 6.0, {"x": 0.015}, inputs)


def controlled() -> Example:
    """Return a control of variable structure, stiff outwards and soft inwards, with damping by zones."""
    law = "-where(angle*rate > 0, 9, 1)*angle - where(abs(angle) > 0.3, 0.5, 0.05)*rate"
    return Example(_slider("controller", law), 20.0, {"x": 1.0})


def smooth() -> Example:
    """Return a pendulum without conditions."""
    model = gs.Model(SMOOTH, gravity=(0, -9.81, 0))
    model.add(gs.Body("bar", gs.slender_rod(1.0, 1.0, along="y"), points={"top": (0, 0.5, 0)}))
    model.add(gs.Revolute("x", "ground", "bar.top"))
    return Example(gs.formulate(model), 10.0, {"x": 1.0})


def compare_switching(
    *, methods: tuple[Callable[..., gs.Integrator], ...] = (gs.DOP853, gs.RKF45, gs.Rodas5P), error: float = ERROR
) -> list[SwitchRow]:
    """Return the evaluations with and without watching, at equal error, and those of a smooth system."""
    rows = []
    for example in (bouncing(), stopped(), backlash(), controlled(), smooth()):
        tight = gs.DOP853(rtol=1e-13, atol=1e-13)
        exact = np.array([example.run(tight, start).q[-1, -1] for start in STARTS])
        for method in methods:
            with _unwatched():
                without = _evaluations(example, method, exact, error)
            watched = _evaluations(example, method, exact, error)
            rows.append(SwitchRow(example.system.model.name, method.__name__, watched, without))
    return rows


def _evaluations(
    example: Example, method: Callable[..., gs.Integrator], exact: NDArray[np.float64], error: float
) -> int | None:
    """Return the mean number of evaluations where errors fall below the given one for good.

    Between two tolerances, logarithms of errors and evaluations are interpolated linearly.
    """
    before = None
    for tolerance in TOLERANCES[::-1]:
        runs = [example.run(method(rtol=tolerance, atol=tolerance), start) for start in STARTS]
        found = float(np.sqrt(np.mean((np.array([run.q[-1, -1] for run in runs]) - exact) ** 2)))
        count = float(np.mean([run.status.evaluations for run in runs]))
        if found > error:
            if before is None:
                return None
            part = float(np.log(found / error) / np.log(found / before[0]))
            return round(count * (before[1] / count) ** part)
        before = found, count
    return round(count)


@contextmanager
def _unwatched() -> Iterator[None]:
    with mock.patch.object(StateSwitches, "of", staticmethod(lambda *_, **__: None)):
        yield


if __name__ == "__main__":
    for row in compare_switching():
        print(f"{row.model:16} {row.integrator:8} {row.evaluations!s:>8} {row.unwatched!s:>8} {row.ratio:6.3f}")
