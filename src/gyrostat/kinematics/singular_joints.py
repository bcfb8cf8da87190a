"""Coordinates that are singular at a position: linearly dependent speeds of a joint, as in gimbal lock.

In a tree, coordinates are singular where those of a single joint are: where its motion space has fewer dimensions
than the joint has speeds.
"""

from __future__ import annotations

import numpy as np

from gyrostat.coordinates import JointLayout
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.formula import Formula
from gyrostat.model.joints import Joint
from gyrostat.scalar import Scalar

_RANK_TOLERANCE = 1e-9
"""The length of a motion, relative to the longest of its joint, below which it counts as zero."""


def idle_speeds(motion: WorldMotion) -> dict[str, tuple[str, ...]]:
    """Return by joint the linearly dependent speeds at a position, as numbers; empty at a regular position."""
    coordinates = motion.tree.coordinates
    found = {name: _idle(motion, joint, coordinates.joints[name]) for name, joint in coordinates.elements.items()}
    return {name: idle for name, idle in found.items() if idle}


def _idle(motion: WorldMotion, joint: Joint, layout: JointLayout) -> tuple[str, ...]:
    free = [i for i, place in enumerate(layout.speeds) if isinstance(place, int)]
    if len(free) < 2 or joint.flexible:  # coordinates of a flexible body move its other sections as well
        return ()
    value = motion.tree.value
    q: list[Scalar] = []
    for coordinate, place in zip(joint.coordinates, layout.coordinates, strict=True):
        if isinstance(place, Formula):
            q.append(motion.state.in_time(place, value).value)
        else:
            q.append(coordinate.rest if place is None else motion.state.q[place])
    modes = joint.motion_space(q, value)
    columns = np.array([(*modes[i].angular, *modes[i].linear) for i in free], dtype=float).T
    _, sizes, turned = np.linalg.svd(columns, full_matrices=False)
    if sizes[-1] > _RANK_TOLERANCE * sizes[0]:
        return ()
    return tuple(joint.speed_names[i] for i, share in zip(free, turned[-1], strict=True) if abs(share) > 1e-3)


def singular_coordinates_message(idle: dict[str, tuple[str, ...]]) -> str:
    """Return a sentence on joints whose coordinates are singular, and the remedy."""
    joint, speeds = next(iter(idle.items()))
    listed = f"{', '.join(map(repr, speeds[:-1]))} and {speeds[-1]!r} together move"
    return (
        f"The coordinates of {joint!r} are singular at this position: {listed} nothing. Begin where they are not, or "
        "use other coordinates: formulate(model, 'branch')."
    )
