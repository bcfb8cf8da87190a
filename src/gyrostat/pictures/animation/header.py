"""A scene as the page reads it: a header of plain values and a text of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.pictures.animation.coding import CodedArray, exact, joined, stepped
from gyrostat.pictures.animation.thinning import frames_to_keep, signal_frames
from gyrostat.pictures.animation.viewpoint import Viewpoint, viewpoint
from gyrostat.pictures.rotation import quaternion_of
from gyrostat.pictures.scene.annotations import Reading
from gyrostat.pictures.scene.scene import Scene
from gyrostat.pictures.scene.shape import SceneShape, ShapeKind

FORMAT = 1
"""The version of this layout; the page refuses others (`scene_data.js`)."""

_TONE_STEP = 1 / 255
"""The step of colours along a line."""
_QUATERNION_STEP = 2.0**-15  # 0.003 degrees
_SIGNAL_STEPS = 2.0**16  # over the range of a curve
_GRAIN_STEPS = 4000.0  # along the size of the scene
_MESH_STEPS = 2.0**14  # along the largest side of a mesh
_STEP_LIMIT = 800  # from beginning to end, with the arrow keys


def page_data(scene: Scene) -> tuple[dict[str, Any], str]:
    """Return the header and the text of the arrays."""
    view = viewpoint(scene)
    kept = frames_to_keep(scene, view)
    signals: list[NDArray[np.float64]] = []
    header = _header(scene, view, signals)
    header["kept"] = [len(kept), scene.frames]
    header["arrays"], text = joined(_arrays(scene, view, kept, signals))
    return header, text


def plain_data(scene: Scene, view: Viewpoint) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header, and all arrays as they are: all frames, in floats of 32 bits but for times."""
    signals: list[NDArray[np.float64]] = []
    header = _header(scene, view, signals)
    header["kept"] = [scene.frames, scene.frames]
    arrays: dict[str, NDArray[Any]] = {
        "times": scene.times,
        "positions": scene.positions().astype(np.float32),
        "quaternions": _continued(scene.quaternions()).astype(np.float32),
        "signal_times": scene.times,
    }
    for k, body in enumerate(scene.bodies):
        if body.tones is not None:
            arrays[f"body_tone{k}"] = body.tones[:, None].astype(np.float32)
    for k, grains in enumerate(scene.grains):
        arrays[f"grain_times{k}"], arrays[f"grain_radii{k}"] = grains.times, grains.radii
        arrays[f"grain_points{k}"] = grains.positions.astype(np.float32)
    for k, line in enumerate(scene.lines):
        arrays[f"line{k}"] = np.broadcast_to(line.points, (scene.frames, *line.points.shape[-2:])).astype(np.float32)
        if line.tones is not None:
            arrays[f"tone{k}"] = line.tones.astype(np.float32)
    for k, shape in enumerate(_meshes(scene)):
        arrays[f"vertices{k}"] = shape.dimensions["vertices"].astype(np.float32)
        arrays[f"triangles{k}"] = shape.dimensions["triangles"].astype(np.float32)
    for k, signal in enumerate(signals):
        arrays[f"signal{k}"] = np.broadcast_to(signal, (scene.frames,)).astype(np.float32)
    return header, arrays


def _header(scene: Scene, view: Viewpoint, signals: list[NDArray[np.float64]]) -> dict[str, Any]:
    """Return everything but arrays; curves are put in `signals` and referred to by their number."""

    def number(values: NDArray[np.float64]) -> int:
        signals.append(values)
        return len(signals) - 1

    def readings(given: Sequence[Reading]) -> list[dict[str, Any]]:
        return [{"label": r.label, "unit": r.unit, "signal": number(r.values)} for r in given]

    index = {(body.run, body.name): k for k, body in enumerate(scene.bodies)}
    runs = list(scene.runs)
    duration = float(scene.times[-1] - scene.times[0])
    return {
        "format": FORMAT,
        "title": scene.title,
        "step": duration / min(max(1, scene.frames - 1), _STEP_LIMIT),
        "up": view.up.tolist(),
        "direction": view.direction.tolist(),
        "outline": view.outline.tolist(),
        "low": view.low.tolist(),
        "high": view.high.tolist(),
        "size": view.size,
        "gravity": scene.gravity.tolist(),
        "follow": -1 if view.follow is None else view.follow,
        "travel": float(np.linalg.norm(np.ptp(view.swept, axis=0))) if view.follow is not None else 0.0,
        "floor": scene.floor,
        "beside": scene.beside,
        "poster": scene.poster,
        "scale": None if scene.scale is None else asdict(scene.scale),
        "runs": runs,
        **_parts(scene, runs, index, readings),
        "paths": [
            {
                "name": path.name,
                "run": _place(path.run, runs),
                "body": index[path.run, path.body],
                "point": path.point.tolist(),
                "colour": path.colour,
            }
            for path in scene.paths
        ],
        "plots": [
            {
                "label": plot.label,
                "unit": plot.unit,
                "series": [{**_series(name, runs), "signal": number(values)} for name, values in plot.series.items()],
            }
            for plot in scene.plots
        ],
        "events": [{"time": event.time, "name": event.name} for event in sorted(scene.events, key=lambda e: e.time)],
    }


def _parts(
    scene: Scene,
    runs: list[str],
    index: dict[tuple[str, str], int],
    readings: Callable[[Sequence[Reading]], list[dict[str, Any]]],
) -> dict[str, Any]:
    """Return bodies, lines and joints."""
    meshes = _meshes(scene)
    return {
        "meshes": len(meshes),
        "bodies": [
            {
                "name": body.name,
                "run": _place(body.run, runs),
                "colour": body.colour,
                "shapes": [_shape(shape, meshes) for shape in body.shapes],
                "readings": readings(body.readings),
            }
            for body in scene.bodies
        ],
        "lines": [
            {
                "name": line.name,
                "run": _place(line.run, runs),
                "kind": line.kind.value,
                "colour": line.colour,
                "radius": line.radius,
                "lengths": list(line.lengths()),
                "readings": readings(line.readings),
            }
            for line in scene.lines
        ],
        "grains": [{"name": one.name, "run": _place(one.run, runs), "colour": one.colour} for one in scene.grains],
        "joints": [
            {
                "name": joint.name,
                "run": _place(joint.run, runs),
                "mark": joint.mark.value,
                "share": joint.share,
                "body": index.get((joint.run, joint.body), -1),
                "point": joint.point.tolist(),
                "axis": (joint.axis / np.linalg.norm(joint.axis)).tolist(),
                "readings": readings(joint.readings),
            }
            for joint in scene.joints
        ],
    }


def _arrays(
    scene: Scene, view: Viewpoint, kept: NDArray[np.intp], signals: list[NDArray[np.float64]]
) -> dict[str, CodedArray]:
    """Return all arrays, frame after frame."""
    step = min(view.size / 20_000, view.detail / 500)
    positions, quaternions = scene.positions()[kept], scene.quaternions()[kept]
    hidden = ~(np.isfinite(positions).all(axis=2) & np.isfinite(quaternions).all(axis=2))
    positions[hidden], quaternions[hidden] = np.nan, np.nan
    arrays = {
        "times": exact(scene.times[kept]),
        "positions": stepped(positions, step),
        "quaternions": stepped(_continued(quaternions), _QUATERNION_STEP),
    }
    for k, body in enumerate(scene.bodies):
        if body.tones is not None:
            arrays[f"body_tone{k}"] = stepped(body.tones[kept][:, None], _TONE_STEP)
    for k, line in enumerate(scene.lines):
        points = (
            line.points[kept] if line.points.ndim > 2 else np.broadcast_to(line.points, (len(kept), *line.points.shape))
        )
        arrays[f"line{k}"] = stepped(points, step)
        if line.tones is not None:
            arrays[f"tone{k}"] = stepped(line.tones[kept], _TONE_STEP)
    for k, shape in enumerate(_meshes(scene)):
        vertices = shape.dimensions["vertices"]
        fine = float(np.ptp(vertices, axis=0).max()) / _MESH_STEPS or 1.0
        arrays[f"vertices{k}"] = stepped(vertices, fine)
        arrays[f"triangles{k}"] = stepped(shape.dimensions["triangles"], 1.0)
    for k, grains in enumerate(scene.grains):
        arrays[f"grain_times{k}"] = exact(grains.times)
        arrays[f"grain_points{k}"] = stepped(grains.positions, view.size / _GRAIN_STEPS)
        arrays[f"grain_radii{k}"] = exact(grains.radii)
    drawn = signal_frames(scene, signals)
    arrays["signal_times"] = exact(scene.times[drawn])
    for k, signal in enumerate(signals):
        arrays[f"signal{k}"] = _signal(signal[drawn])
    return arrays


def _signal(values: NDArray[np.float64]) -> CodedArray:
    """Code a curve in steps that suit its values; a constant curve needs no fine steps."""
    seen = values[np.isfinite(values)]
    largest = float(np.abs(seen).max(initial=0.0))
    spread = float(np.ptp(seen)) if len(seen) else 0.0
    return stepped(values, max(spread / _SIGNAL_STEPS, largest / 2.0**29) or 1.0)


def _continued(quaternions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the same rotations with signs chosen so that quaternions are continuous from frame to frame."""
    turned = np.nan_to_num((quaternions[1:] * quaternions[:-1]).sum(axis=-1)) < 0
    signs = np.cumprod(np.where(turned, -1.0, 1.0), axis=0)
    return np.asarray(np.concatenate((quaternions[:1], signs[..., None] * quaternions[1:])))


def _shape(shape: SceneShape, meshes: list[SceneShape]) -> dict[str, Any]:
    if shape.kind is ShapeKind.MESH:
        dimensions: dict[str, Any] = {"mesh": meshes.index(next(one for one in meshes if _same_mesh(one, shape)))}
    else:
        dimensions = {name: value.tolist() for name, value in shape.dimensions.items()}
    return {
        "kind": shape.kind.value,
        **dimensions,
        "position": shape.position.tolist(),
        "quaternion": quaternion_of(shape.rotation).tolist(),
        "colour": shape.colour,
        "opacity": shape.opacity,
    }


def _meshes(scene: Scene) -> list[SceneShape]:
    """Return the meshes of a scene, those that are the same once."""
    found: dict[int, list[SceneShape]] = {}
    for body in scene.bodies:
        for shape in body.shapes:
            if shape.kind is ShapeKind.MESH:
                alike = found.setdefault(len(shape.dimensions["vertices"]), [])
                if not any(_same_mesh(one, shape) for one in alike):
                    alike.append(shape)
    return [shape for alike in found.values() for shape in alike]


def _same_mesh(a: SceneShape, b: SceneShape) -> bool:
    if a is b:
        return True
    kinds = a.kind is ShapeKind.MESH and b.kind is ShapeKind.MESH
    return kinds and all(np.array_equal(a.dimensions[name], b.dimensions[name]) for name in ("vertices", "triangles"))


def _place(run: str, runs: list[str]) -> int:
    return runs.index(run) if run in runs else 0


def _series(name: str, runs: list[str]) -> dict[str, Any]:
    """Return a series' name and, in an overlay where it is called "run: series", the number of its run."""
    for k, run in enumerate(runs):
        if name.startswith(f"{run}: "):
            return {"name": name.removeprefix(f"{run}: "), "run": k}
    return {"name": name, "run": None}
