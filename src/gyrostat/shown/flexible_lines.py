"""Lines of flexible bodies: beams as tubes that deform, modal bodies as lines to their interfaces."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.simulation.beam_line import BeamLine
from gyrostat.analysis.simulation.recorded import Recorded
from gyrostat.model.evaluator import Evaluator
from gyrostat.pictures.scene import LineKind, Polyline, Reading
from gyrostat.system import System

_LARGEST_RADIUS = 0.05
"""Largest radius with which a beam is drawn, in terms of its length."""


def beam_tubes(system: System, recorded: Recorded, value: Evaluator) -> list[Polyline]:
    """Return each beam as a tube through its axis, as thick as its area and coloured by its bending moment."""
    return [_tube(system, recorded, value, name) for name in system.station_arms]


def _tube(system: System, recorded: Recorded, value: Evaluator, name: str) -> Polyline:
    line = BeamLine.of(system, recorded, name, None)
    beam = system.station_arms[name].beam
    area = max(float(beam.section_at(xi, value).area) for xi in (0.0, 1.0))
    radius = min(np.sqrt(area / np.pi), _LARGEST_RADIUS * float(value(beam.length)))
    moments = np.linalg.norm(line.moments[:, :, 1:], axis=2)
    readings = [Reading("largest bending moment", "N·m", moments.max(axis=1))]
    tones = moments / (float(moments.max()) or 1.0)
    return Polyline(name, LineKind.BEAM, line.world, radius=radius, readings=readings, tones=tones)


def modal_lines(system: System, recorded: Recorded) -> list[Polyline]:
    """Return lines from the roots of modal bodies to their interfaces, since their solids are not known."""
    arms = [joint for joint in system.model.joints.values() if joint.flexible]
    shown = [arm for arm in arms if arm.parent.body not in system.station_arms]
    return [
        Polyline(
            arm.child.body,
            LineKind.LINK,
            np.stack([recorded.position(end).T for end in (arm.parent, arm.child)], axis=1),
        )
        for arm in shown
    ]
