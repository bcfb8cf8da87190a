"""Scenes: the geometry of a mechanism over time, as plain data for animations and stills."""

from gyrostat.pictures.scene.annotations import ColourScale, Plot, Reading, ScenePath
from gyrostat.pictures.scene.body import SceneBody
from gyrostat.pictures.scene.grains import SceneGrains
from gyrostat.pictures.scene.inertia import inertia_ellipsoid, link_lines
from gyrostat.pictures.scene.joint import JointMark, SceneJoint
from gyrostat.pictures.scene.nearest import nearest_points
from gyrostat.pictures.scene.overlay import overlay
from gyrostat.pictures.scene.polyline import LineKind, Polyline
from gyrostat.pictures.scene.scene import Scene, SceneEvent
from gyrostat.pictures.scene.shape import SceneShape, ShapeKind
from gyrostat.pictures.scene.unveiling import unveiled

__all__ = [
    "ColourScale",
    "JointMark",
    "LineKind",
    "Plot",
    "Polyline",
    "Reading",
    "Scene",
    "SceneBody",
    "SceneEvent",
    "SceneGrains",
    "SceneJoint",
    "ScenePath",
    "SceneShape",
    "ShapeKind",
    "inertia_ellipsoid",
    "link_lines",
    "nearest_points",
    "overlay",
    "unveiled",
]
