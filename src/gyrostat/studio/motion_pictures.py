"""Pictures of successive motions of one structure, as numbers change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.pictures.animation.viewpoint import Viewpoint
from gyrostat.shown.trajectory_scene import Scenery, run_scene
from gyrostat.studio.base import scene_message
from gyrostat.studio.messages import StudioMessage

_EXTENT_CHANGE = 0.02
"""The change of the extent, in sizes of the scene, from which a settled motion is drawn again."""


@dataclass
class MotionPictures:
    """Makes messages with the scenes of motions.

    While numbers change, marks keep their sizes and the camera its place: finding the extent of a motion takes longer
    than everything else. `renew` lets the next message find them anew.
    """

    view: Viewpoint | None = None
    """The camera's view of the last motion for which it was found."""
    extent: Viewpoint | None = None
    """The extent of its bodies, by which marks are sized."""
    _due: bool = True

    def forget(self) -> None:
        """Begin with another structure."""
        self.view, self.extent, self._due = None, None, True

    def renew(self) -> None:
        """Let the next message find sizes and view anew."""
        self._due = True

    def settled(self, trajectory: Trajectory) -> bool:
        """Return whether a motion that is shown can stay as it is, because its extent is the one that was found."""
        if self.extent is None or not self._due:
            return not self._due
        found = Scenery.of(trajectory).bodies.extent
        changes = [np.abs(found.low - self.extent.low), np.abs(found.high - self.extent.high)]
        if np.max(changes) > _EXTENT_CHANGE * self.extent.size:
            return False
        self._due = False
        return True

    def message(self, trajectory: Trajectory, plots: Sequence[str] | None, values: Mapping[str, Any]) -> StudioMessage:
        """Return the message with the scene of a motion; `fresh` tells whether its view was found anew."""
        fresh = self._due or self.view is None
        scenery = Scenery.of(trajectory, None if fresh else self.extent)
        scene = run_scene(trajectory, scenery, plots=plots)
        message, self.view = scene_message("motion", scene, None if fresh else self.view, {**values, "fresh": fresh})
        self.extent, self._due = scenery.bodies.extent, False
        return message
