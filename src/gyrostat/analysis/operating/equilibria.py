"""Several equilibria of one system: random starts, which of them are distinct, and the directions of families."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from gyrostat.analysis.variations.dynamics import Dynamics
from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.system import System

_COORDINATE_TOLERANCE = 1e-6
"""Tolerance of the coordinates of one equilibrium: radians, or sizes of the mechanism."""


def random_starts(dynamics: Dynamics, count: int, seed: int = 0) -> Iterator[Floats]:
    """Yield random positions that satisfy the constraints, any angle and lengths of the mechanism's size."""
    rng = np.random.default_rng(seed)
    system = dynamics.system
    angles = np.array([not system.coordinates.slides(name) for name in system.speed_names])
    for _ in range(count):
        push = np.where(angles, rng.uniform(-np.pi, np.pi, len(angles)), rng.normal(size=len(angles)))
        try:
            q = dynamics.moved(system.initial_coordinates, push * dynamics.scales)
            if system.constrained:
                q, left = dynamics.closer.closed(dynamics.closer.regular(q))
                if np.abs(left).max(initial=0.0) > 1e-8 * system.model_size:
                    continue
        except StateError:
            continue
        yield q


def distinct(points: Sequence[OperatingPoint]) -> list[OperatingPoint]:
    """Return the points without repetitions; full turns that change nothing do not count."""
    kept: list[OperatingPoint] = []
    for point in points:
        candidate = wrapped(point)
        if not any(_same(candidate, other) for other in kept):
            kept.append(point if not kept else candidate)
    return kept


def wrapped(point: OperatingPoint) -> OperatingPoint:
    """Return the point with angles between −π and π, where full turns change neither loads nor energy."""
    system = point.system
    measures = system.coordinates.measures
    q, turns = point.q.copy(), np.round(point.q / (2 * np.pi))
    turned = [i for i, name in enumerate(system.coordinate_names) if turns[i] and measures.get(name) == "angle"]
    if not turned:
        return point
    energy = _potential(point, q)
    for i in turned:
        there = q.copy()
        there[i] -= 2 * np.pi * turns[i]
        if _are_equal(_potential(point, there), energy):
            q = there
    return replace(point, q=q)


def _same(point: OperatingPoint, other: OperatingPoint) -> bool:
    """Return whether two points are one, or belong to one family."""
    values = [abs(value - other.inputs[name]) for name, value in point.inputs.items()]
    values += (np.abs(point.z - other.z) / np.maximum(1.0, np.abs(point.z))).tolist()
    if max(values, default=0.0) > _COORDINATE_TOLERANCE:
        return False
    return bool(_gaps(point, wrapped(other)).max(initial=0.0) <= _COORDINATE_TOLERANCE) or _one_family(point, other)


def _gaps(point: OperatingPoint, other: OperatingPoint) -> Floats:
    """Return the distance of coordinates, without full turns and signs of Euler parameters: radians, or sizes."""
    coordinates, size = point.system.coordinates, max(point.system.model_size, 1.0)
    gap = np.abs(point.q - other.q)
    for first in coordinates.euler_parameters.values():
        part = slice(first, first + 4)
        gap[part] = min(gap[part].max(), np.abs(point.q[part] + other.q[part]).max())
    for i, name in enumerate(coordinates.coordinate_names):
        measure = coordinates.measures.get(name)
        gap[i] = min(gap[i], abs(gap[i] - 2 * np.pi)) if measure == "angle" else gap[i]
        gap[i] /= size if measure == "length" else 1.0
    return gap


def _one_family(point: OperatingPoint, other: OperatingPoint) -> bool:
    """Return whether two points have neighbours of their kind, the same energy and the same linear motion."""
    first, second = point.stability, other.stability
    if first is None or second is None or not (first.family and second.family):
        return False
    left, right = np.sort_complex(first.eigenvalues), np.sort_complex(second.eigenvalues)
    return (
        _are_equal(_potential(point, point.q), _potential(other, other.q))
        and len(left) == len(right)
        and bool(np.allclose(left, right, rtol=1e-6, atol=1e-6))
    )


def _potential(point: OperatingPoint, q: Floats) -> float:
    found = point.system.energy(q, point.u, z=point.z, t=point.t, inputs=point.inputs, parameters=point.parameters)
    return float(found.potential)


def _are_equal(first: float, second: float) -> bool:
    return abs(first - second) <= 1e-9 * max(1.0, abs(first))


def simplest(directions: Floats) -> Floats:
    """Return a basis of the same directions in which each has a leading entry that no other has.

    >>> simplest(np.array([[1.0, 1.0], [1.0, -1.0], [0.0, 0.0]])).T.round(6) + 0.0
    array([[1., 0., 0.],
           [0., 1., 0.]])
    """
    if not directions.size:
        return directions
    from scipy.linalg import qr

    _, _, order = qr(directions.T, pivoting=True, mode="economic")
    leading = np.sort(order[: directions.shape[1]])
    found = directions @ np.linalg.inv(directions[leading])
    found[np.abs(found) < 1e-9] = 0.0
    return np.asarray(found)


def written_directions(system: System, directions: Floats, scales: Floats) -> list[str]:
    """Return each neutral direction by the coordinates that take part in it."""
    found = []
    for column in simplest(directions / scales[:, None]).T:
        parts = [name for name, share in zip(system.speed_names, column, strict=True) if abs(share) > 1e-6]
        names = ", ".join(repr(name.removesuffix(".rate")) for name in parts[:6])
        more = f" and {len(parts) - 6} more" if len(parts) > 6 else ""
        found.append(f"{names}{more} together" if len(parts) > 1 else names)
    return found
