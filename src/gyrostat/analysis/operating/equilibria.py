"""Several equilibria of one system: random positions to begin with, and which of those found are distinct."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gyrostat.analysis.operating.neighbourhood import Neighbourhood
from gyrostat.analysis.operating_point import OperatingPoint
from gyrostat.errors import StateError
from gyrostat.pipeline.arguments import Floats

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
    from dataclasses import replace

    system = point.system
    measures = system.coordinates.measures
    q = point.q.copy()
    energy = system.energy(q, point.u, t=point.t, inputs=point.inputs, parameters=point.parameters).potential
    for i, name in enumerate(system.coordinate_names):
        turns = np.round(q[i] / (2 * np.pi))
        if measures.get(name) != "angle" or not turns:
            continue
        there = q.copy()
        there[i] -= 2 * np.pi * turns
        then = system.energy(there, point.u, t=point.t, inputs=point.inputs, parameters=point.parameters).potential
        if abs(then - energy) <= 1e-9 * max(1.0, abs(float(energy))):
            q = there
    return replace(point, q=q)


def _same(point: OperatingPoint, other: OperatingPoint) -> bool:
    """Tell whether two points are one, or belong to one family."""
    system = point.system
    gap = np.abs(point.q - wrapped(other).q)
    for first in system.coordinates.euler_parameters.values():
        part = slice(first, first + 4)
        gap[part] = min(np.abs(point.q[part] - other.q[part]).max(), np.abs(point.q[part] + other.q[part]).max())
    for i, name in enumerate(system.coordinate_names):
        if system.coordinates.measures.get(name) == "angle":
            gap[i] = min(gap[i], abs(gap[i] - 2 * np.pi))
        else:
            gap[i] /= max(system.model_size, 1.0) if system.coordinates.measures.get(name) == "length" else 1.0
    values = [abs(value - other.inputs[name]) for name, value in point.inputs.items()]
    return bool(gap.max(initial=0.0) <= _SAME and max(values, default=0.0) <= _SAME)
