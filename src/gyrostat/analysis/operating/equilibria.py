"""Several equilibria of one system: random positions to begin with, and which of those found are distinct."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from gyrostat.analysis.operating.neighbourhood import Neighbourhood
from gyrostat.analysis.operating.operating_point import OperatingPoint
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError

_SAME = 1e-6
"""How far coordinates of one equilibrium may differ: radians, or sizes of the mechanism."""


def random_starts(around: Neighbourhood, count: int, seed: int = 0) -> Iterator[Floats]:
    """Yield random positions that obey the constraints, any angle and lengths of the mechanism's size."""
    rng = np.random.default_rng(seed)
    system = around.system
    angles = np.array([not system.coordinates.slides(name) for name in system.speed_names])
    for _ in range(count):
        push = np.where(angles, rng.uniform(-np.pi, np.pi, len(angles)), rng.normal(size=len(angles)))
        try:
            q = around.moved(system.initial_coordinates, push * around.scales)
            if system.constrained:
                q, left = around.closer.closed(around.closer.regular(q))
                if np.abs(left).max(initial=0.0) > 1e-8 * system.model_size:
                    continue
        except StateError:
            continue
        yield q


def distinct(points: Sequence[OperatingPoint]) -> list[OperatingPoint]:
    """Return the points without repetitions; full turns that change nothing do not count."""
    kept: list[OperatingPoint] = []
    for point in points:
        told = wrapped(point)
        if not any(_same(told, other) for other in kept):
            kept.append(point if not kept else told)
    return kept


def wrapped(point: OperatingPoint) -> OperatingPoint:
    """Return the point with angles between −π and π, where full turns change neither loads nor energy."""
    system = point.system
    measures = system.coordinates.measures
    q = point.q.copy()
    energy = _potential(point, q)
    for i, name in enumerate(system.coordinate_names):
        turns = np.round(q[i] / (2 * np.pi))
        if measures.get(name) != "angle" or not turns:
            continue
        there = q.copy()
        there[i] -= 2 * np.pi * turns
        if _alike(_potential(point, there), energy):
            q = there
    return replace(point, q=q)


def _same(point: OperatingPoint, other: OperatingPoint) -> bool:
    """Tell whether two points are one, or belong to one family."""
    values = [abs(value - other.inputs[name]) for name, value in point.inputs.items()]
    if max(values, default=0.0) > _SAME:
        return False
    return bool(_gaps(point, wrapped(other)).max(initial=0.0) <= _SAME) or _one_family(point, other)


def _gaps(point: OperatingPoint, other: OperatingPoint) -> Floats:
    """Return how far coordinates differ, without full turns and signs of Euler parameters: radians, or sizes."""
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
    """Tell whether two points have neighbours of their kind, the same energy and the same linear motion."""
    first, second = point.stability, other.stability
    if first is None or second is None or not (first.family and second.family):
        return False
    left, right = np.sort_complex(first.eigenvalues), np.sort_complex(second.eigenvalues)
    return (
        _alike(_potential(point, point.q), _potential(other, other.q))
        and len(left) == len(right)
        and bool(np.allclose(left, right, rtol=1e-6, atol=1e-6))
    )


def _potential(point: OperatingPoint, q: Floats) -> float:
    found = point.system.energy(q, point.u, t=point.t, inputs=point.inputs, parameters=point.parameters)
    return float(found.potential)


def _alike(first: float, second: float) -> bool:
    return abs(first - second) <= 1e-9 * max(1.0, abs(first))
