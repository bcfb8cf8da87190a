"""Trajectories in formats of others: tables, animations of glTF, logs of MCAP."""

from gyrostat.io.trajectories.gltf import export_gltf
from gyrostat.io.trajectories.mcap import export_mcap
from gyrostat.io.trajectories.table import export_table

__all__ = ["export_gltf", "export_mcap", "export_table"]
