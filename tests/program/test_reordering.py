"""Reordered graphs: same results, operands first, fewer long-lived values."""

from __future__ import annotations

import casadi
import numpy as np
import pytest
from campaign import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gyrostat.program import compile_program, generate, host_target
from gyrostat.program.graph import Graph, read_graph
from gyrostat.program.native import LoadedObject, object_code
from gyrostat.program.native_engine import _LOOP, NativeEngine
from gyrostat.program.operation import CODES, NAMES
from gyrostat.program.port import Port
from gyrostat.program.reordering import depth_first, economical, reordered, waiting_count
from gyrostat.program.schedule import schedule
from gyrostat.program.writer import write_module

UNARY = [CODES[name] for name in ("sin", "cos", "tanh", "atan")]
BINARY = [CODES[name] for name in ("add", "sub", "fmin", "fmax", "hypot")]


def make_graph(inputs: int, codes: list[int], left: list[int], right: list[int], results: list[int]) -> Graph:
    return Graph(
        "f",
        (Port("x", inputs, inputs, 1),),
        (Port("y", len(results), len(results), 1),),
        np.array(codes, np.uint8),
        np.array(left, np.int32),
        np.array(right, np.int32),
        np.array([0.75, -2.0, 1.5]),
        np.array(results, np.int32),
    )


def random_graph(seed: int, steps: int) -> Graph:
    """A graph of bounded operations on any earlier values; not every value reaches an output."""
    draw = np.random.default_rng(seed)
    codes, left, right = [], [], []
    for k in range(steps):
        x, y = draw.integers(-3, 5 + k, 2).tolist()
        alone = k % 2 == 0
        codes.append(int(draw.choice(UNARY if alone else BINARY)))
        left.append(x)
        right.append(x if alone else y)
    return make_graph(5, codes, left, right, draw.integers(-3, 5 + steps, 7).tolist())


def layered_graph(columns: int, depth: int) -> Graph:
    """Independent columns of operations, listed layer by layer: every value waits for a whole layer."""
    count = columns * depth
    below = list(range(count))
    return make_graph(columns, [CODES["tanh"]] * count, below, below, list(range(count, count + columns)))


def chain(links: int) -> casadi.Function:
    """Recursions along a chain, forth and back; in CasADi's order each link's own term waits for the whole way back."""
    q, start = casadi.SX.sym("q", links), casadi.SX.sym("start", 3)
    places, local = [start], []
    for i in range(links):
        s, c = casadi.sin(q[i]), casadi.cos(q[i])
        turn = casadi.vertcat(casadi.horzcat(c, -s, 0), casadi.horzcat(s, c, 0.1), casadi.horzcat(0, 0.1, 1))
        local.append(casadi.mtimes(turn, turn.T) * q[i])
        places.append(casadi.mtimes(turn, places[-1]))
    load, outputs = casadi.SX.zeros(3), []
    for i in reversed(range(links)):
        load = casadi.mtimes(local[i], casadi.sin(places[i])) + 0.5 * load
        outputs.append(casadi.dot(load, places[i + 1]))
    outputs.reverse()
    return casadi.Function("chain", [q, start], [casadi.vertcat(*outputs)], ["q", "start"], ["y"])


def run(graph: Graph, rows: np.ndarray, lanes: int) -> np.ndarray:
    target = host_target()
    native = LoadedObject(
        object_code(write_module(graph, target, lanes=lanes, chunk=20), target, optimisation=1), target
    )
    outputs = np.zeros((len(rows), len(graph.results)))
    function = _LOOP(native.address("gyrostat_loop" if lanes == 1 else "gyrostat_batch"))
    function(rows.ctypes.data, outputs.ctypes.data, len(rows))
    return outputs


def check_operands_first(graph: Graph) -> None:
    own = graph.input_size + np.arange(len(graph.codes))
    assert (graph.left < own).all()
    assert (graph.right < own).all()


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**6), steps=st.integers(1, 80))
def test_results_stay_the_same(seed: int, steps: int) -> None:
    graph = random_graph(seed, steps)
    other = reordered(graph, depth_first(graph))
    rows = np.random.default_rng(seed).normal(size=(9, 5))
    for lanes in (1, host_target().lanes):
        np.testing.assert_allclose(run(other, rows, lanes), run(graph, rows, lanes), rtol=1e-9, atol=1e-9)


@settings(max_examples=examples(100), deadline=None)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 300))
def test_every_instruction_once_and_operands_first(seed: int, steps: int) -> None:
    graph = random_graph(seed, steps)
    order = depth_first(graph)
    assert sorted(order) == list(range(steps))
    assert depth_first(Graph.from_bytes(graph.to_bytes())) == order
    other = reordered(graph, order)
    check_operands_first(other)
    assert other.operation_counts() == graph.operation_counts()
    assert [array.dtype for array in (other.left, other.right, other.results)] == [np.int32] * 3
    assert reordered(graph, list(range(steps))).digest() == graph.digest()


def test_graph_is_not_changed() -> None:
    graph = layered_graph(600, 4)
    before = graph.to_bytes()
    assert economical(graph) is not graph
    assert graph.to_bytes() == before


@pytest.mark.parametrize("swapped", [False, True])
def test_greater_height_comes_first(swapped: bool) -> None:
    # exp(x0) · tanh(tanh(x1)), whichever factor is written first.
    codes = [CODES[name] for name in ("exp", "tanh", "tanh", "mul")]
    factors = (4, 2) if swapped else (2, 4)
    graph = make_graph(2, codes, [0, 1, 3, factors[0]], [0, 1, 3, factors[1]], [5])
    names = [NAMES[code] for code in reordered(graph, depth_first(graph)).codes.tolist()]
    assert names == ["tanh", "tanh", "exp", "mul"]


def test_graphs_of_constants_and_inputs() -> None:
    for inputs, results in ((0, [-3, -1]), (1, [-3, 0, -2]), (0, [])):
        graph = make_graph(inputs, [], [], [], results)
        assert depth_first(graph) == []
        assert reordered(graph, []).digest() == graph.digest()
        assert economical(graph) is graph


def test_values_that_wait_are_counted() -> None:
    assert waiting_count(layered_graph(500, 3)) == 0
    assert waiting_count(layered_graph(501, 3)) == 2 * 501  # all but those of the last layer


def test_columns_listed_by_layers_come_one_after_the_other() -> None:
    graph = layered_graph(1200, 5)
    other = economical(graph)
    np.testing.assert_array_equal(other.left[:6], [0, 1200, 1201, 1202, 1203, 1])
    assert waiting_count(other) == 0
    assert len(schedule(other).slots) < 0.1 * len(schedule(graph).slots)


def test_chain_stores_fewer_values() -> None:
    graph = read_graph(chain(200))
    other = economical(graph)
    assert len(schedule(other).slots) < 0.85 * len(schedule(graph).slots)
    assert schedule(other).slot_count < schedule(graph).slot_count
    assert economical(other) is other


def test_small_graphs_stay_as_they_are(pendulum: casadi.Function) -> None:
    for function in (pendulum, chain(5)):
        graph = read_graph(function)
        assert economical(graph) is graph


def test_deep_graph_takes_no_recursion() -> None:
    count = 200_000
    below = list(range(count))
    graph = make_graph(1, [CODES["tanh"]] * count, below, below, [count])
    assert depth_first(graph) == below


def test_programs_are_compiled_in_the_better_order() -> None:
    function = chain(200)
    program = compile_program(function, cache=False)
    engine = program._engine
    assert isinstance(engine, NativeEngine)
    assert Graph.from_bytes(engine._graph).digest() == economical(read_graph(function)).digest()
    rows = np.random.default_rng(3).normal(size=(11, 203))
    expected = np.array(function.map(11)(rows[:, :200].T, rows[:, 200:].T)).T
    scale = np.abs(expected).max()
    np.testing.assert_allclose(program.loop(rows), expected, rtol=1e-10, atol=1e-13 * scale)
    np.testing.assert_allclose(program.batch(rows), expected, rtol=1e-10, atol=1e-13 * scale)


def test_generated_code_has_the_better_order() -> None:
    function, target = chain(200), host_target()
    for lanes in (1, target.lanes):
        expected = write_module(economical(read_graph(function)), target, lanes=lanes)
        assert generate(function, target, optimisation=0, lanes=lanes).ir == expected
