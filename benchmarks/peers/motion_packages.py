"""Motions by other packages, where they are installed; those that are missing compute none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from peers.solver import Solver
from peers.tree import Floats, Tree


def mujoco_trees(tree: Tree, q: Floats, u: Floats, duration: float, methods: Any, **settings: Any) -> list[Solver]:
    """Return MuJoCo's motions of a tree."""
    try:
        from peers.mujoco_motion import mujoco_solvers
    except (ImportError, OSError):
        return []
    return mujoco_solvers(tree, q, u, duration, methods, **settings)


def mujoco_edits(tree: Tree, q: Floats, u: Floats, duration: float, *, first: float) -> list[Solver]:
    """Return MuJoCo's motions of a tree from the text of its model."""
    try:
        from peers.mujoco_motion import mujoco_from_text
    except (ImportError, OSError):
        return []
    return [mujoco_from_text(tree, q, u, duration, first=first)]


def exudyn_trees(tree: Tree, q: Floats, u: Floats, duration: float, **settings: Any) -> list[Solver]:
    """Return Exudyn's motions of a tree."""
    try:
        from peers.exudyn_motion import exudyn_solvers
    except (ImportError, OSError):
        return []
    return exudyn_solvers(tree, q, u, duration, **settings)


def mujoco_loops(count: int, gravity: float, rate: float, duration: float, *, first: float) -> list[Solver]:
    """Return MuJoCo's motions of four-bars in a row."""
    try:
        from peers.mujoco_four_bars import mujoco_four_bars
    except (ImportError, OSError):
        return []
    return mujoco_four_bars(count, gravity, rate, duration, first=first)


def exudyn_loops(count: int, gravity: float, rate: float, duration: float, *, first: float) -> list[Solver]:
    """Return Exudyn's motions of four-bars in a row."""
    try:
        from peers.exudyn_four_bars import exudyn_four_bars
    except (ImportError, OSError):
        return []
    return exudyn_four_bars(count, gravity, rate, duration, first=first)


def exudyn_spins(duration: float, *, cables: int, step: float) -> list[Solver]:
    """Return Exudyn's spin-up of a beam."""
    try:
        from peers.exudyn_beams import exudyn_spin_up
    except (ImportError, OSError):
        return []
    return exudyn_spin_up(duration, cables=cables, step=step)


def exudyn_slider_cranks(duration: float, *, cables: int, step: float) -> list[Solver]:
    """Return Exudyn's flexible slider-crank."""
    try:
        from peers.exudyn_beams import exudyn_slider_crank
    except (ImportError, OSError):
        return []
    return exudyn_slider_crank(duration, cables=cables, step=step)


def mujoco_loop_edits(count: int, gravity: float, rate: float, duration: float, *, first: float) -> list[Solver]:
    """Return MuJoCo's motion of four-bars in a row from the text of its model."""
    try:
        from peers.mujoco_four_bars import mujoco_four_bars_from_text
    except (ImportError, OSError):
        return []
    return [mujoco_four_bars_from_text(count, gravity, rate, duration, first=first)]


def exudyn_truss_edits(
    side: int, gravity: float, start: Mapping[str, float], duration: float, *, first: float
) -> list[Solver]:
    """Return Exudyn's motion of a truss from the description of its model."""
    try:
        from peers.exudyn_truss import exudyn_truss
    except (ImportError, OSError):
        return []
    return [exudyn_truss(side, gravity, start, duration, first=first)]
