"""Links as bodies: mass properties and drawn geometries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gyrostat.io.mesh_paths import mesh_path
from gyrostat.io.places import numbers, place_of_pose, turn_of_matrix
from gyrostat.io.plain_values import made
from gyrostat.io.sdf.element import SdfElement
from gyrostat.io.urdf.inertia import InertiaPolicy, is_physical, repaired
from gyrostat.model import Body
from gyrostat.model.forces import Force
from gyrostat.model.shapes import Box, Capsule, Cylinder, Ellipsoid, Mesh, Shape, Sphere

_LINK = ("pose", "inertial", "visual", "collision", "sensor", "light", "gravity", "self_collide", "kinematic",
         "must_be_base_link", "enable_wind", "velocity_decay", "audio_source", "audio_sink", "battery", "projector",
         "particle_emitter", "bearing", "plugin", "contact")  # fmt: skip


class LinkReader:
    """Reader of links, which collects what was changed."""

    def __init__(self, policy: InertiaPolicy) -> None:
        self.policy = policy
        self.mended: list[str] = []
        self.default: list[str] = []
        self.undrawn: list[str] = []

    def body(self, link: SdfElement, name: str, label: str) -> Body:
        """Return the body of a link."""
        link.require_known(*_LINK)
        mass, com, inertia = self._mass(link, name)
        shapes = [shape for visual in link.children("visual") for shape in self._shapes(visual, name)]
        options: dict[str, Any] = {"shape": shapes} if shapes else {}
        rows = [numbers(row) for row in inertia] if inertia.any() else None
        return made(Body, name, mass=mass, inertia=rows, com=com if any(com) else None, label=label, **options)

    def _mass(self, link: SdfElement, name: str) -> tuple[float, tuple[Any, ...], np.ndarray]:
        inertial = link.child("inertial")
        if inertial is None:
            self.default.append(name)
            return 1.0, (0.0, 0.0, 0.0), np.eye(3)  # what the format says
        if inertial.element.get("auto", "false").lower() in ("true", "1"):
            raise inertial.refusal("its mass properties are to be computed from geometries.", "Give mass and inertia.")
        inertial.require_known("pose", "mass", "inertia", "density")
        pose, relative = inertial.pose()
        if relative:
            raise inertial.refusal("its pose is relative to another frame.", "Give the pose in the link's own frame.")
        moments = inertial.child("inertia")
        xx, yy, zz = (1.0 if moments is None else moments.number(tag, 1.0) for tag in ("ixx", "iyy", "izz"))
        xy, xz, yz = (0.0 if moments is None else moments.number(tag, 0.0) for tag in ("ixy", "ixz", "iyz"))
        mass, R = inertial.number("mass", 1.0), pose[:3, :3]
        if mass < 0:
            raise inertial.refusal(f"the mass is {mass:g}.", "A mass cannot be negative.")
        inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        inertia, com = (inertia + inertia.T) / 2, numbers(pose[:3, 3])
        if not is_physical(mass, com, inertia):
            if self.policy is InertiaPolicy.REFUSE:
                fact = "no body has these moments of inertia."
                raise inertial.refusal(fact, "Correct them, or use inertia='repair'.")
            self.mended.append(name)
            inertia = repaired(mass, inertia)
        return mass, com, inertia

    def _shapes(self, visual: SdfElement, name: str) -> list[Shape]:
        geometry = visual.child("geometry")
        pose, relative = visual.pose()
        for inner in () if geometry is None or relative else geometry.children():
            at, turn = numbers(pose[:3, 3]), turn_of_matrix(pose[:3, :3])
            if inner.tag == "box":
                return [made(Box, inner.vector("size", (1, 1, 1)), at=at, turn=turn)]
            if inner.tag == "sphere":
                return [made(Sphere, inner.number("radius", 1), at=at)]
            if inner.tag == "ellipsoid":
                return [made(Ellipsoid, inner.vector("radii", (1, 1, 1)), at=at, turn=turn)]
            if inner.tag in ("cylinder", "capsule"):
                sizes = inner.number("radius", 1), inner.number("length", 1)
                return [made(Cylinder if inner.tag == "cylinder" else Capsule, *sizes, along="z", at=at, turn=turn)]
            if inner.tag == "mesh" and (mesh := mesh_path(inner.text("uri"), Path(inner.file))):
                return [made(Mesh, str(mesh), inner.vector("scale", (1, 1, 1)), at=at, turn=turn)]
        self.undrawn.append(name)
        return []


def weight_off(link: SdfElement, name: str, body: Body, gravity: tuple[float, ...]) -> Force | None:
    """Return the force that carries the weight of a link without gravity, or None."""
    if link.flag("gravity", True) or body.mass is None or not any(gravity):
        return None
    com = np.eye(4)
    com[:3, 3] = [float(x.source) for x in body.com] if body.com is not None else 0.0
    return made(Force, name, place_of_pose(body.name, com), numbers(-float(body.mass.source) * np.array(gravity)))
