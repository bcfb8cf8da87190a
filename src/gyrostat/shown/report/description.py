"""Description, parameters, components and versions in a report."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from gyrostat.model.model_summary import tables
from gyrostat.pictures.stills import still_bytes
from gyrostat.results.html_table import html_table
from gyrostat.shown.report.attempt import attempt
from gyrostat.shown.report.document import Document
from gyrostat.shown.trajectory_scene import initial_scene
from gyrostat.system import System

_PACKAGES = ("gyrostat", "numpy", "scipy", "sympy", "casadi", "llvmlite", "xarray", "matplotlib")


def describe(document: Document, system: System) -> None:
    """Add the picture of the initial position, and the tables of components and parameters."""
    model = system.model
    document.begin("The model")

    def picture() -> None:
        still = still_bytes(initial_scene(system), [0.0], caption=False)
        document.image(still, "png", f"{model.name} in its initial position", "still")

    attempt(document, "Picture", picture)
    document.add(tables(model))


def versions(document: Document) -> None:
    """Add the versions of everything that computed the numbers."""
    document.begin("Versions")
    rows = [("Python", platform.python_version()), ("platform", platform.platform(terse=True))]
    for name in _PACKAGES:
        try:
            rows.append((name, version(name)))
        except PackageNotFoundError:
            rows.append((name, "not installed"))
    document.add(html_table("", ("package", "version"), rows))
