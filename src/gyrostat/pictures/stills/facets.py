"""Faces, edges and lines in space, painted from back to front."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.lazy import LaterModule
from gyrostat.pictures.scene.checks import Floats
from gyrostat.pictures.stills.camera import Camera
from gyrostat.pictures.stills.colours import rgb, shaded
from gyrostat.pictures.stills.mesh import Mesh

if TYPE_CHECKING:
    from scipy import spatial
else:
    spatial = LaterModule("scipy.spatial")


_SIDES = 12
"""Sides of the discs that stand for spheres."""


@dataclass(eq=False)
class Facets:
    """Facets to paint, as seen by a camera: outlines in the picture (F, 4, 2), depths (F,), colours (F, 4).

    `point` is the size of a printer's point in the picture. `faded` is the part of the paper's colour in all colours.
    """

    camera: Camera
    up: Floats
    sun: Floats
    paper: Floats
    point: float
    faded: float = 0.0
    nearer: float = 0.0
    """Depth offset (m) towards the camera of added facets, which decides their order in one plane."""
    _outlines: list[Floats] = field(default_factory=list)
    _depths: list[Floats] = field(default_factory=list)
    _colours: list[Floats] = field(default_factory=list)
    _veils: list[tuple[Floats, float, Floats]] = field(default_factory=list)
    shadows: list[Floats] = field(default_factory=list)
    """Faces towards the sun, (F, 4, 3), which cast the shadows."""

    def add_mesh(self, mesh: Mesh, colour: str, opacity: float = 1.0, *, lit: bool = True, edges: bool = True) -> None:
        """Add the faces of a surface that face the camera, and its edges."""
        corners = mesh.vertices[mesh.faces]
        if not np.isfinite(corners).all():
            return
        if opacity < 1:
            self._add_veil(mesh, colour, opacity)
            return
        normals = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
        lengths = np.linalg.norm(normals, axis=1)
        normals /= np.where(lengths > 0, lengths, 1.0)[:, None]
        middles = corners.mean(axis=1)
        facing = np.einsum("fi,fi->f", normals, self.camera.position - middles) > 0
        base = np.broadcast_to(rgb(colour), (int(facing.sum()), 3))
        colours = shaded(base, normals[facing], self.up, self.sun) if lit else base
        self._outlines.append(self.camera.project(corners[facing]))
        self._depths.append(self.camera.depth(middles[facing]) - self.nearer)
        self._paint(colours)
        if lit:
            self.shadows.append(corners[normals @ self.sun > 0])
        if edges and len(mesh.edges):
            ink = 0.62 * rgb(colour)
            seen = np.isin(mesh.edges, mesh.faces[facing]).all(axis=1)
            self.add_segments(mesh.vertices[mesh.edges[seen]], ink, 0.5, nearer=0.004)

    def add_balls(self, centres: Floats, radii: Floats, colour: str) -> None:
        """Add spheres as discs, each with a lighter part towards the sun."""
        angles = 2 * np.pi * np.arange(_SIDES) / _SIDES
        circle = np.outer(np.cos(angles), self.camera.right) + np.outer(np.sin(angles), self.camera.up)
        lit = self.sun - (self.sun @ self.camera.towards) * self.camera.towards
        for size, shift, light in ((1.0, 0.0, 0.72), (0.68, 0.22, 1.0)):
            middles = centres + shift * radii[:, None] * lit
            corners = middles[:, None, :] + size * radii[:, None, None] * circle
            self._outlines.append(self.camera.project(corners))
            self._depths.append(self.camera.depth(centres) - shift * radii - self.nearer)
            self._paint(np.broadcast_to(light * rgb(colour), (len(centres), 3)))

    def add_segments(self, ends: Floats, colour: Floats, width: float, *, nearer: float = 0.0) -> None:
        """Add straight segments with ends (S, 2, 3), of a width in points; `nearer` moves them towards the camera."""
        ends = ends[np.isfinite(ends).all(axis=(1, 2))]
        if not len(ends):
            return
        depths = self.camera.depth(ends.mean(axis=1)) * (1 - nearer) - self.nearer
        self._add_pieces(self.camera.project(ends), depths, colour, width)

    def _add_pieces(self, seen: Floats, depths: Floats, colour: Floats, width: float) -> None:
        """Add straight segments with ends (S, 2, 2) in the picture."""
        along = seen[:, 1] - seen[:, 0]
        lengths = np.linalg.norm(along, axis=1, keepdims=True)
        along = along / np.where(lengths > 0, lengths, 1.0) * (0.5 * width * self.point)
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)
        start, end = seen[:, 0] - 0.6 * along, seen[:, 1] + 0.6 * along
        self._outlines.append(np.stack([start - across, end - across, end + across, start + across], axis=1))
        self._depths.append(depths)
        self._paint(np.broadcast_to(colour, (len(seen), 3)))

    def _add_veil(self, mesh: Mesh, colour: str, opacity: float) -> None:
        """Add a translucent surface as one outline behind its contents; its faces would show through each other."""
        seen = self.camera.project(mesh.vertices)
        hull = seen[spatial.ConvexHull(seen, qhull_options="QJ").vertices]
        self._veils.append(
            (hull, float(self.camera.depth(mesh.vertices).max()), np.append(self._mixed(rgb(colour)), opacity))
        )
        rim = np.stack([hull, np.roll(hull, -1, axis=0)], axis=1)
        self._add_pieces(rim, np.full(len(rim), self._veils[-1][1]), 0.7 * rgb(colour), 0.7)

    def _paint(self, colours: Floats) -> None:
        self._colours.append(np.column_stack((self._mixed(colours), np.ones(len(colours)))))

    def _mixed(self, colours: Floats) -> Floats:
        """Return colours faded to the paper's."""
        return np.asarray((1 - self.faded) * colours + self.faded * self.paper)

    def sorted(self) -> tuple[list[Floats], Floats]:
        """Return outlines, each (corners, 2), and colours, the farthest first."""
        outlines = [hull for hull, _, _ in self._veils] + [one for many in self._outlines for one in many]
        if not outlines:
            return [], np.zeros((0, 4))
        depths = np.concatenate([np.array([depth for _, depth, _ in self._veils]), *self._depths])
        colours = np.concatenate([np.array([c for _, _, c in self._veils]).reshape(-1, 4), *self._colours])
        order = np.argsort(-depths, kind="stable")
        return [outlines[k] for k in order], colours[order]
