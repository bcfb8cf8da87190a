"""C libraries of systems."""

from gyrostat.io.c_library.export import export_c

__all__ = ["export_c"]
