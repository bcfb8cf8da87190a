"""IDA of SUNDIALS on native residuals: closed loops stabilised after Gear, Gupta and Leimkuhler, or of index one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sksundae import ida

import gyrostat as gs
from peers.descriptor_form import DescriptorForm
from peers.solver import Found, Solver
from peers.tree import Floats

_FREE = 1e10
"""The absolute tolerance of multipliers, which have no part in the control of errors."""


def ida_solvers(
    form: DescriptorForm, duration: float, *, initial: Mapping[str, object] | None = None, first: float = 1e-7
) -> list[Solver]:
    """Return both ways to write the equations."""
    start = gs.assemble(form.system, initial)
    state = np.concatenate((start.q, start.u))
    return [_Way(form, index, state, duration).solver(first) for index in (2, 1)]


class _Way:
    """IDA on one way to write the equations."""

    def __init__(self, form: DescriptorForm, index: int, start: Floats, duration: float) -> None:
        self._form, self._index, self._duration = form, index, duration
        n, rows = form.n, form.rows
        residual = form.stabilised if index == 2 else form.index_one
        matrix = form.stabilised_matrix if index == 2 else form.index_one_matrix
        rates = form.system.program("rates").loop(form.vector(start[:n], start[n:])[None])[0]
        extra = np.concatenate((form.multipliers(start), np.zeros(rows if index == 2 else 0)))
        self._y, self._yp = np.concatenate((start, extra)), np.concatenate((rates, 0 * extra))
        self.counts: dict[str, int] = {}
        self._residual, self._matrix = self._calls(residual), self._calls(matrix)

    def _calls(self, program: Any) -> Any:
        form, n, index = self._form, self._form.n, self._index
        source, target = program.input_buffer(), program.output_buffer()
        source.array[program.input_slice("parameters")] = form.system.parameter_values()
        # y is q, u, λ, μ, in the order of the inputs; with index one μ is not there
        last = program.input_slice("mu" if index == 2 else "loads").stop
        vector, y_part, rates = source.array, source.array[1:last], source.array[program.input_slice("qdot").start :]
        size = len(self._y)

        def call(t: float, y: Floats, yp: Floats, cj: float | None = None) -> Floats:
            vector[0], y_part[:], rates[: 2 * n] = t, y, yp[: 2 * n]
            if cj is not None:
                vector[-1] = cj
            program(source, target)
            return target.array if cj is None else target.array.reshape(size, size).T

        return call

    def solver(self, first: float) -> Solver:
        """Return it as a way to the end of a motion."""
        form, n = self._form, self._form.n

        def residual(t: float, y: Floats, yp: Floats, res: Floats) -> None:
            self.counts["residuals"] += 1
            res[:] = self._residual(t, y, yp)

        def matrix(t: float, y: Floats, yp: Floats, res: Floats, cj: float, jac: Floats) -> None:
            self.counts["matrices"] += 1
            jac[:, :] = self._matrix(t, y, yp, cj)

        def run(tolerance: float) -> Found:
            self.counts = {"residuals": 0, "matrices": 0}
            absolute = np.full(len(self._y), tolerance)
            absolute[2 * n :] = _FREE
            solver = ida.IDA(
                residual, jacfn=matrix, rtol=tolerance, atol=absolute, max_num_steps=1_000_000,
                algebraic_idx=list(range(2 * n, len(self._y))),
            )  # fmt: skip
            found = solver.solve(np.array([0.0, self._duration]), self._y, self._yp)
            if not found.success:
                raise ArithmeticError(found.message)
            return Found(found.y[-1, : form.n])

        name = "IDA, stabilised index 2" if self._index == 2 else "IDA, index 1"
        return Solver("SUNDIALS", name, "tolerance", run, first, 1.0)
