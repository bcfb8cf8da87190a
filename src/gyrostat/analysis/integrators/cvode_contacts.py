"""Contacts of many pairs in a run with CVODE: which of them act, touches that end a step, and the Jacobian."""

from __future__ import annotations

from typing import Any

import numpy as np

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.library import end_at_touch, hold_pairs, vary_pairs
from gyrostat.analysis.kernels.methods import Control
from gyrostat.analysis.kernels.pair_tables import OVERLAP, PairTables
from gyrostat.analysis.kernels.problem import Equations, Floats, Step
from gyrostat.analysis.kernels.progress import DONE, TOO_DEEP

_CONTROL = Control(True, 0.0, np.zeros(0), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""Steps end at touches: no relative tolerance lets them pass."""
_NO_TOUCH = -1.0


class CvodeContacts:
    """Pairs that touch act, and all others are held open, until a step ends at the first touch of one of them."""

    def __init__(self, run: Run, equations: Equations) -> None:
        self._run, self._equations = run, equations
        self._tables: PairTables = run.pairs.tables
        self._end = end_at_touch.bind(equations)
        self._vary = vary_pairs.bind(self._tables)
        self._by_inputs = run.input_derivative()

    def hold(self, t: float, within: float) -> int:
        """List the pairs that touch; return DONE, or why the run stops."""
        found = hold_pairs(self._equations, self._run.progress, t, within, _CONTROL)
        return TOO_DEEP if found == OVERLAP else DONE

    def up_to_touch(self, step: Step) -> tuple[Step, bool]:
        """Return a step up to its first touch, and whether there is one; of no length where it is too long to tell."""
        touch = self._end(step)
        if touch < _NO_TOUCH:
            return step._replace(h=0.0, reached=step.t), False
        if touch < 0.0:
            return step, False
        reached = step.t + touch * step.h
        return step._replace(h=reached - step.t, reached=reached), True

    def jacobian(self, x: Floats) -> Floats:
        """Return the part of ∂ẏ/∂y that contacts have, at the row x, by the chain rule."""
        self._vary(x)
        by_state: Any = self._tables.slopes.by_state
        acting = np.flatnonzero(by_state.any(axis=0))
        n = len(by_state)
        if not len(acting):
            return np.zeros((n, n))
        program = self._by_inputs
        directions = np.zeros((len(acting), program.input_size))
        directions[:, : len(x)] = x
        directions[np.arange(len(acting)), len(x) + acting] = 1.0
        return np.asarray(program.loop(directions).T[:n] @ by_state[:, acting].T)
