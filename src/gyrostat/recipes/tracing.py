"""Tracing: the formulas of mechanics run once on the traced engine, giving the CasADi functions of programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import casadi

from gyrostat.coordinates import Coordinates
from gyrostat.model.formula import Formula
from gyrostat.program.graph import FORMATION_OUTPUT
from gyrostat.recipes.conditions import record_conditions
from gyrostat.recipes.input_formulas import with_input_formulas
from gyrostat.recipes.own_reactions import with_own_reactions
from gyrostat.recipes.symbolic_state import begin_trace
from gyrostat.recipes.trace import MODES, Recipe, SparseMatrix, Trace
from gyrostat.scalar.switch_symbols import mode_column
from gyrostat.scalar.traced import column, sparse_matrix
from gyrostat.scalar.tracing import in_turn


@in_turn
def build_function(
    name: str,
    recipe: Recipe,
    coordinates: Coordinates,
    inputs: Mapping[str, Formula] | None = None,
    softness: float = 0.0,
    *,
    in_order: bool = False,
    locked: bool = False,
) -> Any:
    """Return the function of a recipe, with named inputs and outputs; some of the system's inputs may be formulas.

    With `in_order` it has one more output, by which `read_graph` lists its instructions as the formulas run: link by
    link, few values wait for their use. CasADi's own order is that in which the outputs need them. With `locked`,
    conditions of laws are modes, in the order of inputs, force elements, states and delays, which are one more input.
    """
    trace = begin_trace(coordinates, softness, locked=locked)
    if inputs:
        trace = with_input_formulas(trace, inputs)
    trace = with_own_reactions(trace)
    arguments = recipe.arguments
    if trace.switches is not None:
        arguments = recipe.locked_arguments
        record_conditions(trace.motion, trace.switches)
        trace.arguments[MODES] = mode_column(trace.switches)
    outputs = {port: _column(values) for port, values in recipe.outputs(trace).items()}
    if trace.switches is not None:
        assert len(trace.switches.switches) == trace.arguments[MODES].numel(), "each law has the same conditions"
    columns = [trace.arguments[argument] for argument in arguments]
    if in_order:
        outputs = {**_order(trace, columns), **outputs}
    return casadi.Function(name, columns, list(outputs.values()), list(arguments), list(outputs))


def _column(values: Any) -> Any:
    """Return an output as a column or matrix of CasADi's; recipes of any engine have lists."""
    if isinstance(values, SparseMatrix):
        return sparse_matrix(values.entries, values.rows, values.columns)
    return column(values) if isinstance(values, list) else values


def _order(trace: Trace, columns: list[Any]) -> dict[str, Any]:
    """Return the output that lists values in the order of formation; none where values have other arguments."""
    formed = casadi.vertcat(casadi.SX(0, 1), *trace.formed)
    known = {symbol.element_hash() for symbol in casadi.symvar(casadi.vertcat(*columns))}
    return {FORMATION_OUTPUT: formed} if all(s.element_hash() in known for s in casadi.symvar(formed)) else {}
