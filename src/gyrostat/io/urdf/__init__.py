"""URDF, the robot descriptions of ROS."""

from gyrostat.io.urdf.load import load_urdf

__all__ = ["load_urdf"]
