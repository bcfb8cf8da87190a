"""Accuracy of our own functions against mpmath, in units in the last place."""

from __future__ import annotations

import casadi
import mpmath
import numpy as np
import pytest
from campaign import chosen

from gyrostat.program import Program, compile_program, host_target, make_target

RNG = np.random.default_rng(11)


def near_multiples_of_a_quarter_turn() -> np.ndarray:
    """Doubles next to k·π/2, where the reduced argument is tiny and cancellation is worst."""
    k = np.concatenate([np.arange(1, 200), RNG.integers(1, 600_000, 400)]).astype(float)
    x = k * (np.pi / 2)
    return np.concatenate([x, np.nextafter(x, 0), np.nextafter(x, np.inf)])


WIDE = np.concatenate([RNG.uniform(-1, 1, 3000), RNG.uniform(-200, 200, 3000), 10.0 ** RNG.uniform(-300, -1, 500)])
ANGLES = np.concatenate([WIDE, near_multiples_of_a_quarter_turn(), RNG.uniform(-1e6, 1e6, 2000)])

# Beyond the limits of our own reduction the C library answers. 6381956970095103·2^797 is the double closest to a
# multiple of π/2 (J.-M. Muller, Elementary Functions).
HUGE = np.concatenate(
    [RNG.uniform(-(2.0**31), 2.0**31, 1000), 10.0 ** RNG.uniform(6, 300, 300), [5.319372648326541e255]]
)

CASES = {
    "sin": (mpmath.sin, ANGLES, 1.0),
    "cos": (mpmath.cos, ANGLES, 1.0),
    "exp": (mpmath.exp, np.concatenate([RNG.uniform(-708, 709, 5000), RNG.uniform(-1, 1, 3000)]), 1.0),
    "log": (mpmath.log, np.concatenate([10.0 ** RNG.uniform(-320, 308, 5000), RNG.uniform(0.5, 2, 3000)]), 1.0),
    "tanh": (mpmath.tanh, np.concatenate([RNG.uniform(-3, 3, 4000), WIDE]), 2.0),
    "erfinv": (mpmath.erfinv, np.concatenate([RNG.uniform(-0.99, 0.99, 300)]), 4.0),
}


def error_in_ulp(found: np.ndarray, exact: list[mpmath.mpf]) -> np.ndarray:
    rounded = np.array([float(value) for value in exact])
    spacing = np.spacing(np.abs(rounded))
    return np.array(
        [float(abs(mpmath.mpf(f) - e) / s) for f, e, s in zip(found.tolist(), exact, spacing.tolist(), strict=True)]
    )


def targets() -> list[str]:
    return ["host", "x86-64"] if host_target().triple.startswith("x86_64") else ["host"]


def program_of(name: str, target: str) -> Program:
    x = casadi.SX.sym("x")
    function = casadi.Function(name, [x], [getattr(casadi, name)(x)], ["x"], ["f"])
    chosen = None if target == "host" else make_target(host_target().triple, target)
    return compile_program(function, cache=False, target=chosen)


@pytest.mark.parametrize("target", targets())
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.campaign(len(x))) for name, (_, x, _) in CASES.items()]
)
def test_accuracy(name: str, target: str) -> None:
    reference, cases, bound = CASES[name]
    x = chosen(cases)
    program = program_of(name, target)
    with mpmath.workprec(1300):
        exact = [reference(mpmath.mpf(value)) for value in x.tolist()]
        for found in (program.loop(x[:, None])[:, 0], program.batch(x[:, None])[:, 0]):
            errors = error_in_ulp(found, exact)
            assert errors.max() <= bound, (x[np.argmax(errors)], errors.max())


@pytest.mark.parametrize("target", targets())
@pytest.mark.parametrize("name", ["sin", "cos"])
def test_huge_angles(name: str, target: str) -> None:
    program = program_of(name, target)
    with mpmath.workprec(1300):
        exact = np.array([float(getattr(mpmath, name)(mpmath.mpf(value))) for value in HUGE.tolist()])
    for found in (program.loop(HUGE[:, None])[:, 0], program.batch(HUGE[:, None])[:, 0]):
        np.testing.assert_allclose(found, exact, rtol=1e-14, atol=0)


def test_lanes_with_huge_arguments_leave_the_others_alone() -> None:
    program = program_of("sin", "host")
    x = np.linspace(-3, 3, 8)
    expected = program.batch(x[:, None])
    for lane in range(8):
        disturbed = x.copy()
        disturbed[lane] = 1e300
        found = program.batch(disturbed[:, None])
        others = np.arange(8) != lane
        np.testing.assert_array_equal(found[others], expected[others])
        assert found[lane, 0] == pytest.approx(np.sin(1e300))


def test_sine_and_cosine_of_one_value_share_an_evaluation() -> None:
    from gyrostat.program.graph import read_graph
    from gyrostat.program.writer import write_module

    x, y = casadi.SX.sym("x"), casadi.SX.sym("y")
    angle = x * y
    function = casadi.Function("f", [x, y], [casadi.sin(angle) * y + casadi.cos(angle)])
    for lanes in (1, 4):
        ir = write_module(read_graph(function), host_target(), lanes=lanes)
        assert ir.count("call {") == 1


def test_angles_among_the_inputs_are_evaluated_together() -> None:
    from gyrostat.program.graph import read_graph
    from gyrostat.program.writer import write_module

    q = casadi.SX.sym("q", 7)
    function = casadi.Function("f", [q], [casadi.dot(casadi.sin(q), casadi.cos(q[::-1]))])
    target = host_target()
    ir = write_module(read_graph(function), target)
    assert ir.count("call {") == -(-7 // target.lanes)
    program = compile_program(function, cache=False)
    x = np.random.default_rng(0).normal(size=(9, 7))
    np.testing.assert_allclose(program.loop(x)[:, 0], (np.sin(x) * np.cos(x[:, ::-1])).sum(axis=1), rtol=1e-13)
