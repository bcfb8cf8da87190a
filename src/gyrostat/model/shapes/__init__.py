"""Drawn shapes, one file each. A new one is added here by one line, or from outside with `SHAPES.add`."""

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
from gyrostat.model.shapes.shape import SHAPES, Dimensions, Drawn, Placement, Shape, placement
from gyrostat.model.shapes.sphere import Sphere
from gyrostat.model.shapes.triangle_mesh import TriangleMesh
from gyrostat.model.shapes.tube import Tube

_SOLID = (Box, Cylinder, Tube, Sphere, Ellipsoid, Cone, Ring, Line, Capsule, Polyhedron)
for _shape in (*_SOLID, Plane, Relief, Mesh, TriangleMesh, HeightField, Group):
    SHAPES.add(_shape)

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
