"""Reports: everything about a model on one page."""

from gyrostat.shown.report.report import report

__all__ = ["report"]
