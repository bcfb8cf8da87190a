"""Linearization: the exact linear model of a system about an operating point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, overload

from gyrostat.analysis.linear.channels import channels_of
from gyrostat.analysis.linear.flow import flow_of
from gyrostat.analysis.linear.linear_model import LinearModel
from gyrostat.analysis.linear.observed import observe
from gyrostat.analysis.linear.reduction import Basis, reduce_variations
from gyrostat.analysis.linear.state_space import state_space
from gyrostat.analysis.linear.steadiness import demand_balanced
from gyrostat.analysis.linear.steady_flow import steady_flow
from gyrostat.analysis.linear.variations import vary
from gyrostat.analysis.operating.operating_point import At, OperatingKind, operating_point
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.system import System, formulate

if TYPE_CHECKING:
    from gyrostat.analysis.linear.symbolic_linear_model import SymbolicLinearModel


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
    symbolic: Literal[False] = ...,
) -> LinearModel: ...


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
    symbolic: bool = False,
) -> LinearModel | SymbolicLinearModel:
    """Return the linear model of small motions about an operating point: an equilibrium, or a steady motion.

    `at` is an operating point, or values by name that are one; {} are the model's own. `inputs` are names of actuators,
    of parameters (their rates are taken to be small), of driven coordinates (their displacement, or their acceleration
    as `a1.acc`), of force elements (a further force), and of places with `.force` or `.moment`. `outputs` are names of
    what a trajectory can output, joints' loads as `a1.reaction`, and formulas over them. `coordinates` are those to be
    independent, where constraints leave a choice, or a `Basis`.

    Derivatives are exact. A state that is no equilibrium or steady motion is refused, and so is a motion along which
    the coefficients change; with `frozen` they are taken at the instant. With `symbolic` mass, damping and stiffness
    come in closed form, in the model's parameters; values in `at` are taken as exact ("pi/3", not 1.0472).

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    >>> bar = model.add(gs.Body("bar", gs.point_mass(2), points={"top": (0, 0.5, 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top"))
    >>> lin = gs.linearize(model, {"a1": 0}, inputs=["bar.force.x"], outputs=["bar.x"])
    >>> lin.stiffness.round(6).values, lin.mass.round(6).values
    (array([[9.81]]), array([[0.5]]))
    """
    if isinstance(system, Model):
        system = formulate(system)
    if symbolic:
        return _symbolic(system, at, coordinates, plain=not (tuple(inputs) or tuple(outputs) or parameters or frozen))
    point = operating_point(system, {} if at is None else at, t=t, parameters=parameters)
    channels = channels_of(point, inputs)
    found = vary(channels.point)
    if not frozen:
        demand_balanced(found)
    flow = flow_of(found, reduce_variations(found, coordinates), channels.acting)
    names, values, observed = observe(flow, outputs)
    if not frozen:
        steady = steady_flow(flow)
        flow = steady.flow
        steady.demand_same_answers(channels, names, observed)
        if point.kind is OperatingKind.INSTANT:
            point = replace(point, kind=OperatingKind.STEADY_MOTION)
    form = state_space(flow, channels, names, observed)
    return LinearModel(point, flow, channels, form, dict(zip(names, values.tolist(), strict=True)))


def _symbolic(
    system: System, at: At | None, coordinates: Sequence[str] | Basis | None, *, plain: bool
) -> SymbolicLinearModel:
    """Return the linear equations in closed form."""
    from gyrostat.analysis.linear.symbolic_linear_model import symbolic_linear_model

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
    return symbolic_linear_model(system, at or {}, coordinates)
