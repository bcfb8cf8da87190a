"""Meshes of triangles: readers of files, and fewer triangles where there are too many."""

from gyrostat.pictures.meshes.decimation import decimated
from gyrostat.pictures.meshes.mesh import Mesh
from gyrostat.pictures.meshes.reading import SUFFIXES, read_mesh

__all__ = ["SUFFIXES", "Mesh", "decimated", "read_mesh"]
