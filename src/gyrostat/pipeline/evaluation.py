"""Evaluation of a system's programs at checked arguments, one state or many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gyrostat.coordinates import Coordinates
from gyrostat.pipeline.arguments import Floats, stacked
from gyrostat.program import Port, Program


def evaluated(program: Program, coordinates: Coordinates, parts: Sequence[Floats]) -> dict[str, Floats]:
    """Return the outputs by name in the shape (leading axes, port's shape), from arguments in the order of the ports.

    Where a value is not finite, an error names the element at fault.
    """
    rows, leading = stacked(parts)
    found = program.loop(rows) if len(rows) < 4 * program.lanes else program.batch(rows)
    if not np.isfinite(found).all():
        from gyrostat.pipeline.diagnosis import explain_failure

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
