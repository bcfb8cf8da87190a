"""Graphs and schedules: random expressions against CasADi's virtual machine, chunk borders, linear cost."""

from __future__ import annotations

import itertools
import re

import casadi
import numpy as np
import pytest
from campaign import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gyrostat.program import compile_program, entry, host_target
from gyrostat.program.graph import FORMATION_OUTPUT, Graph, plain_function, read_graph
from gyrostat.program.native import LoadedObject, object_code
from gyrostat.program.native_engine import _LOOP
from gyrostat.program.operation import BINARY_OPERATIONS, NAMES
from gyrostat.program.schedule import CHUNK, TRAFFIC, Schedule, schedule
from gyrostat.program.writer import write_module

# Operations that are continuous on the whole line: last bits are then comparable after any number of steps.
TAME = [
    n for n in NAMES if n in {"add", "sub", "mul", "neg", "sq", "twice", "sin", "cos", "atan", "tanh", "fmin", "fmax"}
]
TAME += ["fabs", "hypot", "asinh", "erf", "sqrt_of_square", "bounded_inverse"]


@st.composite
def random_function(draw: st.DrawFn) -> casadi.Function:
    """A function of three ports built from tame operations on earlier values."""
    x, y, p = casadi.SX.sym("x", 3), casadi.SX.sym("y", 2), casadi.SX.sym("p")
    values = [*casadi.vertsplit(x), *casadi.vertsplit(y), p, casadi.SX(0.75), casadi.SX(-2.0)]
    for _ in range(draw(st.integers(1, 60))):
        name = draw(st.sampled_from(TAME))
        a, b = (values[draw(st.integers(0, len(values) - 1))] for _ in range(2))
        if name == "sqrt_of_square":
            value = casadi.sqrt(a * a + 1)
        elif name == "bounded_inverse":
            value = 1 / (a * a + 1)
        elif name in BINARY_OPERATIONS:
            value = casadi.SX.binary(getattr(casadi, f"OP_{name.upper()}"), a, b)
        else:
            value = casadi.SX.unary(getattr(casadi, f"OP_{name.upper()}"), a)
        values.append(casadi.sin(value) if name in ("mul", "sq", "add", "twice") else value)  # keep it bounded
    chosen = draw(st.lists(st.integers(0, len(values) - 1), min_size=1, max_size=8))
    return casadi.Function(
        "f", [x, y, p], [casadi.vertcat(*(values[i] for i in chosen)), x], ["x", "y", "p"], ["v", "c"]
    )


def run(graph: Graph, rows: np.ndarray, *, lanes: int, chunk: int) -> np.ndarray:
    target = host_target()
    native = LoadedObject(
        object_code(write_module(graph, target, lanes=lanes, chunk=chunk), target, optimisation=1), target
    )
    outputs = np.zeros((len(rows), len(graph.results)))
    function = _LOOP(native.address("gyrostat_loop" if lanes == 1 else "gyrostat_batch"))
    function(rows.ctypes.data, outputs.ctypes.data, len(rows))
    return outputs


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(function=random_function(), seed=st.integers(0, 1000), chunk=st.sampled_from([1, 2, 7, 1000]))
def test_random_graphs_agree_with_virtual_machine(function: casadi.Function, seed: int, chunk: int) -> None:
    rows = np.random.default_rng(seed).normal(size=(5, 6))
    expected = np.array(function.map(5)(rows[:, :3].T, rows[:, 3:5].T, rows[:, 5])[0]).T
    graph = read_graph(function)
    for lanes in (1, host_target().lanes):
        found = run(graph, rows, lanes=lanes, chunk=chunk)
        np.testing.assert_allclose(found[:, :-3], expected, rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(found[:, -3:], rows[:, :3])


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(function=random_function())
def test_graph_survives_its_bytes(function: casadi.Function) -> None:
    graph = read_graph(function)
    again = Graph.from_bytes(graph.to_bytes())
    assert again.digest() == graph.digest()
    assert (again.inputs, again.outputs) == (graph.inputs, graph.outputs)
    for name in ("codes", "left", "right", "constants", "results"):
        np.testing.assert_array_equal(getattr(again, name), getattr(graph, name))


def test_digest_tells_graphs_apart() -> None:
    x = casadi.SX.sym("x", 2)

    def digest(expression: casadi.SX, name: str = "x") -> str:
        return read_graph(casadi.Function("f", [x], [expression], [name], ["y"])).digest()

    texts = [digest(x), digest(2 * x), digest(3 * x), digest(x * x), digest(x[::-1]), digest(x, "q"), digest(x.T)]
    assert len(set(texts)) == len(texts)
    assert digest(2 * x) == digest(2 * x)


def check_schedule(graph: Graph, plan: Schedule) -> None:
    """Each instruction once, operands first, and no slot written while another chunk still needs it."""
    base = graph.input_size
    order = [k for members in plan.chunks for k in members]
    assert sorted(order) == list(range(len(graph.codes)))
    home = {base + k: number for number, members in enumerate(plan.chunks) for k in members}
    place = {base + k: i for i, k in enumerate(order)}
    last = dict(home)
    for number, members in enumerate(plan.chunks):
        for k in members:
            for value in (int(graph.left[k]), int(graph.right[k])):
                if value >= base:
                    assert place[value] < place[base + k]
                    last[value] = max(last[value], number)
        for value, _ in plan.copies[number]:
            if value >= base:
                assert home[value] < number
                last[value] = number
    places = [place for places in plan.outputs.values() for place in places]
    places += [place for copies in plan.copies for _, place in copies]
    assert sorted(places) == list(range(len(graph.results)))
    crossing = {value for value in home if last[value] > home[value]}
    assert set(plan.slots) == crossing
    users: dict[int, list[int]] = {}
    for value, slot in plan.slots.items():
        assert slot < plan.slot_count
        users.setdefault(slot, []).append(value)
    for values in users.values():
        values.sort(key=lambda value: home[value])
        for earlier, later in itertools.pairwise(values):
            assert last[earlier] < home[later]


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(function=random_function(), chunk=st.integers(1, 20), early=st.booleans())
def test_schedules_are_sound(function: casadi.Function, chunk: int, early: bool) -> None:
    graph = read_graph(function)
    check_schedule(graph, schedule(graph, chunk=chunk, early=early))


def recursion(steps: int) -> casadi.Function:
    x = casadi.SX.sym("x", 4)
    step = casadi.Function("step", [x], [casadi.sin(x) * x[::-1] + 0.5 * x])
    y = x
    for _ in range(steps):
        y = step(y)
    return casadi.Function("f", [x], [y], ["x"], ["y"])


def test_cost_grows_in_proportion() -> None:
    # Chunks bound what the compiler sees at once; their number and the text grow linearly, the slots not at all.
    small, large = (read_graph(recursion(steps)) for steps in (1000, 4000))
    assert len(large.codes) == 4 * len(small.codes)
    plans = [schedule(graph) for graph in (small, large)]
    check_schedule(large, plans[1])
    for plan in plans:
        assert max(len(members) for members in plan.chunks) <= CHUNK + 1
    assert len(plans[1].chunks) <= 4 * len(plans[0].chunks) + 1
    assert plans[1].slot_count <= plans[0].slot_count + 4
    texts = [len(write_module(graph, host_target())) for graph in (small, large)]
    assert texts[1] < 4.3 * texts[0]


def test_chunks_end_where_memory_traffic_is_heavy() -> None:
    x = casadi.SX.sym("x", 3000)
    graph = read_graph(casadi.Function("f", [x], [2 * x * x], ["x"], ["y"]))
    plan = schedule(graph)
    check_schedule(graph, plan)
    # Each output takes one load, one store and two operations: far fewer than a thousand operations to a chunk.
    assert max(len(members) for members in plan.chunks) <= TRAFFIC + 2


def test_outputs_that_repeat_a_value_are_divided_among_chunks() -> None:
    x = casadi.SX.sym("x", 2)
    formed, given = x[0] * x[1], casadi.SX(3.0)
    outputs = casadi.vertcat(*[formed] * 900, *[given] * 900, *[x[1]] * 900, formed + 1)
    graph = read_graph(casadi.Function("f", [x], [outputs], ["x"], ["y"]))
    plan = schedule(graph)
    check_schedule(graph, plan)
    assert max(map(len, plan.copies)) <= TRAFFIC
    assert max(map(len, plan.outputs.values())) <= TRAFFIC
    rows = np.array([[2.0, 5.0], [3.0, 7.0]])
    expected = np.repeat([[10.0, 3.0, 5.0], [21.0, 3.0, 7.0]], 900, axis=1)
    for lanes in (1, host_target().lanes):
        np.testing.assert_array_equal(run(graph, rows, lanes=lanes, chunk=CHUNK)[:, :-1], expected)


def test_equal_results_with_any_chunk_size() -> None:
    function = recursion(30)
    rows = np.random.default_rng(1).normal(size=(9, 4)) * 0.3
    graph = read_graph(function)
    whole = run(graph, rows, lanes=1, chunk=10**6)
    for chunk in (1, 3, 50):
        for lanes in (1, host_target().lanes):
            np.testing.assert_allclose(run(graph, rows, lanes=lanes, chunk=chunk), whole, rtol=1e-12)


def test_many_angles_at_once() -> None:
    q = casadi.SX.sym("q", 700)
    function = casadi.Function("f", [q], [casadi.sin(q) - casadi.cos(q)], ["q"], ["y"])
    rows = np.random.default_rng(1).normal(size=(3, 700))
    np.testing.assert_allclose(compile_program(function).loop(rows), np.sin(rows) - np.cos(rows), atol=1e-15)


@pytest.mark.parametrize("count", [1, 2, 3, 8, 9])
def test_few_angles_at_once(count: int) -> None:
    q = casadi.SX.sym("q", count)
    program = compile_program(casadi.Function("f", [q], [casadi.sin(q), casadi.cos(q[::-1])], ["q"], ["s", "c"]))
    rows = np.random.default_rng(1).normal(size=(3, count))
    expected = np.hstack([np.sin(rows), np.cos(rows[:, ::-1])])
    np.testing.assert_allclose(program.loop(rows), expected, rtol=1e-15)


def test_long_operations_on_equal_values_are_done_once() -> None:
    x = casadi.SX.sym("x", 2)
    first, again = (casadi.sin(x[0] + x[1]) / (1 + x[0] * x[1]) for _ in range(2))
    counts = read_graph(casadi.Function("f", [x], [first, x[0] - again], ["x"], ["y", "z"])).operation_counts()
    assert counts == {"add": 4, "sub": 1, "mul": 2, "div": 1, "sin": 1}  # sums and products are repeated
    assert read_graph(casadi.Function("f", [x], [x[0] / x[1], x[1] / x[0]])).operation_counts() == {"div": 2}


# --- the order of instructions -----------------------------------------------------------------------------------


def _ordered() -> tuple[casadi.Function, casadi.Function]:
    """Return a function, and the same with its products to be formed before its sums; one product is not needed."""
    x = casadi.SX.sym("x", 4)
    sums = [x[i] + x[i - 1] for i in range(4)]
    products = [sums[i] * sums[i - 1] for i in range(4)]
    useless = x[0] * 7
    result = casadi.vertcat(*(products[i] - sums[i] for i in range(3)))
    formed = casadi.vertcat(useless, *sums, *products, *casadi.vertsplit(result))
    plain = casadi.Function("f", [x], [result], ["x"], ["y"])
    return plain, casadi.Function("f", [x], [formed, result], ["x"], [FORMATION_OUTPUT, "y"])


def test_instructions_come_as_they_were_formed() -> None:
    plain, ordered = _ordered()
    graph, before = read_graph(ordered), read_graph(plain)
    assert [NAMES[code] for code in graph.codes] == ["add"] * 4 + ["mul"] * 3 + ["sub"] * 3
    assert [port.name for port in graph.outputs] == ["y"]
    assert graph.operation_counts() == before.operation_counts()
    assert graph.in_order
    assert not before.in_order
    x = np.array([0.3, -1.2, 2.5, 0.7])
    expected = compile_program(plain, cache=False).evaluate({"x": x})["y"]
    np.testing.assert_array_equal(compile_program(ordered, cache=False).evaluate({"x": x})["y"], expected)


def test_an_order_of_a_part_is_not_followed() -> None:
    x = casadi.SX.sym("x")
    values = [x]
    for _ in range(20):
        values.append(casadi.sin(values[-1]))
    part = casadi.Function("f", [x], [values[3], values[-1]], ["x"], [FORMATION_OUTPUT, "y"])
    graph = read_graph(part)
    assert not graph.in_order
    assert [port.name for port in graph.outputs] == ["y"]
    assert len(graph.codes) == 20


def test_the_virtual_machine_does_without_the_order() -> None:
    plain, ordered = _ordered()
    assert plain_function(plain) is plain
    left = plain_function(ordered)
    assert left.name_out() == ["y"]
    x = [0.3, -1.2, 2.5, 0.7]
    assert float(casadi.norm_inf(left(x) - plain(x))) == 0.0


@pytest.mark.parametrize("count", [1, 3, 4, 5, 11])
def test_long_programs_take_rows_together(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    function = _long_function()
    rows = np.random.default_rng(count).normal(size=(count, 3))
    one_by_one = compile_program(function, cache=False).loop(rows)
    monkeypatch.setattr(entry, "LONG_PROGRAM", 1)
    np.testing.assert_array_equal(compile_program(function, cache=False).loop(rows), one_by_one)


def _long_function() -> casadi.Function:
    """Return a function of several chunks, whose values wait from one to another."""
    x = casadi.SX.sym("x", 3)
    values = [x[0], x[1], x[2]]
    for _ in range(2 * CHUNK):
        values.append(casadi.sin(values[-1]) * values[-3] + values[len(values) // 2])
    return casadi.Function("long", [x], [casadi.vertcat(*values[-5:])], ["x"], ["y"])


def test_no_chunk_is_long_for_what_it_only_copies_or_forms_early() -> None:
    x = casadi.SX.sym("x", 700)
    outputs = casadi.vertcat(x, casadi.sin(x[:400]) * casadi.cos(x[:400]), 1.5)
    function = casadi.Function("many", [x], [outputs], ["x"], ["y"])
    graph = read_graph(function)
    plan = schedule(graph, early=True)
    check_schedule(graph, plan)
    assert max(len(values) for values in plan.early) <= 96
    chunks = re.findall(r"^define internal void @chunk.*?^\}", write_module(graph, host_target()), re.M | re.S)
    assert len(chunks) >= 5
    assert max(text.count("\n") for text in chunks) < 3000
    values = np.random.default_rng(0).normal(size=(3, 700))
    expected = np.hstack((values, np.sin(values[:, :400]) * np.cos(values[:, :400]), np.full((3, 1), 1.5)))
    np.testing.assert_allclose(compile_program(function, cache=False).loop(values), expected, atol=1e-15)


def test_values_in_memory_are_loaded_again_when_their_last_use_is_long_ago() -> None:
    x, y = casadi.SX.sym("x"), casadi.SX.sym("y")
    value, links = x + 0.3 * y, [x]
    for _ in range(300):
        links.append(casadi.sqrt(links[-1] ** 2 + 1))
    result = casadi.vertcat(value * links[-1], 0.3 + links[-1] * y)
    function = casadi.Function("f", [x, y], [casadi.vertcat(value, links[-1]), result], ["x", "y"], ["first", "then"])
    graph = read_graph(function)
    for lanes in (1, host_target().lanes):
        text = write_module(graph, host_target(), lanes=lanes)
        assert len(re.findall(r"= load .*, ptr %p1,", text)) == 2  # y
        assert len(re.findall(r"= load double, ptr %c0,", text)) == 2  # 0.3
        assert len(re.findall(r"= load .*, ptr %p0,", text)) == 1  # x
        rows = np.random.default_rng(0).normal(size=(5, 2))
        expected = np.array(function.map(5)(rows[:, 0], rows[:, 1])[1]).T
        np.testing.assert_allclose(run(graph, rows, lanes=lanes, chunk=1000)[:, 2:], expected, rtol=1e-13)
