"""Known states from which a simulation starts: of operating points, assemblies and trajectories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

from gyrostat.analysis.simulation.delay_lines import Past
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.errors import StateError
from gyrostat.system import System


class KnownState(Protocol):
    """A state by name, of a system: an operating point, an assembly, a trajectory."""

    @property
    def system(self) -> System:
        """The system."""

    @property
    def state(self) -> Mapping[str, float]:
        """Coordinates and speeds by name."""


_Values: TypeAlias = Mapping[str, object]


def starting_values(
    known: _Values | KnownState | None, system: System, inputs: Mapping[str, Any] | None, parameters: _Values | None
) -> tuple[_Values | None, Mapping[str, Any] | None, _Values | None, Past | None]:
    """Return initial values, inputs, parameters and the past of delayed signals of a run from values or a known state.

    Given inputs and parameters replace those of the state. Inputs of an operating point are held, where the model has
    no law for them, and delayed signals have been constant; a trajectory is continued with its own past.
    """
    if known is None or isinstance(known, Mapping):
        return known, inputs, parameters, None
    if not hasattr(known, "state") or not hasattr(known, "system"):
        raise StateError(
            f"The initial state is {known!r:.60}. Give values by name, an operating point, an assembly or a trajectory."
        )
    if known.system.model.components.keys() != system.model.components.keys() or (
        known.system.coordinate_names != system.coordinate_names
    ):
        raise StateError(
            f"The initial state is one of {known.system.model.name!r} in {known.system.coordinates.description}, which "
            "has other coordinates than this system. Find it with the system that is simulated."
        )
    held = getattr(known, "inputs", {}) if isinstance(getattr(known, "inputs", None), Mapping) else {}
    changed = getattr(known, "parameters", {}) if isinstance(getattr(known, "parameters", None), Mapping) else {}
    laws = system.model.input_laws
    delayed = {name: float(value) for name, value in held.items() if name in system.model.states}
    found = {*laws, *delayed, *system.model.solved_inputs}
    acting = {name: value for name, value in held.items() if name not in found}
    motion = getattr(known, "motion", None)
    past = motion if isinstance(motion, Motion) else delayed
    return known.state, {**acting, **(inputs or {})}, {**changed, **(parameters or {})}, past
