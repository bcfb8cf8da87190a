"""Object files laid out without LLVM: the same functions as LLVM's own loading, and nothing that is not understood."""

from __future__ import annotations

import ctypes
import functools
import struct
from collections.abc import Callable
from pathlib import Path

import casadi
import numpy as np
import pytest
from campaign import examples
from hypothesis import given, settings
from hypothesis import strategies as st

import gyrostat as gs
from gyrostat.errors import ProgramError
from gyrostat.program import host_target
from gyrostat.program.code_memory import available
from gyrostat.program.graph import Graph, read_graph
from gyrostat.program.loaded_object import LoadedObject, load_object
from gyrostat.program.native import Native, _load_by_llvm, object_code
from gyrostat.program.object_file import PAGE, UnknownLayoutError, layout
from gyrostat.program.operation import BINARY, NAMES
from gyrostat.program.writer import write_module
from gyrostat.recipes.traces import RECIPES, build_function

pytestmark = pytest.mark.skipif(not available(), reason="object files are laid out on x86-64 under Linux only")

EXAMPLES = sorted((Path(__file__).parent.parent.parent / "examples").glob("*.yaml"))
LOOP = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


def rows_by(engine: object, graph: Graph, rows: np.ndarray, lanes: int) -> np.ndarray:
    symbol = "gyrostat_loop" if lanes == 1 else "gyrostat_batch"
    results = np.zeros((len(rows), len(graph.results)))
    LOOP(engine.get_function_address(symbol))(rows.ctypes.data, results.ctypes.data, len(rows))  # type: ignore[attr-defined]
    return results


def assert_same_bits(function: casadi.Function, rows: np.ndarray) -> None:
    graph, target = read_graph(function), host_target()
    for lanes in (1, target.lanes):
        code = object_code(write_module(graph, target, lanes=lanes), target, optimisation=1)
        ours, theirs = load_object(code), _load_by_llvm(code, target)
        assert ours is not None
        found, expected = (rows_by(engine, graph, rows, lanes) for engine in (ours, theirs))
        for values in (found, expected):
            values[np.isnan(values)] = np.nan  # C libraries differ in the sign of a logarithm that there is not
        np.testing.assert_array_equal(found.view(np.int64), expected.view(np.int64))
        assert len(graph.results) == 0 or np.any(found != 0)


def test_all_operations_have_the_bits_of_llvms_loading() -> None:
    x, y = casadi.SX.sym("x"), casadi.SX.sym("y")
    values = []
    for name in NAMES:
        number = getattr(casadi, f"OP_{name.upper()}")
        values.append(casadi.SX.binary(number, x, y) if name in BINARY else casadi.SX.unary(number, x))
    function = casadi.Function("all", [x, y], [casadi.vertcat(*values)], ["x", "y"], ["f"])
    rng = np.random.default_rng(0)
    rows = np.vstack([rng.normal(size=(40, 2)), 10.0 ** rng.uniform(-300, 300, (40, 2)), [[np.inf, -0.0]]])
    assert_same_bits(function, rows)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_have_the_bits_of_llvms_loading(path: Path) -> None:
    coordinates = gs.formulate(gs.Model.load(path)).coordinates
    function = build_function("example", RECIPES["rates"], coordinates, in_order=True)
    size = read_graph(function).input_size
    assert_same_bits(function, np.random.default_rng(1).normal(size=(11, size)))


@functools.cache
def sample() -> bytes:
    """Return the object file of a function that calls the C library and has constants."""
    x = casadi.SX.sym("x", 3)
    value = casadi.vertcat(casadi.sin(x), casadi.atan2(x[0], x[1]) + 1.25, x[1] ** x[2] * 3.5)
    return object_code(
        write_module(read_graph(casadi.Function("f", [x], [value])), host_target()), host_target(), optimisation=1
    )


def test_code_and_constants_have_pages_of_their_own() -> None:
    plan = layout(sample())
    assert plan.size % PAGE == plan.code_size % PAGE == 0
    assert 0 < plan.code_size < plan.size
    assert set(plan.functions) == {"gyrostat_evaluate", "gyrostat_loop"}
    assert all(0 <= place < plan.code_size for place in plan.functions.values())
    assert {"atan2", "pow"} <= set(plan.needed)
    assert np.all((plan.places >= 0) & (plan.places <= plan.size - 8))
    image = plan.image(sample(), [1 << 40, *range(1, len(plan.needed) + 1)])
    words = image[plan.places[:, None] + np.arange(8)].copy().view(np.int64).ravel()
    inner = plan.origins == 0
    assert np.all((words[inner] >= 1 << 40) & (words[inner] < (1 << 40) + plan.size))
    np.testing.assert_array_equal(words[~inner], plan.origins[~inner])


def test_memory_is_never_both_written_and_executed() -> None:
    loaded = LoadedObject(sample())
    start = loaded._memory.address
    found = {}
    for line in Path("/proc/self/maps").read_text().splitlines():
        span, rights = line.split()[:2]
        first, last = (int(text, 16) for text in span.split("-"))
        for name, place in (("code", start), ("constants", start + layout(sample()).code_size)):
            if first <= place < last:
                found[name] = rights
    assert found == {"code": "r-xp", "constants": "r--p"}


def test_memory_goes_with_the_object(monkeypatch: pytest.MonkeyPatch) -> None:
    released = []
    loaded = LoadedObject(sample())
    honest = loaded._memory._release
    loaded._memory._release = lambda *place: (released.append(place), honest(*place))
    expected = (loaded._memory.address, loaded._memory.size)
    del loaded
    assert released == [expected]


def test_memory_stays_while_the_process_ends() -> None:
    """Another thread may still be in there."""
    memory = LoadedObject(sample())._memory
    released: list[object] = []
    honest, memory._release = memory._release, lambda *place: released.append(place)
    memory.__del__(lambda: True)
    assert released == []
    memory._release = honest


def test_unknown_functions_have_no_address() -> None:
    assert LoadedObject(sample()).get_function_address("another") == 0


def test_a_table_of_no_constants_has_a_place() -> None:
    x = casadi.SX.sym("x")
    assert_same_bits(casadi.Function("square", [x], [x * x], ["x"], ["y"]), np.array([[1.5], [-2.0]]))


def test_tables_for_unwinding_are_left_out() -> None:
    x = casadi.SX.sym("x")
    graph, target = read_graph(casadi.Function("cube", [x], [x**3], ["x"], ["y"])), host_target()
    text = write_module(graph, target)
    plain, unwound = (
        object_code(one, target, optimisation=1) for one in (text, text.replace(" nounwind {", " uwtable {"))
    )
    assert b".eh_frame" in unwound
    assert layout(unwound).size == layout(plain).size
    engine = load_object(unwound)
    assert engine is not None
    np.testing.assert_array_equal(rows_by(engine, graph, np.array([[1.5], [-2.0]]), 1), [[3.375], [-8.0]])


def test_a_function_that_is_missing_is_named() -> None:
    with pytest.raises(ProgramError, match=r"compiled object has no function 'gyrostat_nothing'\. Clear the cache"):
        Native(sample(), host_target()).address("gyrostat_nothing")


def sections(code: bytes) -> tuple[int, int]:
    return struct.unpack_from("<Q", code, 40)[0], struct.unpack_from("<H", code, 60)[0]


def place_of(code: bytes, kind: int, field: int, *, flags: int = 0) -> int:
    """Return where a field of the first section of a kind that is not empty lies in the file."""
    start, count = sections(code)
    for here in range(start, start + 64 * count, 64):
        _, found, held, _, _, size = struct.unpack_from("<IIQQQQ", code, here)
        if found == kind and held & flags == flags and size:
            return here + field
    raise LookupError(kind)


def content_of(code: bytes, kind: int) -> int:
    return int(struct.unpack_from("<Q", code, place_of(code, kind, 24))[0])


def changed(code: bytes, place: int, form: str, value: int) -> bytes:
    data = bytearray(code)
    struct.pack_into(form, data, place, value)
    return bytes(data)


def last_symbol(code: bytes) -> int:
    return int(struct.unpack_from("<Q", code, place_of(code, 2, 32))[0]) // 24 - 1


def relocated_symbol(code: bytes) -> int:
    """Return where the symbol of the first relocation lies in the file."""
    return content_of(code, 2) + 24 * int(struct.unpack_from("<I", code, content_of(code, 4) + 12)[0])


def head(place: int, form: str, value: int) -> Callable[[bytes], bytes]:
    return lambda code: changed(code, place, form, value)


def section(kind: int, field: int, form: str, value: int) -> Callable[[bytes], bytes]:
    flags = 4 if kind == 1 else 0  # of all contents the code
    return lambda code: changed(code, place_of(code, kind, field, flags=flags), form, value)


def relocation(field: int, form: str, value: int) -> Callable[[bytes], bytes]:
    return lambda code: changed(code, content_of(code, 4) + field, form, value)


def size_of(code: bytes, kind: int, *, flags: int = 0) -> int:
    return int(struct.unpack_from("<Q", code, place_of(code, kind, 32, flags=flags))[0])


def nothing_loaded(code: bytes) -> bytes:
    """Return the file with no section that is to be loaded."""
    start, count = sections(code)
    for here in range(start, start + 64 * count, 64):
        code = changed(code, here + 8, "<Q", 0)
    return code


HUGE = 1 << 62
DAMAGE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda code: b"", "no head"),
    "archive": (lambda code: b"!<arch>\n" + code, "no object file for x86-64"),
    "arm": (head(18, "<H", 183), "no object file for x86-64"),
    "executable": (head(16, "<H", 2), "no object file for x86-64"),
    "sections beyond the end": (head(40, "<Q", HUGE), "table of sections outside"),
    "sections of another size": (head(58, "<H", 40), "table of sections outside"),
    "truncated": (lambda code: code[:-65], "outside the file"),
    "nothing to load": (nothing_loaded, "nothing to load"),
    "section beyond the end": (section(1, 32, "<Q", HUGE), "section outside the file"),
    "written data": (section(1, 8, "<Q", 7), "neither code nor constants"),
    "data without content": (section(1, 4, "<I", 8), "neither code nor constants"),
    "data of threads": (section(1, 8, "<Q", 0x406), "neither code nor constants"),
    "odd alignment": (section(1, 48, "<Q", 24), "strange alignment"),
    "large alignment": (section(1, 48, "<Q", 2 * PAGE), "strange alignment"),
    "no symbols": (section(2, 4, "<I", 1), "no table of symbols"),
    "no names": (section(2, 40, "<I", 1000), "symbols without names"),
    "names in the code": (section(2, 40, "<I", 4), "symbols without names"),
    "short relocations": (section(4, 4, "<I", 9), "another form"),
    "relocations of another size": (section(4, 56, "<Q", 16), "another form"),
    "part of a relocation": (lambda code: section(4, 32, "<Q", size_of(code, 4) - 1)(code), "another form"),
    "relative relocation": (relocation(8, "<I", 2), r"kinds \[1, 2\]"),
    "relocation outside": (relocation(0, "<Q", HUGE), "relocation outside its section"),
    "relocation over the edge": (
        lambda code: relocation(0, "<Q", size_of(code, 1, flags=4) - 7)(code),
        "relocation outside its section",
    ),
    "unknown symbol": (relocation(12, "<I", 9999), "symbol that is not there"),
    "no symbol": (relocation(12, "<I", 0), "symbol that is not there"),
    "common symbol": (lambda code: changed(code, relocated_symbol(code) + 6, "<H", 0xFFF2), "that is not loaded"),
    "symbol outside": (
        lambda code: changed(code, relocated_symbol(code) + 8, "<Q", HUGE),
        "symbol outside its section",
    ),
    "name outside": (
        lambda code: changed(code, content_of(code, 2) + 24 * last_symbol(code), "<I", 1 << 30),
        "name without end",
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_not_understood_is_refused(damage: str) -> None:
    change, message = DAMAGE[damage]
    code = change(sample())
    with pytest.raises(UnknownLayoutError, match=message):
        layout(code)
    assert load_object(code) is None


@settings(max_examples=examples(300), deadline=None)
@given(data=st.data())
def test_damaged_files_stay_within_bounds(data: st.DataObject) -> None:
    code = bytearray(sample())
    start, count = sections(sample())
    structure = [*range(64), *range(start, start + 64 * count), *range(content_of(sample(), 4), start)]
    for place in data.draw(st.lists(st.sampled_from(structure), min_size=1, max_size=4)):
        code[place] = data.draw(st.integers(0, 255))
    try:
        plan = layout(bytes(code))
    except UnknownLayoutError:
        return
    image = plan.image(bytes(code), [0] * (1 + len(plan.needed)))
    assert len(image) == plan.size <= len(code) + 12 * PAGE
    assert all(place >= 0 and place + size <= plan.size for place, _, size in plan.pieces)
    assert all(0 <= place < plan.size for place in plan.functions.values())


def test_functions_that_this_process_lacks_are_left_to_llvm() -> None:
    code = sample().replace(b"\0atan2\0", b"\0atanX\0")
    assert code != sample()
    with pytest.raises(UnknownLayoutError, match="no function 'atanX' in this process"):
        LoadedObject(code)
    assert load_object(code) is None
