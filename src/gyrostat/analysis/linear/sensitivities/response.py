"""Sensitivities of frequency responses: derivatives of the response of a coordinate to an input by parameters.

P(iω) X = −F_w, G = X_k; with the adjoint P(iω)ᵀ z = e_k follows G′ = −zᵀ (P X + F_w)′; the operating point moves along.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.analysis.linear.sensitivities.sensitivity import SensitivityWork
from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean

if TYPE_CHECKING:
    import xarray

    from gyrostat.analysis.linear.linear_model import LinearModel


def response_sensitivity(
    linear: LinearModel, input: str, output: str, frequencies: ArrayLike, wrt: Sequence[str] | None
) -> xarray.Dataset:
    """Return the response of a coordinate or speed to an input at frequencies in Hz, and its derivatives: exact."""
    import xarray

    work = SensitivityWork(linear)
    names, places = work.places(wrt)
    pencil = work.pencil
    row = _row(work, output)
    acting = np.zeros(len(pencil.acting))
    acting[_place(work, input)] = 1.0
    hertz = np.atleast_1d(np.asarray(frequencies, dtype=float))
    size = sum(pencil.sizes)
    values = np.zeros(len(hertz), dtype=complex)
    derivatives = np.zeros((len(hertz), len(names)), dtype=complex)
    forced = pencil.along(np.zeros(size, dtype=complex), 0.0, acting)
    for i, frequency in enumerate(hertz):
        mu = 2j * np.pi * frequency
        matrix = pencil.matrix(mu)
        answer = np.asarray(np.linalg.solve(matrix, -forced), dtype=complex)
        adjoint = np.asarray(np.linalg.solve(matrix.T, np.eye(size)[row]), dtype=complex)
        values[i] = answer[row]
        derivatives[i] = -pencil.total(pencil.gradient(adjoint, answer, mu, acting))[places]
    coords = {"frequency": hertz, "parameter": list(names)}
    return xarray.Dataset(
        {"response": ("frequency", values), "sensitivity": (("frequency", "parameter"), derivatives)},
        coords=coords,
        attrs={"input": input, "output": output},
    )


def response_at(work: SensitivityWork, input: str, output: str, frequency: float) -> tuple[complex, complex]:
    """Return the response at a frequency in Hz, and its derivative by the frequency."""
    pencil = work.pencil
    row, acting = _row(work, output), np.zeros(len(pencil.acting))
    acting[_place(work, input)] = 1.0
    forced = pencil.along(np.zeros(sum(pencil.sizes), dtype=complex), 0.0, acting)
    matrix = pencil.matrix(2j * np.pi * frequency)
    answer = np.asarray(np.linalg.solve(matrix, -forced), dtype=complex)
    slope = np.linalg.solve(matrix, -2j * np.pi * pencil.rate_part(answer))
    return complex(answer[row]), complex(slope[row])


def _row(work: SensitivityWork, output: str) -> int:
    system = work.linear.flow.variations.system
    names = tuple(system.coordinates.place_of)
    if output not in names:
        raise StateError(
            f"The sensitivity of a response is that of a coordinate, speed or state of the system; {output!r} is none. "
            f"{did_you_mean(output, names)}"
        )
    return names.index(output)


def _place(work: SensitivityWork, input: str) -> int:
    channel = next((item for item in work.linear.channels.items if item.name == input), None)
    if channel is None or channel.driver:
        known = [item.name for item in work.linear.channels.items if not item.driver]
        raise StateError(
            f"There is no input {input!r} of this linear model whose response has a sensitivity (drivers have none). "
            f"{did_you_mean(input, known) if known else 'Linearize with inputs=[…].'}"
        )
    return work.pencil.acting.index(channel.places[0])
