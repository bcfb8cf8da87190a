"""Functional Mock-up Units (FMI 2.0 and 3.0)."""

from gyrostat.io.fmu.export import export_fmu

__all__ = ["export_fmu"]
