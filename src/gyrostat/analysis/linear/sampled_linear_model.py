"""A linear model in discrete time: small motions of a sampled system, from one sample time to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.linear.export import control_form, scipy_form
from gyrostat.analysis.linear.labelled_state_space import LabelledStateSpace, labelled
from gyrostat.analysis.linear.linear_model import LinearModel
from gyrostat.analysis.linear.state_space import StateSpace
from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.analysis.variations.sampled_flow import ordered_eigenvalues
from gyrostat.analysis.variations.stability import Stability
from gyrostat.analysis.variations.stability_criteria import stability_of_multipliers
from gyrostat.model.names import counted, first_few
from gyrostat.once import cached_property
from gyrostat.results.text_table import monospaced
from gyrostat.system import System

if TYPE_CHECKING:
    import xarray

_CIRCLE_TOLERANCE = 1e-7
"""Distance from the unit circle that counts as zero: double eigenvalues are split by the root of the rounding error."""


@dataclass(frozen=True, eq=False)
class SampledLinearModel(LabelledStateSpace):
    """x(k+1) = A x(k) + B w(k), y(k) = C x(k) + D w(k): small deviations at the sample times k T.

    x(k) is the state just before the samples at k T, as trajectories have it; held values and memories of sampled
    blocks are states. Inputs are constant from one common sample time to the next. y(k) are outputs just after the
    samples, when the inputs have their new values w(k). The model is exact: between samples it is the matrix
    exponential of the continuous linear model.
    """

    continuous: LinearModel = field(repr=False)
    """The linear model between samples, in which held values and memories are constant states."""
    period: float
    """The common period T of all samples (s)."""
    form: StateSpace = field(repr=False)

    @property
    def point(self) -> OperatingPoint:
        """The operating point."""
        return self.continuous.point

    @property
    def system(self) -> System:
        """The system."""
        return self.continuous.system

    @property
    def output_values(self) -> Mapping[str, float]:
        """The outputs at the operating point."""
        return self.continuous.output_values

    @property
    def A(self) -> xarray.DataArray:
        """The state matrix: next states by states."""
        return labelled(self.form.A, next=self.states, state=self.states)

    @property
    def B(self) -> xarray.DataArray:
        """The input matrix: next states by inputs."""
        return labelled(self.form.B, next=self.states, input=self.inputs)

    @cached_property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """The eigenvalues z of A, the largest first; a held value that its own law does not use adds a zero."""
        return ordered_eigenvalues(self.form.A)

    @property
    def exponents(self) -> NDArray[np.complex128]:
        """The numbers s = ln z/T (1/s), with which z = e^(s T); those of slow motions are eigenvalues as of a flow."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.eigenvalues) / self.period)

    @property
    def stability(self) -> Stability:
        """The stability of small motions: whether all eigenvalues are inside the unit circle."""
        return stability_of_multipliers(self.eigenvalues, on_circle=_CIRCLE_TOLERANCE, at_one=_CIRCLE_TOLERANCE)

    def to_scipy(self) -> Any:
        """Return a scipy.signal.StateSpace in discrete time."""
        return scipy_form(self.form, self.period)

    def to_control(self) -> Any:
        """Return a state-space object in discrete time of the package python-control (extra `control`)."""
        return control_form(self.form, self.period)

    def __str__(self) -> str:
        head = (
            f"Sampled linear model of {self.system.model.name!r} about {self.point.kind.value}: period "
            f"{self.period:g} s, {counted(len(self.states), 'state', 'states')}, "
            f"{counted(len(self.inputs), 'input', 'inputs')}, {counted(len(self.outputs), 'output', 'outputs')}"
        )
        parts = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        names = [f"  {what}: {first_few(given)}" for what, given in parts.items() if given]
        return "\n".join([head, *names, f"  {self.stability}"])

    def _repr_html_(self) -> str:
        return monospaced(str(self))
