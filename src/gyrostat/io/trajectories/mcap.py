"""Trajectories as logs of MCAP, which Foxglove and tools of ROS read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.errors import GyrostatError
from gyrostat.results.whole_file import require_writable, whole_file
from gyrostat.shown.trajectory_scene import trajectory_scene

_NUMBERS = {"type": "object", "additionalProperties": {"type": "number"}}
_TIME = {"type": "object", "properties": {"sec": {"type": "integer"}, "nsec": {"type": "integer"}}}


def export_mcap(trajectory: Trajectory, path: str | os.PathLike[str], *outputs: str, force: bool = False) -> Path:
    """Write the poses of all bodies and outputs over time to an .mcap file, and return its path.

    The topic `/tf` has messages of the schema foxglove.FrameTransforms, the topic `/signals` the outputs by name; by
    default these are all coordinates, speeds, states and inputs. It needs the package mcap, the extra `mcap`. With
    `force`, an existing file is replaced.
    """
    try:
        from mcap.writer import Writer  # an extra
    except ImportError:
        raise GyrostatError(
            "MCAP is written by the package mcap, which is not installed. pip install 'gyrostat[mcap]'"
        ) from None
    target = require_writable(path, force=force)
    if target.suffix.lower() != ".mcap":
        raise GyrostatError(f"{target.name}: a log of MCAP is written to a file that ends in .mcap.")
    scene, table = trajectory_scene(trajectory), trajectory.to_pandas(*outputs)
    positions, quaternions = scene.positions(), scene.quaternions()
    with whole_file(target, force=force) as part, part.open("wb") as stream:
        writer = Writer(stream)
        writer.start(library="gyrostat")
        frames = _channel(writer, "/tf", "foxglove.FrameTransforms", _transforms_schema())
        signals = _channel(writer, "/signals", "gyrostat.Signals", _NUMBERS)
        for i, t in enumerate(scene.times):
            poses = [
                _transform(float(t), body.name, positions[i, k], quaternions[i, k])
                for k, body in enumerate(scene.bodies)
            ]
            _message(writer, frames, float(t), {"transforms": poses})
        for t, row in zip(table.index, table.to_numpy(), strict=True):
            _message(writer, signals, float(t), dict(zip(table.columns, map(float, row), strict=True)))
        writer.finish()
    return target


def _channel(writer: Any, topic: str, name: str, schema: dict[str, Any]) -> int:
    number = writer.register_schema(name=name, encoding="jsonschema", data=json.dumps(schema).encode())
    return int(writer.register_channel(topic=topic, message_encoding="json", schema_id=number))


def _message(writer: Any, channel: int, t: float, content: dict[str, Any]) -> None:
    stamp = round(t * 1e9)
    writer.add_message(
        channel_id=channel, log_time=max(stamp, 0), publish_time=max(stamp, 0), data=json.dumps(content).encode()
    )


def _transform(t: float, name: str, position: Any, quaternion: Any) -> dict[str, Any]:
    stamp = max(round(t * 1e9), 0)
    e0, e1, e2, e3 = (float(e) for e in quaternion)
    return {
        "timestamp": {"sec": stamp // 10**9, "nsec": stamp % 10**9},
        "parent_frame_id": "world",
        "child_frame_id": name,
        "translation": dict(zip("xyz", map(float, position), strict=True)),
        "rotation": {"x": e1, "y": e2, "z": e3, "w": e0},
    }


def _transforms_schema() -> dict[str, Any]:
    numbers = {name: {"type": "object"} for name in ("translation", "rotation")}
    text = {name: {"type": "string"} for name in ("parent_frame_id", "child_frame_id")}
    one = {"type": "object", "properties": {"timestamp": _TIME, **text, **numbers}}
    return {"type": "object", "properties": {"transforms": {"type": "array", "items": one}}}
