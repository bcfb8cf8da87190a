"""The pipeline: model, topology, coordinates, kinematics, equations, programs, in one call."""

from gyrostat.system.formulate import choice_to_plain, formulate, formulate_as, require_model, system_of
from gyrostat.system.system import System

__all__ = ["System", "choice_to_plain", "formulate", "formulate_as", "require_model", "system_of"]
