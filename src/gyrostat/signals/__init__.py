"""The signals of a system: all named quantities, in one table."""

from gyrostat.signals.formulas import check_formula, formula_value
from gyrostat.signals.signal import AXES, Level, Signal, SystemInstant
from gyrostat.signals.table import SignalTable

__all__ = ["AXES", "Level", "Signal", "SignalTable", "SystemInstant", "check_formula", "formula_value"]
