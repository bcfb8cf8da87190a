"""Recipes of signals on the traced engine: values, rates, gradients and derivatives of formulas and outputs."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

import casadi

from gyrostat.errors import StateError
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.model.formula import Formula
from gyrostat.recipes.linear_programs import rate_map, residuals_of
from gyrostat.recipes.motion_in_time import moving_in_time
from gyrostat.recipes.states import full_rates, has_states, seeds_of, state_of
from gyrostat.recipes.table import VARIATION_SEEDS
from gyrostat.recipes.trace import MODES, SEED_INPUTS, Trace
from gyrostat.recipes.traced_instant import TracedInstant, formula_values, solved_rates, table_of
from gyrostat.scalar import Scalar
from gyrostat.scalar.traced import as_sx, column
from gyrostat.signals.formulas import formula_value


def values(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Any]:
    """Return the values of formulas."""
    return {"values": casadi.densify(formula_values(TracedInstant.solved(trace), formulas))}


def values_and_rates(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Any]:
    """Return the values of formulas and their rates in the motion of forward dynamics; inputs are constant."""
    values = formula_values(TracedInstant.solved(trace), formulas)
    return {"values": values, "rates": rates_of(trace, values)}


def rates(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Any]:
    """Return the rates of formulas in the motion of forward dynamics; inputs are constant."""
    return {"rates": rates_of(trace, formula_values(TracedInstant.solved(trace), formulas))}


def values_along(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Any]:
    """Return the derivatives of formulas along a direction in the state and the inputs."""
    found, inputs = formula_values(TracedInstant.solved(trace), formulas), trace.arguments["inputs"]
    own = trace.arguments[SEED_INPUTS] = casadi.SX.sym(SEED_INPUTS, inputs.numel())
    state, seeds = casadi.vertcat(state_of(trace), inputs), casadi.vertcat(seeds_of(trace), own)
    return {"derivatives": casadi.densify(casadi.jtimes(found, state, seeds))}


def mode_dependence(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Any]:
    """Return constants: 1 for each formula whose value depends on conditions of laws, which are locked, otherwise 0."""
    values, modes = formula_values(TracedInstant.solved(trace), formulas), trace.arguments[MODES]
    return {"on_modes": column(float(casadi.depends_on(values[i], modes)) for i in range(len(formulas)))}


def rates_of(trace: Trace, values: Any) -> Any:
    """Return the rates of a column in the motion of forward dynamics; inputs are constant."""
    rates = _rates_at_constant_speeds(trace, values)
    if casadi.depends_on(values, trace.arguments["u"]):
        rates += casadi.jtimes(values, trace.arguments["u"], column(solved_rates(trace)))
    if casadi.depends_on(values, trace.arguments["z"]):
        rates += casadi.jtimes(values, trace.arguments["z"], full_rates(trace, column(solved_rates(trace))))
    return casadi.densify(rates)


def gradients(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Any]:
    """Return ∂(rate)/∂u of formulas that do not depend on speeds."""
    values, u = formula_values(TracedInstant.solved(trace), formulas), trace.arguments["u"]
    for row in sorted(set(casadi.jacobian_sparsity(values, u).row())):
        name = list(formulas)[row]
        raise StateError(
            f"The formula {formulas[name]!s:.60} of {name!r} depends on speeds, so that it has no direction of impact. "
            "Use positions, angles and time only."
        )
    return {"gradients": casadi.densify(casadi.jacobian(_rates_at_constant_speeds(trace, values), u))}


def known_value(trace: Trace, name: str, unknown: tuple[str, ...]) -> dict[str, Any]:
    """Return the value of a signal; one that depends on inputs which are not known yet is refused."""
    value = formula_values(TracedInstant.solved(trace), {name: Formula.of(name)})
    if needed := inputs_in(trace, value, unknown):
        raise StateError(
            f"Signal {name!r} depends on the input {needed[0]!r}, which is given by a Python function and not known "
            "yet. Use signals that do not depend on it."
        )
    return {"value": casadi.densify(value)}


def derivatives(trace: Trace, outputs: Mapping[str, Formula | None]) -> dict[str, Any]:
    """Return the values of outputs and their derivatives at given u̇ and λ; those without a formula are signals."""
    residuals_of(trace)
    instant, table = TracedInstant.given(trace), table_of(trace)
    found: list[Scalar] = [
        table[name].form(instant) if formula is None else formula_value(table, formula, instant, trace.motion.scalars)
        for name, formula in outputs.items()
    ]
    values, arguments = column(found), trace.arguments
    acting = casadi.vertcat(arguments["inputs"], arguments["parameters"])
    _, mapping = rate_map(trace)
    return {
        "values": values,
        "by_position": casadi.mtimes(casadi.jacobian(values, arguments["q"]), mapping),
        "by_speed": casadi.jacobian(values, arguments["u"]),
        **({"by_state": casadi.jacobian(values, arguments["z"])} if has_states(trace) else {}),
        "by_rate": casadi.jacobian(values, arguments["udot"]),
        "by_load": casadi.jacobian(values, arguments["loads"]),
        "by_input": casadi.jacobian(values, acting),
    }


def variation(trace: Trace, name: str) -> dict[str, Any]:
    """Return the variation of an output along a direction, and its gradient.

    The gradient is that by q, u, z, u̇, λ, inputs and parameters.
    """
    residuals_of(trace)
    value, arguments = as_sx(table_of(trace)[name].form(TracedInstant.given(trace))), trace.arguments
    acting = casadi.vertcat(arguments["inputs"], arguments["parameters"])
    likes = (*(arguments[one] for one in ("q", "udot", "z", "loads")), acting)
    for seed, like in zip(VARIATION_SEEDS, likes, strict=True):
        arguments[seed] = casadi.SX.sym(seed, like.numel())
    state = casadi.vertcat(*(arguments[one] for one in ("q", "u", "z", "udot", "loads")), acting)
    seeds = [arguments[one] for one in ("seed_q", "seed_u", "seed_z", "seed_udot", "seed_loads", "seed_acting")]
    along = casadi.jtimes(value, state, casadi.vertcat(*seeds))
    return {"along": casadi.densify(along), "gradient": casadi.densify(casadi.gradient(along, state))}


def inputs_in(trace: Trace, value: Any, names: Container[str]) -> list[str]:
    """Return those of the inputs that a value, an SX, depends on."""
    pattern: Any = casadi.jacobian_sparsity(value, trace.arguments["inputs"])
    places = set(pattern.get_col())
    return [name for i, name in enumerate(trace.motion.state.inputs) if i in places and name in names]


def _rates_at_constant_speeds(trace: Trace, values: Any) -> Any:
    """Return the total time derivative of values without the contributions of u̇ and ż."""
    rates = column(coordinate_rates(trace.motion.tree, trace.motion.state))
    by_itself, its_rates = moving_in_time(trace)
    moving = casadi.vertcat(trace.arguments["q"], by_itself)
    return casadi.jtimes(values, moving, casadi.vertcat(rates, its_rates))
