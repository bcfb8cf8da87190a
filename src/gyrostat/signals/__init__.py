"""The signals of a system: all named quantities, in one table."""

from gyrostat.signals.formulas import check_formula, formula_value
from gyrostat.signals.signal import AXES, Instant, Level, Signal
from gyrostat.signals.table import SignalTable

__all__ = ["AXES", "Instant", "Level", "Signal", "SignalTable", "check_formula", "formula_value"]
