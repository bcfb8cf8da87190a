"""The servo-driven arm in other packages, where they are installed; those that are missing compute nothing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from servo_models import Servos

from peers.solver import Solver
from peers.tree import Floats, Tree


def servo_solvers(tree: Tree, servos: Servos, duration: float, *, error: float) -> list[Solver]:
    """Return motions under continuous control; first settings are guesses for an error at the end."""
    solvers: list[Solver] = []
    if (mujoco := _module("mujoco_servo")) is not None:
        solvers += mujoco.mujoco_servos(tree, servos, duration, error=error)
    if (exudyn := _module("exudyn_servo")) is not None:
        solvers += exudyn.exudyn_servos(tree, servos, duration, step=2e-3, tolerance=1e-2 * error)
    return solvers


def sampled_servo_solvers(tree: Tree, servos: Servos, duration: float) -> list[Solver]:
    """Return motions under sampled control."""
    solvers: list[Solver] = []
    if (mujoco := _module("mujoco_servo")) is not None:
        solvers += mujoco.mujoco_sampled_servos(tree, servos, duration)
    if (exudyn := _module("exudyn_servo")) is not None:
        solvers += exudyn.exudyn_sampled_servos(tree, servos, duration)
    return solvers


def servo_rates(
    tree: Tree, servos: Servos, t: float, state: tuple[Floats, ...]
) -> list[tuple[str, tuple[Floats, Floats]]]:
    """Return each package with accelerations and rates of currents in a state (q, u, integrals, currents)."""
    found: list[tuple[str, tuple[Floats, Floats]]] = []
    if (mujoco := _module("mujoco_servo")) is not None:
        found += [("MuJoCo", rates) for rates in mujoco.mujoco_servo_rates(tree, servos, t, state)]
    if (exudyn := _module("exudyn_servo")) is not None:
        found.append(("Exudyn", exudyn.exudyn_servo_rates(tree, servos, t, state)))
    return found


def _module(name: str) -> Any:
    try:
        return import_module(f"peers.{name}")
    except (ImportError, OSError):
        return None
