"""Animations of modes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import TIME
from gyrostat.errors import StateError
from gyrostat.shown.trajectory_pictures import write_animation
from gyrostat.shown.trajectory_scene import Scenery

if TYPE_CHECKING:
    from gyrostat.analysis.linear.modes import Mode

_FRAMES = 96
_AMPLITUDE = 0.35
"""Default of the largest deviation: in radians, or in sizes of the mechanism."""
_TIME_CONSTANTS = 4.0


def mode_rows(mode: Mode, amplitude: float | None = None) -> Floats:
    """Return rows of t, q, u, parameters and inputs over one period, or some time constants; loops are closed.

    A growing mode is drawn as a decaying one with the same time constant; a mode with eigenvalue zero moves to and fro.
    """
    point = mode.linear.point
    system = point.system
    size = _AMPLITUDE if amplitude is None else amplitude
    if not np.isfinite(size) or size <= 0:
        raise StateError(f"The amplitude of a mode is {size}; it must be a positive number.")
    closer = Closer(system, point.t, point.parameters)
    times, factors = _course(mode)
    rows = np.empty((len(times), len(point.row)))
    for i, (time, factor) in enumerate(zip(times, factors, strict=True)):
        q = closer.moved(point.q, size * np.real(factor * mode.motion))
        if system.constrained:
            q, _ = closer.closed(q)
        rows[i] = point.row
        rows[i, TIME], rows[i, system.row.q] = time, q
    return rows


def _course(mode: Mode) -> tuple[Floats, np.ndarray[tuple[int, ...], np.dtype[np.complex128]]]:
    """Return times and the complex factors of the mode shape at them."""
    value = mode.eigenvalue
    if mode.oscillates:
        times = np.linspace(0.0, mode.period, _FRAMES)
        return times, np.exp(1j * value.imag * times)
    if value.real:
        times = np.linspace(0.0, _TIME_CONSTANTS / abs(value.real), _FRAMES)
        return times, np.exp(-abs(value.real) * times).astype(complex)
    times = np.linspace(0.0, 2.0, _FRAMES)
    return times, np.sin(np.pi * times).astype(complex)


def animate_mode(
    mode: Mode, path: str | os.PathLike[str], *, amplitude: float | None, paths: Sequence[str], dark: bool
) -> Path:
    """Write an animation of a mode: a page for browsers (.html), or a film (.gif, .mp4)."""
    about = f"{mode.frequency:.4g} Hz" if mode.oscillates else mode.kind.value
    title = f"{mode.linear.system.model.name}: mode {mode.number}, {about}"
    scene = Scenery(mode.linear.system, mode_rows(mode, amplitude)).scene(title, paths=tuple(paths), plots=())
    return write_animation(scene, path, dark=dark)
