"""Several runs in one scene, for comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np

from gyrostat.errors import PictureError
from gyrostat.pictures.interpolation import Moments
from gyrostat.pictures.scene.annotations import Plot, Reading
from gyrostat.pictures.scene.body import SceneBody
from gyrostat.pictures.scene.checks import Floats
from gyrostat.pictures.scene.joint import SceneJoint
from gyrostat.pictures.scene.polyline import Polyline
from gyrostat.pictures.scene.scene import Scene, SceneEvent

_Marked = TypeVar("_Marked", SceneBody, Polyline, SceneJoint)


def overlay(runs: Mapping[str, Scene], title: str | None = None, *, beside: bool = False) -> Scene:
    """Return one scene that shows several runs at once, each under its name: superimposed, or `beside` each other.

    Their frames are brought to common times by interpolation. A run is not shown before it begins or after it ends.
    Plots of the same label are drawn in one diagram.
    """
    if not runs:
        raise PictureError("An overlay without runs was requested: there is nothing to compare. Give scenes by name.")
    scenes = [_named(scene, name) for name, scene in runs.items()]
    first = next(iter(runs.values()))
    times = _common_times(scenes)
    scenes = [_at(scene, times) for scene in scenes]
    return Scene(
        title=first.title if title is None else title,
        times=times,
        bodies=[body for scene in scenes for body in scene.bodies],
        lines=[line for scene in scenes for line in scene.lines],
        joints=[joint for scene in scenes for joint in scene.joints],
        paths=[path for scene in scenes for path in scene.paths],
        plots=_merged_plots(dict(zip(runs, scenes, strict=True))),
        events=[event for scene in scenes for event in scene.events],
        gravity=first.gravity,
        view=first.view,
        runs=tuple(runs),
        grains=[one for scene in scenes for one in scene.grains],
        beside=beside,
        floor=first.floor,
        scale=first.scale,
        poster=first.poster,
    )


def _named(scene: Scene, run: str) -> Scene:
    """Return a scene whose parts all belong to a run."""
    if scene.runs:
        raise PictureError(f"Run {run!r} is an overlay itself; give the scenes of single runs.")
    return replace(
        scene,
        bodies=[replace(body, run=run) for body in scene.bodies],
        lines=[replace(line, run=run) for line in scene.lines],
        joints=[replace(joint, run=run) for joint in scene.joints],
        paths=[replace(path, run=run) for path in scene.paths],
        grains=[replace(one, run=run) for one in scene.grains],
        events=[SceneEvent(event.time, f"{run}: {event.name}") for event in scene.events],
    )


def _common_times(scenes: list[Scene]) -> Floats:
    """Return the times of all runs together; those that all share are kept as they are, with their jumps."""
    first = scenes[0].times
    if all(np.array_equal(scene.times, first) for scene in scenes):
        return first
    return np.unique(np.concatenate([scene.times for scene in scenes]))


def _at(scene: Scene, times: Floats) -> Scene:
    """Return a scene at other times."""
    if np.array_equal(scene.times, times):
        return scene
    moments = Moments.between(scene.times, times)

    def read(owner: _Marked) -> list[Reading]:
        return [replace(reading, values=moments.linear(reading.values)) for reading in owner.readings]

    def move(body: SceneBody) -> SceneBody:
        positions, quaternions = body.positions, body.quaternions
        return replace(
            body,
            positions=moments.linear(np.broadcast_to(positions, (scene.frames, 3))),
            quaternions=moments.rotations(np.broadcast_to(quaternions, (scene.frames, 4))),
            readings=read(body),
            tones=None if body.tones is None else np.nan_to_num(moments.linear(body.tones)),
        )

    def bend(line: Polyline) -> Polyline:
        points = line.points
        whole = np.broadcast_to(points, (scene.frames, *points.shape[-2:]))
        tones = None if line.tones is None else np.nan_to_num(moments.linear(line.tones))
        return replace(line, points=moments.linear(whole), readings=read(line), tones=tones)

    return replace(
        scene,
        times=times,
        bodies=[move(body) for body in scene.bodies],
        lines=[bend(line) for line in scene.lines],
        joints=[replace(joint, readings=read(joint)) for joint in scene.joints],
        plots=[
            replace(plot, series={name: moments.linear(y) for name, y in plot.series.items()}) for plot in scene.plots
        ],
    )


def _merged_plots(runs: Mapping[str, Scene]) -> list[Plot]:
    """Return plots with the series of all runs, named "run: series"."""
    merged: dict[tuple[str, str], dict[str, object]] = {}
    for run, scene in runs.items():
        for plot in scene.plots:
            held = merged.setdefault((plot.label, plot.unit), {})
            held.update({f"{run}: {name}": values for name, values in plot.series.items()})
    return [Plot(label, unit, series) for (label, unit), series in merged.items()]  # type: ignore[arg-type]
