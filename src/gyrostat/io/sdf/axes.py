"""Axes of joints: directions, limits, and what acts along them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gyrostat.io.sdf.description import SdfDescription
from gyrostat.io.sdf.element import Pose, SdfElement

_INFINITY = 1e16
"""The number by which files of this format write that there is no limit."""


@dataclass(frozen=True)
class Mimic:
    """A coordinate that follows another one: q = multiplier·(q_leader − reference) + offset."""

    leader: str
    axis: str
    multiplier: float
    offset: float


@dataclass(frozen=True)
class Axis:
    """An axis in the joint's frame, with limits (None where there is none), spring, damping, friction, mimicry."""

    direction: tuple[float, float, float]
    limits: tuple[float | None, float | None, float | None, float | None]
    """Lower, upper, velocity, effort."""
    damping: float
    friction: float
    stiffness: float
    reference: float
    mimic: Mimic | None


def read_axis(axis: SdfElement, joint: Pose, scope: str, found: SdfDescription) -> Axis:
    """Return an axis; `joint` is the pose of its joint's frame in the world, `scope` that of names."""
    axis.require_known("xyz", "limit", "dynamics", "use_parent_model_frame", "mimic", "initial_position")
    xyz = axis.child("xyz")
    direction = np.array((0.0, 0.0, 1.0) if xyz is None else xyz.numbers(3))
    if not np.linalg.norm(direction):
        raise axis.refusal("its direction is zero.", "Give a direction, as in <xyz>0 0 1</xyz>.")
    expressed = "" if xyz is None else xyz.element.get("expressed_in", "")
    if axis.flag("use_parent_model_frame", axis.version <= (1, 4)) or expressed == "__model__":
        direction = joint[:3, :3].T @ found.pose(scope[:-2], axis)[:3, :3] @ direction
    elif expressed:
        direction = joint[:3, :3].T @ found.pose(f"{scope}{expressed}", axis)[:3, :3] @ direction
    limit, dynamics = axis.child("limit"), axis.child("dynamics")
    if limit is not None:
        limit.require_known("lower", "upper", "effort", "velocity", "stiffness", "dissipation")
    if dynamics is not None:
        dynamics.require_known("damping", "friction", "spring_reference", "spring_stiffness")
    bounds = [_bound(limit, tag, least) for tag, least in _BOUNDS]
    damping, friction, stiffness, reference = (
        0.0 if dynamics is None else dynamics.number(tag, 0.0) for tag in _DYNAMICS
    )
    x, y, z = (float(value) + 0.0 for value in direction)
    limits = (bounds[0], bounds[1], bounds[2], bounds[3])
    return Axis((x, y, z), limits, damping, friction, stiffness, reference, _mimic(axis.child("mimic")))


_BOUNDS = (("lower", -_INFINITY), ("upper", _INFINITY), ("velocity", -1.0), ("effort", -1.0))
_DYNAMICS = ("damping", "friction", "spring_stiffness", "spring_reference")


def _bound(limit: SdfElement | None, tag: str, default: float) -> float | None:
    """Return a bound; of velocity and effort a negative one means none."""
    inner = None if limit is None else limit.child(tag)
    if inner is None or (inner.element.text or "").strip().lstrip("+-").lower() in ("inf", "infinity"):
        return None
    value = inner.numbers(1)[0]
    return None if abs(value) >= _INFINITY or (default == -1 and value < 0) or not math.isfinite(value) else value


def _mimic(element: SdfElement | None) -> Mimic | None:
    if element is None:
        return None
    element.require_known("multiplier", "offset", "reference")
    multiplier = element.number("multiplier", 1.0)
    offset = element.number("offset", 0.0) - multiplier * element.number("reference", 0.0)
    return Mimic(element.element.get("joint", ""), element.element.get("axis", "axis"), multiplier, offset)
