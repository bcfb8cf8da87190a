"""The note on steps whose impulses of rigid contacts were not found to the tolerance."""

from __future__ import annotations

from gyrostat.analysis.integrators import Moreau
from gyrostat.analysis.integrators.integrator import Integrator


def note_on_impulses(integrator: Integrator, steps: int, unsolved: int, unsolved_by: float) -> str | None:
    """Return how many steps ended with impulses that still changed, and by how much, if there were any."""
    if not unsolved or not isinstance(integrator, Moreau):
        return None
    return (
        f"In {unsolved} of {steps} steps the impulses of the contacts were not found to the tolerance of "
        f"{integrator.tolerance:g} in {integrator.sweeps} sweeps: velocities still changed by up to {unsolved_by:.1g} "
        "of what contacts need. Use Moreau with more sweeps or a smaller step, or with a larger tolerance if it serves."
    )
