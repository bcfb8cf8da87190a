"""Listings: straight-line code in several languages computes what the graph computes."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np
import pytest
import sympy
from campaign import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from gyrostat.errors import ProgramError
from gyrostat.model.formula import Formula
from gyrostat.program.graph import read_graph
from gyrostat.program.listing import Language, Listing, listing, usable_names
from gyrostat.scalar import ARITY
from gyrostat.scalar.sympy_scalars import SympyScalars
from gyrostat.scalar.traced import Traced, TracedScalars

COMPILER = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler (gcc, cc or clang) on the path")
NAMES = ("a", "b", "c")
POINTS = np.array(
    [
        [0.3, -0.7, 1.9],
        [0.7, 0.4, -0.2],
        [-0.5, -0.5, 0.5],
        [0.9, 0.1, 0.1],
        [-0.2, 0.8, -1.4],
        [0.5, -0.25, 3.0],
    ]
)


# --- formulas ---------------------------------------------------------------------------------------------------------


def traced(formula: str) -> Any:
    """Return the CasADi function of a formula of a, b and c."""
    symbols = {name: ca.SX.sym(name) for name in NAMES}
    value = Formula.of(formula).evaluate(TracedScalars(), lambda name: Traced(symbols[name]))
    return ca.Function("f", [ca.vertcat(*symbols.values())], [value.sx])


def evaluate_python(found: Listing, names: tuple[str, ...], values: Any) -> list[float]:
    scope: dict[str, Any] = {"math": math, "np": np, **dict(zip(names, values, strict=True))}
    for name, text in found.statements:
        scope[name] = eval(text, scope)
    return [eval(text, scope) for text in found.results]


def evaluate_sympy(found: Listing, names: tuple[str, ...], values: Any) -> list[float]:
    known: dict[str, Any] = dict(zip(names, map(sympy.Float, values), strict=True))
    for name, text in found.statements:
        known[name] = Formula.of(text).evaluate(SympyScalars(), known.__getitem__)
    return [float(Formula.of(text).evaluate(SympyScalars(), known.__getitem__)) for text in found.results]


def c_function(folder: Path, found: Listing, names: tuple[str, ...], number: int = 0) -> str:
    lines = [f"void f{number}(const double *in, double *out)", "{"]
    lines += [f"    const double {name} = in[{i}];" for i, name in enumerate(names)]
    lines += [f"    const double {name} = {text};" for name, text in found.statements]
    lines += [f"    out[{i}] = {text};" for i, text in enumerate(found.results)]
    unused = " ".join(f"(void){name};" for name in names)
    return "\n".join([*lines, f"    {unused}", "}"])


def compiled(folder: Path, sources: list[str]) -> Any:
    """Return the shared library of C functions, compiled without leave to reorder."""
    (folder / "f.c").write_text("\n".join(["#include <math.h>", *sources]), encoding="utf-8")
    command = [str(COMPILER), "-std=c11", "-D_GNU_SOURCE", "-O0", "-Wall", "-Werror", "-shared", "-fPIC", "f.c"]
    subprocess.run([*command, "-o", "f.so", "-lm"], cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "f.so"))


def call_c(library: Any, number: int, values: Any, count: int) -> list[float]:
    entries = (ctypes.c_double * len(values))(*values)
    results = (ctypes.c_double * count)()
    getattr(library, f"f{number}")(entries, results)
    return list(results)


FORMULAS = (
    *("sin(a)", "cos(a)", "tan(a)", "asin(a)", "acos(a)", "atan(a)", "atan2(a, b)", "sinh(a)", "cosh(a)", "tanh(a)"),
    *("asinh(a)", "acosh(2 + a)", "atanh(a)", "exp(a)", "log(2 + a)", "sqrt(2 + a)", "abs(a - b)", "sign(a - b)"),
    *("floor(3*a)", "ceil(3*b)", "hypot(a, b)", "min(a, b)", "max(a, b)", "min(a, b, c)", "max(a, 0.25, c, b)"),
    *("where(a < b, a, c)", "where(a <= b, 1, -c)", "where(a > b, 2*a, c**2)", "where(a >= b, a - c, a + c)"),
    *("where(a == b, 1, 2)", "where(a != b, 1, 2)", "where(a < b and b < c, a, b)", "where(a < b or b < c, a, b)"),
    *("where(not a < b, a, b)", "where(a < b and not b < c or a > 0.5, a + b, a - b)"),
    "where(a < b, where(b < c, 1, 2), where(c < 0, 3, 4))*a - where(c < 0, a, b)**2",
    *("a**2", "a**3", "a**4", "a**5", "(2 + a)**-1", "(2 + a)**-2", "(2 + a)**0.5", "(2 + a)**1.5", "(2 + a)**b"),
    *("2**a", "(2 + a)**(2 + b)**c", "((2 + a)**b)**c", "-a**2", "(-a)**2", "-(2 + a)**c", "(2 + a)**-b"),
    *("(-a)**6", "(-min(a, -0.1))**b", "(-exp(a) + 3)**b", "(a - 3)**5", "a**-3"),
    *("a - (b - c)", "a - (b + c)", "a - b - c", "a/(b*c)", "a/(b/c)", "a/b/c", "a*(b/c)", "a/b*c", "a*(b + c)"),
    *("-(a + b)", "-(a*b)", "a - -b", "a*-b", "a/-b", "-(-a)", "1/(a + b)", "1/a", "2*(a + b)", "a + a", "(a + b)**2"),
    *("1e-300*a", "123456789012345680*a", "0.1 + a", "-1.5*a", "a*1e22 + b", "pi*a", "30*deg + a"),
    *("sign(sin(a)*cos(b) - c)*abs(a)", "a*sign(b)", "-sign(a)", "2**sign(c)", "sign(a) - sign(b)", "floor(a)*b"),
)


def test_every_function_of_formulas_is_here() -> None:
    text = " ".join(FORMULAS)
    assert all(f"{function}(" in text for function in ARITY)


@pytest.mark.parametrize("formula", FORMULAS)
def test_python_numpy_and_sympy(formula: str) -> None:
    function = traced(formula)
    graph = read_graph(function)
    expected = np.array([float(function(point)) for point in POINTS])
    plain = [evaluate_python(listing(graph, NAMES, Language.PYTHON), NAMES, p.tolist())[0] for p in POINTS]
    assert plain == pytest.approx(expected, rel=1e-14, abs=1e-300)
    with np.errstate(all="ignore"):
        array = evaluate_python(listing(graph, NAMES, Language.NUMPY), NAMES, POINTS.T)[0]
    assert np.asarray(array) == pytest.approx(expected, rel=1e-14, abs=1e-300)
    symbolic = [evaluate_sympy(listing(graph, NAMES, Language.FORMULA), NAMES, p.tolist())[0] for p in POINTS]
    assert symbolic == pytest.approx(expected, rel=1e-12, abs=1e-13)


@needs_compiler
def test_c(tmp_path: Path) -> None:
    functions = [traced(formula) for formula in FORMULAS]
    found = [listing(read_graph(function), NAMES, Language.C) for function in functions]
    library = compiled(tmp_path, [c_function(tmp_path, text, NAMES, i) for i, text in enumerate(found)])
    for i, (formula, function) in enumerate(zip(FORMULAS, functions, strict=True)):
        for point in POINTS:
            expected = float(function(point))
            assert call_c(library, i, point, 1)[0] == pytest.approx(expected, rel=1e-14, abs=1e-300), formula


# --- random graphs ----------------------------------------------------------------------------------------------------

UNARY: tuple[Callable[[Any], Any], ...] = (
    *(
        lambda x: -x,
        lambda x: x * x,
        lambda x: x**2,
        lambda x: x + x,
        ca.sin,
        ca.fabs,
        ca.sign,
        ca.floor,
        ca.atan,
        ca.tanh,
    ),
    *(lambda x: 1 / (2 + ca.cos(x)), lambda x: ca.logic_not(x > 0), lambda x: ca.sqrt(1 + x * x)),
)
BINARY: tuple[Callable[[Any, Any], Any], ...] = (
    *(lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y, lambda x, y: x / (3 + ca.sin(y)), ca.fmin, ca.fmax),
    *(ca.atan2, ca.hypot, lambda x, y: x < y, lambda x, y: x <= y, lambda x, y: x != y, ca.logic_and, ca.logic_or),
    *(lambda x, y: ca.if_else(x > y, x, y - 1), lambda x, y: (1 + ca.fabs(x)) ** ca.tanh(y), ca.copysign, ca.fmod),
    lambda x, y: ca.if_else(x, y, 0),
)
choice = st.tuples(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))


def random_function(choices: list[tuple[int, int, int]]) -> Any:
    """Return three values of a graph in which each operation takes earlier values; divisors keep clear of zero."""
    inputs = ca.SX.sym("in", 3)
    values = [*ca.vertsplit(inputs), ca.SX(-1.5), ca.SX(2)]
    for operation, left, right in choices:
        x, y = values[left % len(values)], values[right % len(values)]
        k = operation % (len(UNARY) + len(BINARY))
        values.append(UNARY[k](x) if k < len(UNARY) else BINARY[k - len(UNARY)](x, y))
    return ca.Function("f", [inputs], [ca.densify(ca.vertcat(*values[-3:]))])


@settings(max_examples=examples(150), deadline=None)
@given(choices=st.lists(choice, min_size=3, max_size=25))
def test_random_graphs_in_python_and_numpy(choices: list[tuple[int, int, int]]) -> None:
    function = random_function(choices)
    graph = read_graph(function)
    points = [p for p in POINTS if np.isfinite(function(p).full()).all() and np.abs(function(p).full()).max() < 1e100]
    try:
        plain = [evaluate_python(listing(graph, NAMES, Language.PYTHON), NAMES, p.tolist()) for p in points]
    except (ZeroDivisionError, OverflowError, ValueError):  # Python's own way with what is infinite on the way
        return
    expected = np.array([function(p).full().ravel() for p in points]).reshape(-1, 3)
    assert np.array(plain, dtype=float).reshape(-1, 3) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    if len(points):
        with np.errstate(all="ignore"):
            arrays = evaluate_python(listing(graph, NAMES, Language.NUMPY), NAMES, np.array(points).T)
        together = np.array([np.broadcast_to(entry, len(points)) for entry in arrays], dtype=float).T
        assert together == pytest.approx(expected, rel=1e-9, abs=1e-9)


@needs_compiler
def test_random_graphs_in_c(tmp_path: Path) -> None:
    draw = np.random.default_rng(7)
    functions = [random_function(draw.integers(0, 10**6, (20, 3)).tolist()) for _ in range(60)]
    found = [listing(read_graph(function), NAMES, Language.C) for function in functions]
    library = compiled(tmp_path, [c_function(tmp_path, text, NAMES, i) for i, text in enumerate(found)])
    compared = 0
    for i, function in enumerate(functions):
        for point in POINTS:
            expected = function(point).full().ravel()
            if np.isfinite(expected).all():
                assert call_c(library, i, point, 3) == pytest.approx(expected, rel=1e-9, abs=1e-9)
                compared += 1
    assert compared > 200


# --- form -------------------------------------------------------------------------------------------------------------


def graph_of(*formulas: str) -> Any:
    symbols = {name: ca.SX.sym(name) for name in NAMES}
    scalars = TracedScalars()
    values = [Formula.of(f).evaluate(scalars, lambda name: Traced(symbols[name])).sx for f in formulas]
    return read_graph(ca.Function("f", [ca.vertcat(*symbols.values())], [ca.vertcat(*values)]))


def test_a_common_part_is_assigned_once() -> None:
    x, y = (ca.SX.sym(name) for name in "xy")
    part = ca.sin(x) * y
    graph = read_graph(ca.Function("f", [x, y], [part + 1, part * part]))
    found = listing(graph, ("x", "y"), Language.PYTHON, prefix="z")
    assert found == Listing((("z1", "math.sin(x)*y"),), ("z1 + 1.0", "z1*z1"))


def test_names_of_assignments_keep_clear_of_the_inputs() -> None:
    x, y = (ca.SX.sym(name) for name in "xy")
    part = ca.sin(x) * y
    graph = read_graph(ca.Function("f", [x, y], [part + 1, part * part]))
    found = listing(graph, ("x1", "x2"), Language.PYTHON)
    assert found == Listing((("x3", "math.sin(x1)*x2"),), ("x3 + 1.0", "x3*x3"))


def test_long_lines_are_broken() -> None:
    x = ca.SX.sym("x", 60)
    graph = read_graph(ca.Function("f", [x], [ca.sum1(ca.sin(x) * ca.cos(x))]))
    names = tuple(f"long_name_{i}" for i in range(60))
    found = listing(graph, names, Language.PYTHON)
    assert max(len(text) for _, text in found.statements) < 200
    values = np.linspace(-1, 1, 60)
    assert evaluate_python(found, names, values.tolist())[0] == pytest.approx(np.sum(np.sin(values) * np.cos(values)))


def test_nested_signs_do_not_double_the_text() -> None:
    formula = "a"
    for _ in range(12):
        formula = f"sign({formula} + b)"
    text = listing(graph_of(formula), NAMES, Language.PYTHON)
    assert sum(len(line) for _, line in text.statements) < 2000


def test_numbers() -> None:
    x = ca.SX.sym("x")
    limits = [math.inf, -math.inf, 1e300, 0.1, 1e15, -3.0]
    graph = read_graph(ca.Function("f", [x], [ca.vertcat(*(x < limit for limit in limits))]))
    for language in (Language.PYTHON, Language.NUMPY):
        assert evaluate_python(listing(graph, ("x",), language), ("x",), [0.05]) == [limit > 0.05 for limit in limits]
    assert listing(graph, ("x",), Language.C).results[:2] == (
        "(x < INFINITY) ? 1.0 : 0.0",
        "(x < -INFINITY) ? 1.0 : 0.0",
    )
    with pytest.raises(ProgramError, match="The number inf cannot be written in a formula"):
        listing(graph, ("x",), Language.FORMULA)


def test_errors() -> None:
    x = ca.SX.sym("x")
    with pytest.raises(ProgramError, match="The graph 'f' has 3 inputs, not 2 names"):
        listing(graph_of("a"), ("a", "b"), Language.C)
    for function, language in (
        (ca.erf(x), Language.NUMPY),
        (ca.erfinv(x), Language.C),
        (ca.remainder(x, 2), Language.NUMPY),
        (ca.erf(x), Language.FORMULA),
        (ca.expm1(x), Language.FORMULA),
    ):
        graph = read_graph(ca.Function("f", [x], [function]))
        with pytest.raises(ProgramError, match=rf"The operation '\w+' cannot be written in {language.value}"):
            listing(graph, ("x",), language)


def test_a_power_that_is_not_real_is_never_complex() -> None:
    """Python's own ** would go on with a complex number; as a root of a negative number does, it stops here."""
    found = listing(graph_of("a**0.3"), NAMES, Language.PYTHON)
    with pytest.raises(ValueError, match=r"math domain error|expected a"):
        evaluate_python(found, NAMES, [-2.0, 0.0, 0.0])


def test_remaining_operations_of_graphs() -> None:
    x, y = (ca.SX.sym(name) for name in "xy")
    entries = ca.vertcat(ca.log1p(x), ca.expm1(x), ca.copysign(x, y), ca.fmod(x, y))
    function = ca.Function("f", [x, y], [entries])
    graph = read_graph(function)
    for language in (Language.PYTHON, Language.NUMPY):
        found = evaluate_python(listing(graph, ("x", "y"), language), ("x", "y"), [0.7, -0.3])
        assert found == pytest.approx(function(0.7, -0.3).full().ravel())
    special = ca.Function("f", [x, y], [ca.vertcat(ca.erf(x), ca.remainder(x, y))])
    found = evaluate_python(listing(read_graph(special), ("x", "y"), Language.PYTHON), ("x", "y"), [0.7, -0.3])
    assert found == pytest.approx([math.erf(0.7), math.remainder(0.7, -0.3)])


def test_usable_names() -> None:
    assert usable_names(["m", "math", "double"], Language.PYTHON) == ("m", "math_", "double")
    assert usable_names(["m", "math", "double"], Language.C) == ("m", "math", "double_")
    assert usable_names(["np", "np_", "math"], Language.NUMPY) == ("np__", "np_", "math")
    assert usable_names(["np_", "np"], Language.NUMPY) == ("np_", "np__")
    assert usable_names(["q", "x"], Language.C, avoid=("q",)) == ("q_", "x")
    assert usable_names(["q", "q_"], Language.C, avoid=("q", "q__")) == ("q___", "q_")
