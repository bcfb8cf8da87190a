"""Sensitivities of frequency responses: how the answer of an output to an input changes with parameters.

P(iω) X = −F_w, G = cᵀ X + d for an output with δy = cᵀ x + d w; with the adjoint P(iω)ᵀ z = c follows
G′ = (cᵀ X + d)′ − zᵀ (P X + F_w)′, where primes are at constant X; the operating point moves along. The displacement of
a driver acts with its rate and acceleration: w, μ w and μ² w.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.analysis.linear.channels import Channel
from gyrostat.analysis.linear.sensitivities.output_variation import OutputVariation
from gyrostat.analysis.linear.sensitivities.pencil import Pencil
from gyrostat.analysis.linear.sensitivities.sensitivity import SensitivityWork
from gyrostat.analysis.variations.spectrum import Complexes
from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean

if TYPE_CHECKING:
    import xarray

    from gyrostat.analysis.linear.linear_model import LinearModel


def response_sensitivity(
    linear: LinearModel, input: str, output: str, frequencies: ArrayLike, wrt: Sequence[str] | None
) -> xarray.Dataset:
    """Return the response of an output to an input at frequencies in Hz, and its derivatives: exact."""
    import xarray

    work = SensitivityWork(linear)
    names, places = work.places(wrt)
    pencil, varied = work.pencil, OutputVariation(work.pencil, output)
    hertz = np.atleast_1d(np.asarray(frequencies, dtype=float))
    values = np.zeros(len(hertz), dtype=complex)
    derivatives = np.zeros((len(hertz), len(names)), dtype=complex)
    for i, frequency in enumerate(hertz):
        mu = 2j * np.pi * frequency
        acting, matrix = _acting(work, input, mu), pencil.matrix(mu)
        answer = _answer(pencil, matrix, acting)
        values[i] = varied.along(answer, mu, acting)
        if names:
            adjoint = np.asarray(np.linalg.solve(matrix.T, varied.row(mu)), dtype=complex)
            own = varied.gradient(answer, mu, acting)
            derivatives[i] = pencil.total(own - pencil.gradient(adjoint, answer, mu, acting))[places]
    coords = {"frequency": hertz, "parameter": list(names)}
    return xarray.Dataset(
        {"response": ("frequency", values), "sensitivity": (("frequency", "parameter"), derivatives)},
        coords=coords,
        attrs={"input": input, "output": output},
    )


def response_at(work: SensitivityWork, input: str, output: str, frequency: float) -> tuple[complex, complex]:
    """Return the response at a frequency in Hz, and its derivative by the frequency."""
    pencil, varied = work.pencil, OutputVariation(work.pencil, output)
    mu = 2j * np.pi * frequency
    acting, faster = _acting(work, input, mu), _acting(work, input, mu, slope=True)
    matrix, nothing = pencil.matrix(mu), np.zeros(sum(pencil.sizes), dtype=complex)
    answer = _answer(pencil, matrix, acting)
    forced = pencil.along(nothing, 0.0, faster)
    slope = np.asarray(np.linalg.solve(matrix, -pencil.rate_part(answer) - forced), dtype=complex)
    by_rate = varied.along(answer, 1.0) - varied.along(answer, 0.0)
    rise = varied.along(slope, mu, faster) + by_rate
    return complex(varied.along(answer, mu, acting)), complex(2j * np.pi * rise)


def _answer(pencil: Pencil, matrix: Complexes, acting: Complexes) -> Complexes:
    """Return X of P X = −F_w."""
    forced = pencil.along(np.zeros(sum(pencil.sizes), dtype=complex), 0.0, acting)
    return np.asarray(np.linalg.solve(matrix, -forced), dtype=complex)


def _acting(work: SensitivityWork, input: str, mu: complex, *, slope: bool = False) -> Complexes:
    """Return the change of inputs and parameters by an input of unit amplitude, or its derivative by μ."""
    found = np.zeros(len(work.pencil.acting), dtype=complex)
    factors = (0.0, 1.0, 2 * mu) if slope else (1.0, mu, mu**2)
    channel = _channel(work, input)
    if channel.by_acceleration:
        raise StateError(f"The response to {input!r} has no sensitivity. Use the displacement {channel.driver!r}.")
    for place, factor in zip(channel.places, factors, strict=False):
        found[work.pencil.acting.index(place)] = factor
    return found


def _channel(work: SensitivityWork, input: str) -> Channel:
    items = work.linear.channels.items
    channel = next((item for item in items if item.name == input), None)
    if channel is None:
        known = [item.name for item in items]
        hint = did_you_mean(input, known) if known else "Linearize with inputs=[…]."
        raise StateError(f"There is no input {input!r} of this linear model. {hint}")
    return channel
