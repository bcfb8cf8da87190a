"""Which integrators take contacts of many pairs."""

from __future__ import annotations

from gyrostat.analysis.integrators.integrator import Integrator
from gyrostat.errors import StateError
from gyrostat.model.forces.contacts import Contacts
from gyrostat.system import System


def require_pairs(system: System, integrator: Integrator) -> None:
    """Refuse an integrator that cannot treat the contacts of many pairs of a system."""
    method = type(integrator).__name__
    for force in system.kernel_forces:
        if not isinstance(force, Contacts):
            continue
        if not integrator.pairs:
            raise StateError(
                f"{method} cannot integrate the contacts of many pairs {force.name!r}: it needs momenta, which are not "
                "formed for them. Use gs.DOP853() or gs.RKF45(); where contacts are stiff, gs.Rodas5P()."
            )
        if force.slots and not integrator.pair_memory:
            raise StateError(
                f"{method} keeps a history of the state, in which the contacts {force.name!r} set what they remember "
                "at touch. Use gs.Rodas5P(); or laws that remember nothing: HuntCrossley with chi=… and gs.Coulomb."
            )
