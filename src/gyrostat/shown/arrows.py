"""Forces and other vectors as arrows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import PictureError, StateError
from gyrostat.kinematics.placement import place_on_body
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import (
    Bushing,
    Contact,
    Force,
    ForceElement,
    Reeving,
    RigidContact,
    SpringDamper,
    Tyre,
)
from gyrostat.model.kinds import End
from gyrostat.model.names import did_you_mean
from gyrostat.pictures.scene import LineKind, Polyline, Reading, SceneShape, ShapeKind
from gyrostat.shown.rope_lines import rope_points
from gyrostat.system import System

ALL_ARROWS = "all"
_LONGEST_ARROW = 0.22
"""The length of the largest arrow of a kind, in sizes of the scene."""
_FORCE, _REACTION, _TENSION, _APPLIED = "#d1495b", "#7b3fa0", "#b5651d", "#2f855a"
_AXES = ("#d8504d", "#4c9f50", "#4a7fd6")
_TRIAD = 0.09
"""The length of the axes of a frame, in sizes of the scene."""


@dataclass(frozen=True, eq=False)
class Vectors:
    """A vector over time: values (N, 3) in world axes at places (N, 3)."""

    name: str
    places: Floats
    values: Floats
    unit: str
    colour: str


@dataclass(frozen=True, eq=False)
class ArrowSource:
    """A system at recorded instants, and the size of its scene."""

    system: System
    outputs: Outputs
    value: Evaluator
    size: float

    def forces(self, names: Sequence[str]) -> list[Polyline]:
        """Return arrows of loads by the names of their components, all in one scale; `all` are those of the model.

        A contact or tyre has its whole force on its first body, a joint the reaction on its child, a rope and a spring
        their tension on both ends, a force and a bushing what they exert.
        """
        known = self._known
        chosen = list(known) if ALL_ARROWS in names else list(names)
        for name in chosen:
            if name not in known:
                hint = did_you_mean(name, [ALL_ARROWS, *known])
                raise PictureError(
                    f"There is no contact, joint, rope or force {name!r} to be drawn as an arrow. {hint}"
                )
        found: list[Vectors] = []
        for name in chosen:
            with suppress(StateError):  # a load without a value, as in a singular position
                found += known[name](name)
        return self._scaled(found)

    def vectors(self, names: Sequence[str]) -> list[Polyline]:
        """Return arrows of vectors by their output names, such as bar.tip.velocity, in one scale for each unit."""
        return self._scaled([self._vector(name, i) for i, name in enumerate(names)])

    # --- loads --------------------------------------------------------------------------------------------------

    @property
    def _known(self) -> Mapping[str, Callable[[str], Iterator[Vectors]]]:
        """Makers of the arrows, of the components that have some."""
        model = self.system.model
        return {
            **{name: self._of_force for name, one in model.forces.items() if isinstance(one, _DRAWN_TYPES)},
            **{name: self._of_joint for name, one in model.joints.items() if len(one.coordinates) < 6},
        }

    def _of_force(self, name: str) -> Iterator[Vectors]:
        force = self.system.model.forces[name]
        match force:
            case Contact() | RigidContact() | Tyre():
                yield Vectors(name, self._read(f"{name}.point"), self._read(f"{name}.total"), "N", _FORCE)
            case Force(at=at) | Bushing(b=at):
                yield Vectors(name, self._position(at), self._read(f"{name}.force"), "N", _APPLIED)
            case SpringDamper(a=a, b=b):
                along = self._position(b) - self._position(a)
                pull = self._read(f"{name}.force")[:, None] * _units(along)
                yield Vectors(name, self._position(a), pull, "N", _APPLIED)
                yield Vectors(name, self._position(b), -pull, "N", _APPLIED)
            case Reeving():
                points = rope_points(force, self.system, self.outputs.recorded, self.value)
                spans = len(force.path) - 1
                for place, beside, span in ((0, 1, 1), (-1, -2, spans)):
                    tension = self._read(f"{name}.span{span}.tension")[:, None]
                    pull = tension * _units(points[:, beside] - points[:, place])
                    yield Vectors(name, points[:, place], pull, "N", _TENSION)

    def _of_joint(self, name: str) -> Iterator[Vectors]:
        joint = self.system.model.joints[name]
        force = np.asarray(self.outputs.reaction(name)["force"].values)
        yield Vectors(f"{name} (reaction)", self._position(joint.child), force, "N", _REACTION)

    def _vector(self, name: str, number: int) -> Vectors:
        """Return a vector output at the place that it belongs to."""
        values = self.outputs[name]
        if values.ndim != 2 or values.shape[1] != 3:
            raise PictureError(f"{name!r} is not a vector of three components. Name one, such as 'bar.tip.velocity'.")
        model = self.system.model
        ends = {
            str(end): end
            for body in self.system.bodies
            for end in (End(body), *(End(body, p) for p in (*model.bodies[body].points, *model.bodies[body].frames)))
        }
        owner = max((end for end in ends if name.startswith(f"{end}.")), key=len, default=None)
        if owner is None:
            raise PictureError(f"{name!r} does not begin with a body or point at which an arrow could start.")
        colours = (_APPLIED, _TENSION, _REACTION, _FORCE)
        unit = str(values.attrs["units"])
        return Vectors(name, self._position(ends[owner]), values.values, unit, colours[number % len(colours)])

    def _read(self, name: str) -> Floats:
        return np.asarray(self.outputs[name].values, dtype=float)

    def _position(self, end: End) -> Floats:
        return np.asarray(self.outputs.recorded.position(end).T)

    # --- arrows -------------------------------------------------------------------------------------------------

    def _scaled(self, found: Sequence[Vectors]) -> list[Polyline]:
        """Return arrows; the largest vector of a unit has the greatest length, and there is none where one is zero."""
        lengths = [np.linalg.norm(vector.values, axis=1) for vector in found]
        largest: dict[str, float] = {}
        for vector, length in zip(found, lengths, strict=True):
            known = length[np.isfinite(length)]
            largest[vector.unit] = max(largest.get(vector.unit, 0.0), float(known.max(initial=0.0)))
        arrows = []
        for vector, length in zip(found, lengths, strict=True):
            scale = _LONGEST_ARROW * self.size / max(largest[vector.unit], 1e-300)
            ends = np.stack((vector.places, vector.places + scale * vector.values), axis=1)
            ends[~(length > 1e-9 * largest[vector.unit])] = np.nan
            reading = Reading("magnitude", vector.unit, length)
            arrows.append(Polyline(vector.name, LineKind.ARROW, ends, colour=vector.colour, readings=[reading]))
        return arrows


_DRAWN_TYPES: tuple[type[ForceElement], ...] = (Contact, RigidContact, Tyre, Force, Bushing, SpringDamper, Reeving)


def triad(system: System, end: End, value: Evaluator, size: float) -> list[SceneShape]:
    """Return the axes x, y, z of a body or frame as red, green and blue rods with tips, on its body."""
    R_BE, r_BE_B = place_on_body(system.model, end, value)
    length = _TRIAD * size
    found = []
    for k, colour in enumerate(_AXES):
        axis = R_BE[:, k]
        rod = {"points": [r_BE_B, r_BE_B + 0.8 * length * axis], "radius": 0.02 * length}
        found.append(SceneShape(ShapeKind.LINE, rod, colour=colour))
        turn = np.stack([R_BE[:, (k + 1) % 3], R_BE[:, (k + 2) % 3], axis], axis=1)
        tip = {"radius": 0.06 * length, "length": 0.22 * length}
        found.append(SceneShape(ShapeKind.CONE, tip, turn, r_BE_B + 0.835 * length * axis, colour=colour))
    return found


def _units(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0))
