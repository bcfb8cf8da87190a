"""Exchange between grains and bodies: poses of walls one way, mean loads the other.

At the beginning of each exchange interval the grains advance over all of it, with walls that move on at constant
velocity. Their impulses on the walls, divided by the interval, are loads on the bodies, constant over it, and then the
integrator advances the bodies. So the grains lose exactly the momentum that the bodies gain. Moments are those about
the place where a wall's origin is predicted in the middle of the interval: the moment of momentum differs by what the
prediction errs, which is of second order in the interval.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gyrostat.analysis.kernels.grain_tables import FRAME
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.simulation.event_round import Aftermath
from gyrostat.analysis.simulation.grain_overlaps import require_grains_apart
from gyrostat.analysis.simulation.grain_record import GrainRecord, Singles
from gyrostat.analysis.simulation.grain_start import granular_bed
from gyrostat.analysis.simulation.input_rows import input_values
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.native_grains import NativeGrains
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.sampler import SampleFailedError
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces.grains import WRENCH, Grains
from gyrostat.model.granular import GranularBed, GranularRun
from gyrostat.scalar import FloatScalars

_ROUNDING = 1e-9
"""A part of an interval as short as this is none."""
_LAG = 0.7
"""Longest exchange interval, by the time 1/ω of a body on the contacts of its grains."""
_DEPTH_LIMIT = 0.4
"""Depth of contacts, by the reduced radius, beyond which a note says that they are too soft."""
_STABILITY_LIMIT = 0.6
"""Product of the granular step and the highest frequency of a contact beyond which a note says so."""


class GranularExchange:
    """The grains of a problem in one simulation."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._forces = [force for force in problem.system.kernel_forces if isinstance(force, Grains)]
        self._moving: list[_MovingGrains] = []
        self._loads: dict[str, float] = {}
        self._until = -np.inf
        self._end = np.inf
        self._times: Floats = np.zeros(0)

    def __bool__(self) -> bool:
        return bool(self._forces)

    def start(self, motion: Motion, begin: Aftermath, past: Mapping[str, GrainRecord]) -> None:
        """Place the grains, or continue with those of an earlier motion; those that overlap are refused."""
        system, t = self._problem.system, float(motion.times[0])
        self._times, self._end = motion.times, float(motion.times[-1])
        for force in self._forces:
            state = past[force.name].state if force.name in past else {}
            bed = granular_bed(system, force, begin.parameters, state)
            if not state:
                frames = self._frames(force, t, begin)
                require_grains_apart(bed, frames, {name: system.model[name] for name in force.walls})
            self._moving.append(_MovingGrains(force, bed, self._masses(force, begin)))
        for one in self._moving:
            one.record(t, one.run.positions, one.run.velocities)
        self._interval = min((one.bed.step * one.force.exchange for one in self._moving), default=np.inf)
        self._until = t

    def _masses(self, force: Grains, begin: Aftermath) -> Floats:
        """Return the masses of walls that loads move; infinity for the others."""
        system = self._problem.system
        if not system.coordinates.n_u:
            return np.full(len(force.walls), np.inf)
        value = Evaluator(FloatScalars(), begin.parameters.__getitem__)
        bodies = [system.model.bodies.get(name) for name in force.walls]
        masses = [0.0 if body is None else float(body.mass_properties(value).mass) for body in bodies]
        return np.array([mass or np.inf for mass in masses])

    def next_after(self) -> float:
        """Return the end of the present interval; infinity without grains."""
        return self._until if self._forces else np.inf

    def plan(self, plan: InputPlan) -> InputPlan:
        """Return the plan of inputs with the loads of the present interval."""
        return plan.changed(InputPlan(numbers=self._loads)) if self._loads else plan

    def exchange(self, t: float, after: Aftermath) -> None:
        """Advance the grains over the next interval, where the present one has ended."""
        if not self._forces or t < self._until - _ROUNDING * self._interval:
            return
        left = self._end - t
        interval = min((one.longest(self._interval) for one in self._moving), default=self._interval)
        length = left if left < (1.0 + _ROUNDING) * interval else interval
        outputs = self._times[(self._times > t) & (self._times <= t + length * (1.0 + _ROUNDING))]
        for one in self._moving:
            frames = self._frames(one.force, t, after)
            self._loads |= one.advance(frames, t, length, outputs)
        self._until = t + length

    def _frames(self, force: Grains, t: float, after: Aftermath) -> Floats:
        """Return the motion of the walls of grains: origin, rotation, velocity, angular velocity."""
        problem, system = self._problem, self._problem.system
        rows = problem.vector(t, after.state, after.parameters, after.plan)[None, :]
        if not after.plan.constant:
            rows[:, system.row.inputs] = input_values(system, after.plan, rows)
        moved, n = system.ready_program("body_motion").loop(rows)[0], len(system.bodies)
        order = {body: i for i, body in enumerate(system.bodies)}
        frames = np.zeros((len(force.walls), FRAME))
        frames[:, [3, 7, 11]] = 1.0
        for frame, wall in zip(frames, force.walls, strict=True):
            if wall in order:
                i = order[wall]
                parts = (3 * i, 3), (3 * n + 9 * i, 9), (12 * n + 3 * i, 3), (15 * n + 3 * i, 3)
                frame[:] = np.concatenate([moved[at : at + size] for at, size in parts])
        return frames

    def finish(self, motion: Motion) -> None:
        """Put the records of the grains, and remarks on them, into a motion that has ended."""
        for one in self._moving:
            motion.grains[one.force.name] = one.finished(float(motion.times[-1]))
            for remark in one.remarks():
                motion.remarks.setdefault(f"{one.force.name}: {remark[:40]}", []).append(remark)
            one.run.close()


class _MovingGrains:
    """One set of grains in motion."""

    def __init__(self, force: Grains, bed: GranularBed, masses: Floats) -> None:
        self.force, self.bed, self._masses = force, bed, masses
        self._fastest = 0.0
        """The highest ω of a wall on its contacts."""
        self.run: GranularRun = NativeGrains(bed) if force.engine is None else force.engine.begin(bed)
        self._times: list[float] = []
        self._positions: list[Singles] = []
        self._velocities: list[Singles] = []

    def longest(self, interval: float) -> float:
        """Return an exchange interval that is short enough for light bodies under many grains, in whole steps.

        Loads that are constant over an interval and lag by half of it let a body on contacts of the frequency ω grow
        oscillations from ω H = 1.5 to 2 on.
        """
        if not isinstance(self.run, NativeGrains):
            return interval
        rate = float(np.sqrt(np.max(self.run.wall_stiffness() / self._masses, initial=0.0)))
        self._fastest = max(self._fastest, rate)
        if rate * interval <= _LAG:
            return interval
        return float(max(1.0, np.floor(_LAG / rate / self.bed.step)) * self.bed.step)

    def record(self, t: float, x: Floats, v: Floats) -> None:
        """Record positions and velocities at an output time."""
        self._times.append(t)
        self._positions.append(x.astype(np.float32))
        self._velocities.append(v.astype(np.float32))

    def advance(self, frames: Floats, t: float, length: float, outputs: Floats) -> dict[str, float]:
        """Advance over an interval and record outputs; return the inputs that are loads and sums."""
        force, run = self.force, self.run
        sums = dict(run.sums())
        before = (run.positions.copy(), run.velocities.copy()) if len(outputs) else None
        try:
            impulses = np.asarray(run.advance(frames, length), float).reshape(len(frames), WRENCH)
        except Exception as error:  # whatever a user's engine raises ends the motion, and is raised after it
            reason = f"the engine of grains {force.name!r} failed: {type(error).__name__}: {error}"
            raise SampleFailedError(reason) from error
        if not (np.isfinite(impulses).all() and np.isfinite(run.positions).all()):
            raise SampleFailedError(
                f"the grains {force.name!r} have no finite motion after t = {t:g}. Use a shorter step, or "
                "stiffer contacts."
            )
        if before is not None:
            for time in outputs.tolist():
                self.record(time, *_between(before, (run.positions, run.velocities), length, (time - t) / length))
        numbers: list[float] = []
        for frame, impulse in zip(frames, impulses, strict=True):
            load, middle = impulse[:3] / length, frame[:3] + 0.5 * length * frame[12:15]
            numbers += [*load, *(impulse[3:] / length - np.cross(middle, load))]
        loads = dict(zip(force.load_inputs, map(float, numbers), strict=True))
        return loads | {name: sums.get(label, 0.0) for name, label in zip(force.sum_inputs, force.outputs, strict=True)}

    def finished(self, end: float) -> GrainRecord:
        """Return the record up to a time."""
        count = int(np.searchsorted(np.array(self._times), end * (1.0 + 1e-12) + 1e-300, side="right"))
        return GrainRecord(
            self.force.name,
            self.bed.radii,
            self.bed.masses,
            np.array(self._times[:count]),
            np.array(self._positions[:count]),
            np.array(self._velocities[:count]),
            {key: np.array(array, float) for key, array in self.run.state().items()},
        )

    def remarks(self) -> list[str]:
        """Return remarks on contacts that were too soft, or too stiff for the step."""
        found, name = [], self.force.name
        depth = self.run.sums().get("depth", 0.0)
        if depth > _DEPTH_LIMIT:
            found.append(
                f"Grains {name!r} overlapped by up to {100 * depth:.0f} % of the reduced radius: their contacts are "
                "too soft for the loads. Use a larger stiffness."
            )
        if self.bed.step * self._fastest > _LAG:
            found.append(
                f"A wall of grains {name!r} is so light that loads oscillate even if they are exchanged in every "
                f"granular step of {self.bed.step:.3g} s. Use a step of at most {_LAG / self._fastest:.3g} s."
            )
        if isinstance(self.run, NativeGrains) and self.bed.step * self.run.stiffest**0.5 > _STABILITY_LIMIT:
            found.append(
                f"Contacts of grains {name!r} became so stiff that the granular step of {self.bed.step:.3g} s is "
                f"{self.bed.step * self.run.stiffest**0.5:.2g} of √(m/k). Use a shorter step."
            )
        return found


def _between(
    before: tuple[Floats, Floats], after: tuple[Floats, Floats], length: float, share: float
) -> tuple[Floats, Floats]:
    """Return positions by Hermite's polynomial, and velocities linearly, between the ends of an interval."""
    s = min(share, 1.0)
    (x, v), (y, w) = before, after
    a, b = (1 + 2 * s) * (1 - s) ** 2, s * s * (3 - 2 * s)
    c, d = s * (1 - s) ** 2 * length, s * s * (s - 1) * length
    return a * x + b * y + c * v + d * w, (1 - s) * v + s * w
