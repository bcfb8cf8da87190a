"""Facets of a scene at a time, with camera and light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gyrostat.once import cached_property
from gyrostat.pictures.animation.viewpoint import AXES_LENGTH, Viewpoint, viewpoint
from gyrostat.pictures.interpolation import Moments
from gyrostat.pictures.rotation import rotated
from gyrostat.pictures.scene.annotations import ScenePath
from gyrostat.pictures.scene.body import SceneBody
from gyrostat.pictures.scene.checks import Floats
from gyrostat.pictures.scene.grains import SceneGrains
from gyrostat.pictures.scene.scene import Scene
from gyrostat.pictures.stills.camera import Camera, ground_axes
from gyrostat.pictures.stills.colours import (
    AXES,
    DARK_PAPER,
    JOINT,
    LIGHT_PAPER,
    Paper,
    palette_colour,
    rgb,
    tone_colour,
)
from gyrostat.pictures.stills.facets import Facets
from gyrostat.pictures.stills.lines import COLOURS, line_meshes
from gyrostat.pictures.stills.mesh import Mesh, lathe
from gyrostat.pictures.stills.planes import shared_planes
from gyrostat.pictures.stills.shapes import GRAINS, mark_mesh, shape_mesh

_LARGEST_HEIGHT, _LARGEST_WIDTH = 6.0, 7.6
"""The largest height and width of a still, in inches."""
_BEHIND, _BEFORE = 0.75, 0.3
"""How far bodies with faces in one plane are painted behind each other, and lines and marks before bodies, in lengths
of pieces: less would mix the pieces of a plane that is seen obliquely."""


@dataclass(frozen=True, eq=False)
class Studio:
    """A scene with camera and light; surfaces are made once and shown at any number of instants."""

    scene: Scene
    dark: bool = False
    travelled: Floats = field(default_factory=lambda: np.zeros((1, 3)))
    """How far a followed body is from its first position (M, 3), at the instants that are shown."""

    @cached_property
    def view(self) -> Viewpoint:
        """The extent of all motion and the direction to look from."""
        found = viewpoint(self.scene)
        aside = found.outline[:, None] + (self._shifts(found)[None] if self.scene.beside else self.travelled[None])
        points = aside.reshape(-1, 3)
        return replace(found, outline=points, low=points.min(axis=0), high=points.max(axis=0))

    @cached_property
    def camera(self) -> Camera:
        """The camera, fitted to all motion."""
        return Camera.fitted(self.view)

    def at(self, times: Sequence[float]) -> Studio:
        """Return the studio with a camera for some instants, where the camera follows a body."""
        if self.view.follow is None:
            return self
        body = self.scene.bodies[self.view.follow]
        moments = Moments.between(self.scene.times, np.asarray(times, dtype=float))
        return Studio(self.scene, self.dark, moments.linear(body.positions) - body.positions[0])

    def _shifts(self, view: Viewpoint) -> Floats:
        """Return by how much each run is moved aside (R, 3), as seen in the picture."""
        right = np.cross(view.up, view.direction)
        right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-3 else ground_axes(view.up)[0]
        width = 1.12 * float(np.ptp(view.outline @ right)) or view.size
        return np.outer(np.arange(len(self.scene.runs)) * width, right)

    @cached_property
    def _aside(self) -> dict[str, Floats]:
        """How far each run is moved aside."""
        shifts = self._shifts(viewpoint(self.scene)) if self.scene.beside else np.zeros((len(self.scene.runs), 3))
        return dict(zip(self.scene.runs, shifts, strict=True)) if self.scene.runs else {}

    @property
    def paper(self) -> Paper:
        """The colours of paper and ground."""
        return DARK_PAPER if self.dark else LIGHT_PAPER

    @cached_property
    def size_in_inches(self) -> tuple[float, float]:
        """Width and height of the picture."""
        height = min(_LARGEST_HEIGHT, _LARGEST_WIDTH / self.camera.aspect)
        return height * self.camera.aspect, height

    @cached_property
    def sun(self) -> Floats:
        """The unit vector towards the sun."""
        right, front = ground_axes(self.view.up)
        sun = 1.5 * self.view.up + 0.7 * front - 0.55 * right
        return np.asarray(sun / np.linalg.norm(sun))

    def colour(self, body: int) -> str:
        """Return the colour of a body: its run's where several are compared, its own, or one from the palette."""
        one = self.scene.bodies[body]
        if self.scene.runs:
            return palette_colour(self.scene.runs.index(one.run))
        return one.colour or palette_colour(body)

    @cached_property
    def _body_of(self) -> dict[tuple[str, str], int]:
        return {(body.run, body.name): k for k, body in enumerate(self.scene.bodies)}

    @cached_property
    def _meshes(self) -> list[list[Mesh]]:
        return [[shape_mesh(shape, self.view.size) for shape in body.shapes] for body in self.scene.bodies]

    def pile(self, faded: float = 0.0) -> Facets:
        """Return an empty list of facets."""
        point = 2 / (72 * self.size_in_inches[1])
        return Facets(self.camera, self.view.up, self.sun, rgb(self.paper.paper), point, faded)

    # --- poses --------------------------------------------------------------------------------------------------

    def add_moment(self, pile: Facets, time: float, *, moving_only: bool = False) -> None:
        """Add bodies, lines and joints in their poses at a time."""
        moment = Moments.between(self.scene.times, np.array([time]))
        poses = [self._pose(body, moment) for body in self.scene.bodies]
        poses = [
            (place + self._shift(body.run), turn) for body, (place, turn) in zip(self.scene.bodies, poses, strict=True)
        ]
        placed = [
            [mesh.placed(turn, position) for mesh in meshes]
            for meshes, (position, turn) in zip(self._meshes, poses, strict=True)
        ]
        aside = shared_planes(placed, self.view.size)
        for k, (body, meshes) in enumerate(zip(self.scene.bodies, placed, strict=True)):
            if moving_only and body.positions.ndim == 1 and body.quaternions.ndim == 1:
                continue
            base = pile.faded
            pile.faded, pile.nearer = self._faded(body.run, base), -_BEHIND * self._grain * (2 - k % 3) * aside[k]
            for shape, mesh in zip(body.shapes, meshes, strict=True):
                colour = shape.colour or self._tone(body, moment) or self.colour(k)
                pile.add_mesh(mesh, colour, shape.opacity)
            pile.faded = base
        pile.nearer = _BEFORE * self._grain
        for line in self.scene.lines:
            points = moment.linear(line.points)[0] if line.points.ndim > 2 else line.points
            if not np.isfinite(points).all() or (moving_only and line.points.ndim == 2):
                continue
            colour = line.colour or COLOURS[line.kind]
            if self.scene.runs and line.run in self.scene.runs:
                colour = palette_colour(self.scene.runs.index(line.run))
            for mesh in line_meshes(line, points + self._shift(line.run), self.view.size):
                pile.add_mesh(mesh, colour, edges=False)
        for grains in self.scene.grains:
            pile.add_balls(grains.at(time), grains.radii, self._grain_colour(grains))
        radius = 0.0085 * self.view.size
        for joint in self.scene.joints:
            if joint.body:
                position, turn = poses[self._body_of[joint.run, joint.body]]
            elif moving_only:
                continue
            else:
                position, turn = self._shift(joint.run), np.eye(3)
            mesh = mark_mesh(joint.mark, joint.share * radius).placed(_turn_z_to(joint.axis), joint.point)
            pile.add_mesh(mesh.placed(turn, position), JOINT)
        pile.nearer = 0.0

    def _grain_colour(self, grains: SceneGrains) -> str:
        """Return the colour of grains: their run's where several are compared."""
        several = self.scene.runs and grains.run in self.scene.runs
        return palette_colour(self.scene.runs.index(grains.run)) if several else grains.colour

    @property
    def _grain(self) -> float:
        """The length of pieces of faces, which are painted in the order of their middles."""
        return self.view.size / GRAINS

    def add_axes(self, pile: Facets) -> None:
        """Add the axes of the world."""
        length = AXES_LENGTH * self.view.size
        arrow = lathe([(0.017, 0.0), (0.017, 0.78), (0.06, 0.78), (0.0, 1.0)], 12, np.inf)
        arrow = Mesh(length * arrow.vertices, arrow.faces)
        for k, colour in enumerate(AXES):
            pile.add_mesh(arrow.placed(_turn_z_to(np.eye(3)[k]), np.zeros(3)), colour, lit=False)

    def add_paths(self, pile: Facets, until: float) -> None:
        """Add the traces of points up to a time."""
        for path in self.scene.paths:
            way = self.way(path, until)
            if len(way) > 1:
                colour = path.colour or self.colour(self._body_of[path.run, path.body])
                drawn = 0.75 * rgb(colour) + 0.25 * rgb(self.paper.ink)
                pile.add_segments(np.stack([way[:-1], way[1:]], axis=1), drawn, 1.3)

    def way(self, path: ScenePath, until: float) -> Floats:
        """Return the places of a traced point (P, 3) up to a time."""
        body = self.scene.bodies[self._body_of[path.run, path.body]]
        known = self.scene.times[self.scene.times < until]
        moments = Moments.between(self.scene.times, np.append(known, until))
        positions = moments.linear(np.broadcast_to(body.positions, (self.scene.frames, 3)))
        turns = moments.rotations(np.broadcast_to(body.quaternions, (self.scene.frames, 4)))
        return np.asarray(positions + rotated(turns, path.point) + self._shift(path.run))

    def _shift(self, run: str) -> Floats:
        return self._aside.get(run, np.zeros(3))

    def _tone(self, body: SceneBody, moment: Moments) -> str | None:
        """Return the colour of a body by a quantity, if it has one."""
        return None if body.tones is None else tone_colour(float(moment.linear(body.tones)[0]))

    def _faded(self, run: str, base: float) -> float:
        """Return the fading of a run: all but the first are lighter."""
        later = bool(self.scene.runs) and not self.scene.beside and self.scene.runs.index(run) > 0
        return 1 - (1 - base) * 0.6 if later else base

    def _pose(self, body: SceneBody, moment: Moments) -> tuple[Floats, Floats]:
        """Return position (3,) and rotation (3, 3) of a body at an instant."""
        position = moment.linear(body.positions)[0] if body.positions.ndim > 1 else body.positions
        turn = moment.rotations(body.quaternions)[0] if body.quaternions.ndim > 1 else body.quaternions
        return position, rotated(turn, np.eye(3)).T


def _turn_z_to(axis: Floats) -> Floats:
    """Return a rotation that maps z to an axis."""
    third = axis / np.linalg.norm(axis)
    first = np.cross(np.eye(3)[np.argmin(np.abs(third))], third)
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(third, first), third], axis=1)
