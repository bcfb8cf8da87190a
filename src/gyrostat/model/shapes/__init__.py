"""Drawn shapes, one file each. A new one is added here by one line, or from outside with `SHAPES.add`."""

from gyrostat.model.shapes.box import Box
from gyrostat.model.shapes.shape import SHAPES, Shape

for _shape in (Box,):
    SHAPES.add(_shape)

__all__ = ["SHAPES", "Box", "Shape"]
