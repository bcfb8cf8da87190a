"""Subsystems: models that are parts of other models."""

from gyrostat.model.subsystems.subsystem import Subsystem
from gyrostat.model.subsystems.used_model import UsedModel

__all__ = ["Subsystem", "UsedModel"]
