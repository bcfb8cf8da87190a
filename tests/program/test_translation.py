"""Native kernels agree with Python, and unsupported code is refused with its line."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from campaign import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from gyrostat.analysis.kernels.packing import pack
from gyrostat.errors import ProgramError
from gyrostat.program.checked_entry import kernel_entry
from gyrostat.program.host import host_target
from gyrostat.program.native import LoadedObject, object_code
from gyrostat.program.translation import KernelError, call, flat, kernel, module_of, rare_kernel

RESULTS = {"int": np.int64, "float": np.float64, "bool": np.bool_, "None": np.int64}


def native(function: Callable[..., Any], *example: Any, checked: bool = False) -> Callable[..., Any]:
    """Return a kernel as a native function for arguments of the same kinds as an example."""
    text = module_of(function, example, "entry", checked=checked)
    code = LoadedObject(object_code(text, host_target(), optimisation=3, whole=True), host_target())
    entry = kernel_entry(code, "entry", checked=checked)

    def run(*arguments: Any) -> Any:
        assert code, "the code stays in memory"
        words: list[int] = []
        pack(arguments, words, [])
        table = np.array(words, dtype=np.int64)
        result = np.zeros(1, dtype=RESULTS[str(function.__annotations__["return"])])
        entry(table.ctypes.data, result.ctypes.data)
        return result[0].item() if function.__annotations__["return"] != "None" else None

    return run


# --- numbers ------------------------------------------------------------------------------------------------------


@kernel
def _whole_numbers(a: int, b: int) -> int:
    total = a // b + 1000 * (a % b)
    total -= abs(a) * 7 + max(a, b, 3) - min(a, b)
    return -total if a > b else total


@kernel
def _floats(x: float, y: float, n: int) -> float:
    z = x * y + n / 4
    z += x**2 - y**3
    if math.isfinite(z) and z != 0.0:
        z = z / (1.0 + abs(z)) + math.sqrt(abs(x)) + math.sin(x) * math.cos(y)
    return max(z, x, y) - min(float(n), y)


whole_numbers, floats = native(_whole_numbers, 1, 1), native(_floats, 1.0, 1.0, 1)


@given(st.integers(-1000, 1000), st.integers(-50, 50).filter(bool))
def test_whole_numbers(a: int, b: int) -> None:
    assert whole_numbers(a, b) == _whole_numbers(a, b)


@given(*[st.floats(-1e3, 1e3)] * 2, st.integers(-9, 9))
def test_floats(x: float, y: float, n: int) -> None:
    assert floats(x, y, n) == pytest.approx(_floats(x, y, n), rel=1e-12, abs=1e-12)


@kernel
def _compared(x: float, y: float) -> int:
    found = 0
    if x < y:
        found += 1
    if x <= y:
        found += 2
    if x == y:
        found += 4
    if x != y:
        found += 8
    if not x > y:
        found += 16
    if x >= y or y != y:
        found += 32
    return found


compared = native(_compared, 1.0, 1.0)


@pytest.mark.parametrize("x", [0.0, 1.0, math.nan, math.inf])
@pytest.mark.parametrize("y", [0.0, 1.0, math.nan, -math.inf])
def test_comparisons(x: float, y: float) -> None:
    assert compared(x, y) == _compared(x, y)


@kernel
def _extremes(x: float, y: float) -> float:
    return max(x, y) if x != 0.0 else min(x, y)


@pytest.mark.parametrize(("x", "y"), [(1.0, math.nan), (math.nan, 1.0), (0.0, -0.0), (2.0, 3.0)])
def test_extremes_are_the_first_beside_what_does_not_compare(x: float, y: float) -> None:
    found, expected = native(_extremes, 1.0, 1.0)(x, y), _extremes(x, y)

    np.testing.assert_array_equal(np.float64(found).view(np.int64), np.float64(expected).view(np.int64))


@kernel
def _power(x: float, y: float) -> float:
    return float(x**y)


def test_broken_powers() -> None:
    assert native(_power, 1.0, 1.0)(2.0, -0.3) == 2.0**-0.3


def test_division_by_zero_gives_infinities() -> None:
    @kernel
    def quotient(x: float, y: float) -> float:
        return x / y

    assert native(quotient, 1.0, 1.0)(1.0, 0.0) == math.inf


# --- the flow of a function ---------------------------------------------------------------------------------------


@kernel
def _searched(values: np.ndarray, limit: float) -> int:
    """Use loops of all kinds."""
    found = -1
    for i in range(values.size):
        if values[i] < 0.0:
            continue
        if values[i] > limit:
            found = i
            break
    for i in range(values.size - 1, -1, -1):
        if i == found:
            break
    else_ = 0
    while else_ < 10 and found < values.size:
        else_ += 1
        if else_ == 7:
            break
    for _ in range(2, 8, 3):
        else_ += 100
    return 10_000 * else_ + 100 * i + found


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=9), st.floats(-5, 5))
@settings(max_examples=examples(100))
def test_loops(values: list[float], limit: float) -> None:
    given = np.array(values)

    assert searched(given, limit) == _searched(given, limit)


searched = native(_searched, np.zeros(1), 1.0)


@kernel
def _guarded(values: np.ndarray, place: int) -> bool:
    """Look at an element only where there is one."""
    return place < values.size and (place < 0 or values[place] > 0.0)


@pytest.mark.parametrize("place", [-(2**40), -1, 0, 1, 2**40])
def test_conditions_that_decide_nothing_are_not_looked_at(place: int) -> None:
    values = np.array([1.0, -1.0])

    assert native(_guarded, values, 0)(values, place) == (place < 2 and (place < 0 or values[place] > 0.0))


@kernel
def _chosen(a: np.ndarray, b: np.ndarray, first: bool, n: int) -> float:
    row = a if first else b
    scale = 1 if first else 0.5
    total = 0
    for i in range(n):
        total += scale * row[i]
        row = b
    return total


@pytest.mark.parametrize("first", [True, False])
def test_names_have_the_kind_that_all_their_values_have(first: bool) -> None:
    a, b = np.array([3.0, 4.0]), np.array([5.0, 6.0])

    assert native(_chosen, a, b, True, 1)(a, b, first, 2) == _chosen(a, b, first, 2)


# --- arrays and tuples --------------------------------------------------------------------------------------------


class Inner(NamedTuple):
    numbers: np.ndarray
    factor: float


class Outer(NamedTuple):
    inner: Inner
    flags: np.ndarray
    signs: np.ndarray
    places: np.ndarray
    wide: bool


@kernel
def _tour(outer: Outer, cube: np.ndarray, target: np.ndarray) -> int:
    layers, rows, columns = cube.shape
    for k in range(layers):
        layer = cube[k]
        for i in range(rows):
            row = layer[i]
            for j in range(columns):
                row[j] *= outer.inner.factor
                target[i, j] += cube[k, i, j] + outer.inner.numbers[outer.places[j]]
    target[0, 0], target[0, 1] = target[0, 1], target[0, 0]
    outer.signs[0] = -3
    outer.flags[1] = outer.wide and not outer.flags[0]
    part = flat(cube)[2 : 2 + columns]
    part[0] = last = 7.5
    tail = cube[0, rows - 1, 1:]
    tail[0] = last + part.size
    return _counted(outer.flags) + 10 * int(outer.signs[0]) + 1000 * cube.size


@kernel
def _counted(flags: np.ndarray) -> int:
    total = 0
    for i in range(flags.size):
        if flags[i]:
            total += 1
    return total


def _arguments() -> tuple[Outer, np.ndarray, np.ndarray]:
    inner = Inner(np.array([1.0, 2.0, 4.0]), 0.5)
    outer = Outer(inner, np.array([False, False]), np.zeros(2, np.int8), np.array([2, 0, 1], np.int64), True)
    return outer, np.arange(24.0).reshape(4, 2, 3), np.ones((2, 3))


def test_arrays_and_tuples() -> None:
    own, expected = _arguments(), _arguments()

    assert native(_tour, *own)(*own) == _tour(*expected)
    for found, wanted in zip((*own[0][1:4], *own[1:]), (*expected[0][1:4], *expected[1:]), strict=True):
        np.testing.assert_array_equal(found, wanted)


@kernel
def _passed_on(x: np.ndarray, n: int) -> float:
    _write(x, n, Inner(x, 2))
    return _half(n)


@rare_kernel
def _write(x: np.ndarray, value: float, inner: Inner) -> None:
    if value > 100.0:
        return
    for i in range(x.size):
        x[i] = value * inner.factor


@kernel
def _half(value: float) -> float:
    return 0.5 * value


def test_kernels_call_kernels_with_what_these_want() -> None:
    x = np.zeros(3)

    assert native(_passed_on, x, 1)(x, 5) == 2.5
    np.testing.assert_array_equal(x, 10.0)


class Pair(NamedTuple):
    first: Callable[..., float]
    second: Callable[..., float]


@kernel
def _double(value: float) -> float:
    return 2.0 * value


@kernel
def _composed(pair: Pair, last: Callable[..., float], x: float) -> float:
    again = pair.first
    return last(again(pair.second(x))) + _applied(_half, x)


@kernel
def _applied(function: Callable[..., float], x: float) -> float:
    return function(x)


@pytest.mark.parametrize("functions", [(_half, _double, _half), (_double, _double, _half)])
def test_kernels_are_arguments_of_kernels(functions: tuple[Callable[..., float], ...]) -> None:
    first, second, last = functions
    pair = Pair(first, second)

    assert native(_composed, pair, last, 1.0)(pair, last, 3.0) == _composed(pair, last, 3.0)


def test_a_rare_kernel_stays_a_function() -> None:
    text = module_of(_passed_on, (np.zeros(3), 1), "entry")

    assert [line.split("@")[1].split("(")[0] for line in text.splitlines() if "noinline" in line] == ["k1._write"]


@kernel
def _norms(x: np.ndarray, size: int) -> None:
    for i in range(size):
        for k in range(3):
            x[0] += x[i] * k
    while x[0] > 1.0:
        x[0] -= 1.0


def test_only_loops_over_literal_ranges_are_unrolled() -> None:
    """Each loop that is not has a node of its own in the module; that over three components has none."""
    text = module_of(_norms, (np.zeros(3), 1), "entry")

    marked = re.findall(r"br label %\w+, !llvm.loop !(\d+)", text)
    assert len(marked) == len(set(marked)) == 2
    assert all(f"!{number} = distinct !{{!{number}, !1}}" in text for number in marked)
    assert '!1 = !{!"llvm.loop.unroll.disable"}' in text
    assert "llvm.loop" not in module_of(_norms, (np.zeros(3), 1), "entry", unrolled=True)


def test_native_functions_are_called_by_address() -> None:
    seen: list[tuple[int, int]] = []
    callback = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(lambda a, b: seen.append((a, b)))
    address = ctypes.cast(callback, ctypes.c_void_p).value or 0

    @kernel
    def calling(function: int, x: np.ndarray) -> None:
        call(function, x.ctypes.data, 3)

    x = np.zeros(1)
    native(calling, 0, x)(address, x)
    calling(address, x)

    assert seen == [(x.ctypes.data, 3)] * 2


# --- refusals -----------------------------------------------------------------------------------------------------


def _unknown_function(x: float) -> float:
    return math.gamma(x)


def _text(x: float) -> float:
    return "x"  # type: ignore[return-value]


def _two_kinds(x: np.ndarray) -> float:
    y = 1.0
    y = x  # type: ignore[assignment]
    return y[0]  # type: ignore[index]


def _whole_array(x: np.ndarray) -> None:
    x[1:] = 0.0


def _strided(x: np.ndarray) -> float:
    return x[:, 0][1]


def _stepped(x: np.ndarray) -> float:
    return x[::2][0]


def _too_many(x: np.ndarray) -> float:
    return x[0, 0, 0]


def _from_the_end(x: np.ndarray) -> float:
    return x[-1]


def _part_of_a_number(x: float) -> float:
    return x[0]  # type: ignore[index]


def _beside_an_array(x: np.ndarray) -> float:
    return x + 1.0  # type: ignore[no-any-return]


def _size_of_a_number(x: float) -> int:
    return x.ctypes.data  # type: ignore[attr-defined, no-any-return]


def _unpacked(x: float) -> float:
    y, z = x  # type: ignore[misc]
    return y + z  # type: ignore[has-type]


def _added_to_a_part(inner: Inner) -> None:
    inner.factor += 1.0  # type: ignore[misc]


def _inverted(n: int) -> int:
    return ~n


def _chosen_of_two_kinds(x: np.ndarray) -> float:
    return x if x.size > 1 else 1.0  # type: ignore[return-value]


def _not_annotated(x: float):  # type: ignore[no-untyped-def]
    return x


def _too_few(x: float) -> float:
    return _power(x)  # type: ignore[call-arg]


def _beyond_a_tuple(x: np.ndarray) -> int:
    return x.shape[4]


def _over_a_list(x: np.ndarray) -> float:
    for value in x:
        return value
    return 0.0


def _chain(x: float) -> bool:
    return 0.0 < x < 1.0


def _keywords(x: float) -> float:
    return max(x, 1.0, key=abs)


def _comprehension(x: float) -> float:
    return sum([x, x])


def _attribute(x: np.ndarray) -> int:
    return x.ndim


def _nothing(x: np.ndarray) -> None:
    y = _whole(x)
    _whole(y)


@kernel
def _whole(x: np.ndarray) -> None:
    pass


def _statement(x: float) -> float:
    with x:
        pass
    return x


def _no_step(n: int) -> int:
    for i in range(0, 4, n):
        n += i
    return n


def _for_else(n: int) -> int:
    for _ in range(n):
        pass
    else:
        n = 1
    return n


def _matrix(x: float) -> float:
    return x @ x  # type: ignore[operator]


def _called_number(x: float) -> float:
    return x(1.0)  # type: ignore[operator, no-any-return]


def _chosen_kernel(x: float) -> float:
    return (_half if x > 0.0 else _power)(x)  # type: ignore[operator, no-any-return]


def _undefined(x: float) -> float:
    return x + somewhere_else  # type: ignore[name-defined] # noqa: F821


REFUSED: list[tuple[Callable[..., Any], Any, str]] = [
    (_unknown_function, 1.0, r"'math\.gamma\(x\)' is not a call of a supported function"),
    (_text, 1.0, "is not a supported expression"),
    (_two_kinds, np.zeros(2), "'y' has values of incompatible kinds"),
    (_whole_array, np.zeros(2), "arrays can only be assigned element by element"),
    (_strided, np.zeros((2, 2)), "only the last index may be a slice"),
    (_stepped, np.zeros(4), "a slice may not have a step"),
    (_too_many, np.zeros((2, 2)), "has more indices than axes"),
    (_from_the_end, np.zeros(2), r"'x\[-1\]' has a negative index, which does not count from the end"),
    (_part_of_a_number, 1.0, r"'x\[0\]' is neither an element of an array nor an item of a tuple"),
    (_beside_an_array, np.zeros(2), "'x' is not a number"),
    (_size_of_a_number, 1.0, "'x' is not an array"),
    (_unpacked, 1.0, r"'\(y, z\)' cannot be assigned this value"),
    (_added_to_a_part, Inner(np.zeros(2), 1.0), r"'inner\.factor' cannot be assigned this value"),
    (_inverted, 1, "the operator Invert is not supported"),
    (_chosen_of_two_kinds, np.zeros(2), "'x if x.size > 1 else 1.0' has values of incompatible kinds"),
    (_not_annotated, 1.0, "a kernel that returns a number must be annotated with int, float or bool"),
    (_beyond_a_tuple, np.zeros(2), r"'x\.shape\[4\]' is neither an element of an array nor an item of a tuple"),
    (_over_a_list, np.zeros(2), r"a loop must be over range\(…\)"),
    (_chain, 1.0, "'0.0 < x < 1.0' is not one comparison of two numbers"),
    (_keywords, 1.0, "arguments must be positional"),
    (_comprehension, 1.0, "is not a supported expression"),
    (_attribute, np.zeros(2), "'x.ndim' is not supported"),
    (_nothing, np.zeros(2), "a call that returns nothing has no value"),
    (_statement, 1.0, "With is not a supported statement"),
    (_no_step, 1, "the step of a range must be a nonzero integer literal"),
    (_for_else, 1, "a loop may not have an else clause"),
    (_matrix, 1.0, "the operator MatMult is not supported for these numbers"),
    (_called_number, 1.0, r"'x\(1.0\)' is not a call of a supported function"),
    (_chosen_kernel, 1.0, "is not a call of a supported function"),
    (_undefined, 1.0, "'somewhere_else' is neither a variable nor a number"),
]


@pytest.mark.parametrize(("function", "argument", "fact"), REFUSED)
def test_what_cannot_be_translated_is_refused_with_its_place(
    function: Callable[..., Any], argument: Any, fact: str
) -> None:
    line = function.__code__.co_firstlineno + 1

    with pytest.raises(KernelError, match=fact) as caught:
        module_of(kernel(function), (argument,), "entry")

    place, _, told = str(caught.value).partition(", line ")
    assert place == "test_translation.py"
    assert line <= int(told.partition(":")[0]) <= line + 2
    assert told.endswith("Kernels use a subset of Python: see `kernel`.")


def test_arrays_of_other_numbers_are_refused() -> None:
    with pytest.raises(KernelError, match=r"An array of float32 cannot be an argument of a kernel\. Use float64"):
        module_of(_half, (np.zeros(2, np.float32),), "entry")


def test_a_call_with_too_few_arguments_is_refused() -> None:
    with pytest.raises(KernelError, match=r"line \d+: the kernel '_power' takes 2 arguments but was given 1\."):
        module_of(kernel(_too_few), (1.0,), "entry")


# --- bounds of arrays -----------------------------------------------------------------------------------------------


class Table(NamedTuple):
    """A table in a tuple."""

    rows: Any
    flags: Any


@kernel
def _element(table: Table, i: int, j: int) -> float:
    return table.rows[i, j]  # element


@kernel
def _row_sum(row: Any) -> float:
    total = 0.0
    for i in range(3):
        total += row[i]  # sum
    return total


@kernel
def _increase(values: Any, i: int) -> None:
    values[i] += 1.0  # write


@kernel
def _indexed(table: Table, values: Any, what: int, i: int, j: int) -> float:
    found = 0.0
    if what == 0:
        found = _element(table, i, j)
    if what == 1:
        found = _row_sum(table.rows[i])  # row
    if what == 2:
        found = _row_sum(values[i:j])  # slice
    if what == 3:
        _increase(values, i)
    if what == 4 and table.flags[i]:  # flag
        found = 1.0
    values[0] = 7.0
    return found


INDEXED = (Table(np.arange(6.0).reshape(2, 3), np.array([True, False])), np.zeros(4), 0, 0, 0)
plain_indexed, checked_indexed = native(_indexed, *INDEXED), native(_indexed, *INDEXED, checked=True)


def _line(mark: str) -> int:
    """Return the line that ends with a comment."""
    with open(__file__, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if line.rstrip().endswith(f"  # {mark}"))


@pytest.mark.parametrize(("what", "i", "j"), [(0, 1, 2), (1, 1, 0), (2, 1, 4), (3, 3, 0), (4, 0, 0), (4, 1, 0)])
def test_indices_within_bounds_pass_checks(what: int, i: int, j: int) -> None:
    table, values = INDEXED[0], np.arange(4.0)
    expected = values.copy()
    wanted = plain_indexed(table, expected, what, i, j)
    assert checked_indexed(table, values, what, i, j) == wanted
    np.testing.assert_array_equal(values, expected)


@pytest.mark.parametrize(
    ("what", "i", "j", "kernel", "mark", "message"),
    [
        (0, 2, 0, "_element", "element", "array 'table.rows', axis 0: index 2 is out of range for size 2."),
        (0, 1, 3, "_element", "element", "array 'table.rows', axis 1: index 3 is out of range for size 3."),
        (0, 1, -1, "_element", "element", "array 'table.rows', axis 1: index -1 is out of range for size 3."),
        (1, 5, 0, "_indexed", "row", "array 'table.rows', axis 0: index 5 is out of range for size 2."),
        (2, 1, 5, "_indexed", "slice", "array 'values', slice of axis 0: index 5 is out of range for size 4."),
        (2, -1, 2, "_indexed", "slice", "array 'values', slice of axis 0: index -1 is out of range for size 4."),
        (2, 3, 2, "_indexed", "slice", "array 'values', slice of axis 0: index 3 is out of range for size 4."),
        (2, 2, 4, "_row_sum", "sum", "array 'row', axis 0: index 2 is out of range for size 2."),
        (3, 4, 0, "_increase", "write", "array 'values', axis 0: index 4 is out of range for size 4."),
        (4, 2, 0, "_indexed", "flag", "array 'table.flags', axis 0: index 2 is out of range for size 2."),
    ],
)
def test_indices_out_of_bounds_stop_the_kernel(what: int, i: int, j: int, kernel: str, mark: str, message: str) -> None:
    values = np.zeros(4)
    with pytest.raises(ProgramError) as caught:
        checked_indexed(INDEXED[0], values, what, i, j)
    assert str(caught.value) == f"Kernel {kernel!r} (test_translation.py, line {_line(mark)}), {message}"
    assert not values.any(), "nothing runs after the failure"


def test_without_checks_nothing_is_added() -> None:
    plain, checked = (module_of(_indexed, INDEXED, "entry", checked=checked) for checked in (False, True))
    assert plain == module_of(_indexed, INDEXED, "entry")
    assert "fault" not in plain
    assert "@place" not in plain
    assert "fault" in checked
