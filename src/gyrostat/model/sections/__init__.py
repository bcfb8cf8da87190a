"""Cross-sections, one file each. A new one is added here by one line, or from outside with `SECTIONS.add`."""

from gyrostat.model.sections.circle import Circle
from gyrostat.model.sections.i_section import ISection
from gyrostat.model.sections.rectangle import Rectangle
from gyrostat.model.sections.section import SECTIONS, Section, SectionProperties
from gyrostat.model.sections.tube import Tube

for _section in (Rectangle, Circle, Tube, ISection):
    SECTIONS.add(_section)

__all__ = ["SECTIONS", "Circle", "ISection", "Rectangle", "Section", "SectionProperties", "Tube"]
