"""Systems as Python modules."""

from gyrostat.io.python_module.export import export_python

__all__ = ["export_python"]
