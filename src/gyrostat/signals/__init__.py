"""The signals of a system: every quantity that has a name, in one table that all consumers read."""

from gyrostat.signals.formulas import check_formula, formula_value
from gyrostat.signals.signal import AXES, Instant, Level, Signal
from gyrostat.signals.table import SignalTable

__all__ = ["AXES", "Instant", "Level", "Signal", "SignalTable", "check_formula", "formula_value"]
