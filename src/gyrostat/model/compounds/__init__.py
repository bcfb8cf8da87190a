"""Compounds, one file each. A new one is listed here, or added from outside with `COMPOUNDS.add`.

The kinds are imported when they are first used.
"""

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from
from gyrostat.model.compounds.compound import COMPOUNDS, Compound

if TYPE_CHECKING:
    from gyrostat.model.compounds.chain import Chain
    from gyrostat.model.compounds.rope import Rope
    from gyrostat.model.flexible.beam import Beam
    from gyrostat.model.flexible.modal_body import ModalBody

__all__ = ["COMPOUNDS", "Beam", "Chain", "Compound", "ModalBody", "Rope"]

_KINDS = {
    "chain": ("Chain",),
    "rope": ("Rope",),
    ".flexible.beam": ("Beam",),
    ".flexible.modal_body": ("ModalBody",),
}

__getattr__ = names_from(__name__, _KINDS)
COMPOUNDS.declare(__getattr__, (name for names in _KINDS.values() for name in names))
