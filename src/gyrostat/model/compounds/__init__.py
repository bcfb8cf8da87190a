"""Compounds, one file each. A new one is added here by one line, or from outside with `COMPOUNDS.add`."""

from gyrostat.model.compounds.chain import Chain
from gyrostat.model.compounds.compound import COMPOUNDS, Compound

COMPOUNDS.add(Chain)

__all__ = ["COMPOUNDS", "Chain", "Compound"]
