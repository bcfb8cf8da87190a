"""Places at which bodies are held: ends of joints, forces, constraints and ropes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from gyrostat.model import Model
from gyrostat.model.constraints import KnifeEdge, PointOnPlane, RollingDisc, RollingSphere
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import Contact, Contacts, RigidContact, SheaveContact, Tyre
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End
from gyrostat.model.record import Record
from gyrostat.model.ropes import Pulley
from gyrostat.pictures.scene import JointMark

_REFERENCE_FIELDS = frozenset({"axes", "reaction", "relative_to", "plane", "ground", "line", "curve"})
"""Fields whose ends give a direction, a reference or a surface, not a place at which something is fastened."""
_TOUCHING_TYPES = (
    *(Contact, Contacts, RigidContact, SheaveContact, Tyre),
    *(KnifeEdge, PointOnPlane, RollingDisc, RollingSphere),
)
"""Components that touch a body wherever it is."""


def joint_mark(joint: Joint, value: Evaluator) -> tuple[JointMark, NDArray[np.float64]] | None:
    """Return how a joint is marked and its axis in the axes of C, from its free modes.

    Free motion and the arms of flexible bodies, which are no joints that a person would see, have no mark.
    """
    if joint.flexible:
        return None
    modes = joint.motion_space([coordinate.rest for coordinate in joint.coordinates], value)
    turning = np.array([mode.angular for mode in modes], dtype=float).reshape(-1, 3)
    sliding = np.array([mode.linear for mode in modes], dtype=float).reshape(-1, 3)
    ranks = (_rank(turning), _rank(sliding))
    axis = next((mode for mode in (*turning, *sliding) if mode.any()), np.array([0.0, 0.0, 1.0]))
    match ranks:
        case (3, 3):
            return None
        case (1, 0):
            return JointMark.HINGE, axis
        case (0, 1):
            return JointMark.SLIDER, axis
        case (1, 1):
            return JointMark.SLEEVE, axis
        case (1, 2) | (0, 2):
            return JointMark.PLATE, axis if ranks[0] else np.cross(sliding[0], sliding[1])
        case (2, 0) | (3, 0):
            return JointMark.BALL, axis
    return JointMark.DOT, axis


def _rank(rows: NDArray[np.float64]) -> int:
    """Return the rank of rows; that of a single one without a decomposition, which most joints have."""
    return int(np.linalg.matrix_rank(rows)) if len(rows) > 1 else int(rows.any())


def attachments(model: Model, value: Evaluator) -> dict[str, list[End]]:
    """Return the places by body at which something is fastened to it, without those along which a joint slides."""
    found: dict[str, list[End]] = {}
    for end in _all_ends(model, value):
        places = found.setdefault(end.body, [])
        if end not in places:
            places.append(end)
    return found


def _all_ends(model: Model, value: Evaluator) -> Iterator[End]:
    for joint in model.joints.values():
        mark = joint_mark(joint, value)
        if mark is None:
            continue
        yield joint.child
        if mark[0] in (JointMark.HINGE, JointMark.BALL) or not joint.coordinates:
            yield joint.parent
    for component in (*model.forces.values(), *model.constraints.values()):
        if not isinstance(component, _TOUCHING_TYPES):
            yield from _ends(component)


def _ends(record: Record) -> Iterator[End]:
    """Yield the ends in the fields of a record, those of pulleys included."""
    for field in fields(record):
        if field.name in _REFERENCE_FIELDS or "kind" not in field.metadata:
            continue
        held = getattr(record, field.name)
        for one in held if isinstance(held, tuple) else (held,):
            if isinstance(one, End):
                yield one
            elif isinstance(one, Pulley):
                yield one.frame
