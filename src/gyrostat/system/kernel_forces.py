"""Force elements whose loads only simulations know: refusal of other analyses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gyrostat.errors import StateError
from gyrostat.lazy import LaterClass
from gyrostat.model.forces import ForceElement

if TYPE_CHECKING:
    from gyrostat.model.forces import Grains
    from gyrostat.system.system import System
else:
    Grains = LaterClass("gyrostat.model.forces.grains", "Grains")


def refuse_kernel_outputs(system: System, names: Iterable[str]) -> None:
    """Raise an error if a linear model is asked for sums over pairs, whose derivatives are not formed."""
    for force in system.kernel_forces:
        for name in names:
            if any(f"{force.name}.{label}" in name for label in force.outputs):
                raise StateError(
                    f"The output {name!r} is a sum over many pairs, of which linear models have no derivative. Leave "
                    "it out, or describe the pair by gs.Contact."
                )


def refuse_grains(force: ForceElement, what: str) -> None:
    """Raise an error if a force is one of grains, whose motion only a simulation has."""
    if isinstance(force, Grains):
        raise StateError(
            f"{what} do not include the grains {force.name!r}, which have a motion of their own. Use gs.simulate, or a "
            "model without them."
        )


def refuse_kernel_forces(system: System, what: str) -> None:
    """Raise an error if a native kernel gives loads of the system, which an analysis does not include."""
    for force in system.kernel_forces:
        refuse_grains(force, what)
        raise StateError(
            f"{what} do not include the contacts of many pairs {force.name!r}, which simulations alone evaluate. Use "
            "gs.simulate, or describe the pairs by gs.Contact."
        )
