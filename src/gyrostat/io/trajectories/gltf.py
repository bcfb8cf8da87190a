"""Trajectories as animations in glTF 2.0, in one binary file (.glb), which Blender and viewers read.

Each body is a node with a translation and a rotation over time; its shapes are the meshes of stills. The format has y
up: a root node turns the scene there.
"""

from __future__ import annotations

import json
import os
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.errors import GyrostatError
from gyrostat.io.places import quaternion_of
from gyrostat.pictures.animation.viewpoint import viewpoint
from gyrostat.pictures.scene import Scene, SceneBody
from gyrostat.pictures.stills.colours import palette_colour, rgb
from gyrostat.pictures.stills.mesh import joined
from gyrostat.pictures.stills.shapes import shape_mesh
from gyrostat.results.whole_file import require_writable, whole_file
from gyrostat.shown.trajectory_scene import trajectory_scene

_FLOAT, _INTEGER = 5126, 5125
_VERTICES, _TRIANGLES = 34962, 34963
_JSON, _BINARY = 0x4E4F534A, 0x004E4942


def export_gltf(trajectory: Trajectory, path: str | os.PathLike[str], *, force: bool = False) -> Path:
    """Write the motion of all bodies with their shapes to a .glb file, and return its path.

    Ropes, springs and other lines are left out. With `force`, an existing file is replaced.
    """
    target = require_writable(path, force=force)
    if target.suffix.lower() != ".glb":
        raise GyrostatError(f"{target.name}: an animation of glTF is written to a file that ends in .glb.")
    content = _document(trajectory_scene(trajectory))
    with whole_file(target, force=force) as part:
        part.write_bytes(content)
    return target


@dataclass
class _Buffer:
    """The binary part while it is filled, with views and accessors."""

    data: bytearray = field(default_factory=bytearray)
    views: list[dict[str, Any]] = field(default_factory=list)
    accessors: list[dict[str, Any]] = field(default_factory=list)

    def add(self, values: NDArray[Any], kind: str, target: int | None = None, *, bounds: bool = False) -> int:
        """Add an array of 32-bit floats or whole numbers, and return the number of its accessor."""
        whole = values.dtype.kind in "iu"
        held = np.ascontiguousarray(values, dtype="<u4" if whole else "<f4")
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.data), "byteLength": held.nbytes}
        self.views.append(view | ({} if target is None else {"target": target}))
        self.data += held.tobytes()
        accessor: dict[str, Any] = {
            "bufferView": len(self.views) - 1,
            "componentType": _INTEGER if whole else _FLOAT,
            "count": len(held),
            "type": kind,
        }
        if bounds:
            rows = held.reshape(len(held), -1)
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def _document(scene: Scene) -> bytes:
    """Return a whole .glb file."""
    buffer, view = _Buffer(), viewpoint(scene)
    bodies = list(scene.bodies)
    positions, quaternions = scene.positions(), scene.quaternions()
    times = buffer.add(np.asarray(scene.times, float), "SCALAR", bounds=True)
    meshes: list[dict[str, Any]] = []
    nodes: list[dict[str, Any]] = [{"name": scene.title, "rotation": _to_y_up(view.up)}]
    channels: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []
    colours = [body.colour or palette_colour(k) for k, body in enumerate(bodies)]
    for k, body in enumerate(bodies):
        node: dict[str, Any] = {"name": body.name}
        mesh = _mesh(body, view.size, buffer, k)
        if mesh is not None:
            node["mesh"] = len(meshes)
            meshes.append(mesh)
        place, turn = positions[:, k], quaternions[:, k][:, [1, 2, 3, 0]]
        node |= {"translation": place[0].tolist(), "rotation": turn[0].tolist()}
        nodes.append(node)
        if len(scene.times) > 1:
            for path, values, kind in (("translation", place, "VEC3"), ("rotation", _continued(turn), "VEC4")):
                samplers.append({"input": times, "output": buffer.add(values, kind), "interpolation": "LINEAR"})
                channels.append({"sampler": len(samplers) - 1, "target": {"node": len(nodes) - 1, "path": path}})
    nodes[0]["children"] = list(range(1, len(nodes)))
    document: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "gyrostat"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": nodes,
        "materials": [_material(colour) for colour in colours],
        "buffers": [{"byteLength": len(buffer.data)}],
        "bufferViews": buffer.views,
        "accessors": buffer.accessors,
    }
    if meshes:
        document["meshes"] = meshes
    if channels:
        document["animations"] = [{"name": "motion", "channels": channels, "samplers": samplers}]
    return _packed(document, bytes(buffer.data))


def _mesh(body: SceneBody, size: float, buffer: _Buffer, material: int) -> dict[str, Any] | None:
    """Return the mesh of a body's shapes; viewers shade its faces flat."""
    if not body.shapes:
        return None
    surface = joined([shape_mesh(shape, size) for shape in body.shapes])
    a, b, c, d = surface.faces.T
    triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    a, b, c = triangles.T
    triangles = triangles[(a != b) & (b != c) & (c != a)]
    corners = np.arange(3 * len(triangles), dtype=np.uint32)
    vertices = buffer.add(surface.vertices[triangles.ravel()], "VEC3", _VERTICES, bounds=True)
    attributes = {"POSITION": vertices}
    return {
        "name": body.name,
        "primitives": [
            {"attributes": attributes, "indices": buffer.add(corners, "SCALAR", _TRIANGLES), "material": material}
        ],
    }


def _material(colour: str) -> dict[str, Any]:
    parts = rgb(colour).tolist()
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return {
        "pbrMetallicRoughness": {"baseColorFactor": [*linear, 1.0], "metallicFactor": 0.1, "roughnessFactor": 0.5},
        "doubleSided": True,
    }


def _to_y_up(up: NDArray[np.float64]) -> list[float]:
    """Return the quaternion (x, y, z, w) of the shortest rotation from the upward direction to y."""
    y = np.array([0.0, 1.0, 0.0])
    axis, cosine = np.cross(up, y), float(up @ y)
    if cosine < -1 + 1e-12:
        return [1.0, 0.0, 0.0, 0.0]
    R = np.eye(3) + _skew(axis) + _skew(axis) @ _skew(axis) / (1 + cosine)
    e0, *e = quaternion_of(R)
    return [*(float(x) for x in e), float(e0)]


def _skew(a: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def _continued(quaternions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return quaternions whose signs are continuous, so that viewers interpolate along the short way."""
    turned = (quaternions[1:] * quaternions[:-1]).sum(axis=1) < 0
    return np.asarray(quaternions * np.concatenate([[1.0], np.cumprod(np.where(turned, -1.0, 1.0))])[:, None])


def _packed(document: dict[str, Any], binary: bytes) -> bytes:
    """Return header, JSON and binary chunk."""
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    binary += bytes(-len(binary) % 4)
    whole = 12 + 8 + len(text) + 8 + len(binary)
    return b"".join(
        [
            struct.pack("<4sII", b"glTF", 2, whole),
            struct.pack("<II", len(text), _JSON),
            text,
            struct.pack("<II", len(binary), _BINARY),
            binary,
        ]
    )
