"""Granular material: friction of grains, and the contract of engines that move them."""

from gyrostat.model.granular.engine import GRANULAR_ENGINES, GranularBed, GranularEngine, GranularRun, WallGeometry
from gyrostat.model.granular.friction import GranularFriction

__all__ = [
    "GRANULAR_ENGINES",
    "GranularBed",
    "GranularEngine",
    "GranularFriction",
    "GranularRun",
    "WallGeometry",
]
