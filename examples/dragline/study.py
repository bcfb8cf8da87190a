"""Maps and design of the dragline: carry angles and rope loads over the workspace, rigging, residual swing.

    python -m examples.dragline.study          all studies, with figures in docs/pictures/ (some minutes)
    python -m examples.dragline.study tcp://…  the same on a Dask cluster

Sweeps are kept in demo/dragline/*.zarr and resumed where they were interrupted.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib
import numpy as np
import xarray as xr
from scipy.optimize import minimize

import gyrostat as gs

from . import cycle
from .machine import HERE, machine

matplotlib.use("Agg")

from matplotlib import pyplot as plt

ROOT = HERE.parent.parent
PICTURES, STORES = ROOT / "docs" / "pictures", ROOT / "demo" / "dragline"
CARRY = "rigging.bucket.carry"
OPEN = {"pit": -200.0}
"""No pit floor: positions below it are part of the maps."""
PATH = ((66, 36), (62, 40), (58, 46), (54, 52), (50, 57))
"""Hoist and drag rope (m) along the way of the full bucket while the machine swings."""
BAND = 30.0, 40.0
"""Carry angles that keep the load in the bucket without lifting more than needed (degrees)."""
HOLD = 5.0, 2.4
"""Length and height of the hold of the bucket (m), as of the load in payload.yaml."""
REPOSE = 35.0
"""Angle of repose of blasted overburden (degrees, plausible)."""
DESIGN = {"rigging.dump": (24.5, 31.0), "rigging.drag_chain": (4.0, 10.0), "rigging.bucket.trunnion_x": (-0.2, 1.3)}
"""Bounds of the parameters of the rigging that the study varies (m)."""
DUMPED = (45, 72), -20.0
"""Hoist and drag rope with which the bucket has to dump (m), and the carry angle at which its load is out (degrees)."""


def workspace(scheduler: str | None = None, count: int = 25) -> xr.Dataset:
    """Return equilibria over lengths of hoist and drag rope."""
    names = [CARRY, "rigging.bucket.shell", "hoist.tension", "drag.tension", "rigging.dump_rope.tension"]
    over = {"hoist_winch.out": np.linspace(35, 90, count), "drag_winch.out": np.linspace(22, 82, count)}
    return _sweep("workspace", over, gs.EquilibriumAnalysis(outputs=names, parameters=OPEN), scheduler)


def rigging(scheduler: str | None = None) -> dict[str, xr.Dataset]:
    """Return equilibria along the way of the bucket for values of each design parameter."""
    found = {}
    for name, (low, high) in DESIGN.items():
        over = [
            {name: value, "hoist_winch.out": hoist, "drag_winch.out": drag}
            for value in np.linspace(low, high, 7)
            for hoist, drag in PATH
        ]
        analysis = gs.EquilibriumAnalysis(outputs=[CARRY, "rigging.dump_rope.tension"], parameters=OPEN)
        found[name] = _sweep(name.rpartition(".")[2], over, analysis, scheduler)
    return found


def _sweep(name: str, over: object, analysis: object, scheduler: str | None) -> xr.Dataset:
    STORES.mkdir(parents=True, exist_ok=True)
    store = STORES / f"{name}.zarr"
    where = {"scheduler": scheduler} if scheduler else {"workers": 2}
    return gs.sweep(machine(), over, analysis, store=store, resume=store.exists(), **where).dataset


def carried(system: gs.System, design: Mapping[str, float], way: Sequence[Sequence[int]] = PATH) -> list[float]:
    """Return the carry angles along the way of the bucket (degrees)."""
    found = []
    for hoist, drag in way:
        values = {**OPEN, **design, "hoist_winch.out": hoist, "drag_winch.out": drag}
        found.append(float(np.degrees(gs.equilibrium(system, parameters=values)[CARRY])))
    return found


def sensitivities(system: gs.System) -> dict[str, list[float]]:
    """Return the changes of the carry angles along the way per decimetre of each design parameter (degrees)."""
    own, found = system.model.values(), {}
    for name in DESIGN:
        sides = [carried(system, {name: own[name] + change}) for change in (-0.05, 0.05)]
        found[name] = [b - a for a, b in zip(*sides, strict=True)]
    return found


def beyond(angles: Sequence[float]) -> float:
    """Return the mean square of carry angles beyond the band."""
    low, high = BAND
    return float(np.mean([max(low - one, 0, one - high) ** 2 for one in angles]))


def optimised(system: gs.System) -> dict[str, float]:
    """Return the design whose carry angles stay closest to the band on the way, of those with which the bucket dumps.

    Trunnions near the mass centre and short drag chains flatten the carry angle, but then the bucket does not tip.
    """
    own, bounds = system.model.values(), np.array(list(DESIGN.values()))
    place, out = DUMPED

    def cost(x: np.ndarray) -> float:
        values = bounds[:, 0] + np.clip(x, 0, 1) * np.ptp(bounds, axis=1)
        try:
            *angles, dumped = carried(system, dict(zip(DESIGN, values, strict=True)), (*PATH, place))
        except gs.StateError:
            return 1e4
        return beyond(angles) + max(dumped - out, 0) ** 2 + 1e3 * float(((x - np.clip(x, 0, 1)) ** 2).sum())

    start = [(own[name] - low) / (high - low) for name, (low, high) in DESIGN.items()]
    found = minimize(cost, start, method="Nelder-Mead", options={"maxfev": 200, "xatol": 1e-3, "fatol": 1e-3})
    values = bounds[:, 0] + np.clip(found.x, 0, 1) * np.ptp(bounds, axis=1)
    return dict(zip(DESIGN, (float(one) for one in values), strict=True))


def residual_swing(system: gs.System, times: Sequence[float]) -> list[float]:
    """Return the largest lateral motion of the full bucket after swings by 90° within some times (m)."""
    values = {"hoist_winch.out": 55.0, "drag_winch.out": 50.0, **OPEN}
    start, found = gs.equilibrium(system, parameters=values).state, []
    for time in times:
        law = {"house.command": cycle.course(0, (0, time, cycle.QUARTER))}
        run = gs.simulate(
            system,
            duration=time + 16,
            step=0.1,
            initial=start,
            inputs=law,
            parameters=values,
            integrator=gs.DOP853(1e-5, 1e-5),
        )
        found.append(float(np.abs(run["rigging.bucket.float.y"].values[run.time > time]).max()))
    return found


def retained(carry: np.ndarray) -> np.ndarray:
    """Return the share of a load, level with the rim, that a bucket keeps at carry angles (degrees).

    The surface of the load rises from the lip at the angle of repose, over the horizontal; in the axes of the bucket by
    the carry angle more. What is above it has run out over the lip.
    """
    length, height = HOLD
    slope = np.tan(np.radians(np.clip(carry + REPOSE, 0.1, 89.9)))
    whole = length * height
    area = np.where(length * slope < height, length**2 * slope / 2, whole - height**2 / (2 * slope))
    return np.asarray(area / whole)


def draw_spill(found: xr.Dataset, path: Path) -> None:
    """Draw contours of the mass that a full bucket has spilled at each place of the workspace."""
    place = found["equilibrium(rigging.bucket.shell)"].values
    x, z = place[..., 0], place[..., 2]
    carry = np.degrees(found[f"equilibrium({CARRY})"].values)
    good = (found["status"].values == 1) & (found["stable"].values == 1) & (x > 20) & (x < 100) & (np.abs(carry) < 85)
    spilled = 110.0 * (1 - retained(carry))
    figure, axis = plt.subplots(figsize=(6, 4.6), constrained_layout=True)
    axis.plot([8, 8 + 100 * np.cos(np.radians(38))], [5, 5 + 100 * np.sin(np.radians(38))], "k-", lw=3)
    lines = axis.tricontour(
        x[good], z[good], spilled[good], levels=(2, 5, 10, 15, 20, 30, 40, 60, 80, 100), cmap="inferno"
    )
    axis.clabel(lines, fmt="%d t", fontsize=8)
    axis.set(xlabel="radius (m)", ylabel="height over the tub (m)", xlim=(15, 100), ylim=(-35, 45), aspect="equal")
    axis.set_title("mass spilled of a load of 110 t")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_workspace(found: xr.Dataset, path: Path) -> None:
    """Draw contours of the carry angle and of the rope loads over the workspace."""
    place = found["equilibrium(rigging.bucket.shell)"].values
    x, z = place[..., 0], place[..., 2]
    carry = np.degrees(found[f"equilibrium({CARRY})"].values)
    hoist, drag = (found[f"equilibrium({name}.tension)"].values / 1e3 for name in ("hoist", "drag"))
    good = (found["status"].values == 1) & (found["stable"].values == 1) & (x > 20) & (x < 100) & (np.abs(carry) < 85)
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.6), sharey=True, constrained_layout=True)
    for axis in axes:
        axis.plot([8, 8 + 100 * np.cos(np.radians(38))], [5, 5 + 100 * np.sin(np.radians(38))], "k-", lw=3)
        axis.plot([8], [4], "ko", ms=4)
        axis.set(xlabel="radius (m)", xlim=(15, 100), ylim=(-35, 45), aspect="equal")
    axes[0].set_ylabel("height over the tub (m)")
    lines = axes[0].tricontour(x[good], z[good], carry[good], levels=range(-40, 80, 10), cmap="viridis")
    axes[0].clabel(lines, fmt="%d°", fontsize=8)
    axes[0].set_title("carry angle of the full bucket")
    for values, colour, name in ((hoist, "tab:blue", "hoist"), (drag, "tab:red", "drag")):
        lines = axes[1].tricontour(x[good], z[good], values[good], levels=range(250, 3000, 250), colors=colour)
        axes[1].clabel(lines, fmt="%d", fontsize=7)
        axes[1].plot([], [], color=colour, label=f"{name} rope (kN)")
    axes[1].legend(loc="upper left", fontsize=8)
    axes[1].set_title("tensions")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_rigging(found: Mapping[str, xr.Dataset], angles: Mapping[str, Sequence[float]], path: Path) -> None:
    """Draw carry angles along the way for values of each design parameter, and those of the optimised design."""
    figure, axes = plt.subplots(1, 4, figsize=(13, 3.6), sharey=True, constrained_layout=True)
    for axis, (name, data) in zip(axes, found.items(), strict=False):
        values, carry = data[name].values, np.degrees(data[f"equilibrium({CARRY})"].values)
        for value in np.unique(values):
            axis.plot(range(len(PATH)), carry[values == value], "o-", ms=3, label=f"{value:.2f} m")
        axis.set_title(name.removeprefix("rigging."), fontsize=9)
        axis.legend(fontsize=6)
    for label, one in angles.items():
        axes[3].plot(range(len(PATH)), one, "o-", label=label)
    axes[3].legend(fontsize=7)
    axes[3].set_title("optimised", fontsize=9)
    for axis in axes:
        axis.axhspan(*BAND, color="0.9")
        axis.set_xlabel("position on the way")
    axes[0].set_ylabel("carry angle (°)")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_swing(times: Sequence[float], found: Sequence[float], path: Path) -> None:
    """Draw the residual swing over the time of the swing."""
    figure, axis = plt.subplots(figsize=(5.5, 3.4), constrained_layout=True)
    axis.plot(times, found, "o-")
    axis.set(xlabel="time of a swing by 90° (s)", ylabel="residual swing (m)", ylim=(0, None))
    axis.grid(alpha=0.3)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(scheduler: str | None = None) -> None:
    """Run all studies."""
    warnings.simplefilter("ignore", gs.GyrostatWarning)
    found = workspace(scheduler)
    draw_workspace(found, PICTURES / "dragline_workspace.png")
    draw_spill(found, PICTURES / "dragline_spill.png")
    system = gs.formulate(machine())
    print("carry angle per decimetre:", {n: np.round(v, 2).tolist() for n, v in sensitivities(system).items()})
    best = optimised(system)
    angles = {"as built": carried(system, {}), "optimised": carried(system, best)}
    print("optimised rigging:", {name: round(value, 3) for name, value in best.items()})
    for label, one in angles.items():
        print(f"{label}: carry angles {np.round(one, 1).tolist()}, beyond the band {beyond(one):.2f} deg²")
    draw_rigging(rigging(scheduler), angles, PICTURES / "dragline_rigging.png")
    times = np.arange(14, 37, 3.0)
    swings = residual_swing(system, times)
    print("residual swing (m):", dict(zip(times.tolist(), np.round(swings, 2).tolist(), strict=True)))
    draw_swing(times, swings, PICTURES / "dragline_swing.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
