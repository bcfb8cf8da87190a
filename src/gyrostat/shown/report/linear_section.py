"""Equilibrium and modes in a report."""

from __future__ import annotations

from gyrostat.analysis.linear.linearize import linearize
from gyrostat.analysis.linear.modes import Mode
from gyrostat.analysis.operating.equilibrium import equilibrium
from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.shown.mode_pictures import mode_rows
from gyrostat.shown.report.attempt import attempt
from gyrostat.shown.report.document import Document
from gyrostat.shown.trajectory_scene import Scenery
from gyrostat.system import System

_SHAPE_LIMIT = 6
"""Most modes with an animation."""
_DAMPING_ROUNDING = 1e-9
"""Damping ratios below this are rounding."""


def rest_and_modes(document: Document, system: System) -> float | None:
    """Add the equilibrium near the initial position and the modes about it; return the longest period (s)."""
    document.begin("Equilibrium")
    points: list[OperatingPoint] = []

    def rest() -> None:
        points.append(equilibrium(system))
        document.text(str(points[0]))

    if not attempt(document, "Equilibrium near the initial position", rest):
        return None
    document.begin("Modes")
    periods: list[float] = []

    def modes() -> None:
        found = linearize(system, points[0]).modes()
        document.add(found._repr_html_())
        swinging = [mode for mode in found if mode.oscillates]
        periods.extend(mode.period for mode in swinging)
        if swinging:
            document.add('<div class="modes">')
            for mode in swinging[:_SHAPE_LIMIT]:
                document.add("<div>")
                _shape(document, mode)
                document.add("</div>")
            document.add("</div>")

    attempt(document, "Modes about the equilibrium", modes)
    return max(periods, default=None)


def _shape(document: Document, mode: Mode) -> None:
    ratio = 0.0 if abs(mode.damping_ratio) < _DAMPING_ROUNDING else mode.damping_ratio
    words = f"Mode {mode.number}: {mode.frequency:.4g} Hz, damping ratio {ratio:.3g}"

    def drawn() -> None:
        scene = Scenery(mode.linear.system, mode_rows(mode)).scene(words, plots=())
        document.animation(scene, words, at=float(scene.times[0]), small=True)
        document.add(f'<p class="caption">{words}</p>')

    attempt(document, words, drawn)
