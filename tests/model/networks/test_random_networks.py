"""Random linear networks of all elements against a modified nodal analysis that knows no trees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from campaign import campaign
from numpy.typing import NDArray

import gyrostat as gs
from gyrostat.model.networks.probe import Probe

Complexes = NDArray[np.complex128]

TWO_NODES = ("Resistor", "Capacitor", "Inductor", "CurrentSource", "VoltageSource", "Voltmeter", "Ammeter")
FREQUENCY = np.array([6, 2, 2, 2, 1, 1, 0.5]) / 14.5
FOUR_NODES = (
    *("Transformer", "Gyrator", "VoltageControlledVoltageSource", "CurrentControlledCurrentSource"),
    *("VoltageControlledCurrentSource", "CurrentControlledVoltageSource", "OperationalAmplifier"),
)


def random_network(rng: np.random.Generator) -> tuple[gs.Model, list[tuple[str, tuple[str, ...], float]]]:
    """Return a model, and its elements as (kind, nodes, value); sources have the inputs s0, s1, …."""
    model = gs.Model("random")
    model.add(gs.Datum("g"))
    nodes = ["g", *(f"n{k}" for k in range(int(rng.integers(2, 6))))]
    drawn: list[tuple[str, tuple[str, ...], float]] = []
    for k in range(len(nodes) - 1):  # connected, and mostly solvable
        drawn.append(
            (str(rng.choice(TWO_NODES[:3])), (nodes[k + 1], nodes[int(rng.integers(k + 1))]), rng.uniform(0.5, 2))
        )
    for _ in range(int(rng.integers(2, 7))):
        ends = tuple(str(n) for n in rng.choice(nodes, 2, replace=False))
        drawn.append((str(rng.choice(TWO_NODES, p=FREQUENCY)), ends, rng.uniform(0.5, 2)))
    for _ in range(int(rng.integers(0, 3))):
        a, b = rng.choice(nodes, 2, replace=False)
        c, d = rng.choice(nodes, 2, replace=False)
        drawn.append((str(rng.choice(FOUR_NODES)), (str(a), str(b), str(c), str(d)), rng.uniform(0.5, 2)))
    for k, (kind, ends, value) in enumerate(drawn):
        given: Any = [f"s{k}"] if kind in ("CurrentSource", "VoltageSource") else [value]
        if given[0] == f"s{k}":
            model.add(gs.Input(f"s{k}"))
        if kind in ("Voltmeter", "Ammeter", "OperationalAmplifier"):
            given = []
        model.add(getattr(gs, kind)(f"e{k}", *ends, *given))
    return model, drawn


def nodal_analysis(
    drawn: list[tuple[str, tuple[str, ...], float]], s: complex
) -> tuple[Complexes, dict[str, int], list[int]]:
    """Return the voltages of nodes and the currents of edges for unit sources, one column for each source.

    Unknowns are the voltages of nodes, then the currents of edges: one for each pair of nodes of an element.
    """
    nodes = {name: k for k, name in enumerate(sorted({n for _, ends, _ in drawn for n in ends} - {"g"}))}
    edges = [(k, pair) for k, (_, ends, _) in enumerate(drawn) for pair in zip(ends[::2], ends[1::2], strict=True)]
    n, first = len(nodes), {}
    for number, (k, _) in enumerate(edges):
        first.setdefault(k, n + number)
    size = n + len(edges)
    matrix, sources = np.zeros((size, size), dtype=complex), []
    right = np.zeros((size, len(drawn)), dtype=complex)
    for number, (_, (a, b)) in enumerate(edges):
        for node, sign in ((a, 1), (b, -1)):
            if node != "g":
                matrix[nodes[node], n + number] += sign
    row = n

    def voltage(pair: tuple[str, str], factor: complex) -> None:
        for node, sign in zip(pair, (1, -1), strict=True):
            if node != "g":
                matrix[row, nodes[node]] += sign * factor

    for k, (kind, ends, value) in enumerate(drawn):
        pair, other, i = ends[:2], ends[2:], first[k]
        if kind in ("Resistor", "Inductor"):
            voltage(pair, 1)
            matrix[row, i] = -value * (s if kind == "Inductor" else 1)
        elif kind == "Capacitor":
            voltage(pair, s * value)
            matrix[row, i] = -1
        elif kind in ("VoltageSource", "Ammeter"):
            voltage(pair, 1)
        elif kind in ("CurrentSource", "Voltmeter"):
            matrix[row, i] = 1
        if kind in ("VoltageSource", "CurrentSource"):
            right[row, k] = 1
            sources.append(k)
        row += 1 if len(ends) == 2 else 0
        if len(ends) == 2:
            continue
        for _ in range(2):
            which = _
            if kind == "Transformer":
                if which == 0:
                    voltage(pair, 1)
                    voltage(other, -value)
                else:
                    matrix[row, i + 1], matrix[row, i] = 1, value
            elif kind == "Gyrator":
                voltage(pair if which == 0 else other, 1)
                matrix[row, i + 1 - which] = -value if which == 0 else value
            elif kind == "OperationalAmplifier":
                if which == 0:
                    voltage(pair, 1)
                else:
                    matrix[row, i] = 1
            elif which == 1:
                if kind.startswith("Voltage"):
                    matrix[row, i + 1] = 1
                else:
                    voltage(other, 1)
            else:
                if kind.endswith("VoltageSource"):
                    voltage(pair, 1)
                else:
                    matrix[row, i] = 1
                if kind.startswith("Voltage"):
                    voltage(other, -value)
                else:
                    matrix[row, i + 1] = -value
            row += 1
    with np.errstate(all="ignore"):
        condition = np.linalg.cond(matrix)
    if not condition < 1e9:
        raise np.linalg.LinAlgError("singular")
    return np.linalg.solve(matrix, right[:, sources]), nodes, sources


def transfer(states: Any, sources: list[int], s: complex, names: list[str]) -> Complexes:
    """Return the outputs for unit sources by the hybrid form, from its rates and outputs at unit states and inputs."""
    own = [variable.name for variable in states.state_variables]
    assert not any(variable.algebraic for variable in states.state_variables)
    inputs = [f"s{k}" for k in sources]
    given = [*inputs, *(f"{name}.rate" for name in inputs)]
    zero = dict.fromkeys((*own, *given), 0.0)
    columns, seen = [], []
    for name in (*own, *given):
        motion = Probe({**zero, name: 1.0})
        rates, values = states.state_rates(motion), {**states.observed(motion), **dict.fromkeys(own, 0.0)}
        if name in own:
            values[name] = 1.0
        columns.append([rates[each] for each in own])
        seen.append([values[each] for each in names])
    n = len(own)
    rates, outputs = np.array(columns, dtype=float).reshape(len(columns), n).T, np.array(seen, dtype=float).T
    A, C, last = rates[:, :n], outputs[:, :n], n + len(inputs)
    B, D = (part[:, n:last] + s * part[:, last:] for part in (rates, outputs))  # of inputs, and of their rates
    return np.asarray(C @ np.linalg.solve(s * np.eye(n) - A, B) + D) if n else D.astype(complex)


@campaign(60, each=50)
def test_hybrid_form_equals_nodal_analysis(seed: int) -> None:
    rng = np.random.default_rng(seed)
    solved = 0
    for _ in range(50):
        model, drawn = random_network(rng)
        s = complex(rng.uniform(0.3, 1), rng.uniform(0.3, 1))
        if refusal(model):
            continue
        states = model.freeze().states["g.network"]
        try:
            found, nodes, sources = nodal_analysis(drawn, s)
        except np.linalg.LinAlgError:
            continue
        if not sources:
            continue
        names = [f"{node}.voltage" for node in nodes]
        edges = [edge for element in model.elements.values() for edge in element.edges()]
        names += [f"{edge.name}.current" for edge in edges]
        np.testing.assert_allclose(transfer(states, sources, s, names), found, rtol=1e-6, atol=1e-8)
        solved += 1
    assert solved > 8


def refusal(model: gs.Model) -> str:
    """Return the reason why a network is refused, or nothing."""
    try:
        model.freeze()
    except gs.ModelError as error:
        return str(error)
    return ""


@campaign(20, each=50)
def test_what_is_refused_has_no_solution_or_a_higher_index(seed: int) -> None:
    """A refused network is singular for all frequencies, or its variables grow with the frequency (index 2)."""
    rng = np.random.default_rng(1000 + seed)
    refused = 0
    for _ in range(50):
        model, drawn = random_network(rng)
        if not any(kind in ("VoltageSource", "CurrentSource") for kind, _, _ in drawn):
            continue
        reason = refusal(model)
        if not reason:
            continue
        refused += 1
        try:
            near, far = (np.abs(nodal_analysis(drawn, s)[0]) for s in (1e3 + 0j, 1e5 + 0j))
        except np.linalg.LinAlgError:
            continue
        grows = (far > 30 * near) & (far > 1e-3)
        assert grows.any(), reason
    assert refused > 2


def test_pivots_of_a_singular_network_are_refused() -> None:
    model = gs.Model("singular")
    model.add(gs.Datum("g"))
    model.add(gs.Resistor("R", "a", "g", 2.0))
    model.add(gs.VoltageControlledCurrentSource("G", "a", "g", "a", "g", -0.5))
    with pytest.raises(gs.ModelError, match=r"the equations of 'R'.* do not determine their variables"):
        model.freeze()
