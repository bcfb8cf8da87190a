"""Sweeps: one analysis at many points, on one machine or on a cluster, with results that survive interruptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from

if TYPE_CHECKING:
    from gyrostat.analysis.sweeps.analysis import PointAnalysis, SweepAnalysis
    from gyrostat.analysis.sweeps.designs import (
        Design,
        LatinHypercube,
        Saltelli,
        SobolSequence,
        loguniform,
        normal,
        uniform,
    )
    from gyrostat.analysis.sweeps.kinematic_analysis import KinematicAnalysis
    from gyrostat.analysis.sweeps.points import Failure, PointStatus, PointValues
    from gyrostat.analysis.sweeps.progress import SweepProgress
    from gyrostat.analysis.sweeps.rest_analyses import EquilibriumAnalysis, ModalAnalysis
    from gyrostat.analysis.sweeps.result import Sweep
    from gyrostat.analysis.sweeps.simulation import Simulation
    from gyrostat.analysis.sweeps.summaries import (
        EndTime,
        EventCount,
        EventTime,
        Last,
        Maximum,
        Mean,
        Minimum,
        RootMeanSquare,
    )
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
        "analysis": ("PointAnalysis", "SweepAnalysis"),
        "designs": ("Design", "LatinHypercube", "Saltelli", "SobolSequence", "loguniform", "normal", "uniform"),
        "kinematic_analysis": ("KinematicAnalysis",),
        "rest_analyses": ("EquilibriumAnalysis", "ModalAnalysis"),
        "points": ("Failure", "PointStatus", "PointValues"),
        "progress": ("SweepProgress",),
        "result": ("Sweep",),
        "simulation": ("Simulation",),
        "summaries": (
            "EndTime",
            "EventCount",
            "EventTime",
            "Last",
            "Maximum",
            "Mean",
            "Minimum",
            "RootMeanSquare",
        ),
        "sweeping": ("load_sweep", "sweep"),
    },
)
