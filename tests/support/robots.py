"""Public URDF files of installed packages, and the same robots in Pinocchio."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import SubElement

import numpy as np

import gyrostat as gs
from gyrostat.io.urdf.description import LinkDescription
from gyrostat.io.urdf.inertia import is_physical, link_axes_inertia, repaired
from gyrostat.io.urdf.reading import read_urdf
from gyrostat.model.joints import Prismatic, Revolute, Weld
from gyrostat.recipes.table import RECIPES
from gyrostat.recipes.tracing import build_function

PACKAGES = ("cmeel.prefix/share/example-robot-data/robots", "pybullet_data")
"""Folders of robots among the installed packages, of example-robot-data and pybullet."""


@cache
def files() -> dict[str, Path]:
    """Return the URDF files of installed packages by name, without pybullet's thousand random objects."""
    found = {}
    for entry in sys.path:
        for package in PACKAGES:
            folder = Path(entry or ".") / package
            for path in sorted(folder.rglob("*.urdf")):
                if "random_urdfs" not in path.parts:
                    found.setdefault(f"{package.split('/')[-1]}/{path.relative_to(folder)}", path)
    return found


def random_objects() -> list[Path]:
    """Return pybullet's thousand random objects: one body each, an axis of which has no moment of inertia."""
    folders = [Path(entry or ".") / PACKAGES[1] / "random_urdfs" for entry in sys.path]
    return sorted(path for folder in folders for path in folder.rglob("*.urdf"))


def without_laws(model: gs.Model) -> gs.Model:
    """Return a model without damping, friction, actuators and mimicry, which Pinocchio's functions leave out."""
    bare = model.copy()
    bare.remove(*(name for name in bare.components if name in bare.forces or name in bare.constraints))
    return bare


@dataclass
class Peer:
    """A robot in Pinocchio."""

    pin: Any
    model: Any
    data: Any

    @property
    def names(self) -> list[str]:
        """The joints in the order of velocities, each with one coordinate."""
        joints = list(zip(self.model.joints, self.model.names, strict=True))[1:]  # the first is the universe
        return [name for joint, name in sorted(joints, key=lambda pair: pair[0].idx_v) for _ in range(joint.nv)]

    def state(self, q: dict[str, float], u: dict[str, float]) -> tuple[Any, Any]:
        """Return configuration and velocity from coordinates and speeds by name."""
        configuration, velocity = self.pin.neutral(self.model), np.zeros(self.model.nv)
        for joint, name in list(zip(self.model.joints, self.model.names, strict=True))[1:]:
            velocity[joint.idx_v] = u[name]
            turned = [np.cos(q[name]), np.sin(q[name])] if joint.nq == 2 else [q[name]]
            configuration[joint.idx_q : joint.idx_q + joint.nq] = turned
        return configuration, velocity

    def mass_matrix(self, configuration: Any) -> Any:
        """Return the mass matrix."""
        upper = np.triu(self.pin.crba(self.model, self.data, configuration))
        return upper + np.triu(upper, 1).T

    def load(self, configuration: Any, velocity: Any, acceleration: Any) -> Any:
        """Return the loads on the joints that a motion needs."""
        return self.pin.rnea(self.model, self.data, configuration, velocity, acceleration).copy()

    def energies(self, configuration: Any, velocity: Any) -> tuple[float, float]:
        """Return the kinetic and the potential energy."""
        kinetic = self.pin.computeKineticEnergy(self.model, self.data, configuration, velocity)
        return float(kinetic), float(self.pin.computePotentialEnergy(self.model, self.data, configuration))


def locked_joints(model: gs.Model) -> frozenset[str]:
    """Return the joints of a file that the import has welded, those that are fixed in the file among them."""
    return frozenset(joint.label or name for name, joint in model.joints.items() if isinstance(joint, Weld))


def repaired_text(path: Path, locked: Container[str] = ()) -> str:
    """Return the text of a file for peers: without geometry, laws and mimicry, with some joints locked.

    Inertias are repaired as the import does.
    """
    robot, root = read_urdf(path), ElementTree.fromstring(path.read_bytes().lstrip())
    for element in root.findall("joint"):
        if element.get("name") in locked:
            element.set("type", "fixed")
        for law in (*element.findall("dynamics"), *element.findall("limit"), *element.findall("mimic")):
            element.remove(law)
        SubElement(element, "limit", {"lower": "-1e3", "upper": "1e3", "effort": "1e3", "velocity": "1e3"})
    for element in root.findall("link"):
        link = robot.links[element.get("name", "")]
        for drawn in (*element.findall("visual"), *element.findall("collision")):
            element.remove(drawn)
        _repair(element, link)
    return ElementTree.tostring(root, encoding="unicode")


def _repair(element: ElementTree.Element, link: LinkDescription) -> None:
    """Replace the inertia of a link that no body can have."""
    inertia = link_axes_inertia(link)
    inertial = element.find("inertial")
    if inertial is None or is_physical(link.mass, link.inertial.xyz, inertia):
        return
    found, moments, origin = repaired(link.mass, inertia), inertial.find("inertia"), inertial.find("origin")
    for i, j, key in ((0, 0, "ixx"), (0, 1, "ixy"), (0, 2, "ixz"), (1, 1, "iyy"), (1, 2, "iyz"), (2, 2, "izz")):
        if moments is not None:
            moments.set(key, repr(float(found[i, j])))
    if origin is not None:
        origin.set("rpy", "0 0 0")


def in_pinocchio(pin: Any, path: Path, locked: Container[str] = ()) -> Peer | None:
    """Return a robot in Pinocchio, its inertias repaired alike; None where Pinocchio cannot read it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "robot.urdf"
        file.write_text(repaired_text(path, locked), encoding="utf-8")
        try:
            model = pin.buildModelFromUrdf(str(file))
        except (ValueError, RuntimeError, IndexError):
            return None
    return Peer(pin, model, model.createData())


def hinges_and_slides(model: gs.Model) -> Iterator[tuple[str, str]]:
    """Yield the names of joints in a model and in its file."""
    for name, joint in model.joints.items():
        if isinstance(joint, Revolute | Prismatic):
            yield name, joint.label or name


def energies(system: gs.System, q: Any, u: Any) -> tuple[float, float]:
    """Return the kinetic energy and that of gravity."""
    kinetic, gravity = (float(found) for found in _outputs(system, "energy", q, u, None)[:2])
    return kinetic, gravity


def evaluated(system: gs.System, recipe: str, q: Any, u: Any, udot: Any = None) -> Any:
    """Return the first output of a recipe, evaluated without compiling it."""
    return np.asarray(_outputs(system, recipe, q, u, udot)[0])


def _outputs(system: gs.System, recipe: str, q: Any, u: Any, udot: Any) -> list[Any]:
    function = build_function(recipe, RECIPES[recipe], system.coordinates)
    sizes = [function.size1_in(i) for i in range(function.n_in())]
    given = {"q": q, "u": u, "udot": udot}
    arguments = [given.get(function.name_in(i), np.zeros(size)) for i, size in enumerate(sizes)]
    out = function(*arguments)
    return list(out) if isinstance(out, tuple | list) else [out]
