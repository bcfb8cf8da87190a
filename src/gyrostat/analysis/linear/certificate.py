"""A certificate of a linear model: small motions of the nonlinear system agree with it, at the right order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.analysis.linear.time_response import displaced, propagated
from gyrostat.analysis.simulation.simulate import default_integrator, simulate
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.results.text_table import NotebookText

if TYPE_CHECKING:
    from gyrostat.analysis.linear.linear_model import LinearModel

_HALVINGS = 4
_TIMES = 41
_ORDER = 1.7
"""The error must fall at least with this power of the amplitude; it is 2, or 3 in symmetric systems."""
_ERROR_ROUNDING = 1e-8
"""Errors below this, relative to the amplitude, are those of integration."""


@dataclass(frozen=True, eq=False)
class LinearCertificate(NotebookText):
    """Deviation of nonlinear motions from the linear prediction, for decreasing amplitudes.

    `errors` are largest deviations over time, relative to the amplitude; where the linear model is right they fall
    in proportion to it, so that the error itself has order 2 (3 where the system is symmetric).
    """

    amplitudes: Floats
    errors: Floats
    duration: float

    @property
    def order(self) -> float:
        """The power of the amplitude with which the error falls; infinite where there is only rounding."""
        seen = self.errors > _ERROR_ROUNDING
        if seen.sum() < 2:
            return float("inf")
        slope = np.polyfit(np.log(self.amplitudes[seen]), np.log(self.errors[seen]), 1)[0]
        return float(1.0 + slope)

    @property
    def passed(self) -> bool:
        """Whether the error falls with the required order."""
        return self.order >= _ORDER

    def __str__(self) -> str:
        verdict = "agree" if self.passed else "DO NOT agree"
        lines = [
            f"Small motions and the linear model {verdict}: over {self.duration:.4g} s the error falls with the "
            f"amplitude to the power {self.order:.3g}"
        ]
        pairs = zip(self.amplitudes, self.errors, strict=True)
        return "\n".join([*lines, *(f"  amplitude {a:.3e}: relative error {e:.3e}" for a, e in pairs)])


def certify(
    linear: LinearModel, *, amplitude: float = 1e-2, duration: float | None = None, seed: int = 0
) -> LinearCertificate:
    """Compare nonlinear motions from random small deviations with the linear prediction."""
    if linear.inputs and any(channel.by_acceleration for channel in linear.channels.items):
        raise StateError("Certificates are of free motions. Linearize without accelerations of drivers as inputs.")
    length = _duration(linear) if duration is None else duration
    times = np.linspace(0.0, length, _TIMES)
    direction = _direction(linear, seed)
    expected = propagated(linear, times, direction, None)
    base = _run(linear, times, np.zeros(len(direction)))
    sizes = np.abs(expected).max(axis=0)
    sizes[sizes == 0.0] = 1.0
    amplitudes = np.array([amplitude * 0.5**i for i in range(_HALVINGS)])
    errors = []
    for each in amplitudes:
        moved = _deviations(linear, base, _run(linear, times, each * direction))
        errors.append(float((np.abs(moved / each - expected) / sizes).max()))
    return LinearCertificate(amplitudes, np.array(errors), length)


def _duration(linear: LinearModel) -> float:
    """Return a duration for the comparison: two periods of the middle one, and no growth by more than e."""
    values = np.array([mode.eigenvalue for mode in linear.modes() if mode.eigenvalue != 0])
    if not len(values):
        return 1.0
    middle = float(np.exp(np.log(np.abs(values)).mean()))
    growth = float(values.real.max())
    return min(12.0 / middle, 1.0 / growth if growth > 1e-9 * middle else np.inf)


def _direction(linear: LinearModel, seed: int) -> Floats:
    """Return a deviation of all states: positions up to one, speeds up to the mean of the eigenvalues."""
    flow = linear.flow
    rng = np.random.default_rng(seed)
    scales = Closer(flow.variations.system).scales
    values = [abs(mode.eigenvalue) for mode in linear.modes() if mode.eigenvalue != 0]
    pace = float(np.exp(np.log(values).mean())) if values else 1.0
    positions, speeds = (np.abs(pick) @ scales for pick in (flow.reduction.position_pick, flow.reduction.speed_pick))
    sizes, names = np.concatenate((positions, pace * speeds, np.ones(len(flow.zdot)))), flow.state_names
    whole = rng.uniform(-1, 1, len(sizes)) * sizes
    return np.array([whole[names.index(name)] for name in linear.states])


def _run(linear: LinearModel, times: Floats, deviation: Floats) -> Trajectory:
    """Return the nonlinear motion that begins with a deviation."""
    point = linear.point
    run = simulate(
        point.system,
        times=point.t + times,
        initial=displaced(linear, deviation),
        inputs=dict(point.inputs),
        parameters=dict(point.parameters),
        integrator=default_integrator(point.system, rtol=1e-12, atol=1e-14),
        progress=False,
    )
    if len(run.time) < len(times):
        why = run.status.outcome.value
        raise StateError(f"A small motion ended at t = {run.time[-1]:g} s: {why}. Give a shorter duration.")
    return run


def _deviations(linear: LinearModel, base: Trajectory, run: Trajectory) -> Floats:
    """Return the deviation of a motion from another over time, in states of the linear model."""
    from scipy.linalg import expm

    flow, system = linear.flow, linear.point.system
    program = system.program("linear_terms")
    port = next(port for port in program.outputs if port.name == "mapping")
    changes = np.empty((len(base.time), system.coordinates.n_u))
    for i, row in enumerate(base.rows):
        stored = program.loop(row[None, :])[0][program.output_slice("mapping")]
        mapping = port.full(stored).reshape(port.rows, port.columns)
        changes[i] = np.linalg.lstsq(mapping, run.q[i] - base.q[i], rcond=None)[0]
    speeding = run.u - base.u
    if flow.rotation is not None:
        for i, t in enumerate(base.time - base.time[0]):
            rotated = expm(flow.rotation * t)
            changes[i], speeding[i] = rotated @ changes[i], rotated @ speeding[i]
    positions, speeds = changes @ flow.reduction.position_pick.T, speeding @ flow.reduction.speed_pick.T
    states = (run.z - base.z)[:, flow.variations.states.free]
    return np.hstack((positions, speeds, states))[:, [flow.state_names.index(name) for name in linear.states]]
