"""Regions of absolute stability (Crous 2000, appendix C)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from gyrostat.analysis.integrators.integrator import Integrator
from gyrostat.analysis.integrators.tableau import Tableau
from gyrostat.errors import StateError
from gyrostat.pictures.figures.saving import new_figure, save_figure
from gyrostat.pictures.figures.style import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PARTS_OF_A_TURN = 256


def stability_boundary(integrator: Integrator, points: int = 400) -> NDArray[np.complex128]:
    """Return the closed curve |R(z)| = 1 through the origin, z = h λ, at so many points of equal distance.

    R is the growth of ẏ = λ y in one step (Crous 2000, eqs. C.5 and C.12). Inside the curve, to the left of the origin,
    steps are stable. The method must be an explicit Runge–Kutta method.

    >>> from gyrostat.analysis.integrators import Euler
    >>> abs(stability_boundary(Euler(1.0), 5) + 1).round(12)
    array([1., 1., 1., 1., 1.])
    """
    R = _growth(_explicit_tableau(integrator))
    curve = _traced(R)
    way = np.concatenate(([0.0], np.cumsum(np.abs(np.diff(curve)))))
    z = np.interp(np.linspace(0.0, way[-1], points), way, curve)
    for _ in range(4):  # from the chords back to the curve
        value = R(z)
        z = z - (value - value / np.abs(value)) / R.deriv()(z)
    return np.asarray(z, dtype=np.complex128)


def stability_regions(
    integrators: Mapping[str, Integrator] | Sequence[Integrator],
    path: str | os.PathLike[str] | None = None,
    *,
    dark: bool = False,
) -> Figure:
    """Return a drawing of regions of stability, as Crous 2000, figure C.1; with a path it is also written there."""
    if not isinstance(integrators, Mapping):
        integrators = {type(integrator).__name__: integrator for integrator in integrators}
    curves = {name: stability_boundary(integrator, 120) for name, integrator in integrators.items()}
    with style(dark) as look:
        figure = new_figure((5.2, 5.2), shown=False)
        axes = figure.subplots()
        for i, (name, curve) in enumerate(curves.items()):
            colour = look.curves[i % len(look.curves)]
            axes.fill(curve.real, curve.imag, color=colour, alpha=0.06, linewidth=0)
            axes.plot(curve.real, curve.imag, label=name, color=colour)
        axes.axhline(0.0, color=look.mark, linewidth=0.6, zorder=0)
        axes.axvline(0.0, color=look.mark, linewidth=0.6, zorder=0)
        axes.set_aspect("equal")
        axes.margins(0.08)
        axes.set_xlabel("real part of step × eigenvalue")
        axes.set_ylabel("imaginary part")
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), borderaxespad=0)
        if path is not None:
            save_figure(figure, path)
    return figure


def _explicit_tableau(integrator: Integrator) -> Tableau:
    tableau = getattr(integrator, "tableau", None)
    name = type(integrator).__name__
    if not isinstance(tableau, Tableau):
        raise StateError(f"{name} has no region of stability of one step. Give a Runge–Kutta method, such as gs.RK4.")
    if np.triu(tableau.a).any():
        raise StateError(
            f"{name} is implicit: it is stable in the whole left half-plane, whose edge is no closed curve."
        )
    return tableau


def _growth(tableau: Tableau) -> Polynomial:
    """Return R(z) = 1 + Σ bᵀ Aᵏ⁻¹ 1 zᵏ."""
    coefficients = [1.0]
    power = np.ones(tableau.stages)
    for _ in range(tableau.stages):
        coefficients.append(float(tableau.b @ power))
        power = tableau.a @ power
    return Polynomial(coefficients)


def _traced(R: Polynomial) -> NDArray[np.complex128]:
    """Follow R(z) = exp(iφ) from z = 0, where φ = 0, until the curve closes after some turns of φ."""
    slope = R.deriv()
    z, curve = 0j, [0j]
    for part in range(1, R.degree() * _PARTS_OF_A_TURN + 1):
        target = np.exp(2j * np.pi * part / _PARTS_OF_A_TURN)
        for _ in range(8):
            z -= (R(z) - target) / slope(z)
        curve.append(complex(z))
        if part % _PARTS_OF_A_TURN == 0 and abs(z) < 1e-8:
            break
    return np.array(curve)
