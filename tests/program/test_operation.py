"""Every elementary operation, scalar and in lanes, against CasADi's virtual machine."""

from __future__ import annotations

import functools
import itertools

import casadi
import numpy as np
import pytest

from gyrostat.errors import ProgramError
from gyrostat.program import Program, compile_program, host_target, make_target
from gyrostat.program.operation import BINARY_OPERATIONS, COPIES, NAMES

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 1e-310, 2.0**-1022]
SPECIAL += [1e-8, -1e-8, 0.7, 0.999999, 1e3, -1e3, 709.5, -708.5, -740.0, 1e15, 1e22, -1e300, 1.7e308, np.pi / 2, np.pi]

# Results that are rounded sums, products, roots or copies agree to the bit; functions of the C library, called by both
# sides but from perhaps different libraries, and our own polynomials agree to some units in the last place.
EXACT = {"add", "sub", "mul", "div", "neg", "sqrt", "sq", "twice", "lt", "le", "eq", "ne", "not", "and", "or"}
EXACT |= {"floor", "ceil", "fmod", "fabs", "sign", "copysign", "if_else_zero", "fmin", "fmax", "inv", "remainder"}

TARGETS = {"host": None, "x86-64": "x86-64", "x86-64-v3": "x86-64-v3"}


def single(name: str) -> casadi.Function:
    x, y = casadi.SX.sym("x"), casadi.SX.sym("y")
    number = getattr(casadi, f"OP_{name.upper()}")
    value = (
        casadi.SX.binary(number, x, y)
        if name in {*BINARY_OPERATIONS, "printme", "lift"}
        else casadi.SX.unary(number, x)
    )
    return casadi.Function(name, [x, y], [value], ["x", "y"], ["f"])


def arguments(name: str) -> np.ndarray:
    rng = np.random.default_rng(3)
    scales = 10.0 ** rng.uniform(-3, 2, (400, 2))
    random = scales * rng.choice([-1.0, 1.0], (400, 2))
    inside = rng.uniform(-1, 1, (200, 2))
    return np.vstack([np.array(list(itertools.product(SPECIAL, SPECIAL))), random, inside])


@functools.cache
def virtual(name: str) -> np.ndarray:
    return np.array(single(name).map(len(arguments(name)))(*arguments(name).T)).ravel()


def compiled(name: str, target: str) -> Program:
    host = host_target()
    if TARGETS[target] is None:
        return compile_program(single(name), cache=False)
    if not host.triple.startswith("x86_64"):
        pytest.skip("the host is not an x86-64 processor")
    chosen = make_target(host.triple, target)
    if not chosen.runs_on(host):
        pytest.skip(f"the host cannot run {target}")
    return compile_program(single(name), cache=False, target=chosen)


def assert_agree(name: str, found: np.ndarray, expected: np.ndarray, x: np.ndarray) -> None:
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected), err_msg=name)
    good = ~np.isnan(expected)
    if name not in ("fmin", "fmax"):  # for these the sign of zero is nobody's promise
        np.testing.assert_array_equal(np.signbit(found[good]), np.signbit(expected[good]), err_msg=name)
    if name in EXACT:
        np.testing.assert_array_equal(found[good], expected[good], err_msg=name)
        return
    infinite = np.isinf(expected)
    np.testing.assert_array_equal(found[infinite], expected[infinite])
    finite = good & ~infinite
    bound = 3 * np.spacing(np.abs(expected))
    if name == "erfinv":  # CasADi's own value is off by this much; test_functions.py has the strict test
        bound = 5e-6 * np.abs(expected) + np.spacing(0.0)
    worst = np.argmax(np.where(finite, np.abs(found - expected) / np.where(finite, bound, 1.0), 0.0))
    assert (np.abs(found - expected)[finite] <= bound[finite]).all(), (name, x[worst], found[worst], expected[worst])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", NAMES)
def test_operation_agrees_with_virtual_machine(name: str, target: str) -> None:
    x = arguments(name)
    program = compiled(name, target)
    # CasADi itself makes a general power of its power with a constant exponent.
    assert program.operation_counts == {"pow" if name == "constpow" else name: 1}
    with np.errstate(invalid="ignore"):
        assert_agree(name, program.loop(x)[:, 0], virtual(name), x)
        assert_agree(name, program.batch(x)[:, 0], virtual(name), x)


def test_every_elementary_operation_of_casadi_is_known() -> None:
    # In CasADi's list, elementary operations stand before OP_CONST, or are named here; the rest is about matrices.
    names = {key[3:].lower(): getattr(casadi, key) for key in dir(casadi) if key.startswith("OP_")}
    later = {"erfinv", "printme", "lift", "log1p", "expm1", "hypot", "remainder"}
    elementary = {name for name, number in names.items() if number < casadi.OP_CONST} | later
    assert elementary == {*NAMES, *COPIES}


@pytest.mark.parametrize("name", sorted(COPIES - {"printme"}))
def test_copies_are_no_operations(name: str) -> None:
    program = compile_program(single(name), cache=False)
    assert program.operations == 0
    assert program.evaluate({"x": 2.5, "y": 1.0})["f"] == 2.5


def test_printing_is_left_out_of_native_code(capfd: pytest.CaptureFixture[str]) -> None:
    program = compile_program(single("printme"), cache=False)
    assert program.evaluate({"x": 2.5, "y": 1.0})["f"] == 2.5
    assert capfd.readouterr().out == ""


def test_operation_without_native_form_is_named() -> None:
    x = casadi.SX.sym("x")
    inner = casadi.Function("inner", [x], [x * x], {"never_inline": True})
    outer = casadi.Function("outer", [x], [inner(x) + 1.0])
    with pytest.raises(ProgramError, match=r"'outer' contains the operation 'call', which has no native form"):
        compile_program(outer)
