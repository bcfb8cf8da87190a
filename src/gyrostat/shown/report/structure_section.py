"""Topology and counts in a report."""

from __future__ import annotations

from gyrostat.analysis.assembly.compare_coordinates import compare_coordinates
from gyrostat.shown.report.attempt import attempt
from gyrostat.shown.report.document import Document
from gyrostat.system import System

_BODY_LIMIT = 40
"""Models with more bodies than this are not compiled for every choice of coordinates, which takes long."""


def structure(document: Document, system: System) -> None:
    """Add the linear graph with its trees, loops, and the numbers of equations by choice of coordinates."""
    document.begin("Topology")
    topology = system.topology

    def drawings() -> None:
        document.add(f'<div class="drawing">{topology.draw()}</div>')
        document.text(topology.explain())
        document.heading("Trees")
        document.add(f'<div class="drawing">{system.draw_trees()}</div>')

    attempt(document, "Topology", drawings)
    document.begin("Coordinates and equations")
    document.text(str(system.summary()))
    if len(system.bodies) <= _BODY_LIMIT:
        attempt(document, "Comparison", lambda: document.text(str(compare_coordinates(system.model))))
