"""Derivatives of CasADi Functions by CasADi's own differentiation: exact, and sparse where the function is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi

from gyrostat.errors import ProgramError
from gyrostat.scalar.tracing import in_turn


@in_turn
def jacobian(function: Any, of: str, wrt: str | Sequence[str]) -> Any:
    """Return the casadi.Function of the derivatives of an output with respect to inputs.

    It has the inputs of `function` and one sparse output "jac_<of>_<input>" for each input in `wrt`, of shape
    (entries of the output, entries of the input), both counted column by column.
    """
    inputs, result = _symbols(function, of)
    wanted = _require_inputs(function, wrt)
    stacked = casadi.vertcat(*(casadi.vec(inputs[name]) for name in wanted))
    # One sweep for all: the colouring of the joint pattern is never worse than that of the parts one by one.
    whole = casadi.jacobian(casadi.vec(result), stacked)
    borders = [0]
    for name in wanted:
        borders.append(borders[-1] + inputs[name].numel())
    parts = casadi.horzsplit(whole, borders)
    names = [f"jac_{of}_{name}" for name in wanted]
    return casadi.Function(f"jac_{function.name()}", list(inputs.values()), parts, list(inputs), names)


@in_turn
def directional(function: Any, of: str, wrt: str | Sequence[str]) -> Any:
    """Return the casadi.Function of the directional derivative Σ ∂of/∂x · seed_x over the inputs x in `wrt`.

    It has the inputs of `function`, then an input "seed_<x>" of the shape of x for each, and one output "dir_<of>" of
    the shape of `of`. Forward mode: about twice the operations of the function, however many inputs there are.
    """
    inputs, result = _symbols(function, of)
    wanted = _require_inputs(function, wrt)
    seeds = {name: casadi.SX.sym(f"seed_{name}", inputs[name].sparsity()) for name in wanted}
    stacked = casadi.vertcat(*(casadi.vec(inputs[name]) for name in wanted))
    direction = casadi.vertcat(*(casadi.vec(seed) for seed in seeds.values()))
    slope = casadi.jtimes(casadi.vec(result), stacked, direction)
    slope = casadi.reshape(slope, result.shape)
    every = [*inputs.values(), *seeds.values()]
    names = [*inputs, *(f"seed_{name}" for name in wanted)]
    return casadi.Function(f"dir_{function.name()}", every, [slope], names, [f"dir_{of}"])


def _symbols(function: Any, of: str) -> tuple[dict[str, Any], Any]:
    """Return the function's inputs as symbols, by name, and the output `of` as an expression of them."""
    if not isinstance(function, casadi.Function):
        raise ProgramError(f"Derivatives are taken of a casadi.Function, not of {type(function).__name__}.")
    outputs = function.name_out()
    if of not in outputs:
        known = ", ".join(repr(name) for name in outputs)
        raise ProgramError(f"Function {function.name()!r} has no output {of!r}. It has: {known}.")
    symbols = function.sx_in()
    results = function.call(symbols, True, False)
    return dict(zip(function.name_in(), symbols, strict=True)), results[outputs.index(of)]


def _require_inputs(function: Any, wrt: str | Sequence[str]) -> list[str]:
    names = [wrt] if isinstance(wrt, str) else list(wrt)
    inputs = function.name_in()
    known = ", ".join(repr(name) for name in inputs)
    for name in names:
        if name not in inputs:
            raise ProgramError(f"Function {function.name()!r} has no input {name!r}. It has: {known}.")
    if not names or len(set(names)) < len(names):
        raise ProgramError(f"Name at least one input of {function.name()!r}, each once. It has: {known}.")
    return names
