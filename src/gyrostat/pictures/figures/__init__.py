"""Figures: labelled arrays as plots, drawn by matplotlib."""

from gyrostat.pictures.figures.curves import Curve, Mark, Panel
from gyrostat.pictures.figures.panels import draw_panels

__all__ = ["Curve", "Mark", "Panel", "draw_panels"]
