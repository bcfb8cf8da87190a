"""Initial states from keyframes of a compiled model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gyrostat.errors import Fault, ModelFileError
from gyrostat.io.mjcf.import_record import BALL, FREE, ImportRecord
from gyrostat.io.places import numbers, rotated
from gyrostat.model.joints import Free
from gyrostat.model.kinds import FrozenMapping
from gyrostat.model.names import did_you_mean


def start_at(found: ImportRecord, keyframe: str, file: str) -> None:
    """Give all joints the coordinates and speeds of a keyframe as initial values."""
    m = found.m
    known = [m.key(i).name for i in range(m.nkey)]
    if keyframe not in known:
        raise ModelFileError(Fault(file, f"it has no keyframe {keyframe!r}.", did_you_mean(keyframe, known)))
    key = known.index(keyframe)
    for j, name in found.joints.items():
        q, dof = int(m.jnt_qposadr[j]), int(m.jnt_dofadr[j])
        qpos, qvel = m.key_qpos[key][q : q + 7], m.key_qvel[key][dof : dof + 6]
        joint = found.model.joints[name]
        if m.jnt_type[j] == FREE:
            slide = found.model.joints.get(f"{name}_position")
            turned = numbers(qpos[3:7] / np.linalg.norm(qpos[3:7]))
            initial = dict(zip(("e0", "e1", "e2", "e3"), turned, strict=True))
            initial |= dict(zip(("w1", "w2", "w3"), numbers(qvel[3:6]), strict=True))
            moved = dict(zip("xyz", numbers(qpos[:3]), strict=True))
            if isinstance(joint, Free):
                back = np.array([turned[0], *(-x for x in turned[1:])])
                initial |= moved | dict(zip(("v1", "v2", "v3"), numbers(rotated(back, qvel[:3])), strict=True))
            elif slide is not None:
                rates = {f"{axis}.rate": v for axis, v in zip("xyz", numbers(qvel[:3]), strict=True)}
                found.model.replace(replace(slide, initial=FrozenMapping(moved | rates)))
        elif m.jnt_type[j] == BALL:
            turned = numbers(qpos[:4] / np.linalg.norm(qpos[:4]))
            initial = dict(zip(("e0", "e1", "e2", "e3"), turned, strict=True))
            initial |= dict(zip(("w1", "w2", "w3"), numbers(qvel[:3]), strict=True))
        else:
            initial = {"": float(qpos[0]), "rate": float(qvel[0])}
        found.model.replace(replace(joint, initial=FrozenMapping(initial)))
