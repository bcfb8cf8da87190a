"""Sweeps: one analysis at many points, on one machine or on a cluster, with nothing lost."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gyrostat.analysis.sweeps.analysis import SweepAnalysis
    from gyrostat.analysis.sweeps.designs import Design, LatinHypercube, Saltelli, SobolSequence
    from gyrostat.analysis.sweeps.distributions import loguniform, normal, uniform
    from gyrostat.analysis.sweeps.equilibrium_analysis import EquilibriumAnalysis
    from gyrostat.analysis.sweeps.kinematic_analysis import KinematicAnalysis
    from gyrostat.analysis.sweeps.modal_analysis import ModalAnalysis
    from gyrostat.analysis.sweeps.output_summaries import Last, Maximum, Mean, Minimum, RootMeanSquare
    from gyrostat.analysis.sweeps.point_analysis import PointAnalysis
    from gyrostat.analysis.sweeps.point_values import PointValues
    from gyrostat.analysis.sweeps.points import Failure, PointStatus
    from gyrostat.analysis.sweeps.progress import SweepProgress
    from gyrostat.analysis.sweeps.result import Sweep
    from gyrostat.analysis.sweeps.run_summaries import EndTime, EventCount, EventTime
    from gyrostat.analysis.sweeps.simulation import Simulation
    from gyrostat.analysis.sweeps.sweeping import load_sweep, sweep

__all__ = [
    "Design",
    "EndTime",
    "EquilibriumAnalysis",
    "EventCount",
    "EventTime",
    "Failure",
    "KinematicAnalysis",
    "Last",
    "LatinHypercube",
    "Maximum",
    "Mean",
    "Minimum",
    "ModalAnalysis",
    "PointAnalysis",
    "PointStatus",
    "PointValues",
    "RootMeanSquare",
    "Saltelli",
    "Simulation",
    "SobolSequence",
    "Sweep",
    "SweepAnalysis",
    "SweepProgress",
    "load_sweep",
    "loguniform",
    "normal",
    "sweep",
    "uniform",
]

_HOMES = {
    "SweepAnalysis": "analysis",
    **dict.fromkeys(("Design", "LatinHypercube", "Saltelli", "SobolSequence"), "designs"),
    **dict.fromkeys(("loguniform", "normal", "uniform"), "distributions"),
    "EquilibriumAnalysis": "equilibrium_analysis",
    "KinematicAnalysis": "kinematic_analysis",
    "ModalAnalysis": "modal_analysis",
    **dict.fromkeys(("Last", "Maximum", "Mean", "Minimum", "RootMeanSquare"), "output_summaries"),
    "PointAnalysis": "point_analysis",
    "PointValues": "point_values",
    **dict.fromkeys(("Failure", "PointStatus"), "points"),
    "SweepProgress": "progress",
    "Sweep": "result",
    **dict.fromkeys(("EndTime", "EventCount", "EventTime"), "run_summaries"),
    "Simulation": "simulation",
    **dict.fromkeys(("load_sweep", "sweep"), "sweeping"),
}


def __getattr__(name: str) -> Any:
    """Import a public name from its module when it is first asked for: worker processes need few of them."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
