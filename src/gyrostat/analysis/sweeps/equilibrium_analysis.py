"""The equilibrium at every point of a sweep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gyrostat.analysis.sweeps.point_analysis import PointAnalysis
from gyrostat.analysis.sweeps.point_values import PointValues
from gyrostat.analysis.sweeps.settings import plain_settings
from gyrostat.system import System

if TYPE_CHECKING:
    from gyrostat.analysis.variations.operating_point import OperatingPoint


@dataclass(frozen=True, eq=False)
class EquilibriumAnalysis(PointAnalysis):
    """The static equilibrium at every point, as `gs.equilibrium` finds it.

    `outputs` are names, by default all coordinates. `stable` is 1 where the equilibrium is known to be stable, else 0.
    Initial values that are swept are guesses.
    """

    guess: Mapping[str, object] = field(default_factory=dict)
    outputs: Iterable[str] = field(default=(), kw_only=True)
    inputs: Mapping[str, object] = field(default_factory=dict, kw_only=True)
    parameters: Mapping[str, object] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "outputs", tuple(self.outputs))

    def at(self, system: System, values: PointValues) -> Mapping[str, Any]:
        """Return the outputs at the equilibrium."""
        point = equilibrium_at(system, values, self.guess, self.inputs, self.parameters)
        names = tuple(self.outputs) or system.coordinate_names
        stable = point.stability is not None and point.stability.stable
        return {**{f"equilibrium({name})": point[name] for name in names}, "stable": float(stable)}

    def runs_foreign_code(self) -> bool:
        """There are no functions of the user."""
        return False

    def plain(self) -> Any:
        """Return the settings as plain data."""
        return {"analysis": "equilibrium", **plain_settings(self)}


def equilibrium_at(
    system: System,
    values: PointValues,
    guess: Mapping[str, object],
    inputs: Mapping[str, object],
    parameters: Mapping[str, object],
) -> OperatingPoint:
    """Return the equilibrium of a point, whose values take the place of an analysis' own."""
    from gyrostat.analysis.operating.equilibrium import equilibrium

    return equilibrium(
        system,
        {**guess, **values.initial},
        inputs={**inputs, **values.inputs},
        parameters={**parameters, **values.parameters},
    )
