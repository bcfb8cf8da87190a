"""Modulation equations with numbers for all parameters: rates of complex amplitudes and their Jacobian."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gyrostat.analysis.scales.expansion import PerturbationExpansion
from gyrostat.analysis.scales.quotients import Quotient
from gyrostat.analysis.scales.rate_terms import AmplitudeTerm
from gyrostat.analysis.scales.variables import Variables
from gyrostat.errors import StateError

Floats = npt.NDArray[np.float64]
Complexes = npt.NDArray[np.complex128]


_QUARTER_TURN = np.array([[0.0, -1.0], [1.0, 0.0]])


class TermTable:
    """Terms of several series, as arrays: values are sums of coefficient × Π A^p × Π Ā^q × phasors."""

    def __init__(self, rows: Sequence[Sequence[AmplitudeTerm]], small: str, variables: Variables) -> None:
        n, m, symbols = variables.n, len(variables.phasors), variables.symbols
        self.terms = [term for row in rows for term in row]
        self.row = np.array([i for i, row in enumerate(rows) for _ in row], dtype=int)
        self.n_rows = len(rows)
        self.direct = _table([term.direct for term in self.terms], n)
        self.conjugate = _table([term.conjugate for term in self.terms], n)
        self.turns = _table([term.turns for term in self.terms], m)
        self._small, self._symbols = small, symbols
        self._coefficients = CoefficientTable([term.coefficient for term in self.terms])
        self._orders = np.array([term.order for term in self.terms], dtype=float)
        self._symbol_powers = _table([term.symbols for term in self.terms], len(symbols))

    def coefficients(self, values: Mapping[str, float]) -> Complexes:
        """Return the coefficients, powers of ε and of symbols included."""
        found = self._coefficients(values) * values[self._small] ** self._orders
        for place, name in enumerate(self._symbols):
            found = found * values[name] ** self._symbol_powers[:, place]
        return found

    def products(self, A: Complexes) -> Complexes:
        """Return Π A^p Ā^q of each term."""
        if not self.terms:
            return np.zeros(0, dtype=complex)
        factors = A**self.direct * np.conj(A) ** self.conjugate
        return np.asarray(factors.prod(axis=1), dtype=complex)

    def summed(self, each: Complexes) -> Complexes:
        """Return sums over the terms of each row; further axes are kept."""
        total = np.zeros((self.n_rows, *each.shape[1:]), dtype=complex)
        np.add.at(total, self.row, each)
        return total


def _table(rows: Sequence[Sequence[int]], width: int) -> npt.NDArray[np.int64]:
    return np.array(rows, dtype=np.int64).reshape(len(rows), width)


class AmplitudeFlow:
    """Rates of the amplitudes B_k in the rotating frame, in which they are autonomous, at given parameters.

    States are real: p_k, q_k with B_k = (p_k + i q_k)/2 for each oscillator, and the mean speed of each coordinate
    without stiffness.
    """

    def __init__(self, modulation: Any, values: Mapping[str, float]) -> None:
        expansion: PerturbationExpansion = modulation.expansion
        self.free = expansion.variables.free
        self.n = expansion.n
        problem = expansion.problem
        self.table = TermTable(modulation.terms, problem.small, expansion.variables)
        self._frame = np.array([[float(nu) for nu in row] for row in modulation.require_frame()], dtype=float).reshape(
            self.n, -1
        )
        self._detunings = [
            () if phasor.constant else expansion.basis.detuning(phasor.angle) for phasor in expansion.variables.phasors
        ]
        self._small = problem.small
        self.turns = [self._turning([float(x) for x in vector]) for vector in modulation.symmetries]
        """Generators of the phase shifts under which the rates are invariant."""
        self.at(values)

    def at(self, values: Mapping[str, float]) -> None:
        """Set the values of the parameters."""
        self.values = dict(values)
        self._coefficients = self.table.coefficients(values)
        small = values[self._small]
        turns = []
        for parts in self._detunings:
            slow = 0.0
            for a, part in parts:
                found = part.value(values)
                if found is None:
                    raise StateError(f"The detuning {part} has no value. Give it, or the frequency that it detunes.")
                slow += small**a * found
            turns.append(slow)
        self._turn = self._frame @ np.array(turns) if turns else np.zeros(self.n)

    def _turning(self, vector: list[float]) -> Floats:
        """Return the matrix of dB_k/dθ = i u_k B_k on states."""
        blocks = [np.zeros((1, 1)) if free else u * _QUARTER_TURN for free, u in zip(self.free, vector, strict=True)]
        size = sum(len(block) for block in blocks)
        matrix = np.zeros((size, size))
        at = 0
        for block in blocks:
            matrix[at : at + len(block), at : at + len(block)] = block
            at += len(block)
        return matrix

    def relative(self, y: Floats) -> tuple[Floats, Floats]:
        """Return rates and Jacobian relative to the frame that rotates with the free phases."""
        rates, jacobian = self.rates(y), self.jacobian(y)
        if self.turns:
            columns = np.column_stack([turn @ y for turn in self.turns])
            speeds = np.linalg.lstsq(columns, rates, rcond=1e-12)[0]
            rates = rates - columns @ speeds
            for turn, speed in zip(self.turns, speeds, strict=True):
                jacobian = jacobian - speed * turn
        return rates, jacobian

    def amplitudes(self, y: Floats) -> Complexes:
        """Return the complex amplitudes of a state."""
        A = np.zeros(self.n, dtype=complex)
        at = 0
        for k, free in enumerate(self.free):
            A[k] = y[at] if free else complex(y[at], y[at + 1]) / 2
            at += 1 if free else 2
        return A

    def state(self, A: Complexes) -> Floats:
        """Return the state of complex amplitudes."""
        parts: list[float] = []
        for k, free in enumerate(self.free):
            parts += [A[k].real] if free else [2 * A[k].real, 2 * A[k].imag]
        return np.array(parts)

    def rates(self, y: Floats) -> Floats:
        """Return the rates of a state."""
        A = self.amplitudes(y)
        dA = self.table.summed(self._coefficients * self.table.products(A))
        dA -= 1j * np.where(self.free, 0.0, self._turn) * A
        return self.state(dA)

    def jacobian(self, y: Floats) -> Floats:
        """Return the derivatives of the rates by the state."""
        A = self.amplitudes(y)
        columns = []
        for k, free in enumerate(self.free):
            by_direct = self._partial(A, k, self.table.direct, self.table.conjugate)
            by_conjugate = self._partial(np.conj(A), k, self.table.conjugate, self.table.direct)
            by_direct[k] -= 0 if free else 1j * self._turn[k]
            if free:
                columns.append(self.state(by_direct))
            else:  # ∂/∂p = (∂/∂B + ∂/∂B̄)/2, ∂/∂q = i (∂/∂B − ∂/∂B̄)/2
                columns += [self.state((by_direct + by_conjugate) / 2), self.state(1j * (by_direct - by_conjugate) / 2)]
        return np.array(columns).T

    def _partial(
        self, A: Complexes, k: int, direct: npt.NDArray[np.int64], conjugate: npt.NDArray[np.int64]
    ) -> Complexes:
        """Return the derivatives of Σ coefficient × A^direct × Ā^conjugate by A_k, conjugates fixed."""
        if not self.table.terms:
            return np.zeros(self.n, dtype=complex)
        power = direct[:, k]
        lowered = direct.copy()
        lowered[:, k] = np.maximum(power - 1, 0)
        each = power * (A**lowered * np.conj(A) ** conjugate).prod(axis=1)
        return self.table.summed(self._coefficients * each)


class CoefficientTable:
    """Coefficients, numbers or quotients; quotients are evaluated from one table of monomials.

    >>> from gyrostat.analysis.scales.quotients import QuotientField
    >>> field = QuotientField(["k", "m"])
    >>> CoefficientTable([field.symbol("k") / field.symbol("m"), 2j])({"k": 3.0, "m": 2.0})
    array([1.5+0.j, 0. +2.j])
    """

    def __init__(self, coefficients: Sequence[Any]) -> None:
        self._fixed = np.array([0 if isinstance(c, Quotient) else complex(c) for c in coefficients], dtype=complex)
        quotients = [(i, c) for i, c in enumerate(coefficients) if isinstance(c, Quotient)]
        self._places = np.array([i for i, _ in quotients], dtype=int)
        self._names = quotients[0][1].field.names if quotients else ()
        exponents: list[tuple[int, ...]] = []
        weights: list[float] = []
        rows: list[int] = []
        for at, (_, quotient) in enumerate(quotients):
            for part, polynomial in enumerate((quotient.real, quotient.imag, quotient.below)):
                for powers, weight in polynomial.to_dict().items():
                    exponents.append(tuple(int(e) for e in powers)[: len(self._names)])
                    weights.append(float(int(weight)))
                    rows.append(3 * at + part)
        self._exponents = np.array(exponents, dtype=float).reshape(len(rows), len(self._names))
        self._used = np.asarray(self._exponents.any(axis=0))
        self._exponents = self._exponents[:, self._used]
        self._weights, self._rows = np.array(weights), np.array(rows, dtype=int)

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that occur."""
        return tuple(name for name, used in zip(self._names, self._used, strict=True) if used)

    def __call__(self, values: Mapping[str, float]) -> Complexes:
        """Return the coefficients at numbers for all parameters that occur."""
        result = self._fixed.copy()
        if len(self._places):
            known = np.array([values[name] for name in self.names], dtype=float)
            monomials = self._weights * (known**self._exponents).prod(axis=1)
            sums = np.bincount(self._rows, monomials, minlength=3 * len(self._places)).reshape(-1, 3)
            result[self._places] = (sums[:, 0] + 1j * sums[:, 1]) / sums[:, 2]
        return result
