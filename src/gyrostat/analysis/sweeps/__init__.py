"""Sweeps: one analysis at many points, on one machine or on a cluster, with nothing lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from

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

__getattr__ = names_from(
    __name__,
    {
        "analysis": ("SweepAnalysis",),
        "designs": ("Design", "LatinHypercube", "Saltelli", "SobolSequence"),
        "distributions": ("loguniform", "normal", "uniform"),
        "equilibrium_analysis": ("EquilibriumAnalysis",),
        "kinematic_analysis": ("KinematicAnalysis",),
        "modal_analysis": ("ModalAnalysis",),
        "output_summaries": ("Last", "Maximum", "Mean", "Minimum", "RootMeanSquare"),
        "point_analysis": ("PointAnalysis",),
        "point_values": ("PointValues",),
        "points": ("Failure", "PointStatus"),
        "progress": ("SweepProgress",),
        "result": ("Sweep",),
        "run_summaries": ("EndTime", "EventCount", "EventTime"),
        "simulation": ("Simulation",),
        "sweeping": ("load_sweep", "sweep"),
    },
)
