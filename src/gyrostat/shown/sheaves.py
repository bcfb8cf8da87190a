"""Sheaves with grooves, and drums of winches."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.kinematics.placement import place_on_body
from gyrostat.model import Model
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import RopeElement, SheaveContact, Winch
from gyrostat.model.kinds import End
from gyrostat.model.ropes import Pulley
from gyrostat.pictures.scene import SceneShape, ShapeKind

_COLOUR = "#8794a3"
_FLANGE = 0.07
"""Height of a flange over the rope's centre line, and half the width of a groove, in radii of the sheave."""
_DRUM = 0.45
"""Half the width of a drum, in its radii."""
_WINCH = 0.022
"""Radius of the drum of a winch that has none, in sizes of the scene."""


def sheaves(model: Model, value: Evaluator, size: float) -> Iterator[tuple[str, list[SceneShape]]]:
    """Yield the shapes of sheaves and drums with the names of their bodies."""
    drums = _drums(model)
    for rope in model.forces.values():
        if isinstance(rope, RopeElement):
            for pulley in rope.pulleys:
                half = _DRUM if pulley in drums.get(rope.name, ()) else _FLANGE
                yield pulley.frame.body, _sheave(model, pulley.frame, float(value(pulley.radius)), half, value)
            for end in (one for one in drums.get(rope.name, ()) if isinstance(one, End)):
                yield end.body, _sheave(model, end, _WINCH * size, _DRUM, value)
    seen: set[Pulley] = set()
    for contact in model.forces.values():
        if isinstance(contact, SheaveContact) and contact.pulley not in seen:
            pulley = contact.pulley
            seen.add(pulley)
            yield pulley.frame.body, _sheave(model, pulley.frame, float(value(pulley.radius)), _FLANGE, value)


def _drums(model: Model) -> dict[str, list[Pulley | End]]:
    """Return the stations of ropes at which winches pay out."""
    found: dict[str, list[Pulley | End]] = {}
    for winch in model.forces.values():
        rope = model.forces.get(winch.rope) if isinstance(winch, Winch) else None
        if isinstance(winch, Winch) and isinstance(rope, RopeElement):
            found.setdefault(winch.rope, []).append(rope.path[0 if winch.at == "first" else -1])
    return found


def _sheave(model: Model, frame: End, radius: float, half: float, value: Evaluator) -> list[SceneShape]:
    """Return a core with two flanges about the z axis of a frame."""
    R_BE, r_BE_B = place_on_body(model, frame, value)
    half_width, edge = half * radius, _FLANGE * radius

    def disc(outer: float, width: float, z: float) -> SceneShape:
        sizes = {"radius": outer, "length": width}
        return SceneShape(ShapeKind.CYLINDER, sizes, R_BE, _along(R_BE, r_BE_B, z), colour=_COLOUR)

    core = disc(radius - 0.5 * edge, 2 * half_width, 0.0)
    return [core, *(disc(radius + edge, 0.5 * edge, sign * (half_width + 0.25 * edge)) for sign in (-1, 1))]


def _along(R_BE: Floats, r_BE_B: Floats, z: float) -> Floats:
    return np.asarray(r_BE_B + z * R_BE[:, 2])
