"""Three fidelities of the dragline over one swing: carry angles, energy accounts and processor times.

python -m examples.dragline.fidelities         prints a table and writes docs/pictures/dragline_fidelities.png
python -m examples.dragline.fidelities a "c, links"     runs these fidelities only, and writes no picture
python -m examples.dragline.fidelities dig a "c, links"     the same for a cycle from the spot to the dump
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import numpy as np

import gyrostat as gs

from . import cycle
from .heavy_ropes import Travel
from .machine import HERE, TRAVELS, at_rest, formulated, laid, machine

matplotlib.use("Agg")

from matplotlib import pyplot as plt

START = {"hoist_winch.out": 70.0, "drag_winch.out": 30.0}
"""Rope beyond the sheaves at the start (m)."""
LAWS = {
    "hoist_winch.command": cycle.course(70, (1, 25, -25)),
    "drag_winch.command": cycle.course(30, (1, 25, 32)),
    "house.command": cycle.course(0, (2, 28, 1.5)),
}
"""Commands that hoist a full bucket to (45, 62) m, and swing it by 86°."""
DURATION = 30.0
"""Time of the swing with two seconds of rest (s)."""


@dataclass(frozen=True)
class Work:
    """What the machine does: commands, parameters at the start, travels of the ropes, time (s), and events."""

    laws: Mapping[str, str]
    start: Mapping[str, float]
    travels: Mapping[str, Travel]
    duration: float
    digs: bool = False
    events: tuple[gs.Event, ...] = ()


SWING = Work(LAWS, START, TRAVELS, DURATION)
"""The swing of a full bucket that hangs."""
DIG = Work(
    cycle.commands(),
    {**cycle.SPOT, cycle.LOAD: cycle.EMPTY},
    {"hoist": Travel(67.5, 45, 83.5), "drag": Travel(48.5, 32.5, 78)},
    56.0,
    digs=True,
    events=tuple(cycle.events()),
)
"""A cycle from the spot to the dump: a rigid load enters while the bucket digs."""
CLOSING = gs.Compliant(1e8, 1e5)
"""Springs and dampers that close the loops of the fidelity c (N/m, N·s/m)."""
METHODS: dict[str, gs.Integrator] = {
    "a": gs.DOP853(1e-6, 1e-6),
    "b": gs.DOP853(1e-6, 1e-6),
    "c": gs.Rodas4(1e-2, 1e-2),
    "c, links": gs.Rodas4(1e-2, 1e-2),
}
"""Integrators with the tolerances of the table."""
FINE = gs.DOP853(1e-9, 1e-9)
"""Integrator of the second energy accounts of a and b."""


@dataclass(frozen=True)
class Swing:
    """A swing in one fidelity, and the processor times (s) of what comes before its first step, and of the steps."""

    run: gs.Trajectory
    before: float
    seconds: float

    @property
    def carry(self) -> np.ndarray:
        """The carry angle (°)."""
        return np.degrees(self.run["rigging.bucket.carry"].values)

    @property
    def unbalanced(self) -> float:
        """The largest error of the energy account, in terms of the energy that the drives supply."""
        account = self.run.energy()
        supplied = np.maximum(np.diff(account["supplied"].values, axis=0), 0).sum()
        return float(np.abs(account["balance"].values).max() / supplied)


def started(fidelity: str, work: Work = SWING) -> tuple[gs.System, Mapping[str, float]]:
    """Return a machine that follows the commands, and its state at rest."""
    plain = gs.equilibrium(gs.formulate(machine()), parameters=work.start)
    model = machine(fidelity, commands=work.laws, floor=work.digs or fidelity == "b", travels=work.travels)
    if fidelity == "a":
        return gs.formulate(model), plain.state
    if fidelity == "b":
        system = formulated(model)
        return system, gs.equilibrium(system, guess=laid(plain), parameters=work.start).state
    system = formulated(model, CLOSING)
    return system, at_rest(system, plain, work.start)


def swing(
    fidelity: str, integrator: gs.Integrator | None = None, duration: float | None = None, work: Work = SWING
) -> Swing:
    """Return a swing, or other work; a first short run prepares what the integration needs."""
    start = time.process_time()
    system, initial = started(fidelity, work)
    end = work.duration if duration is None else duration
    times = np.linspace(0, end, 1 + round(end / 0.05))

    def simulated(instants: np.ndarray) -> gs.Trajectory:
        method = integrator or METHODS[fidelity]
        return gs.simulate(
            system, times=instants, initial=initial, parameters=work.start, integrator=method, events=work.events
        )

    simulated(np.array([0, 1e-3]))
    begin = time.process_time()
    run = simulated(times)
    return Swing(run, begin - start, time.process_time() - begin)


def dumped(one: Swing) -> np.ndarray:
    """Return at which times the load has left the bucket."""
    return one.run.time > min((occurrence.time for occurrence in one.run.at_event("dump")), default=np.inf)


def draw(swings: Mapping[str, Swing], path: Path) -> None:
    """Draw the carry angles, and their differences to those of the fidelity a."""
    figure, axes = plt.subplots(2, 1, figsize=(9, 5), sharex=True, constrained_layout=True)
    for name, one in swings.items():
        axes[0].plot(one.run.time, one.carry, lw=1.0, label=name)
        if name != "a":
            axes[1].plot(one.run.time, one.carry - swings["a"].carry, lw=1.0, label=f"{name} less a")
    axes[0].set_ylabel("carry angle (°)")
    axes[1].set_ylabel("difference (°)")
    axes[1].set_xlabel("time (s)")
    for axis in axes:
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    figure.savefig(path, dpi=100)
    plt.close(figure)


def main(wanted: list[str]) -> None:
    """Run the fidelities, print a table, and draw them where all swings are run."""
    warnings.simplefilter("ignore", gs.GyrostatWarning)
    swings: dict[str, Swing] = {}
    work = DIG if "dig" in wanted else SWING
    names = [name for name in wanted if name != "dig"] or list(METHODS)
    for name in names:
        swings[name] = one = swing(name, work=work)
        away = (one.carry - swings["a"].carry)[~dumped(swings["a"])] if "a" in swings else np.full(1, np.nan)
        print(
            f"{name}: first step after {one.before:.1f} s of processor time, then {one.seconds:.2f} s, "
            f"{one.run.time[-1] / one.seconds:.2f} × real time; carry angle off a by "
            f"{np.sqrt((away**2).mean()):.2f}° (rms), "
            f"{np.abs(away).max():.2f}° at most",
            flush=True,
        )
        accounts = [one, *([swing(name, FINE)] if name in "ab" and not work.digs else [])]
        text = ", at the fine tolerance ".join(f"{each.unbalanced:.1e}" for each in accounts)
        print(f"   error of the energy account, in terms of what the drives supply: {text}", flush=True)
    if not wanted:
        draw(swings, HERE.parent.parent / "docs" / "pictures" / "dragline_fidelities.png")


if __name__ == "__main__":
    main(sys.argv[1:])
