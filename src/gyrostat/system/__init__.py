"""The pipeline: model, topology, coordinates, kinematics, equations, programs, in one call."""

from gyrostat.system.formulate import formulate
from gyrostat.system.system import System

__all__ = ["System", "formulate"]
