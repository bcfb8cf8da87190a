"""Evaluation of a system's programs at one state or many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gyrostat import closing
from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.arguments import Floats, Parameters, column_of, stacked, time_of
from gyrostat.errors import StateError
from gyrostat.kinematics.driving_inputs import driving_values
from gyrostat.program import Port, Program
from gyrostat.recipes.table import RECIPES
from gyrostat.system.arguments import At
from gyrostat.system.kernel_forces import refuse_kernel_forces
from gyrostat.system.single_state import SingleState, output_shape
from gyrostat.system.state import state_of

if TYPE_CHECKING:
    from gyrostat.system.system import System

_SOLVING_PROGRAMS = frozenset(("forward_dynamics", "forward_dynamics_derivatives", "multipliers"))
"""Programs that solve for accelerations, which have no meaning in loops that cannot be closed."""


_LOAD_RESULTS = {
    "forward_dynamics": "Accelerations",
    "forward_dynamics_derivatives": "Derivatives of accelerations",
    "inverse_dynamics": "Loads",
    "reactions": "Reactions",
    "multipliers": "Multipliers",
}
"""Programs to which loads of force elements are arguments."""


def evaluate(system: System, name: str, at: At) -> dict[str, Floats]:
    """Return the outputs of a system's program by name, and prepare it for single states.

    They are evaluated with the model's own parameters, for which this call has checked that loops can be closed.
    """
    found = evaluate_in_general(system, name, at)
    if name not in system.single_states and not at.parameters and not system.model.driving_inputs:
        system.single_states[name] = SingleState(system, system.program(name))
    return found


def evaluate_in_general(system: System, name: str, at: At) -> dict[str, Floats]:
    """Return the outputs of a system's program for arguments of any kind: names, leading axes, changed parameters."""
    if name in _LOAD_RESULTS and at.inputs is None:
        refuse_kernel_forces(system, f"{_LOAD_RESULTS[name]} at a state")
    values = system.parameter_values(at.parameters)
    program = system.program(name)
    parts = [
        time_of(at.t),
        *state_of(system, at.q, at.u, at.z, at.parameters),
        values,
        column_of(at.inputs, system.inputs, inputs_of_laws(system, at), "input"),
    ]
    if RECIPES[name].udot:
        rest = (0.0,) * system.coordinates.n_u
        parts.append(column_of(at.udot, system.speed_names, rest, "acceleration of speed"))
    if name in _SOLVING_PROGRAMS and system.constrained:
        _require_closable(system, parts, at.parameters)
    return evaluated(program, system.coordinates, parts)


def inputs_of_laws(system: System, at: At) -> Sequence[float]:
    """Return the inputs where none are given: zero, but for those that drive coordinates, which follow their laws."""
    if not system.driving_inputs:
        return (0.0,) * len(system.inputs)
    times = np.unique(np.asarray(at.t, dtype=float))
    if len(times) > 1:
        raise StateError(
            f"Inputs of {system.model.name!r} drive coordinates and change with time. Give their values, rates and "
            f"accelerations: {', '.join(system.model.driving_inputs)}; or evaluate one time at once."
        )
    driving = driving_values(system.model, float(times[0]), system.model.values(at.parameters))
    return [driving.get(name, 0.0) for name in system.inputs]


def _require_closable(system: System, parts: Sequence[Floats], parameters: Parameters) -> None:
    """Raise an error if the loops cannot be closed from the first state, nor from the model's initial position.

    States may be open, but a mechanism that has no closed position has no accelerations. One search is made for each
    set of parameters.
    """
    key = ("closable", parts[4].tobytes())
    if key in system.cache:
        return
    rows, _ = stacked(parts)
    closer = closing.Closer(system, float(rows[0, 0]), parameters)
    q, u, free = rows[0, system.row.q], rows[0, system.row.u], np.ones(system.coordinates.n_u, dtype=bool)
    closer.require_possible(q, u)
    found = closing.nearest_closed(closer, q, free)
    if found.position is None:
        start = closer.regular(system.initial_values(parameters)[0])
        if closing.nearest_closed(closer, start, free).position is None:
            raise StateError(closing.cannot_close(closer, found.left))
    system.cache.keep(key, True)


def evaluated(program: Program, coordinates: Coordinates, parts: Sequence[Floats]) -> dict[str, Floats]:
    """Return the outputs by name in the shape (leading axes, port's shape), from arguments in the order of the ports.

    Where a value is not finite, an error names the element at fault.
    """
    rows, leading = stacked(parts)
    found = program.loop(rows) if len(rows) < 4 * program.lanes else program.batch(rows)
    if not np.isfinite(found).all():
        raise closing.explain_failure(coordinates, rows[int(np.argwhere(~np.isfinite(found))[0][0])])
    return {port.name: _dense(port, found[:, program.output_slice(port.name)], leading) for port in program.outputs}


def _dense(port: Port, stored: Floats, leading: tuple[int, ...]) -> Floats:
    """Return a port's values with absent entries as zeros, in the shape (leading axes, port's shape)."""
    full = np.zeros((len(stored), port.columns, port.rows))
    if port.pattern is None:
        full[...] = stored.reshape(len(stored), port.columns, port.rows)
    else:
        rows, columns = port.pattern
        full[:, columns, rows] = stored
    return full.transpose(0, 2, 1).reshape(*leading, *output_shape(port))
