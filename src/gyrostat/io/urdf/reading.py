"""Reader of URDF: elements to records, with all faults named."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree.ElementTree import Element

from gyrostat.errors import Fault, ModelError, ModelFileError
from gyrostat.io.mesh_paths import mesh_path
from gyrostat.io.urdf.description import (
    JointDescription,
    LinkDescription,
    Mimic,
    Origin,
    RobotDescription,
    Rows,
    Visual,
)
from gyrostat.model.names import did_you_mean, first_few
from gyrostat.results.xml_document import read_xml

_XACRO = re.compile(r"\$[({]")
"""The beginning of an expression of xacro."""
_XINCLUDE = "{http://www.w3.org/2001/XInclude}"
"""The namespace of elements that include other files."""

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical")
"""The kinds of joints, with `spherical` of pybullet's files."""

_GEOMETRIES: Mapping[str, Mapping[str, int]] = {
    "box": {"size": 3},
    "sphere": {"radius": 1},
    "cylinder": {"radius": 1, "length": 1},
    "capsule": {"radius": 1, "length": 1},
}
"""Geometries that are drawn, and the numbers of their dimensions."""


class _Reader:
    """Reader of one file, which collects faults."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.faults: list[Fault] = []
        self.meshes: list[str] = []
        """Links with geometries that are not drawn: meshes without a file or scale that can be read, unknown ones."""
        self.flat: list[str] = []
        """Links with geometries that have no size."""

    def fault(self, item: str, fact: str, remedy: str) -> None:
        """Add a fault."""
        self.faults.append(Fault(item, fact, remedy))

    def numbers(self, element: Element | None, key: str, default: tuple[float, ...], item: str) -> tuple[float, ...]:
        """Return the numbers of an attribute, as many as the default has."""
        text = None if element is None else element.get(key)
        if element is None or text is None or not text.strip():
            return default
        found = _finite(text, len(default))
        if found is None:
            many = "a finite number" if len(default) == 1 else f"{len(default)} finite numbers"
            self.fault(item, f"{key}={text!r:.60} of <{element.tag}> is not {many}.", "Correct it.")
            return default
        return found

    def number(self, element: Element | None, key: str, item: str, default: float = 0.0) -> float:
        """Return the number of an attribute."""
        return self.numbers(element, key, (default,), item)[0]

    def optional(self, element: Element | None, key: str, item: str) -> float | None:
        """Return the number of an attribute, or None where it is missing."""
        given = None if element is None else element.get(key)
        return None if given is None or not given.strip() else self.number(element, key, item)

    def origin(self, element: Element | None, item: str) -> Origin:
        """Return the pose of an element's <origin>."""
        found = None if element is None else element.find("origin")
        x, y, z = self.numbers(found, "xyz", (0.0, 0.0, 0.0), item)
        roll, pitch, yaw = self.numbers(found, "rpy", (0.0, 0.0, 0.0), item)
        return Origin((x, y, z), (roll, pitch, yaw))

    def link(self, element: Element, name: str) -> LinkDescription:
        """Return a link."""
        item, inertial = f"link {name!r:.60}", element.find("inertial")
        moments = None if inertial is None else inertial.find("inertia")
        xx, xy, xz, yy, yz, zz = (self.number(moments, key, item) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
        rows: Rows = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
        mass = self.number(None if inertial is None else inertial.find("mass"), "value", item)
        if mass < 0:
            self.fault(item, f"its mass is {mass:g}.", "A mass cannot be negative.")
        visuals = tuple(self.visuals(element, name))
        return LinkDescription(name, mass, self.origin(inertial, item), rows, visuals)

    def visuals(self, element: Element, name: str) -> Iterator[Visual]:
        """Yield the drawn geometries of a link."""
        item = f"link {name!r:.60}"
        for visual in element.findall("visual"):
            geometry = visual.find("geometry")
            for shape in () if geometry is None else geometry:
                sizes = _GEOMETRIES.get(shape.tag)
                if sizes is None:
                    mesh = mesh_path(shape.get("filename", ""), self.file) if shape.tag == "mesh" else None
                    scale = _finite(shape.get("scale") or "1 1 1", 3)  # the mesh is drawn only: no fault
                    if mesh is None or scale is None:
                        self.meshes.append(name)
                    else:
                        yield Visual("mesh", {"scale": scale}, self.origin(visual, item), str(mesh))
                    continue
                dimensions = {key: self.numbers(shape, key, (0.0,) * size, item) for key, size in sizes.items()}
                if min(min(numbers) for numbers in dimensions.values()) <= 0:
                    self.flat.append(name)
                    continue
                yield Visual(shape.tag, dimensions, self.origin(visual, item))

    def joint(self, element: Element, name: str, links: Mapping[str, LinkDescription]) -> JointDescription:
        """Return a joint."""
        item, kind = f"joint {name!r:.60}", element.get("type", "")
        if kind not in KINDS:
            self.fault(item, f"its type {kind!r:.60} is not known.", did_you_mean(kind, KINDS))
        parent, child = (self._end(element, tag, item, links) for tag in ("parent", "child"))
        limit, dynamics, mimic = (element.find(tag) for tag in ("limit", "dynamics", "mimic"))
        x, y, z = self.numbers(element.find("axis"), "xyz", (1.0, 0.0, 0.0), item)
        if not math.hypot(x, y, z) and kind not in ("fixed", "floating", "spherical"):
            self.fault(item, "its axis is zero.", "Give a direction, as in xyz='0 0 1'.")
        return JointDescription(
            name,
            kind,
            parent,
            child,
            origin=self.origin(element, item),
            axis=(x, y, z),
            lower=self.optional(limit, "lower", item),
            upper=self.optional(limit, "upper", item),
            effort=self.optional(limit, "effort", item),
            velocity=self.optional(limit, "velocity", item),
            damping=self.number(dynamics, "damping", item),
            friction=self.number(dynamics, "friction", item),
            armature=self.number(dynamics, "armature", item),
            mimic=None if mimic is None else self.mimic(mimic, item),
        )

    def _end(self, element: Element, tag: str, item: str, links: Mapping[str, LinkDescription]) -> str:
        """Return the link at one end of a joint."""
        end = element.find(tag)
        link = "" if end is None else end.get("link", "")
        if link not in links:
            self.fault(item, f"its {tag} is link {link!r:.60}, which is not in the file.", did_you_mean(link, links))
        return link

    def mimic(self, element: Element, item: str) -> Mimic:
        """Return the relation of a joint to its leader."""
        multiplier = self.number(element, "multiplier", item, 1.0)
        return Mimic(element.get("joint", ""), multiplier, self.number(element, "offset", item))


def read_urdf(path: str | os.PathLike[str]) -> RobotDescription:
    """Return the links and joints of a file; raise `ModelError` with all faults, by link and joint."""
    root, file = read_xml(path), Path(path)
    if any("xacro" in str(element.tag) or _XACRO.search("".join(element.attrib.values())) for element in root.iter()):
        remedy = "Expand it first: xacro robot.xacro > robot.urdf."
        raise ModelFileError(Fault(file.name, "it has elements or expressions of xacro.", remedy))
    if any(str(element.tag).startswith(_XINCLUDE) for element in root.iter()):
        remedy = "Expand it first: xmllint --xinclude robot.urdf > whole.urdf."
        raise ModelFileError(Fault(file.name, "it includes other files by XInclude.", remedy))
    if root.tag != "robot":
        raise ModelFileError(Fault(file.name, f"it begins with <{root.tag:.40}>.", "A URDF file begins with <robot>."))
    reader = _Reader(file)
    links = {name: reader.link(element, name) for name, element in _named(root, "link", reader)}
    joints = [reader.joint(element, name, links) for name, element in _named(root, "joint", reader)]
    base, ordered = "", tuple(joints)
    if not reader.faults:
        base, ordered = _tree(links, joints, reader)
    if reader.faults:
        raise ModelError(reader.faults, f"{file.name} cannot be imported:")
    undrawn = (("meshes are", reader.meshes), ("geometries without size are", reader.flat))
    notes = tuple(f"{what} not drawn: {first_few(list(dict.fromkeys(of)))}." for what, of in undrawn if of)
    return RobotDescription(root.get("name") or file.stem, links, ordered, base, notes)


def _finite(text: str, count: int) -> tuple[float, ...] | None:
    """Return the finite numbers in a text; None if there are not so many."""
    try:
        found = tuple(float(part) for part in text.replace(",", " ").split())
    except ValueError:
        return None
    return found if len(found) == count and all(map(math.isfinite, found)) else None


def _named(root: Element, tag: str, reader: _Reader) -> Iterator[tuple[str, Element]]:
    """Yield elements with their names; missing and repeated names are faults."""
    seen: set[str] = set()
    for element in root.findall(tag):
        name = element.get("name", "")
        if not name.strip():
            reader.fault(tag, "it has no name.", "Give each link and joint a name.")
        elif name in seen:
            reader.fault(f"{tag} {name!r:.60}", "there are two of this name.", "Rename one of them.")
        else:
            seen.add(name)
            yield name, element


def _tree(
    links: Mapping[str, LinkDescription], joints: list[JointDescription], reader: _Reader
) -> tuple[str, tuple[JointDescription, ...]]:
    """Return the root and the joints, each after that of its parent; report links that are in no tree."""
    leading: dict[str, JointDescription] = {}
    outward: dict[str, list[JointDescription]] = {}
    for joint in joints:
        if joint.child in leading:
            other = leading[joint.child].name
            fact = f"it is the child of joints {other!r} and {joint.name!r}."
            reader.fault(f"link {joint.child!r:.60}", fact, "URDF describes trees; remove one of the joints.")
        leading[joint.child] = joint
        outward.setdefault(joint.parent, []).append(joint)
    roots = [name for name in links if name not in leading]
    if not links:
        reader.fault("robot", "it has no links.", "Is this the whole file?")
        return "", ()
    if len(roots) != 1:
        fact = f"there are {len(roots)} links without a parent{': ' + first_few(roots) if roots else ''}."
        reader.fault("robot", fact, "Connect all links in one tree with one root.")
        return "", ()
    ordered, pending = [], [roots[0]]
    while pending:
        further = outward.get(pending.pop(), [])
        ordered += further
        pending += [joint.child for joint in reversed(further)]
    names = {joint.name for joint in joints}
    for joint in joints:
        if joint.mimic is not None and joint.mimic.leader not in names:
            fact = f"it mimics joint {joint.mimic.leader!r:.60}, which is not in the file."
            reader.fault(f"joint {joint.name!r:.60}", fact, did_you_mean(joint.mimic.leader, names))
    if len(ordered) < len(links) - 1 and not reader.faults:
        reached = {roots[0], *(joint.child for joint in ordered)}
        circle = first_few([name for name in links if name not in reached])
        reader.fault("robot", f"links are connected in a circle: {circle}.", "URDF describes trees; cut the circle.")
    return roots[0], tuple(ordered)
