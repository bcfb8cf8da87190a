"""Notes on multistep methods, which begin at order one behind each switch."""

from __future__ import annotations

from gyrostat.analysis.integrators import CVODE
from gyrostat.analysis.integrators.narrow_zones import Zone
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.system import System

_SWITCH_COUNT = 10
"""Number of switches from which restarts are worth a note."""
_STEPS_PER_RESTART = 100
"""Largest number of steps for each switch at which restarts dominate."""


def note_on_restarts(motion: Motion, steps: int, switches: int) -> str | None:
    """Return that a multistep method spends its steps on restarts after switches, if it does."""
    if (
        switches < _SWITCH_COUNT
        or steps > _STEPS_PER_RESTART * switches
        or not isinstance(motion.problem.integrator, CVODE)
    ):
        return None
    return (
        f"CVODE restarted at order one after each of {switches} switches, within {steps} steps. Use "
        "integrator=gs.Rodas5P(), which loses nothing at a switch."
    )


def note_on_zone(system: System, zone: Zone) -> str:
    """Return that a multistep method amplified errors in a narrow zone between two switches."""
    state = (*system.coordinate_names, *system.speed_names, *system.state_names)[zone.place]
    return (
        f"At t = {zone.begin:.9g} s the motion passes a narrow zone of {zone.law!r} between two switches, in "
        f"{zone.end - zone.begin:.2g} s. CVODE begins at order one there, and errors of its tolerance are multiplied "
        f"by {zone.gain:.1g}: {state!r} is known to about {zone.error:.1g} behind it, or less well. Use "
        "integrator=gs.Rodas5P() or gs.DOP853(), whose errors are small in a short time."
    )
