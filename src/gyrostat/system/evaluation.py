"""Evaluation of a system's programs at checked arguments, one state or many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.arguments import Floats, Inputs, Parameters, Values, column_of, stacked, time_of
from gyrostat.program import Port, Program
from gyrostat.recipes.table import RECIPES

if TYPE_CHECKING:
    from gyrostat.system.system import System


def evaluate(
    system: System,
    name: str,
    q: Values,
    u: Values | None,
    t: ArrayLike,
    inputs: Inputs,
    parameters: Parameters,
    udot: Values | None = None,
) -> dict[str, Floats]:
    """Return the outputs of a system's program; names left out have initial values, inputs are zero then.

    Where accelerations are needed and not given, they are those of forward dynamics.
    """
    program = system.program(name)
    parts = [
        time_of(t),
        *state_of(system, q, u),
        np.empty(0),
        system.parameter_values(parameters),
        column_of(inputs, system.inputs, (0.0,) * len(system.inputs), "input"),
    ]
    if RECIPES[name].udot:
        if udot is None:
            udot = evaluate(system, "forward_dynamics", q, u, t, inputs, parameters)["udot"]
        rest = (0.0,) * system.coordinates.n_u
        parts.append(column_of(udot, system.speed_names, rest, "acceleration of speed"))
    return evaluated(program, system.coordinates, parts)


def state_of(system: System, q: Values, u: Values | None) -> tuple[Floats, Floats]:
    """Return coordinates and speeds, each with its own leading axes; names left out have initial values."""
    return (
        column_of(q, system.coordinate_names, system.initial_coordinates.tolist(), "coordinate"),
        column_of(u, system.speed_names, system.initial_speeds.tolist(), "speed"),
    )


def states_of(system: System, q: Values, u: Values) -> list[tuple[Floats, Floats]]:
    """Return pairs of coordinates and speeds, one for each state given by arrays or by name."""
    states, _ = stacked(state_of(system, q, u))
    return [system.row.split(state) for state in states]


def evaluated(program: Program, coordinates: Coordinates, parts: Sequence[Floats]) -> dict[str, Floats]:
    """Return the outputs by name in the shape (leading axes, port's shape), from arguments in the order of the ports.

    Where a value is not finite, an error names the element at fault.
    """
    rows, leading = stacked(parts)
    found = program.loop(rows) if len(rows) < 4 * program.lanes else program.batch(rows)
    if not np.isfinite(found).all():
        from gyrostat.closing.diagnosis import explain_failure

        raise explain_failure(coordinates, rows[int(np.argwhere(~np.isfinite(found))[0][0])])
    return {port.name: _dense(port, found[:, program.output_slice(port.name)], leading) for port in program.outputs}


def _dense(port: Port, stored: Floats, leading: tuple[int, ...]) -> Floats:
    """Return a port's values with absent entries as zeros, in the shape (leading axes, port's shape)."""
    full = np.zeros((len(stored), port.columns, port.rows))
    if port.pattern is None:
        full[...] = stored.reshape(len(stored), port.columns, port.rows)
    else:
        rows, columns = port.pattern
        full[:, columns, rows] = stored
    # energies, loads and the like are columns; only matrices keep their second axis
    matrix = port.name == "mass_matrix" or port.name.startswith("udot_")
    shape = (port.rows, port.columns) if matrix else (port.rows,)
    return full.transpose(0, 2, 1).reshape(*leading, *shape)
