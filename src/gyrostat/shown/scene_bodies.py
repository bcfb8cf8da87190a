"""Bodies of scenes: their shapes, with everything that holds them together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.coordinates.arguments import Floats
from gyrostat.kinematics.placement import place_on_body
from gyrostat.model import Body
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.model.shapes import Plane
from gyrostat.once import cached_property
from gyrostat.pictures.animation.viewpoint import Viewpoint, viewpoint
from gyrostat.pictures.scene import Reading, Scene, SceneBody, SceneShape, ShapeKind, link_lines
from gyrostat.shown.attachments import attachments
from gyrostat.shown.axles import axles
from gyrostat.shown.body_shapes import is_unbounded, mass_mark, own_shapes, plane_piece
from gyrostat.shown.mesh_shapes import triangles_of_each
from gyrostat.shown.rails import Rail, rails
from gyrostat.shown.sheaves import sheaves
from gyrostat.shown.struts import STRUT, SUPPORT_COLOUR, struts, supports
from gyrostat.system import System

GROUND_COLOUR = "#9aa5b1"
_BODY_LIMIT = 40
"""In scenes with more bodies than this, pointing at a body shows its name only."""
_MARGIN = 0.035
"""Length of a rail beyond the travelled range, in sizes of the scene."""
_RAIL = 0.005
"""Radius of a rail, in sizes of the scene."""
_SAME = 1e-6
"""Distance up to which two places are one, in sizes of the scene."""
_WALL, _WALL_OPACITY = 0.5, 0.22
"""Planes whose normal points upwards less than this (cosine of the angle) are walls or ceilings, and how opaque."""


@dataclass(frozen=True, eq=False)
class SceneBodies:
    """The bodies of a system at recorded instants; parameters are those of `value`."""

    system: System
    outputs: Outputs
    times: Floats
    value: Evaluator
    beams: Sequence[Floats]
    """Points of beams (N, K, 3), which belong to the extent of the scene."""
    given_extent: Viewpoint | None = None
    """The extent of an earlier, similar motion, where that is to size the marks."""

    @cached_property
    def places(self) -> Mapping[str, list[Floats]]:
        """The places by body at which something is fastened, in body axes."""
        model = self.system.model
        found = attachments(model, self.value)
        return {body: [place_on_body(model, end, self.value)[1] for end in ends] for body, ends in found.items()}

    @cached_property
    def extent(self) -> Viewpoint:
        """Extent of all bodies as points and solids, by which everything else is sized."""
        if self.given_extent is not None:
            return self.given_extent
        found = []
        for name in self.system.bodies:
            body = self.system.model.bodies[name]
            shapes = list(self._own[name])
            held = self.places.get(name, []) + self._points(body)
            if not shapes:
                shapes.append(mass_mark(body, self.value, None if not self._reaches(body, held) else 0.0))
            shapes += [SceneShape(ShapeKind.POINT, {}, position=place) for place in held]
            found.append(self._placed(name, shapes))
        fixed = [
            *self._own[GROUND],
            *(SceneShape(ShapeKind.POINT, {}, position=p) for p in self.places.get(GROUND, [])),
        ]
        if fixed or not found:
            found.append(SceneBody(GROUND, fixed or [SceneShape(ShapeKind.POINT, {})], np.zeros(3)))
        gravity = np.array(self.value.vector(self.system.model.gravity), dtype=float)
        return viewpoint(Scene("extent", self.times, found, gravity=gravity), self.beams)

    @property
    def size(self) -> float:
        """The size of the scene."""
        return self.extent.size

    def all(self) -> list[SceneBody]:
        """Return all bodies with their shapes, struts, rails and sheaves, and the ground if it has any."""
        wheels = self._wheels
        tracks: dict[str, list[Rail]] = {}
        for rail in self._rails:
            tracks.setdefault(rail.body, []).append(rail)
        found = [
            self._placed(name, self._shapes(name, wheels.get(name, []), tracks.get(name, [])), read=True)
            for name in self.system.bodies
        ]
        if shapes := self._ground(wheels.get(GROUND, []), tracks.get(GROUND, [])):
            found.append(SceneBody(GROUND, shapes, np.zeros(3), colour=GROUND_COLOUR))
        return found

    @cached_property
    def _wheels(self) -> Mapping[str, list[SceneShape]]:
        """Sheaves and drums by body."""
        found: dict[str, list[SceneShape]] = {}
        for name, shapes in sheaves(self.system.model, self.value, self.size):
            found.setdefault(name, []).extend(shapes)
        return found

    @cached_property
    def _rails(self) -> list[Rail]:
        model = self.system.model
        return list(rails(model, self.outputs.recorded, self.value, _MARGIN * self.size, self._own))

    def rail_of(self, joint: Joint) -> Rail:
        """Return the rail of a joint that slides."""
        return next(rail for rail in self._rails if rail.name == joint.name)

    def nearest_joint(self, joint: Joint) -> float:
        """Return the distance from a joint to the next one on its bodies, by their frames."""
        found = [
            float(np.linalg.norm(place - place_on_body(self.system.model, end, self.value)[1]))
            for end in (joint.parent, joint.child)
            if end.body != GROUND
            for place in self._hinged.get(end.body, [])
        ]
        return min((distance for distance in found if distance > _SAME * self.size), default=np.inf)

    @cached_property
    def _hinged(self) -> Mapping[str, list[Floats]]:
        """The places of joints by body, in body axes."""
        found: dict[str, list[Floats]] = {}
        for joint in self.system.model.joints.values():
            for end in (joint.parent, joint.child):
                found.setdefault(end.body, []).append(place_on_body(self.system.model, end, self.value)[1])
        return found

    # --- shapes -------------------------------------------------------------------------------------------------

    @cached_property
    def _own(self) -> Mapping[str, list[SceneShape]]:
        model = self.system.model
        bodies = (*(model.bodies[name] for name in self.system.bodies), model.ground)
        triangles = triangles_of_each((*model.bodies.values(), model.ground), self.value)
        return {body.name: own_shapes(body, self.value, triangles) for body in bodies}

    def _points(self, body: Body) -> list[Floats]:
        ends = (End(body.name, name) for name in body.points)
        return [place_on_body(self.system.model, end, self.value)[1] for end in ends]

    def _shapes(self, name: str, wheels: list[SceneShape], tracks: list[Rail]) -> list[SceneShape]:
        """Return the shapes of a body; one without a solid has rods from its mass centre to its points."""
        body, size = self.system.model.bodies[name], self.size
        own, held = self._own[name], self.places.get(name, [])
        bars = [self._bar(rail) for rail in tracks]
        if own or body.shape is not None:
            joined = struts(own or [*wheels, *bars], [*held, *(_nearest_end(rail, own) for rail in tracks)], size)
            return [*own, *wheels, *bars, *joined]
        if name in self._of_flexible_bodies:  # these are drawn as lines
            return [*wheels, *bars]
        ends = [*self._points(body), *held, *(rail.points.mean(axis=0) for rail in tracks)]
        mark = mass_mark(body, self.value, size if self._reaches(body, ends) else None)
        links = link_lines(mark.position, np.array(_distinct(ends)).reshape(-1, 3), STRUT * size)
        return [*links, *wheels, *bars, mark]

    @cached_property
    def _of_flexible_bodies(self) -> frozenset[str]:
        """The roots, stations and interfaces of beams and modal bodies."""
        arms = (joint for joint in self.system.model.joints.values() if joint.flexible)
        return frozenset(end.body for arm in arms for end in (arm.parent, arm.child))

    def _reaches(self, body: Body, places: Sequence[Floats]) -> bool:
        """Return whether a body is held or has points away from its mass centre, which show where it is."""
        centre = np.array(body.mass_properties(self.value).com, dtype=float)
        return any(not np.allclose(place, centre) for place in places)

    def _bar(self, rail: Rail) -> SceneShape:
        return SceneShape(ShapeKind.LINE, {"points": rail.points, "radius": _RAIL * self.size})

    def _ground(self, wheels: list[SceneShape], tracks: list[Rail]) -> list[SceneShape]:
        """Return the shapes of the ground, pieces of its planes, and supports of what it holds."""
        own = [*self._own[GROUND], *self._planes(self.system.model.ground)]
        grey = [replace(self._bar(rail), colour=SUPPORT_COLOUR) for rail in tracks]
        held = [*self.places.get(GROUND, []), *(end for rail in tracks for end in (rail.points[0], rail.points[-1]))]
        solids = {name: [*self._own[name], *self._wheels.get(name, [])] for name in self.system.bodies}
        borne = list(axles(self.system.model, self.value, solids, self.extent))
        held = [next((axle.end for axle in borne if axle.bears(place)), place) for place in held]
        bars = [axle.shape for axle in borne]
        return [*own, *wheels, *grey, *bars, *supports(own, held, self.extent.up, self.size)]

    def _planes(self, ground: Body) -> list[SceneShape]:
        """Return pieces of the ground's planes; walls and ceilings are translucent, as they hide what they enclose."""
        planes = [shape for shape in ground.drawn() if is_unbounded(shape) and isinstance(shape, Plane)]
        pieces = [plane_piece(plane, self.value, self.extent.outline) for plane in planes]
        return [
            piece if piece.rotation[:, 2] @ self.extent.up > _WALL else replace(piece, opacity=_WALL_OPACITY)
            for piece in pieces
        ]

    # --- motion -------------------------------------------------------------------------------------------------

    def _placed(self, name: str, shapes: Sequence[SceneShape], *, read: bool = False) -> SceneBody:
        positions = self.outputs.recorded.position(End(name))
        readings = []
        if read and len(self.system.bodies) <= _BODY_LIMIT:
            readings = [Reading(axis, "m", column) for axis, column in zip("xyz", positions, strict=True)]
        return SceneBody(name, shapes, positions.T, self.outputs.values(f"{name}.quaternion"), readings=readings)


def _nearest_end(rail: Rail, own: Sequence[SceneShape]) -> Floats:
    """Return the place of a rail at which a strut holds it: of its ends and middle the one nearest to the solid."""
    candidates = (rail.points[0], rail.points.mean(axis=0), rail.points[-1])
    if not own:
        return np.asarray(candidates[1])
    middle = np.mean([shape.position for shape in own], axis=0)
    return np.asarray(min(candidates, key=lambda place: float(np.linalg.norm(place - middle))))


def _distinct(places: Sequence[Floats]) -> list[Floats]:
    return list({tuple(np.round(place, 12)): place for place in places}.values())
