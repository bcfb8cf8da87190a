"""Programs: ports, calls, batches, threads, copies."""

from __future__ import annotations

import copy
import importlib
import pickle
import subprocess
import sys
import threading
import time
from dataclasses import replace

import casadi
import numpy as np
import pytest

from gyrostat.errors import ProgramError
from gyrostat.program import Buffer, Port, Program, compile_program, host_target, make_target
from gyrostat.program import native_engine as native_engine_module

RNG = np.random.default_rng(5)


@pytest.fixture
def program(pendulum: casadi.Function) -> Program:
    return compile_program(pendulum)


def expected_rows(function: casadi.Function, rows: np.ndarray) -> np.ndarray:
    results = []
    for row in rows:
        parts, start = [], 0
        for i in range(function.n_in()):
            parts.append(row[start : start + function.nnz_in(i)])
            start += function.nnz_in(i)
        results.append(
            np.concatenate([np.array(out.nonzeros()) for out in function.call([casadi.DM(p) for p in parts])])
        )
    return np.array(results)


def test_ports_and_slices(program: Program) -> None:
    assert program.inputs == (Port("q", 2, 2, 1), Port("u", 2, 2, 1), Port("k", 1, 1, 1))
    assert [port.shape for port in program.outputs] == [(2,), (2, 2)]
    assert (program.input_size, program.output_size) == (5, 6)
    assert program.input_slice("u") == slice(2, 4)
    assert program.output_slice("W") == slice(2, 6)
    assert program.operations == sum(program.operation_counts.values())
    assert program.operation_counts["sin"] == program.operation_counts["cos"] == 1
    assert repr(program) == f"Program(pendulum: q[2], u[2], k[1] → a[2], W[2, 2]; {program.operations} operations)"
    assert program.native
    with pytest.raises(ProgramError, match=r"'pendulum' has no input 'x'\. It has: 'q', 'u', 'k'\."):
        program.input_slice("x")
    with pytest.raises(ProgramError, match=r"'pendulum' has no output 'q'\. It has: 'a', 'W'\."):
        program.output_slice("q")


def test_call_on_buffers_and_arrays(program: Program, pendulum: casadi.Function) -> None:
    row = RNG.normal(size=5)
    inputs, outputs = program.input_buffer(), program.output_buffer()
    assert isinstance(inputs, Buffer)
    assert "Buffer(array(" in repr(inputs)
    inputs.array[:] = row
    program(inputs, outputs)
    np.testing.assert_allclose(outputs.array, expected_rows(pendulum, row[None])[0], rtol=1e-14)
    array = np.zeros(6)
    program(row, array)
    np.testing.assert_array_equal(array, outputs.array)
    program(inputs, array)
    np.testing.assert_array_equal(array, outputs.array)


@pytest.mark.parametrize(
    ("inputs", "outputs", "message"),
    [
        ([0.0] * 5, np.zeros(6), "input vector must be a numpy array of float64 or a Buffer, not list"),
        (np.zeros(5, int), np.zeros(6), "input vector has dtype int64; it must be float64"),
        (np.zeros(4), np.zeros(6), r"input vector has shape \(4,\); this program needs \(5,\)"),
        (np.zeros((5, 1)), np.zeros(6), r"input vector has shape \(5, 1\)"),
        (np.zeros(10)[::2], np.zeros(6), "input vector is not contiguous in memory"),
        (np.zeros(5), np.zeros(7), r"output vector has shape \(7,\); this program needs \(6,\)"),
        (np.zeros(5), np.zeros(12)[::2], "output vector is not contiguous"),
        (np.zeros(5), np.frombuffer(bytes(48)), "output vector is read-only"),
        (Buffer(4), Buffer(6), r"input vector has shape \(4,\)"),
        (Buffer(5), Buffer(5), r"output vector has shape \(5,\)"),
    ],
)
def test_call_checks_arrays(program: Program, inputs: object, outputs: object, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        program(inputs, outputs)


def test_shared_memory_is_refused(program: Program) -> None:
    block = np.zeros(100)
    with pytest.raises(ProgramError, match="inputs and the outputs share memory"):
        program(block[:5], block[4:10])
    with pytest.raises(ProgramError, match="inputs and the outputs share memory"):
        program.loop(block[:10].reshape(2, 5), block[8:20].reshape(2, 6))


def test_evaluate_by_name(program: Program, pendulum: casadi.Function) -> None:
    values = {"u": [0.3, -0.4], "q": (0.1, 0.2), "k": 2.0}
    found = program.evaluate(values)
    exact = pendulum(q=values["q"], u=values["u"], k=2.0)
    np.testing.assert_allclose(found["a"], np.array(exact["a"]).ravel(), rtol=1e-14)
    np.testing.assert_allclose(found["W"], np.array(exact["W"]), rtol=1e-14)
    assert found["W"].shape == (2, 2)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"q": [0, 0], "u": [0, 0]}, r"'pendulum' needs a value for 'k'\."),
        ({}, r"needs a value for 'q', 'u', 'k'\."),
        ({"q": [0, 0], "u": [0, 0], "k": 1, "x": 1}, r"has no input 'x'\. It has: 'q', 'u', 'k'\."),
        ({"q": [0, 0, 0], "u": [0, 0], "k": 1}, r"value of 'q' has shape \(3,\); the program needs \(2,\)"),
        ({"q": 0.0, "u": [0, 0], "k": 1}, r"value of 'q' has shape \(\); the program needs \(2,\)"),
        ({"q": [[0, 0]], "u": [0, 0], "k": 1}, r"value of 'q' has shape \(1, 2\)"),
    ],
)
def test_evaluate_checks_names_and_shapes(program: Program, values: dict[str, object], message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        program.evaluate(values)


def test_matrices_go_column_by_column() -> None:
    A, x = casadi.SX.sym("A", 2, 3), casadi.SX.sym("x", 3)
    program = compile_program(casadi.Function("f", [A, x], [A @ x, A.T], ["A", "x"], ["b", "T"]))
    matrix, vector = RNG.normal(size=(2, 3)), RNG.normal(size=3)
    found = program.evaluate({"A": matrix, "x": vector})
    np.testing.assert_allclose(found["b"], matrix @ vector, rtol=1e-14)
    np.testing.assert_array_equal(found["T"], matrix.T)


def test_sparse_ports_keep_their_pattern() -> None:
    pattern = casadi.Sparsity.triplet(3, 3, [0, 2, 1], [0, 1, 2])
    S = casadi.SX.sym("S", pattern)
    program = compile_program(casadi.Function("f", [S], [2 * S], ["S"], ["D"]))
    (port,) = program.outputs
    assert (port.size, port.rows, port.columns) == (3, 3, 3)
    np.testing.assert_array_equal(port.pattern[0], [0, 2, 1])
    np.testing.assert_array_equal(port.pattern[1], [0, 1, 2])
    found = program.evaluate({"S": [1.0, 2.0, 3.0]})["D"]
    np.testing.assert_array_equal(found, [[2, 0, 0], [0, 0, 6], [0, 4, 0]])
    with pytest.raises(ProgramError, match=r"value of 'S' has shape \(3, 3\); the program needs \(3,\)"):
        program.evaluate({"S": np.eye(3)})


def test_outputs_may_be_constants_and_inputs() -> None:
    x, empty = casadi.SX.sym("x", 2), casadi.SX.sym("e", 0)
    outputs = [casadi.SX([2.5, -7.0]), x, x[1], casadi.SX(0, 1), casadi.SX(2, 2)]
    names = ["constant", "copy", "part", "nothing", "zeros"]
    program = compile_program(casadi.Function("f", [x, empty], outputs, ["x", "e"], names))
    assert program.operations == 0
    rows = RNG.normal(size=(11, 2))
    expected = np.column_stack([np.full(11, 2.5), np.full(11, -7.0), rows, rows[:, 1]])
    for found in (program.loop(rows), program.batch(rows)):
        np.testing.assert_array_equal(found, expected)
    values = program.evaluate({"x": [1, 2], "e": []})
    assert values["nothing"].shape == (0,)
    np.testing.assert_array_equal(values["zeros"], np.zeros((2, 2)))


def test_program_without_inputs_or_outputs() -> None:
    program = compile_program(casadi.Function("f", [], [casadi.SX(3.0)], [], ["c"]))
    np.testing.assert_array_equal(program.batch(np.zeros((5, 0))), np.full((5, 1), 3.0))
    x = casadi.SX.sym("x")
    silent = compile_program(casadi.Function("g", [x], [], ["x"], []))
    assert silent.batch(np.zeros((5, 1))).shape == (5, 0)
    assert silent.loop(np.zeros((5, 1))).shape == (5, 0)
    silent(silent.input_buffer(), silent.output_buffer())


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65])
@pytest.mark.parametrize("threads", [None, 1, 2, 5])
def test_batch_loop_and_call_agree(
    program: Program, pendulum: casadi.Function, count: int, threads: int | None
) -> None:
    rows = RNG.normal(size=(count, 5))
    # Rows around the array would be touched by access out of bounds.
    guard = np.full((count + 20, 6), 7.0)
    outputs = guard[10 : 10 + count]
    assert program.batch(rows, outputs, threads=threads) is outputs
    assert (guard[:10] == 7.0).all()
    assert (guard[10 + count :] == 7.0).all()
    looped = program.loop(rows)
    np.testing.assert_allclose(outputs, looped, rtol=1e-13)
    single = np.zeros(6)
    for row, expected in zip(rows, looped, strict=True):
        program(row, single)
        np.testing.assert_array_equal(single, expected)
    if count:
        np.testing.assert_allclose(looped, expected_rows(pendulum, rows), rtol=1e-13)


def test_batch_accepts_what_becomes_rows(program: Program) -> None:
    rows = RNG.normal(size=(5, 6)).T  # not contiguous
    np.testing.assert_array_equal(program.batch(rows), program.batch(np.ascontiguousarray(rows)))
    assert program.batch([[0, 0, 0, 0, 1]]).shape == (1, 6)


@pytest.mark.parametrize(
    ("inputs", "outputs", "message"),
    [
        (np.zeros((3, 4)), None, r"inputs have shape \(3, 4\); this program needs \(N, 5\)"),
        (np.zeros(5), None, r"inputs have shape \(5,\)"),
        (np.zeros((3, 5)), np.zeros((2, 6)), r"array of outputs has shape \(2, 6\); this program needs \(3, 6\)"),
        (np.zeros((3, 5)), np.zeros((3, 6), np.float32), "array of outputs has dtype float32"),
    ],
)
def test_batch_checks_arrays(program: Program, inputs: np.ndarray, outputs: np.ndarray | None, message: str) -> None:
    for method in (program.batch, program.loop):
        with pytest.raises(ProgramError, match=message):
            method(inputs, outputs)


def test_number_of_threads_is_checked(program: Program) -> None:
    with pytest.raises(ProgramError, match="number of threads is 0; it must be at least 1"):
        program.batch(np.zeros((3, 5)), threads=0)


def test_many_threads_may_call_one_program(program: Program) -> None:
    rows = RNG.normal(size=(8, 400, 5))
    expected = [program.loop(part) for part in rows]
    failures: list[int] = []

    def work(number: int) -> None:
        inputs, outputs = program.input_buffer(), program.output_buffer()
        for row, result in zip(rows[number], expected[number], strict=True):
            inputs.array[:] = row
            program(inputs, outputs)
            if not (outputs.array == result).all():
                failures.append(number)
        if not np.allclose(program.batch(rows[number], threads=2), expected[number], rtol=1e-13):
            failures.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


@pytest.mark.parametrize("method", ["loop", "batch"])
def test_global_lock_is_released(method: str) -> None:
    x = casadi.SX.sym("x")
    y = x
    for _ in range(2000):
        y = casadi.sin(y) + x
    program = compile_program(casadi.Function("slow", [x], [y], ["x"], ["y"]), optimisation=0)
    rows = np.zeros((200 if method == "loop" else 3000, 1))
    run = getattr(program, method)
    run(rows)
    start = time.perf_counter()
    run(rows)
    alone = time.perf_counter() - start
    rows = np.zeros((int(len(rows) * max(1.0, 0.3 / alone)), 1))
    done = threading.Event()

    def work() -> None:
        run(rows)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    steps = 0
    while not done.is_set():
        time.sleep(0.005)
        steps += 1
    thread.join()
    assert steps > 5  # with the lock held the main thread would have slept once or twice


def large_workspace() -> casadi.Function:
    """A function whose values, thousands of them, all live from the first chunk to the last."""
    x = casadi.SX.sym("x", 5000)
    y = x * x + 1.0
    return casadi.Function("wide", [x], [casadi.sum1(y), casadi.dot(y, y[::-1])], ["x"], ["s", "d"])


def test_large_workspace_comes_from_the_heap() -> None:
    from gyrostat.program.graph import read_graph
    from gyrostat.program.writer import write_module

    function = large_workspace()
    for lanes in (1, 4):
        assert "@malloc" in write_module(read_graph(function), host_target(), lanes=lanes)
    program = compile_program(function, optimisation=0)
    rows = RNG.normal(size=(9, 5000))
    expected = expected_rows(function, rows)
    np.testing.assert_allclose(program.loop(rows), expected, rtol=1e-12)
    np.testing.assert_allclose(program.batch(rows), expected, rtol=1e-12)


def test_exhausted_memory_gives_nan(pendulum: casadi.Function, monkeypatch: pytest.MonkeyPatch) -> None:
    from gyrostat.program import writer

    honest = writer.schedule
    monkeypatch.setattr(writer, "schedule", lambda *a, **k: replace(honest(*a, **k), slot_count=2**55))
    program = compile_program(pendulum, cache=False)
    guard = np.zeros((7, 6))
    assert np.isnan(program.loop(np.ones((5, 5)), guard[:5])).all()
    assert np.isnan(program.batch(np.ones((6, 5)), guard[:6])).all()
    single = np.zeros(6)
    program(np.ones(5), single)
    assert np.isnan(single).all()
    assert (guard[6] == 0).all()


def test_copies_are_the_program_itself(program: Program) -> None:
    assert copy.copy(program) is program
    assert copy.deepcopy({"p": program})["p"] is program


def test_pickle_in_this_process(program: Program) -> None:
    again = pickle.loads(pickle.dumps(program))
    rows = RNG.normal(size=(11, 5))
    np.testing.assert_array_equal(again.loop(rows), program.loop(rows))
    np.testing.assert_array_equal(again.batch(rows), program.batch(rows))
    assert again.inputs == program.inputs
    assert again.operation_counts == program.operation_counts
    assert again.address != program.address


def test_pickle_into_another_process_needs_no_casadi(program: Program, tmp_path: object) -> None:
    path = f"{tmp_path}/program.pickle"
    with open(path, "wb") as file:
        pickle.dump(program, file)
    script = f"""
import pickle, sys
import numpy as np
program = pickle.load(open({path!r}, "rb"))
print(program.loop(np.full((1, 5), 0.5)).tolist())
print(np.allclose(program.batch(np.full((9, 5), 0.5)), program.loop(np.full((9, 5), 0.5)), rtol=1e-13))
print("casadi" in sys.modules)
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    first, second, third = result.stdout.splitlines()
    assert first == str(program.loop(np.full((1, 5), 0.5)).tolist())
    assert second == "True"
    assert third == "False"


def test_pickle_from_another_processor_is_compiled_again(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    data = pickle.dumps(program)
    other = replace(host_target(), cpu="x86-64", features="", lanes=2, fused=False)
    monkeypatch.setattr(native_engine_module, "host_target", lambda: other)
    again = pickle.loads(data)
    assert again.lanes == 2
    rows = RNG.normal(size=(5, 5))
    np.testing.assert_allclose(again.batch(rows), program.loop(rows), rtol=1e-13)


def test_functions_that_cannot_be_compiled_are_named() -> None:
    x, y, X = casadi.SX.sym("x"), casadi.SX.sym("y"), casadi.MX.sym("X")
    with pytest.raises(ProgramError, match=r"compiled from a casadi.Function, not from int"):
        compile_program(3)
    with pytest.raises(ProgramError, match=r"'f' is a MXFunction; only functions made of SX"):
        compile_program(casadi.Function("f", [X], [X * X]))
    with pytest.raises(ProgramError, match=r"'f' depends on symbols that are not inputs: y\. Add them"):
        compile_program(casadi.Function("f", [x], [x * y], {"allow_free": True}))
    with pytest.raises(ProgramError, match=r"optimisation is 4; it must be 0, 1, 2 or 3"):
        compile_program(casadi.Function("f", [x], [x]), optimisation=4)


@pytest.mark.parametrize("optimisation", [0, 1, 2, 3])
def test_every_optimisation_gives_the_same(pendulum: casadi.Function, optimisation: int) -> None:
    rows = RNG.normal(size=(9, 5))
    program = compile_program(pendulum, optimisation=optimisation, cache=False)
    np.testing.assert_allclose(program.loop(rows), expected_rows(pendulum, rows), rtol=1e-13)
    np.testing.assert_allclose(program.batch(rows), expected_rows(pendulum, rows), rtol=1e-13)


def test_target_that_cannot_run_here_is_refused(pendulum: casadi.Function) -> None:
    foreign = "x86_64-apple-darwin" if "linux" in host_target().triple else "x86_64-unknown-linux-gnu"
    with pytest.raises(ProgramError, match=r"Code for 'x86-64' on '.*' cannot run here .* Use generate\(\)"):
        compile_program(pendulum, target=make_target(foreign, "x86-64"))


def test_native_address_can_be_called_by_pointer(program: Program) -> None:
    import ctypes

    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(program.address)
    row, result = RNG.normal(size=5), np.zeros(6)
    function(row.ctypes.data, result.ctypes.data)
    np.testing.assert_array_equal(result, program.loop(row[None])[0])


def test_import_is_light() -> None:
    script = "import sys, gyrostat.program; print([m for m in ('casadi', 'llvmlite') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("package", ["gyrostat.program", "gyrostat.model.documents", "gyrostat.analysis.sweeps"])
def test_public_names_are_all_there(package: str) -> None:
    found = importlib.import_module(package)

    assert all(getattr(found, name) is not None for name in found.__all__)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'other'"):
        found.other  # noqa: B018
