"""Notes on ropes over pulleys whose motion left what their formulas describe: pulleys, grooves, drums, sag."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from gyrostat.analysis.assembly.rope_paths import path_notes
from gyrostat.analysis.simulation.recorded_course import recorded_course
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.analysis.simulation.wrap_watch import notes_on_wraps
from gyrostat.coordinates.arguments import Floats
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import Reeving, RopeElement, Winch
from gyrostat.model.ropes.course import Course

_FLEET = math.radians(4.0)
"""The fleet angle that grooves of sheaves are made for (EN 13001-3-2)."""
_SAG = 1e-3
"""The length that sag adds to a span, relative to it, from which on a straight span is a poor model."""


_SHAPE_TOLERANCE = 1e-6
"""Relative error of a hanging shape from which on a run notes it."""


def notes_on_ropes(trajectory: Trajectory, at_start: list[str] | None) -> Iterator[str]:
    """Yield notes on wrap angles, fleet angles, sag and empty drums.

    `at_start` are notes on the paths at the start, None where they are not known yet.
    """
    system, parameters = trajectory.system, trajectory.motion.segments[0].parameters
    if at_start is None:
        driving = {name: float(trajectory[name].values[0]) for name in system.model.driving_inputs}
        q, t = trajectory.motion.states.q[0], float(trajectory.time[0])
        at_start = path_notes(system, q, t, parameters, driving)
    for note in at_start:
        yield f"{note[0].upper()}{note[1:]}"
    value = system.model.evaluator(system.model.values(parameters))
    for rope in system.ropes:
        if isinstance(rope, RopeElement):
            course, _ = recorded_course(rope, system, trajectory.recorded, value)
            yield from notes_on_wraps(rope, course, trajectory.time)
            yield from _notes_on_grooves(rope, course, trajectory.time)
            if isinstance(rope, Reeving) and rope.sag:
                yield from _notes_on_shape(rope, trajectory)
            elif isinstance(rope, Reeving) and rope.has_mass:
                yield from _notes_on_sag(rope, course, trajectory, value)
        elif isinstance(rope, Winch) and rope.joint is not None and rope.turns is not None:
            yield from _notes_on_drum(rope, trajectory, value)


def _notes_on_grooves(rope: RopeElement, course: Course, times: Floats) -> Iterator[str]:
    """Yield a note on each pulley that the rope meets at a larger fleet angle than its groove holds."""
    for arc in course.arcs:
        legs = [leg for leg in (arc.arriving, arc.leaving) if leg is not None and leg.span is not None]
        for span in (leg.span for leg in legs if leg.span is not None and not leg.span.flat):
            along = np.stack([np.broadcast_to(x, times.shape) for x in span.unit])
            axis = np.stack([np.broadcast_to(x, times.shape) for x in arc.station.axis])
            angle = np.abs(np.arcsin(np.clip((along * axis).sum(axis=0), -1.0, 1.0)))
            at = int(np.argmax(angle))
            if angle[at] > _FLEET:
                yield (
                    f"Rope {rope.name!r} meets pulley {arc.name!r} at a fleet angle of "
                    f"{math.degrees(angle[at]):.3g}° at t = {times[at]:.6g} s; grooves hold ropes up to about "
                    f"{math.degrees(_FLEET):.0f}°. The motion goes on as if this one held it: let the sheave swivel, "
                    "or move it."
                )
                break


def _notes_on_shape(rope: Reeving, trajectory: Trajectory) -> Iterator[str]:
    """Yield notes on hanging shapes that were not found, or would lift off a pulley."""
    times, off = trajectory.time, trajectory[f"{rope.name}.mismatch"].values
    at = int(np.argmax(off))
    if not off[at] <= _SHAPE_TOLERANCE:
        yield (
            f"The shape in which rope {rope.name!r} hangs is found to {off[at]:.2g} only at t = {times[at]:.6g} s. A "
            "rope without an end that pulls runs off its pulleys: give it a load, or a length that fits."
        )
    for pulley in rope.pulleys:
        wrap = trajectory[f"{rope.name}.{pulley.name}.wrap"].values
        at = int(np.argmin(wrap))
        if wrap[at] < 0:
            yield (
                f"Rope {rope.name!r} sags off pulley {pulley.name!r} at t = {times[at]:.6g} s (its wrap angle is "
                f"{math.degrees(wrap[at]):.3g}°), but goes on as if the pulley held it. Use a Rope, which lifts off."
            )


def _notes_on_sag(rope: Reeving, course: Course, trajectory: Trajectory, value: Evaluator) -> Iterator[str]:
    """Yield a note on the span that would be longer by sag, w² l³/(24 T²), than a straight one."""
    gravity, times = value.vector(trajectory.system.model.gravity), trajectory.time
    density, whole = float(value(rope.density)), trajectory[f"{rope.name}.unstretched"].values
    slack = trajectory[f"{rope.name}.tension"].values <= 0
    if slack[1:].any():
        at = 1 + int(np.argmax(slack[1:]))
        short = whole[at] - trajectory[f"{rope.name}.length"].values[at]
        yield (
            f"Rope {rope.name!r} has mass and is slack by {short:.3g} m at t = {times[at]:.6g} s; its mass moves as if "
            "it were straight. Use a Rope, whose segments sag."
        )
    for i, leg in enumerate(course.legs):
        length, unit = np.broadcast_to(leg.length, times.shape), leg.leaving
        across = np.cross(np.stack([np.broadcast_to(x, times.shape) for x in unit], axis=1), np.array(gravity, float))
        weight = density * whole / trajectory[f"{rope.name}.length"].values * np.linalg.norm(across, axis=1) * length
        tension = trajectory[f"{rope.name}.span{i + 1}.tension"].values
        taut = tension > 0
        longer = np.where(taut, (weight / np.where(taut, tension, 1.0)) ** 2 / 24, 0.0)
        at = int(np.argmax(longer))
        if longer[at] > _SAG:
            sag = weight[at] * length[at] / (8 * tension[at])
            yield (
                f"Span {i + 1} of rope {rope.name!r} would sag by about {sag:.3g} m at t = {times[at]:.6g} s, with a "
                f"weight across it of {weight[at]:.4g} N and a tension of {tension[at]:.4g} N; straight, it is too "
                f"short by {100 * longer[at]:.2g} %. Give sag=True, or use a Rope, whose segments sag."
            )


def _notes_on_drum(winch: Winch, trajectory: Trajectory, value: Evaluator) -> Iterator[str]:
    """Yield a note on a drum that pays out more rope than it holds."""
    assert winch.joint is not None, "a winch with a drum"
    assert winch.turns is not None, "of known turns"
    angle, times = trajectory[winch.joint].values, trajectory.time
    whole = 2 * math.pi * float(value(winch.turns)) * winch.layers
    if (angle > whole).any():
        at = int(np.argmax(angle > whole))
        holds = winch.paid_out(whole, lambda formula: float(value(formula)))
        yield (
            f"The drum of winch {winch.name!r} is empty at t = {times[at]:.6g} s: {winch.joint} is {angle[at]:.4g} "
            f"rad, and all {holds:.4g} m are paid out at {whole:.4g} rad. Stop it there, or give more turns or layers."
        )
