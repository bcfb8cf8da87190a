"""Drawn shapes, one file each. A new one is listed here, or added from outside with `SHAPES.add`.

The kinds are imported when they are first used.
"""

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from
from gyrostat.model.shapes.shape import SHAPES, Dimensions, Drawn, Placement, Shape, placement

if TYPE_CHECKING:
    from gyrostat.model.shapes.axial import AxialShape
    from gyrostat.model.shapes.box import Box
    from gyrostat.model.shapes.capsule import Capsule
    from gyrostat.model.shapes.cone import Cone
    from gyrostat.model.shapes.cylinder import Cylinder
    from gyrostat.model.shapes.ellipsoid import Ellipsoid
    from gyrostat.model.shapes.group import Group
    from gyrostat.model.shapes.height_field import HeightField
    from gyrostat.model.shapes.line import Line
    from gyrostat.model.shapes.mesh import Mesh
    from gyrostat.model.shapes.plane import Plane
    from gyrostat.model.shapes.polyhedron import Polyhedron
    from gyrostat.model.shapes.relief import Relief
    from gyrostat.model.shapes.ring import Ring
    from gyrostat.model.shapes.sphere import Sphere
    from gyrostat.model.shapes.triangle_mesh import TriangleMesh
    from gyrostat.model.shapes.tube import Tube

__all__ = [
    "SHAPES",
    "AxialShape",
    "Box",
    "Capsule",
    "Cone",
    "Cylinder",
    "Dimensions",
    "Drawn",
    "Ellipsoid",
    "Group",
    "HeightField",
    "Line",
    "Mesh",
    "Placement",
    "Plane",
    "Polyhedron",
    "Relief",
    "Ring",
    "Shape",
    "Sphere",
    "TriangleMesh",
    "Tube",
    "placement",
]

_KINDS = {
    "box": ("Box",),
    "cylinder": ("Cylinder",),
    "tube": ("Tube",),
    "sphere": ("Sphere",),
    "ellipsoid": ("Ellipsoid",),
    "cone": ("Cone",),
    "ring": ("Ring",),
    "line": ("Line",),
    "capsule": ("Capsule",),
    "polyhedron": ("Polyhedron",),
    "plane": ("Plane",),
    "relief": ("Relief",),
    "mesh": ("Mesh",),
    "triangle_mesh": ("TriangleMesh",),
    "height_field": ("HeightField",),
    "group": ("Group",),
}

__getattr__ = names_from(__name__, _KINDS, {"axial": ("AxialShape",)})
SHAPES.declare(
    __getattr__,
    {
        "box": "Box",
        "cylinder": "Cylinder",
        "tube": "Tube",
        "sphere": "Sphere",
        "ellipsoid": "Ellipsoid",
        "cone": "Cone",
        "ring": "Ring",
        "line": "Line",
        "capsule": "Capsule",
        "polyhedron": "Polyhedron",
        "plane": "Plane",
        "relief": "Relief",
        "mesh": "Mesh",
        "triangle_mesh": "TriangleMesh",
        "height_field": "HeightField",
        "group": "Group",
    },
)
