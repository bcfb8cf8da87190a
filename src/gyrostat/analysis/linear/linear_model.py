"""A linear model: small motions about an operating point, labelled by the model's own names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.analysis.linear.certificate import LinearCertificate, certify
from gyrostat.analysis.linear.channels import Channels, channel_unit
from gyrostat.analysis.linear.descriptor import Descriptor, descriptor_of
from gyrostat.analysis.linear.export import save_matlab, to_control, to_scipy
from gyrostat.analysis.linear.frequency_response import (
    FrequencyResponse,
    TransferFunction,
    frequency_response,
    transfer_function,
)
from gyrostat.analysis.linear.labelled_state_space import LabelledStateSpace, labelled
from gyrostat.analysis.linear.modes import Mode, Modes, modes_of
from gyrostat.analysis.linear.sensitivities.response import response_sensitivity
from gyrostat.analysis.linear.sensitivities.sensitivity import ModeSensitivity, SensitivityWork
from gyrostat.analysis.linear.state_space import Ignored, StateSpace, without_ignorable
from gyrostat.analysis.linear.time_response import TimeResponse, free_response, impulse_response, step_response
from gyrostat.analysis.variations.flow import Flow
from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.analysis.variations.second_order import SecondOrder, second_order_of
from gyrostat.analysis.variations.variations import variation_name
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.lazy import LaterModule, later
from gyrostat.model.names import counted, first_few
from gyrostat.once import cached_property
from gyrostat.results.text_table import NotebookText
from gyrostat.system import System

if TYPE_CHECKING:
    import xarray

    from gyrostat.analysis.linear import walkthrough
    from gyrostat.analysis.linear.walkthrough import LinearWalk
else:
    xarray = LaterModule("xarray")
    (walkthrough,) = later("gyrostat.analysis.linear", "walkthrough")


@dataclass(frozen=True, eq=False)
class LinearModel(NotebookText, LabelledStateSpace):
    """ẋ = A x + B w, y = C x + D w: small deviations x, w, y from an operating point.

    States are independent changes of coordinates, by their names, then those of speeds, then those of the state
    variables of components; algebraic ones are eliminated. Joints with Euler parameters
    are varied by small turns and shifts in the child's axes: `j.turn1`, `j.shift1`. Where inputs are displacements of
    drivers, the contributions of their rates are taken into the states. About a relative equilibrium, deviations are
    measured in co-moving axes.
    """

    point: OperatingPoint
    flow: Flow = field(repr=False)
    """The varied motion, from which everything follows."""
    channels: Channels = field(repr=False)
    form: StateSpace = field(repr=False)
    output_values: Mapping[str, float] = field(default_factory=dict)
    """The outputs at the operating point."""
    ignored: Ignored | None = field(default=None, repr=False)
    """The states that `without_ignorable` left out."""
    linearized: Callable[[OperatingPoint], LinearModel] | None = field(default=None, repr=False)
    """Returns the linear model about another operating point, with the same inputs, outputs and coordinates."""

    @property
    def system(self) -> System:
        """The system."""
        return self.point.system

    @property
    def channel_units(self) -> dict[str, str]:
        """The units of the inputs by name; an empty text where it is not known."""
        return {channel.name: channel_unit(channel, self.system) for channel in self.channels.items}

    # --- first order --------------------------------------------------------------------------------------------

    @property
    def A(self) -> xarray.DataArray:
        """The state matrix: rates of states by states."""
        return labelled(self.form.A, rate_of=self.states, state=self.states)

    @property
    def B(self) -> xarray.DataArray:
        """The input matrix: rates of states by inputs."""
        return labelled(self.form.B, rate_of=self.states, input=self.inputs)

    def without_ignorable(self) -> LinearModel:
        """Return the same without motions that neither speeds nor outputs depend on: along ignorable coordinates.

        A state is left out for each. The others are then measured without the contributions of such motions.
        """
        form, ignored = without_ignorable(self.form, self.flow)
        return replace(self, form=form, ignored=ignored)

    # --- second order -------------------------------------------------------------------------------------------

    @cached_property
    def second_order(self) -> SecondOrder:
        """The equations before they are solved for accelerations: see `SecondOrder`."""
        return second_order_of(self.flow)

    @property
    def mass(self) -> xarray.DataArray:
        """The mass matrix in independent coordinates: symmetric."""
        return self._of_speeds(self.second_order.mass)

    @property
    def damping(self) -> xarray.DataArray:
        """The matrix of speeds: damping and gyroscopic terms."""
        return self._of_speeds(self.second_order.damping)

    @property
    def stiffness(self) -> xarray.DataArray:
        """The matrix of positions; the stiffness of gravity, springs, steady motion and of multipliers is in it."""
        positions = self.flow.reduction.positions
        return labelled(self.second_order.stiffness, equation=self._equations, coordinate=positions)

    @property
    def gyroscopic(self) -> xarray.DataArray:
        """The part of the matrix of speeds that does no work: skew."""
        return self._part(self.second_order.damping, -1.0)

    @property
    def dissipative(self) -> xarray.DataArray:
        """The part of the matrix of speeds that does work: symmetric."""
        return self._part(self.second_order.damping, 1.0)

    @property
    def conservative(self) -> xarray.DataArray:
        """The part of the stiffness that has a potential: symmetric."""
        return self._part(self.second_order.stiffness, 1.0)

    @property
    def circulatory(self) -> xarray.DataArray:
        """The part of the stiffness that has none: skew."""
        return self._part(self.second_order.stiffness, -1.0)

    @property
    def _equations(self) -> tuple[str, ...]:
        return tuple(variation_name(speed) for speed in self.flow.reduction.speeds)

    def _of_speeds(self, matrix: Floats) -> xarray.DataArray:
        return labelled(matrix, equation=self._equations, coordinate=self._equations)

    def _part(self, matrix: Floats, sign: float) -> xarray.DataArray:
        if matrix.shape[0] != matrix.shape[1]:
            raise StateError(
                f"{self.system.model.name!r} rolls or glides: it has {counted(matrix.shape[0], 'speed', 'speeds')} for "
                f"{matrix.shape[1]} positions, so that its stiffness has no symmetric and skew part. Use .A."
            )
        return self._of_speeds((matrix + sign * matrix.T) / 2)

    # --- descriptor form ----------------------------------------------------------------------------------------

    @cached_property
    def descriptor(self) -> Descriptor:
        """The equations of all coordinates, speeds and multipliers, without reduction: E ẋ = A x."""
        return descriptor_of(self.flow)

    @property
    def E(self) -> xarray.DataArray:
        """The matrix of rates in the descriptor form; its partner is `descriptor.A`."""
        return labelled(self.descriptor.E, equation=self.descriptor.equations, state=self.descriptor.states)

    # --- analyses ----------------------------------------------------------------------------------------------

    def modes(self) -> Modes:
        """Return the modes: eigenvalues, shapes, energies."""
        return modes_of(self)

    def walkthrough(self) -> LinearWalk:
        """Return the linearization step by step (Trom 1990): each contribution to M, C and K with its cause."""
        return walkthrough.LinearWalk(self)

    def sensitivity(self, mode: Mode | int, wrt: Sequence[str] | None = None) -> ModeSensitivity:
        """Return the derivatives of a mode's eigenvalue, frequency and damping ratio by parameters; exact.

        The operating point moves along with the parameters. Without `wrt`, by all parameters of the model.
        """
        chosen = self.modes().numbered(mode) if isinstance(mode, int) else mode
        return SensitivityWork(self).of_mode(chosen, wrt)

    def point_sensitivity(self, wrt: Sequence[str] | None = None) -> xarray.DataArray:
        """Return the derivatives of the operating point's coordinates and states by parameters; exact."""
        work, system = SensitivityWork(self), self.flow.variations.system
        names, places = work.places(wrt)
        found = work.pencil.point_jacobian
        jacobian = np.vstack((found["q"], found["z"]))[:, places]
        return labelled(jacobian, coordinate=(*system.coordinate_names, *system.state_names), parameter=names)

    def response_sensitivity(
        self, input: str, output: str, frequencies: ArrayLike, wrt: Sequence[str] | None = None
    ) -> xarray.Dataset:
        """Return the response of any output to an input at frequencies in Hz, and its derivatives; exact."""
        return response_sensitivity(self, input, output, frequencies, wrt)

    def transfer_function(self, input: str, output: str) -> TransferFunction:
        """Return the transfer function from an input to an output, with zeros, poles and gain."""
        return transfer_function(self, input, output)

    def frequency_response(self, frequencies: ArrayLike | None = None) -> FrequencyResponse:
        """Return the response of all outputs to all inputs at frequencies in Hz; if none are given, over all modes."""
        return frequency_response(self, frequencies)

    def free_response(self, initial: Mapping[str, float], duration: float, *, nonlinear: bool = False) -> TimeResponse:
        """Return the motion from initial deviations of states; with `nonlinear`, also that of the nonlinear system."""
        return free_response(self, initial, duration, nonlinear=nonlinear)

    def step_response(self, input: str, duration: float, *, size: float = 1.0, nonlinear: bool = False) -> TimeResponse:
        """Return the response to a step of an input; with `nonlinear`, also that of the nonlinear system."""
        return step_response(self, input, duration, size=size, nonlinear=nonlinear)

    def impulse_response(
        self, input: str, duration: float, *, size: float = 1.0, nonlinear: bool = False
    ) -> TimeResponse:
        """Return the response to an impulse of an input; with `nonlinear`, also that of the nonlinear system."""
        return impulse_response(self, input, duration, size=size, nonlinear=nonlinear)

    def certificate(
        self, *, amplitude: float = 1e-2, duration: float | None = None, seed: int = 0
    ) -> LinearCertificate:
        """Compare small nonlinear motions with the linear prediction: the error falls with the amplitude squared."""
        return certify(self, amplitude=amplitude, duration=duration, seed=seed)

    # --- export -------------------------------------------------------------------------------------------------

    def to_scipy(self) -> Any:
        """Return the first-order form as a scipy.signal.StateSpace."""
        return to_scipy(self)

    def to_control(self) -> Any:
        """Return the first-order form for the package python-control (extra `control`)."""
        return to_control(self)

    def save_matlab(self, path: str | PathLike[str], *, force: bool = False) -> Path:
        """Write all matrices and names to a .mat file, which MATLAB and Octave read; return its path."""
        return save_matlab(self, path, force=force)

    def __str__(self) -> str:
        head = (
            f"Linear model of {self.system.model.name!r} about {self.point.kind.value}: "
            f"{counted(len(self.states), 'state', 'states')}, {counted(len(self.inputs), 'input', 'inputs')}, "
            f"{counted(len(self.outputs), 'output', 'outputs')}"
        )
        parts = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        return "\n".join([head, *(f"  {what}: {first_few(names)}" for what, names in parts.items() if names)])
