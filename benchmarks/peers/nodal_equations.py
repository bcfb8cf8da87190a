"""Nodal analysis of circuits in NumPy for SciPy's Radau; nodes without capacitors are eliminated by iteration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp

from peers.solver import Found, Solver
from peers.tree import Floats

Node = int | str
_ITERATIONS = 300


@dataclass
class NodalEquations:
    """C v̇ + G v + i(v) = s(t) in the voltages of nodes 1 … n; 0 is the ground, nodes with names have given courses."""

    size: int
    given: dict[str, Callable[[float], float]]
    _resistors: list[tuple[Node, Node, float]] = field(default_factory=list)
    _capacitors: list[tuple[Node, Node, float, float]] = field(default_factory=list)
    _junctions: list[tuple[tuple[Node, Node], tuple[Node, Node], float, float]] = field(default_factory=list)

    def resistor(self, a: Node, b: Node, value: float) -> None:
        """Add a resistor."""
        self._resistors.append((a, b, value))

    def capacitor(self, a: Node, b: Node, value: float, initial: float) -> None:
        """Add a capacitor between nodes without given courses."""
        self._capacitors.append((a, b, value, initial))

    def junction(
        self,
        a: Node,
        b: Node,
        current: float,
        thermal: float,
        *,
        gain: float = 1.0,
        into: tuple[Node, Node] | None = None,
    ) -> None:
        """Add a junction from a to b, or with `into` a source of a multiple of its current."""
        self._junctions.append(((a, b), into or (a, b), gain * current, thermal))

    def solver(self, duration: float, first: float) -> Solver:
        """Return SciPy's Radau on these equations with their exact Jacobian."""
        circuit = _Assembled(self)

        def run(tolerance: float) -> Found:
            circuit.reset()
            span, begin = (0.0, duration), circuit.initial()
            found = solve_ivp(
                circuit.rates, span, begin, method="Radau", rtol=tolerance, atol=tolerance, jac=circuit.jacobian
            )
            if not found.success:
                raise ArithmeticError(found.message)
            return Found(circuit.voltages(duration, found.y[:, -1]))

        return Solver("SciPy", "Radau on nodal equations", "tolerance", run, first, 1.0)


class _Assembled:
    """The equations with v = R x + N w: x in the range of C, w in its null space."""

    def __init__(self, equations: NodalEquations) -> None:
        n, self._equations = equations.size, equations
        capacity = np.zeros((n + 1, n + 1))
        self._conductance = np.zeros((n + 1, n + 1))
        for a, b, value, _ in equations._capacitors:
            capacity += value * _difference(n, a, b)[:, None] * _difference(n, a, b)
        for a, b, value in equations._resistors:
            row = _difference(n, a, b)
            self._conductance += row[:, None] * row / value
        values, vectors = np.linalg.eigh(capacity[1:, 1:])
        held = values > 1e-9 * values.max()
        self._range, self._null = vectors[:, held], vectors[:, ~held]
        self._weight = 1 / values[held]
        pairs = equations._junctions
        self._across = np.array([_difference(n, *ends)[1:] for ends, _, _, _ in pairs])
        self._into = np.array([_difference(n, *ends)[1:] for _, ends, _, _ in pairs])
        self._current = np.array([current for _, _, current, _ in pairs])
        self._thermal = np.array([thermal for _, _, _, thermal in pairs])
        self.reset()

    def reset(self) -> None:
        """Begin anew."""
        self._last = np.zeros(self._null.shape[1])

    def initial(self) -> Floats:
        """Return the state for the initial voltages of the capacitors."""
        rows = np.array([_difference(self._equations.size, a, b)[1:] for a, b, _, _ in self._equations._capacitors])
        values = np.array([initial for *_, initial in self._equations._capacitors])
        return np.linalg.lstsq(rows @ self._range, values, rcond=None)[0]

    def _source(self, t: float) -> Floats:
        """Return the currents from nodes with given courses."""
        found = np.zeros(self._equations.size)
        for a, b, value in self._equations._resistors:
            for given, node in ((a, b), (b, a)):
                if isinstance(given, str) and isinstance(node, int) and node:
                    found[node - 1] += self._equations.given[given](t) / value
        return found

    def _balance(self, v: Floats, source: Floats) -> tuple[Floats, Floats]:
        """Return G v + i(v) − s and its derivative."""
        matrix = self._conductance[1:, 1:]
        grown = np.exp(np.minimum(self._across @ v / self._thermal, 200.0))
        residual = matrix @ v + self._into.T @ (self._current * (grown - 1)) - source
        return residual, matrix + self._into.T @ ((self._current * grown / self._thermal)[:, None] * self._across)

    def _solved(self, t: float, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Return voltages, residuals and their derivative, with the null space in balance."""
        source, w = self._source(t), self._last
        for _ in range(_ITERATIONS):
            v = self._range @ x + self._null @ w
            residual, slope = self._balance(v, source)
            if not self._null.shape[1]:
                break
            step = np.linalg.solve(self._null.T @ slope @ self._null, self._null.T @ residual)
            largest = float(np.abs(step).max())
            w = w - step * min(1.0, 0.1 / largest if largest else 1.0)
            if largest < 1e-11:
                break
        self._last = w
        return v, residual, slope

    def voltages(self, t: float, x: Floats) -> Floats:
        """Return the voltages of all nodes."""
        return self._solved(t, x)[0]

    def rates(self, t: float, x: Floats) -> Floats:
        """Return ẋ."""
        return -self._weight * (self._range.T @ self._solved(t, x)[1])

    def jacobian(self, t: float, x: Floats) -> Floats:
        """Return ∂ẋ/∂x."""
        _, _, slope = self._solved(t, x)
        inner = self._range.T @ slope @ self._range
        if self._null.shape[1]:
            right = np.linalg.solve(self._null.T @ slope @ self._null, self._null.T @ slope @ self._range)
            inner = inner - self._range.T @ slope @ self._null @ right
        return -self._weight[:, None] * inner


def _difference(n: int, a: Node, b: Node) -> Floats:
    """Return the row that takes v_a − v_b; the ground and given nodes have no place but the first."""
    row = np.zeros(n + 1)
    for node, sign in ((a, 1.0), (b, -1.0)):
        if isinstance(node, int) and node:
            row[node] += sign
    return row
