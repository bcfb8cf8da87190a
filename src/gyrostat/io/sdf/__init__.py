"""Import of SDF, the format of Gazebo."""

from gyrostat.io.sdf.load import load_sdf

__all__ = ["load_sdf"]
