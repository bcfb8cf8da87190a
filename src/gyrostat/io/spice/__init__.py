"""Import of circuits from SPICE netlists."""

from gyrostat.io.spice.load import load_spice

__all__ = ["load_spice"]
