"""Force elements whose loads only simulations know: refusal of other analyses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.errors import StateError

if TYPE_CHECKING:
    from gyrostat.system.system import System


def refuse_kernel_forces(system: System, what: str) -> None:
    """Raise an error if a native kernel gives loads of the system, which an analysis does not include."""
    for force in system.kernel_forces:
        raise StateError(
            f"{what} do not include the contacts of many pairs {force.name!r}, which simulations alone evaluate. Use "
            "gs.simulate, or describe the pairs by gs.Contact."
        )
