"""Import of MuJoCo's models (MJCF)."""

from gyrostat.io.mjcf.load import load_mjcf

__all__ = ["load_mjcf"]
