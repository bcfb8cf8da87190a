"""A state-space form labelled by the model's own names, as linear models in continuous and discrete time have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gyrostat.analysis.linear.state_space import StateSpace
from gyrostat.coordinates.arguments import Floats
from gyrostat.lazy import LaterModule

if TYPE_CHECKING:
    import xarray
else:
    xarray = LaterModule("xarray")


class LabelledStateSpace:
    """Mixin: names of states, inputs and outputs, and the matrices of the outputs."""

    form: StateSpace

    @property
    def states(self) -> tuple[str, ...]:
        """The names of the states."""
        return self.form.states

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs."""
        return self.form.inputs

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs."""
        return self.form.outputs

    @property
    def C(self) -> xarray.DataArray:
        """The output matrix: outputs by states."""
        return labelled(self.form.C, output=self.outputs, state=self.states)

    @property
    def D(self) -> xarray.DataArray:
        """The feedthrough matrix: outputs by inputs."""
        return labelled(self.form.D, output=self.outputs, input=self.inputs)


def labelled(values: Floats, **names: Sequence[str]) -> xarray.DataArray:
    """Return a matrix with names for its rows and columns."""
    coordinates: dict[str, Any] = {dim: list(labels) for dim, labels in names.items()}
    return xarray.DataArray(values.copy(), coords=coordinates, dims=list(names))
