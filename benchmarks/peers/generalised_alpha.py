"""Generalised α on native residuals: constraints at position level (index 3), multipliers and steps scaled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.linalg import lu_factor, lu_solve

import gyrostat as gs
from peers.descriptor_form import DescriptorForm
from peers.solver import Found, Solver
from peers.tree import Floats

_MOST_ITERATIONS = 25
_ROUNDING = 1e-11
"""Changes below this share of the coordinates end the iteration."""


class GeneralisedAlpha:
    """The method of Chung and Hulbert for constrained systems, after Arnold and Brüls (2007), with a fixed step.

    Newton's method on (Δq, λ), with a new matrix in each step, and where it converges slowly; positions in units of h²,
    as Bottasso, Bauchau and Cardona (2007) scale them, so that the matrix is well conditioned for short steps. `counts`
    tells steps and iterations.
    """

    def __init__(
        self, form: DescriptorForm, duration: float, *, initial: Mapping[str, object] | None = None, radius: float = 0.7
    ) -> None:
        self._form, self._duration = form, duration
        start = gs.assemble(form.system, initial)
        self._start = np.concatenate((start.q, start.u))
        self._alpha_m, self._alpha_f = (2 * radius - 1) / (radius + 1), radius / (radius + 1)
        self._gamma = 0.5 - self._alpha_m + self._alpha_f
        self._beta = 0.25 * (self._gamma + 0.5) ** 2
        self._residual, self._matrix = self._calls(form.balance), self._calls(form.balance_matrix)
        self.counts = {"steps": 0, "iterations": 0}

    def _calls(self, program: Any) -> Any:
        n, rows = self._form.n, self._form.rows
        source, target = program.input_buffer(), program.output_buffer()
        source.array[program.input_slice("parameters")] = self._form.system.parameter_values()
        slots = [source.array[program.input_slice(name)] for name in ("t", "q", "u", "loads", "udot")]

        def call(t: float, q: Floats, u: Floats, loads: Floats, udot: Floats, *by: float) -> Floats:
            for slot, value in zip(slots, (t, q, u, loads, udot), strict=True):
                slot[:] = value
            if by:
                source.array[-2:] = by
            program(source, target)
            return target.array.reshape(n + rows, n + rows).T if by else target.array

        return call

    def run(self, step: float) -> Found:
        """Return the end of the motion, with a step near the one that is given."""
        n, form = self._form.n, self._form
        steps = max(1, round(self._duration / step))
        h = self._duration / steps
        q, u = self._start[:n].copy(), self._start[n:].copy()
        udot = form.system.program("rates").loop(form.vector(q, u)[None])[0][n:]
        a, loads = udot.copy(), form.multipliers(self._start)
        self.counts = {"steps": 0, "iterations": 0}
        for k in range(steps):
            q, u, udot, a, loads = self._step((k + 1) * h, h, q, u, udot, a, loads)
            if not np.isfinite(q).all():
                raise ArithmeticError("the motion ran away")
        return Found(q)

    def _step(self, t: float, h: float, q: Floats, u: Floats, udot: Floats, a: Floats, loads: Floats) -> Any:
        n, beta, gamma = self._form.n, self._beta, self._gamma
        am, af = self._alpha_m, self._alpha_f
        by_udot, by_u = (1 - am) / (h * h * beta * (1 - af)), gamma / (h * beta)
        new = (af * udot - am * a) / (1 - am)
        q = q + h * u + h * h * ((0.5 - beta) * a + beta * new)
        u = u + h * ((1 - gamma) * a + gamma * new)
        udot = np.zeros(n)
        factors = None
        before = np.inf
        for iteration in range(_MOST_ITERATIONS):
            right = self._residual(t, q, u, loads, udot).copy()
            right[:n] *= h * h
            if factors is None:
                matrix = self._matrix(t, q, u, loads, udot, by_u, by_udot).copy()
                matrix[:n, :n] *= h * h  # loads in units of 1/h², the balance times h²
                factors = lu_factor(matrix)
            change = lu_solve(factors, -right)
            q, loads = q + change[:n], loads + change[n:] / (h * h)
            u, udot = u + by_u * change[:n], udot + by_udot * change[:n]
            self.counts["iterations"] += 1
            size = np.abs(change[:n]).max()
            if size < _ROUNDING * (1 + np.abs(q).max()):
                break
            if not np.isfinite(size) or iteration == _MOST_ITERATIONS - 1:
                raise ArithmeticError("Newton's method does not converge")
            if size > 0.3 * before:
                factors = None
            before = size
        self.counts["steps"] += 1
        a = new + (1 - af) / (1 - am) * udot
        return q, u, udot, a, loads

    def solver(self, first: float) -> Solver:
        """Return it as a way to the end of a motion."""
        return Solver("generalised α", "index 3", "step", self.run, first, 2.0)
