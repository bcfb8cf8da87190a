"""Racks of rack-and-pinion constraints, as lines."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.simulation.recorded import Recorded
from gyrostat.kinematics.placement import place_on_body
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints import Joint
from gyrostat.pictures.scene import JointMark, LineKind, Polyline
from gyrostat.shown.attachments import joint_mark
from gyrostat.system import System


def rack_line(
    name: str, rack: Joint, pinion: Joint, system: System, recorded: Recorded, value: Evaluator
) -> Polyline | None:
    """Return a rack along its slide, from the body that it moves to the pinion; None without a slide."""
    mark = joint_mark(rack, value)
    if mark is None or mark[0] != JointMark.SLIDER:
        return None
    R_BE, _ = place_on_body(system.model, rack.parent, value)
    axis = recorded.body_rotations(rack.parent.body) @ (R_BE @ mark[1] / np.linalg.norm(mark[1]))
    place, wheel = recorded.position(rack.child).T, recorded.position(pinion.child).T
    touch = place + np.einsum("ni,ni->n", axis, wheel - place)[:, None] * axis
    return Polyline(name, LineKind.LINK, np.stack([place, touch], axis=1))
