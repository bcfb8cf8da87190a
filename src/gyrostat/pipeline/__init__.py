"""The pipeline: model, topology, coordinates, kinematics, equations, programs, in one call."""

from gyrostat.pipeline.formulate import formulate
from gyrostat.pipeline.system import System

__all__ = ["System", "formulate"]
