"""What watching costs on smooth systems: processor time and evaluations of runs with and without it.

Without it, formulas are not searched for switches of time and state, and energies are not compared with what they must
be. Motions are those of the other tables, and two under loads that do work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import process_time

import numpy as np
from loop_models import four_bars
from models import bar_pendulum, damped, seven_joint_arm, universal_chain
from timing import Candidate, measure

import gyrostat as gs
from gyrostat.analysis.simulation import next_segment as next_segments
from gyrostat.analysis.simulation import simulate as simulation
from gyrostat.analysis.simulation.state_switches import StateSwitches
from gyrostat.analysis.simulation.stop_times import StopTimes

TARGET = 1.03
"""The time with watching, in terms of that without."""


@dataclass(frozen=True)
class WatchRow:
    """One smooth motion: steps, evaluations of the rates and processor time, with watching and without."""

    motion: str
    steps: int
    evaluations: int
    unwatched_evaluations: int
    seconds: float
    unwatched_seconds: float
    ratio: float
    """The time with watching divided by that without, median over rounds."""


@dataclass(frozen=True, eq=False)
class SmoothMotion:
    """A motion whose rates have derivatives of every order."""

    model: gs.Model
    duration: float
    initial: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    integrator: gs.Integrator = field(default_factory=lambda: gs.DOP853(rtol=1e-9, atol=1e-10))

    @property
    def name(self) -> str:
        """The model and the duration, and whether loads do work."""
        return f"{self.model.name}, {self.duration:g} s{', under loads' if self.inputs else ''}"

    def runner(self) -> Callable[[], gs.Trajectory]:
        """Return a function that makes the run."""
        system = gs.formulate(self.model)
        options = {"initial": dict(self.initial), "inputs": dict(self.inputs), "integrator": self.integrator}
        return lambda: gs.simulate(system, self.duration, step=self.duration / 100, **options)


def smooth_motions() -> Iterator[SmoothMotion]:
    """Yield the motions of the other tables, then those under loads that do work."""
    angles = np.random.default_rng(3).uniform(-0.7, 0.7, 7)
    start = {f"joint_link{i}": angle for i, angle in enumerate(angles.tolist())}
    swing, links = {"joint_bar1": 0.8, "joint_bar2": -0.5}, 30
    curved = {f"joint{i}.angle{axis}": 0.1 for i in range(links) for axis in (1, 2)}
    yield SmoothMotion(bar_pendulum(), 10.0, swing)
    yield SmoothMotion(damped(seven_joint_arm(), 0.3), 10.0, start)
    yield SmoothMotion(universal_chain(links), 1.0, curved)
    yield SmoothMotion(four_bars(10), 10.0, {"c0.rate": 1.0})
    yield SmoothMotion(bar_pendulum(), 100.0, swing, {"motor_bar1": "2*sin(3*t)"})
    yield SmoothMotion(damped(seven_joint_arm(), 0.3), 10.0, start, {"motor_link1": "5*sin(2*t)"})


def compare_watching(*, rounds: int) -> list[WatchRow]:
    """Return a row for each motion."""
    return [_compare(motion, rounds) for motion in smooth_motions()]


def _compare(motion: SmoothMotion, rounds: int) -> WatchRow:
    run = motion.runner()

    def unwatched() -> gs.Trajectory:
        with _unwatched():
            return run()

    watched, without = run().status, unwatched().status
    timing = measure(
        {"watched": Candidate(run), "unwatched": Candidate(unwatched)}, rounds=rounds, least=0.05, clock=process_time
    )
    return WatchRow(
        motion.name,
        watched.steps,
        watched.evaluations,
        without.evaluations,
        timing.seconds("watched"),
        timing.seconds("unwatched"),
        timing.ratio("watched", "unwatched"),
    )


@contextmanager
def _unwatched() -> Iterator[None]:
    """Replace the guards by functions that find nothing; that takes a microsecond, a mock many."""
    replaced = (
        (simulation, "note_on_energy", lambda _: None),
        (next_segments, "adds_up_work", lambda *_: False),
        (StateSwitches, "of", staticmethod(lambda *_, **__: None)),
        (StopTimes, "of", lambda *_: False),
    )
    kept = [(place, name, vars(place)[name]) for place, name, _ in replaced]
    try:
        for place, name, value in replaced:
            setattr(place, name, value)
        yield
    finally:
        for place, name, value in kept:
            setattr(place, name, value)


if __name__ == "__main__":
    for row in compare_watching(rounds=11):
        print(
            f"{row.motion:44} {row.steps:6} {row.evaluations:8} {row.unwatched_evaluations:8} "
            f"{row.seconds * 1e3:8.3f} ms {row.unwatched_seconds * 1e3:8.3f} ms {row.ratio:6.3f}"
        )
