"""Axes of the components of a given force or torque."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gyrostat.model.forces.force_element import Motion
from gyrostat.model.kinds import End, EndKind, Naming, Path, Plain, Schema, Use
from gyrostat.model.names import GROUND
from gyrostat.model.place import Place
from gyrostat.spatial import Matrix

_WORLD = "world"
_BODY = "body"


@dataclass(frozen=True)
class AxesKind:
    """ "world", "body" (the loaded body, stored as None), or the name of a body or frame."""

    def read(self, value: object, place: Place) -> End | None:
        """Read "world", "body" or the name of a body or frame."""
        if value is None or value == _BODY:
            return None
        return End(GROUND) if value == _WORLD else EndKind().read(value, place)

    def write(self, value: End | None) -> Plain:
        """Return "world", "body" or the name."""
        if value is None:
            return _BODY
        return _WORLD if value == End(GROUND) else EndKind().write(value)

    def schema(self) -> Schema:
        """Return the JSON Schema of text."""
        return {"type": "string"}

    def uses(self, value: End | None, path: Path = ()) -> Iterable[Use]:
        """Return the reference to a body or frame, if there is one."""
        return () if value is None else EndKind().uses(value, path)

    def renamed(self, value: End | None, naming: Naming) -> End | None:
        """Return the body or frame under another name; world axes stay."""
        return None if value is None else EndKind().renamed(value, naming)


def rotation_of_axes(axes: End | None, acted_on: End, motion: Motion) -> Matrix:
    """Return the rotation matrix from the axes of the components to world axes."""
    return motion.end(End(acted_on.body) if axes is None else axes).rotation
