"""Compounds, one file each. A new one is added here by one line, or from outside with `COMPOUNDS.add`."""

from gyrostat.model.compounds.chain import Chain
from gyrostat.model.compounds.compound import COMPOUNDS, Compound
from gyrostat.model.compounds.rope import Rope
from gyrostat.model.flexible.beam import Beam
from gyrostat.model.flexible.modal_body import ModalBody

for _compound in (Chain, Rope, Beam, ModalBody):
    COMPOUNDS.add(_compound)

__all__ = ["COMPOUNDS", "Beam", "Chain", "Compound", "ModalBody", "Rope"]
