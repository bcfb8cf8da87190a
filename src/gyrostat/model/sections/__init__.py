"""Cross-sections, one file each. A new one is listed here, or added from outside with `SECTIONS.add`.

The kinds are imported when they are first used.
"""

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from
from gyrostat.model.sections.section import SECTIONS, Section, SectionProperties

if TYPE_CHECKING:
    from gyrostat.model.sections.circle import Circle
    from gyrostat.model.sections.i_section import ISection
    from gyrostat.model.sections.rectangle import Rectangle
    from gyrostat.model.sections.tube import Tube

__all__ = ["SECTIONS", "Circle", "ISection", "Rectangle", "Section", "SectionProperties", "Tube"]

_KINDS = {
    "rectangle": ("Rectangle",),
    "circle": ("Circle",),
    "tube": ("Tube",),
    "i_section": ("ISection",),
}

__getattr__ = names_from(__name__, _KINDS)
SECTIONS.declare(__getattr__, {"rectangle": "Rectangle", "circle": "Circle", "tube": "Tube", "i": "ISection"})
