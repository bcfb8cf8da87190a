"""oscilate: the method of multiple scales on SymPy expressions, with `dsolve` at every order."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy
from oscilate.MMS import Dynamical_system, Multiple_scales_oscillator, scale_parameters
from scales_problems import ScalesProblem


def amplitude_rates(problem: ScalesProblem, order: int) -> list[Any]:
    """Return the rates of the amplitudes, SymPy expressions in oscilate's own symbols."""
    t, eps = sympy.symbols("t", real=True), sympy.Symbol("eps", real=True, positive=True)
    names = {name: sympy.Symbol(name, real=True, positive=True) for name in problem.parameters}
    frequencies = [sympy.Symbol(f"w{i + 1}", real=True, positive=True) for i in range(len(problem.ratios))]
    x = [sympy.Function(f"x{i + 1}", real=True)(t) for i in range(len(problem.ratios))]
    left = problem.unforced(t, x, frequencies, names)
    small = [names[name] for name in problem.parameters]
    scaled, substitutions = scale_parameters(small, [1] * len(small), eps)
    detunings: Any = [0] + [scaled[small.index(names["delta"])] * eps] * (len(x) - 1) if len(x) > 1 else 0
    with contextlib.redirect_stdout(io.StringIO()):
        system = Dynamical_system(
            t, x if len(x) > 1 else x[0], left if len(x) > 1 else left[0],
            frequencies if len(x) > 1 else frequencies[0], F=names["F"], fF=[int(f) for f in problem.forced],
        )  # fmt: skip
        scales = Multiple_scales_oscillator(
            system, eps, order, frequencies[0], substitutions,
            ratio_omegaMMS=problem.forcing_ratio, ratio_omega_osc=list(problem.ratios), detunings=detunings,
        )  # fmt: skip
        scales.apply_MMS()
    return list(scales.sol.fa)


def numbers(rates: list[Any], values: Mapping[str, float], amplitudes: list[float], phases: list[float]) -> list[float]:
    """Return the rates at numbers; phases are those of the complex amplitudes at t = 0."""
    found = []
    for rate in rates:
        known: dict[Any, float] = {}
        for atom in rate.free_symbols | rate.atoms(sympy.Function):
            name = str(atom.func if isinstance(atom, sympy.Function) else atom)
            bare = name.replace("\\tilde{", "").replace("}", "").replace("\\", "")
            if bare.startswith("a_"):
                known[atom] = amplitudes[int(bare[2:])]
            elif bare.startswith("beta_"):
                known[atom] = -phases[int(bare[5:])]
            elif bare in values:
                known[atom] = values[bare]
        found.append(float(np.real(complex(rate.subs(known).evalf()))))
    return found
