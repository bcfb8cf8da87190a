"""Systems as functions of MATLAB."""

from gyrostat.io.matlab.export import export_matlab

__all__ = ["export_matlab"]
