"""Elements of an SDF file with their paths, and values in them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from gyrostat.errors import Fault, ModelFileError

Pose: TypeAlias = NDArray[np.float64]
"""A rotation and a displacement as a 4 × 4 matrix."""


@dataclass(frozen=True)
class SdfElement:
    """An element, and its path from the root for messages."""

    file: str
    element: Element
    path: str
    version: tuple[int, int] = (1, 6)
    """The version of the format of the file."""

    @property
    def tag(self) -> str:
        """The tag."""
        return self.element.tag

    @property
    def name(self) -> str:
        """The name, which every link, joint, frame and model has."""
        found = self.element.get("name", "")
        if not found.strip():
            raise self.refusal("it has no name.", "Give it one.")
        return found

    def children(self, tag: str | None = None) -> Iterator[SdfElement]:
        """Yield the elements in it, or those of one tag."""
        for inner in self.element:
            if tag is None or inner.tag == tag:
                name = inner.get("name")
                step = f"<{inner.tag}>" if name is None else f"{inner.tag} {name!r:.60}"
                yield SdfElement(self.file, inner, f"{self.path} > {step}" if self.path else step, self.version)

    def child(self, tag: str) -> SdfElement | None:
        """Return the first element of a tag, or None."""
        return next(self.children(tag), None)

    def require_known(self, *tags: str) -> None:
        """Refuse elements of other tags; those of extensions, with a prefix, are left out."""
        for inner in self.children():
            if inner.tag not in tags and ":" not in inner.tag and not inner.tag.startswith("{"):
                raise inner.refusal("it is not understood.", "Remove it, if the motion does not depend on it.")

    def text(self, tag: str, default: str = "") -> str:
        """Return the text of an inner element."""
        inner = self.child(tag)
        return default if inner is None else (inner.element.text or "").strip()

    def numbers(self, count: int) -> tuple[float, ...]:
        """Return the numbers in the element's own text."""
        text = (self.element.text or "").strip()
        try:
            found = tuple(float(part) for part in text.split())
        except ValueError:
            found = ()
        if len(found) != count or not all(map(math.isfinite, found)):
            many = "a finite number" if count == 1 else f"{count} finite numbers"
            raise self.refusal(f"{text!r:.60} is not {many}.", "Correct it.")
        return found

    def number(self, tag: str, default: float) -> float:
        """Return the number in an inner element."""
        inner = self.child(tag)
        return default if inner is None else inner.numbers(1)[0]

    def vector(self, tag: str, default: tuple[float, float, float]) -> tuple[float, ...]:
        """Return three numbers in an inner element."""
        inner = self.child(tag)
        return default if inner is None else inner.numbers(3)

    def flag(self, tag: str, default: bool) -> bool:
        """Return whether an inner element says true."""
        text = self.text(tag, "true" if default else "false").lower()
        if text not in ("true", "false", "1", "0"):
            raise self.refusal(f"<{tag}> is {text!r:.40}.", "Write true or false.")
        return text in ("true", "1")

    def pose(self) -> tuple[Pose, str]:
        """Return the pose in the element, and the frame that it is relative to, or empty text."""
        inner = self.child("pose")
        if inner is None or not (inner.element.text or "").strip():
            return np.eye(4), "" if inner is None else inner.element.get("relative_to", "")
        quaternion = inner.element.get("rotation_format", "euler_rpy") == "quat_xyzw"
        values = inner.numbers(7 if quaternion else 6)
        found = np.eye(4)
        found[:3, 3] = values[:3]
        if quaternion:
            found[:3, :3] = _of_quaternion(np.array([values[6], *values[3:6]]))
        else:
            degrees = inner.element.get("degrees", "false").lower() in ("true", "1")
            found[:3, :3] = of_rpy(*(math.radians(x) if degrees else x for x in values[3:]))
        return found, inner.element.get("relative_to", "")

    def refusal(self, fact: str, remedy: str) -> ModelFileError:
        """Return an error at this element."""
        return ModelFileError(Fault(Path(self.file).name, f"{self.path}: {fact}", remedy))


def version_of(root: SdfElement) -> tuple[int, int]:
    """Return the version that an element states."""
    text = root.element.get("version", "1.6")
    major, _, minor = text.partition(".")
    if not (major.isdecimal() and minor.isdecimal()):
        raise root.refusal(f"its version {text!r:.20} is none.", "Write version='1.9' or the like.")
    return int(major), int(minor)


def of_rpy(roll: float, pitch: float, yaw: float) -> NDArray[np.float64]:
    """Return Rz(yaw) Ry(pitch) Rx(roll)."""
    (a, b), (c, d), (e, f) = ((math.cos(x), math.sin(x)) for x in (roll, pitch, yaw))
    about_z = np.array([[e, -f, 0], [f, e, 0], [0, 0, 1]])
    return np.asarray(about_z @ np.array([[c, d * b, d * a], [0, a, -b], [-d, c * b, c * a]]))


def _of_quaternion(quaternion: NDArray[np.float64]) -> NDArray[np.float64]:
    e0, x, y, z = quaternion / (np.linalg.norm(quaternion) or 1.0)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + 2 * e0 * K + 2 * K @ K)
