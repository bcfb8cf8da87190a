"""Linearization: the exact linear model of a system about an operating point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal, overload

import numpy as np

from gyrostat.analysis.linear.channels import Channels, channels_of
from gyrostat.analysis.linear.held_contacts import held_by_contacts
from gyrostat.analysis.linear.kinks import warn_of_kinks
from gyrostat.analysis.linear.linear_model import LinearModel
from gyrostat.analysis.linear.pade import Pade
from gyrostat.analysis.linear.sampled_linear_model import SampledLinearModel
from gyrostat.analysis.linear.state_space import state_space
from gyrostat.analysis.linear.zero_order_hold import ZeroOrderHold
from gyrostat.analysis.variations.co_moving_axes import state_coefficients
from gyrostat.analysis.variations.continuity import require_continuous
from gyrostat.analysis.variations.flow import Flow, flow_of
from gyrostat.analysis.variations.observation import observe
from gyrostat.analysis.variations.operating_point import At, OperatingKind, OperatingPoint, operating_point
from gyrostat.analysis.variations.reduction import Basis, reduce_variations
from gyrostat.analysis.variations.sampled_laws import varied_laws
from gyrostat.analysis.variations.steadiness import require_balanced
from gyrostat.analysis.variations.steady_flow import SteadyFlow, steady_flow
from gyrostat.analysis.variations.variations import vary
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.model import Model
from gyrostat.system import System, system_of

if TYPE_CHECKING:
    from gyrostat.analysis.linear import symbolic_linear_model
    from gyrostat.analysis.linear.symbolic_linear_model import SymbolicLinearModel
else:
    (symbolic_linear_model,) = later("gyrostat.analysis.linear", "symbolic_linear_model")

_DRIFT_TOLERANCE = 1e-6
"""The change of the effect of an input, or of an output, along a motion up to which it counts as constant."""


@overload
def linearize(
    system: System | Model,
    at: At | None = ...,
    *,
    inputs: Iterable[str] = ...,
    outputs: Iterable[str] = ...,
    coordinates: Sequence[str] | Basis | None = ...,
    t: float = ...,
    parameters: Mapping[str, object] | None = ...,
    frozen: bool = ...,
    delay: Pade | None = ...,
    hold: None = ...,
    symbolic: Literal[False] = ...,
) -> LinearModel: ...


@overload
def linearize(
    system: System | Model,
    at: At | None = ...,
    *,
    inputs: Iterable[str] = ...,
    outputs: Iterable[str] = ...,
    coordinates: Sequence[str] | Basis | None = ...,
    t: float = ...,
    parameters: Mapping[str, object] | None = ...,
    frozen: bool = ...,
    delay: Pade | None = ...,
    hold: ZeroOrderHold,
) -> SampledLinearModel: ...


@overload
def linearize(
    system: System | Model,
    at: At | None = ...,
    *,
    coordinates: Sequence[str] | Basis | None = ...,
    symbolic: Literal[True],
) -> SymbolicLinearModel: ...


def linearize(
    system: System | Model,
    at: At | None = None,
    *,
    inputs: Iterable[str] = (),
    outputs: Iterable[str] = (),
    coordinates: Sequence[str] | Basis | None = None,
    t: float = 0.0,
    parameters: Mapping[str, object] | None = None,
    frozen: bool = False,
    delay: Pade | None = None,
    hold: ZeroOrderHold | None = None,
    symbolic: bool = False,
) -> LinearModel | SampledLinearModel | SymbolicLinearModel:
    """Return the linear model of small motions about an equilibrium, a steady motion or a relative equilibrium.

    `at` is an operating point, or values by name that are one; {} are the model's own. `inputs` are names of actuators,
    of parameters (their rates are taken to be small), of driven coordinates (their displacement, or their acceleration
    as `a1.acc`), of force elements (a further force), and of places with `.force` or `.moment`. `outputs` are names of
    all outputs of a trajectory, joints' loads as `a1.reaction`, and formulas over them. `coordinates` are those to be
    independent, where constraints leave a choice, or a `Basis`.

    Derivatives are exact. About a relative equilibrium, a motion that a rotation of the system continues, deviations
    are measured in co-moving axes, in which the coefficients are constant. Other states are refused, and so are motions
    along which the coefficients change; with `frozen` they are taken at the instant. With `symbolic` mass, damping and
    stiffness are formulas of the model's parameters; values in `at` are taken as exact ("pi/3", not 1.0472).
    Rigid contacts at which bodies rest are constraints: points and corners that stick, or are without friction.
    Delays are refused, or approximated: `delay=Pade(3)`. Sampled blocks are refused, or with `hold=ZeroOrderHold()`
    the model is one in discrete time, exact from sample to sample: see `SampledLinearModel`.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    >>> bar = model.add(gs.Body("bar", gs.point_mass(2), points={"top": (0, 0.5, 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top"))
    >>> lin = gs.linearize(model, {"a1": 0}, inputs=["bar.force.x"], outputs=["bar.x"])
    >>> lin.stiffness.round(6).values, lin.mass.round(6).values
    (array([[9.81]]), array([[0.5]]))
    """
    system = system_of(system)
    at = {} if at is None else at
    if delay is not None:
        at = delay.approximated(system, at, t, parameters)
        system, parameters = at.system, None
    inputs, outputs = tuple(inputs), tuple(outputs)
    if not symbolic and system.rigid_contacts:
        at = held_by_contacts(operating_point(system, at, t=t, parameters=parameters))
        system, parameters = at.system, None
    require_continuous(system, sampled=hold is not None)
    if symbolic:
        plain = not (inputs or outputs or parameters or frozen or delay or hold)
        return _symbolic(system, at, coordinates, plain=plain)
    point = operating_point(system, at, t=t, parameters=parameters)
    warn_of_kinks(point)
    if hold is None:
        return _linearized(point, inputs, outputs, coordinates, frozen)
    laws = varied_laws(point)
    signals = dict.fromkeys(signal for law in laws for signal in law.signals)
    return hold.discretized(_linearized(point, inputs, (*outputs, *signals), coordinates, frozen), laws, outputs)


def _linearized(
    point: OperatingPoint,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    coordinates: Sequence[str] | Basis | None,
    frozen: bool,
) -> LinearModel:
    """Return the linear model about an operating point."""
    channels = channels_of(point, inputs)
    found = vary(channels.point)
    if not frozen:
        require_balanced(channels.point, found.udot)
    flow = flow_of(found, reduce_variations(found, coordinates), channels.acting)
    names, values, observed = observe(flow, outputs)
    if not frozen:
        steady = steady_flow(flow)
        steady.require_constant()
        _require_same_outputs(steady, names, observed)
        _require_same_inputs(steady, channels)
        flow = steady.flow
        if point.kind is OperatingKind.INSTANT:
            point = replace(point, kind=OperatingKind.STEADY_MOTION)
    form = state_space(flow, channels, names, observed)
    again = partial(_linearized, inputs=inputs, outputs=names, coordinates=flow.reduction.positions, frozen=frozen)
    return LinearModel(point, flow, channels, form, dict(zip(names, values.tolist(), strict=True)), linearized=again)


def _require_same_outputs(steady: SteadyFlow, outputs: Sequence[str], observed: Floats) -> None:
    """Raise an error if an output does not depend on the states in the same way at both instants."""
    pairs = ((steady.flow, observed), (steady.then, observe(steady.then, outputs)[2]))
    now, then = (part[:, : flow.states] @ state_coefficients(flow) for flow, part in pairs)
    change = np.abs(now - then @ steady.rotated.T)
    for name, row, size in zip(outputs, change, np.abs(now), strict=True):
        if row.max() > _DRIFT_TOLERANCE * max(1.0, float(size.max())):
            raise StateError(
                f"The output {name!r} does not depend on the states in the same way at all instants of the motion. "
                "Choose outputs in co-moving axes: coordinates, speeds, lengths, forces of elements."
            )


def _require_same_inputs(steady: SteadyFlow, channels: Channels) -> None:
    """Raise an error if an input does not act in the same way at both instants."""
    now, then = (_effects(flow) for flow in (steady.flow, steady.then))
    change = np.abs(now - steady.rotated @ then)
    for i, channel in enumerate(channels.items):
        if not channel.driver and change[:, i].max() > _DRIFT_TOLERANCE * max(1.0, float(np.abs(now[:, i]).max())):
            raise StateError(
                f"The input {channel.name!r} does not act in the same way at all instants of the motion. Choose one "
                "in co-moving axes: an actuator, a force in the axes of a body."
            )


def _effects(flow: Flow) -> Floats:
    """Return the rates of (δθ, δu, δz) by values of inputs."""
    chosen = slice(flow.states, flow.states + flow.acting.count)
    return np.vstack((flow.theta_rate, flow.udot, flow.zdot))[:, chosen]


def _symbolic(
    system: System, at: At | None, coordinates: Sequence[str] | Basis | None, *, plain: bool
) -> SymbolicLinearModel:
    """Return the linear equations in closed form."""
    if not plain:
        raise StateError(
            "Symbolic linear equations have mass, damping and stiffness, no inputs and outputs, and keep all "
            "parameters as symbols. Leave the other options out."
        )
    if isinstance(coordinates, Basis) or not (at is None or isinstance(at, Mapping)):
        raise StateError(
            "For symbolic linear equations give `at` by exact values of coordinates and speeds, and `coordinates` by "
            "name."
        )
    return symbolic_linear_model.symbolic_linear_model(system, at or {}, coordinates)
