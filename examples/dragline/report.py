"""Figures of the digging cycle: loads, carry angle and energy over time, and pictures of the machine.

python -m examples.dragline.report         writes docs/pictures/dragline_*.png and demo/dragline/dragline.html
python -m examples.dragline.report motors  prints energies and powers of a cycle that motors drive
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from pathlib import Path

import matplotlib
import numpy as np

import gyrostat as gs

from . import cycle
from .machine import HERE, machine

matplotlib.use("Agg")

from matplotlib import pyplot as plt

ROOT = HERE.parent.parent
PHASES = {"spot": 0, "fill": 6, "hoist": 16, "swing, pay out": 27, "dump": 49, "return": 53}
"""Beginnings of the phases (s)."""
DRIVES = {"hoist": ("hoist.tension", "hoist_feed.rate"), "drag": ("drag.tension", "drag_feed.rate")}


def powers(run: gs.Trajectory) -> dict[str, np.ndarray]:
    """Return the power that each drive supplies (W)."""
    found = {name: -run[tension].values * run[rate].values for name, (tension, rate) in DRIVES.items()}
    found["swing"] = run.reaction("house.swing").moment.values[:, 2] * run["house.swing.rate"].values
    return found


def electric(run: gs.Trajectory) -> dict[str, np.ndarray]:
    """Return the power that the supply gives to the motors of each drive (W)."""
    motors = {"hoist": "hoist_winch.motor", "drag": "drag_winch.motor", "swing": "house.motor"}
    return {name: run[f"{motor}.voltage"].values * run[f"{motor}.current"].values for name, motor in motors.items()}


def print_energies(times: np.ndarray, given: Mapping[str, np.ndarray]) -> None:
    """Print the energy that each drive supplies and takes back in a cycle, and its largest power."""
    for name, one in given.items():
        supplied, taken = (np.trapezoid(np.maximum(sign * one, 0), times) / 3.6e6 for sign in (1, -1))
        peak = f"largest power {one.max() / 1e6:.1f} MW"
        print(f"{name}: {supplied:.1f} kWh supplied, {taken:.1f} kWh taken back, {peak}")


def draw_cycle(run: gs.Trajectory, path: Path) -> None:
    """Draw carry angle, tensions, places and power over a cycle."""
    time = run.time
    figure, axes = plt.subplots(4, 1, figsize=(9, 9), sharex=True, constrained_layout=True)
    axes[0].plot(time, np.degrees(run["rigging.bucket.carry"].values))
    axes[0].set_ylabel("carry angle (°)")
    for name, label in (("hoist", "hoist"), ("drag", "drag"), ("rigging.dump_rope", "dump")):
        axes[1].plot(time, run[f"{name}.tension"].values / 1e3, lw=0.9, label=label)
    axes[1].set_ylabel("tension (kN)")
    axes[2].plot(time, run["rigging.bucket.float.x"].values, label="radius (m)")
    axes[2].plot(time, run["rigging.bucket.float.y"].values, label="lateral (m)")
    axes[2].plot(time, run["rigging.bucket.float.z"].values, label="height (m)")
    axes[2].plot(time, np.degrees(run["house.swing"].values), "k--", lw=0.8, label="swing (°)")
    axes[2].set_ylabel("bucket")
    for name, one in powers(run).items():
        axes[3].plot(time, one / 1e6, lw=0.9, label=name)
    axes[3].set_ylabel("power of drives (MW)")
    axes[3].set_xlabel("time (s)")
    for axis in axes[1:]:
        axis.legend(fontsize=7, ncols=4, loc="upper right")
    for axis in axes:
        axis.grid(alpha=0.3)
        for name, begin in PHASES.items():
            axis.axvline(begin, color="0.7", lw=0.8)
            if axis is axes[0]:
                axis.text(begin + 0.3, axis.get_ylim()[1], name, fontsize=7, va="top")
    figure.savefig(path, dpi=100)
    plt.close(figure)


def main() -> None:
    """Run a cycle and draw it."""
    warnings.simplefilter("ignore", gs.GyrostatWarning)
    pictures, out = ROOT / "docs" / "pictures", ROOT / "demo" / "dragline"
    out.mkdir(parents=True, exist_ok=True)
    run = cycle.run(gs.formulate(machine()))
    draw_cycle(run, pictures / "dragline_cycle.png")
    run.picture(36.0, pictures / "dragline_machine.png", view=(0.35, -1, 0.25))
    run.animate(out / "dragline.html", paths=["rigging.bucket.shell"], plots=["rigging.bucket.carry", "hoist.tension"])
    print(run.status)
    print_energies(run.time, powers(run))


def drive() -> None:
    """Run a cycle with motors, and print energies of their supply."""
    warnings.simplefilter("ignore", gs.GyrostatWarning)
    run = cycle.run(gs.formulate(machine(motors=True)))
    print(run.status)
    print_energies(run.time, electric(run))


if __name__ == "__main__":
    drive() if sys.argv[1:] == ["motors"] else main()
