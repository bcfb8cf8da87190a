"""Steady states of the modulation equations and their stability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.scales.amplitude_flow import AmplitudeFlow, Complexes, Floats

_STARTS = 60
_SOLUTION_TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class SteadyState:
    """Amplitudes and phases (in the rotating frame) by coordinate, and the eigenvalues of the linearized rates."""

    amplitudes: Mapping[str, float]
    phases: Mapping[str, float]
    eigenvalues: Complexes
    state: Floats

    @property
    def is_stable(self) -> bool:
        """Whether no eigenvalue has a positive real part; zero is allowed, as for a free phase."""
        scale = max(float(np.abs(self.eigenvalues).max(initial=0.0)), 1e-300)
        return bool((self.eigenvalues.real < 1e-9 * scale).all())

    def __str__(self) -> str:
        sizes = ", ".join(f"{name}: {value:.6g}" for name, value in self.amplitudes.items())
        return f"{sizes} ({'stable' if self.is_stable else 'unstable'})"


def steady_state(flow: AmplitudeFlow, names: tuple[str, ...], y: Floats) -> SteadyState:
    """Describe a state."""
    A = flow.amplitudes(y)
    sizes = [A[k].real if free else 2 * abs(A[k]) for k, free in enumerate(flow.free)]
    return SteadyState(
        dict(zip(names, (float(size) for size in sizes), strict=True)),
        dict(zip(names, (float(np.angle(x)) for x in A), strict=True)),
        np.asarray(np.linalg.eigvals(flow.relative(y)[1]), dtype=complex),
        y,
    )


def newton(flow: AmplitudeFlow, y: Floats) -> Floats | None:
    """Return the steady state that Newton's method finds by least-norm steps, or None."""
    for _ in range(60):
        residual, jacobian = flow.relative(y)
        if not np.all(np.isfinite(jacobian)):
            return None
        system = np.column_stack([jacobian, *(-(turn @ y) for turn in flow.turns)])
        step = np.linalg.lstsq(system, -residual, rcond=1e-10)[0][: len(y)]
        size = max(1.0, float(np.abs(y).max()))
        largest = float(np.abs(step).max())
        y = y + step * min(1.0, 2 * size / max(largest, 1e-300))
        if largest < 1e-13 * size:
            break
    else:
        return None
    scale = float(np.abs(flow.jacobian(y)).max()) * max(1.0, float(np.abs(y).max()))
    return y if float(np.abs(flow.relative(y)[0]).max()) <= 1e-9 * max(scale, 1e-300) else None


def steady_states(flow: AmplitudeFlow, names: tuple[str, ...], size: float, seed: int = 0) -> list[SteadyState]:
    """Return steady states found from random amplitudes up to `size`, smallest first.

    States that differ by phases only are found once.
    """
    draw = np.random.default_rng(seed)
    width = sum(1 if free else 2 for free in flow.free)
    starts = [np.zeros(width), *(draw.normal(size=width) * size * draw.uniform() for _ in range(_STARTS))]
    found: list[SteadyState] = []
    for start in starts:
        y = newton(flow, start)
        if y is None or np.abs(y).max() > 100 * size:
            continue
        state = steady_state(flow, names, y)
        sizes = np.array(list(state.amplitudes.values()))
        if all(np.abs(sizes - list(other.amplitudes.values())).max() > _SOLUTION_TOLERANCE * size for other in found):
            found.append(state)
    return sorted(found, key=lambda state: sum(a * a for a in state.amplitudes.values()))
