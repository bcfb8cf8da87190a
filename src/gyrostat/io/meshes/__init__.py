"""Meshes of triangles from files, and the mass properties of closed ones."""

from gyrostat.io.meshes.mesh_solid import MeshSolid, mesh_solid

__all__ = ["MeshSolid", "mesh_solid"]
