"""The scene: everything that an animation shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from gyrostat.errors import PictureError
from gyrostat.pictures.scene.annotations import ColourScale, Plot, ScenePath
from gyrostat.pictures.scene.body import SceneBody
from gyrostat.pictures.scene.checks import Floats, finite, float_array
from gyrostat.pictures.scene.grains import SceneGrains
from gyrostat.pictures.scene.joint import SceneJoint
from gyrostat.pictures.scene.polyline import Polyline


@dataclass(frozen=True)
class SceneEvent:
    """An event at a time (s), such as an impact or a switch."""

    time: float
    name: str

    def __post_init__(self) -> None:
        if not np.isfinite(self.time):
            raise PictureError(f"Event {self.name!r} has the time {self.time}; give a finite one.")


@dataclass(frozen=True, eq=False)
class Scene:
    """Bodies, lines and marks over N frames at `times` (N,), in seconds, not decreasing.

    Two frames may have the same time: a jump. `gravity` (m/s²) defines downwards; without it, z is up. `view` is a
    direction from the scene to the camera; without it, one is chosen that suits the motion. `runs` names the runs that
    are compared, in the order of their colours; it is empty for a single run. See `overlay`. With `beside` they are
    drawn side by side at first. `floor` is the height of the ground, measured upwards from the origin; without it a
    small piece is drawn below the motion. `scale` tells what the tones of bodies mean. `poster` is the time at which
    an animation opens, paused.
    """

    title: str
    times: Floats
    bodies: Sequence[SceneBody] = ()
    lines: Sequence[Polyline] = ()
    joints: Sequence[SceneJoint] = ()
    paths: Sequence[ScenePath] = ()
    plots: Sequence[Plot] = ()
    events: Sequence[SceneEvent] = ()
    gravity: Floats = field(default_factory=lambda: np.zeros(3))
    view: Floats | None = None
    runs: tuple[str, ...] = ()
    grains: Sequence[SceneGrains] = ()
    beside: bool = False
    floor: float | None = None
    scale: ColourScale | None = None
    poster: float | None = None

    def __post_init__(self) -> None:
        item = f"Scene {self.title!r}"
        times = float_array(item, "times", self.times, (None,))
        gravity = float_array(item, "components of gravity", self.gravity, (3,))
        if not len(times):
            raise PictureError(f"{item} has no frames: there is nothing to animate. Give at least one time.")
        finite(item, "times", times)
        finite(item, "the components of gravity", gravity)
        if (np.diff(times) < 0).any():
            raise PictureError(
                f"{item}: its times go back at frame {int(np.argmax(np.diff(times) < 0)) + 1}; sort them."
            )
        for name in ("bodies", "lines", "joints", "paths", "plots", "events", "runs", "grains"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "gravity", gravity)
        if self.view is not None:
            view = float_array(item, "components of the view", self.view, (3,))
            finite(item, "the components of the view", view)
            if not view.any():
                raise PictureError(f"{item}: its view has no direction; give one, or none.")
            object.__setattr__(self, "view", view)
        if self.poster is not None and not times[0] <= self.poster <= times[-1]:
            raise PictureError(
                f"{item}: its poster is at {self.poster:g} s; choose a time from {times[0]:g} to {times[-1]:g} s."
            )
        self._check(item, len(times))

    def _check(self, item: str, frames: int) -> None:
        if not self.bodies and not self.lines and not self.grains:
            raise PictureError(f"{item} has neither bodies nor lines: there is nothing to draw. Add some.")
        for owner, array, still in self._arrays():
            if array.ndim > still and len(array) != frames:
                raise PictureError(f"{item}: {owner} has {len(array)} frames, but there are {frames} times.")
        keys = Counter((body.run, body.name) for body in self.bodies)
        for (_, name), count in keys.items():
            if count > 1:
                raise PictureError(f"{item}: {count} bodies are named {name!r}; give each a name of its own.")
        for kind, marks in (("joint", self.joints), ("path", self.paths)):
            for mark in marks:
                if (mark.run, mark.body) not in keys and not (kind == "joint" and not mark.body):
                    known = ", ".join(repr(name) for run, name in keys if run == mark.run) or "none"
                    raise PictureError(
                        f"{item}: {kind} {mark.name!r} is on body {mark.body!r}, which does not exist. Known: {known}."
                    )

    def _arrays(self) -> Iterator[tuple[str, Floats, int]]:
        """Yield all arrays over time with the owner's name and the dimensions of one frame."""
        for body in self.bodies:
            yield f"body {body.name!r}", body.positions, 1
            yield f"body {body.name!r}", body.quaternions, 1
            if body.tones is not None:
                yield f"body {body.name!r}", body.tones, 0
        for line in self.lines:
            yield f"line {line.name!r}", line.points, 2
        owners: list[SceneBody | Polyline | SceneJoint] = [*self.bodies, *self.lines, *self.joints]
        for owner in owners:
            for reading in owner.readings:
                yield f"reading {reading.label!r} of {owner.name!r}", reading.values, 0
        for plot in self.plots:
            for name, values in plot.series.items():
                yield f"series {name!r} of plot {plot.label!r}", values, 0

    @property
    def frames(self) -> int:
        """The number of frames N."""
        return len(self.times)

    def positions(self) -> Floats:
        """Return the positions of all bodies, (N, bodies, 3)."""
        return stacked([body.positions for body in self.bodies], self.frames, 3)

    def quaternions(self) -> Floats:
        """Return the quaternions of all bodies, (N, bodies, 4)."""
        return stacked([body.quaternions for body in self.bodies], self.frames, 4)


def stacked(arrays: list[Floats], frames: int, width: int) -> Floats:
    """Return arrays (N, width) or (width,) side by side as one of (N, count, width)."""
    whole = np.empty((frames, len(arrays), width))
    for k, array in enumerate(arrays):
        whole[:, k] = array
    return whole
