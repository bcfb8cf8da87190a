"""Periodic motions: multipliers against closed forms and published characteristic values."""

import numpy as np
import pytest
from cases import case, value
from operating_models import hanging_four_bar
from scipy.integrate import solve_ivp
from scipy.special import ellipk
from simulations import oscillator

import gyrostat as gs

MATHIEU = case("mathieu_stability")


@pytest.fixture(scope="module")
def mathieu():
    """A pendulum of unit length on a pivot that is shaken: y″ + (a − 2 q cos 2t) y = 0 for small y."""
    model = gs.Model("shaken pendulum", gravity=(0, "-a", 0), parameters={"a": 1.0, "q": 0.1})
    model.add(gs.Body("pivot", gs.point_mass(1)))
    model.add(gs.Body("bob", gs.point_mass(1), points={"top": (0, 1, 0)}))
    model.add(gs.Prismatic("shake", "ground", "pivot", axis="y", driven="q/2*cos(2*t)"))
    model.add(gs.Revolute("swing", "pivot", "bob.top"))
    return gs.formulate(model)


def test_growth_of_mathieus_equation(mathieu):
    found = gs.floquet(mathieu, {}, "pi")
    assert not found.autonomous
    assert found.exponents.real.max() == pytest.approx(value(MATHIEU, "growth_exponent a=1,q=0.1"), rel=1e-9)
    assert np.prod(found.multipliers) == pytest.approx(1.0, abs=1e-9)
    assert found.stability.verdict is gs.Verdict.UNSTABLE
    assert np.trace(found.monodromy) == pytest.approx(found.multipliers.sum().real, abs=1e-12)


@pytest.mark.parametrize(("name", "stable_side"), [("a0", 1), ("b1", -1), ("a1", 1)])
def test_borders_of_stability(mathieu, name, stable_side):
    """At a0 an upside-down pendulum becomes stable (Kapitza): gravity is against it, shaking holds it."""
    border = next(q["value"][name] for q in MATHIEU["quantities"] if q.get("q") == 0.1)
    for side in (1, -1):
        found = gs.floquet(mathieu, {}, "pi", parameters={"a": border + side * 1e-5})
        expected = gs.Verdict.STABLE if side == stable_side else gs.Verdict.UNSTABLE
        assert found.stability.verdict is expected


def test_characteristic_values_are_where_a_multiplier_is_one(mathieu):
    values = next(q["value"] for q in MATHIEU["quantities"] if q["name"] == "characteristic_values_q5")
    for name, sign in (("a0", 1), ("a2", 1), ("a1", -1), ("b1", -1)):
        found = gs.floquet(mathieu, {}, "pi", parameters={"q": 5.0, "a": values[name]})
        assert np.trace(found.monodromy) == pytest.approx(2 * sign, abs=1e-6)


def test_a_forced_oscillator_is_found_by_shooting():
    system = gs.formulate(oscillator())
    found = gs.floquet(system, {"x": 2.0, "x.rate": 1.0}, "pi", inputs={"motor": "cos(2*t)"})
    assert found.orbit["x"].values[0] == pytest.approx(-1 / 3, abs=1e-8)
    np.testing.assert_allclose(found.orbit["x"], -np.cos(2 * found.orbit.time) / 3, atol=1e-8)
    angles = np.sort(np.angle(found.multipliers) % (2 * np.pi))
    np.testing.assert_allclose(angles, np.pi, atol=1e-6)  # free oscillations have twice the period
    assert found.stability.verdict is gs.Verdict.STABLE


def test_damping_shows_in_the_multipliers():
    model = oscillator()
    model.add(gs.TorsionSpring("damper", "x", damping=0.2))
    found = gs.floquet(model, {}, 2.0, inputs={"motor": "cos(pi*t)"})
    assert np.abs(found.multipliers) == pytest.approx(np.exp(-0.1 * 2.0), rel=1e-9)
    assert found.stability.reason == "all multipliers are smaller than one."


def test_a_pendulum_finds_its_period():
    model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    model.add(gs.Body("bob", gs.point_mass(1), points={"top": (0, 1, 0)}))
    model.add(gs.Revolute("a", "ground", "bob.top"))
    found = gs.floquet(model, {"a": 1.0}, 2.2)
    assert found.autonomous
    swing = np.abs(found.orbit["a"].values).max()
    assert found.period == pytest.approx(4 / np.sqrt(9.81) * ellipk(np.sin(swing / 2) ** 2), rel=1e-3)
    assert found.stability.verdict is gs.Verdict.NEUTRAL
    np.testing.assert_allclose(found.multipliers, 1.0, atol=1e-4)


def test_disturbances_of_a_loop_obey_its_constraints():
    """Small swings of a hanging parallelogram have two multipliers, on the unit circle, whatever the period."""
    system = gs.formulate(hanging_four_bar(1.0))
    rest = gs.equilibrium(system, guess={"h1": -1.5, "h2": 1.5})
    found = gs.floquet(system, rest, 1.0)
    assert found.monodromy.shape == (2, 2)
    turn = np.sqrt(6 * 9.81 / 5)
    np.testing.assert_allclose(
        np.sort_complex(found.multipliers), np.sort_complex(np.exp([-1j * turn, 1j * turn])), atol=1e-7
    )
    assert len(found.state_names) == len(found.basis)


def test_a_spinning_body_comes_back_after_a_turn():
    """About the middle axis of inertia disturbances grow as the closed form of Euler's equations says."""
    model = gs.Model("free")
    model.add(gs.Body("body", mass=1, inertia=(1, 2, 3)))
    model.add(gs.Spherical("joint", "ground", "body"))
    found = gs.floquet(model, {"joint.w2": 2.0}, "pi")
    growth = 2.0 * np.sqrt((3 - 2) * (2 - 1) / (1 * 3))
    assert np.log(np.abs(found.multipliers).max()) / np.pi == pytest.approx(growth, rel=1e-8)


def test_text(mathieu):
    lines = str(gs.floquet(mathieu, {}, "pi")).splitlines()
    assert lines[0] == "Floquet analysis of 'shaken pendulum': period 3.14159 s, forced"
    assert lines[2].split() == ["-1.16987", "1.16987", "180", "0.0499416", "+", "1i"]
    assert lines[-1] == "  unstable: a multiplier has the size 1.17."


@pytest.mark.parametrize(
    ("period", "options", "message"),
    [
        (1.0, {}, "do not repeat after 1 s"),
        (-1.0, {}, "The period is -1.0. It must be a positive number"),
    ],
)
def test_refusals(mathieu, period, options, message):
    with pytest.raises(gs.StateError, match=message):
        gs.floquet(mathieu, {}, period, **options)


def test_functions_as_inputs_are_refused():
    with pytest.raises(gs.StateError, match="'motor' is a Python function, whose derivatives are not known"):
        gs.floquet(oscillator(), {}, 1.0, inputs={"motor": np.cos})


def test_where_there_is_none_the_gap_is_named():
    model = gs.Model("drift")
    model.add(gs.Body("mass", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    model.add(gs.Force("push", "mass", (1, 0, 0)))
    with pytest.raises(gs.StateError, match=r"No periodic motion of 'drift' was found: after .* off in x"):
        gs.floquet(model, {}, 1.0)


@pytest.mark.parametrize(("law", "after"), [("e*where(angle > 0.5, 1, 0)", 1.0), ("e*max(angle - 0.5, 0)", 0.0)])
def test_multipliers_of_a_motion_across_switches(law: str, after: float) -> None:
    """Where a load jumps, disturbances jump too: SciPy's motions from disturbed states, piece by piece, agree."""
    model = gs.Model("switched", parameters={"e": 0.3})
    model.add(gs.Body("mass", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    model.add(gs.TorsionSpring("k", "x", torque=f"-angle - {law} - 0.2*rate + 0.5*sin(1.3*t)"))
    period = 2 * np.pi / 1.3
    found = gs.floquet(model, at={"x": 0.1}, period=period)

    def rates(t: float, y: np.ndarray, beyond: bool) -> list[float]:
        load = 0.3 * (after + (1 - after) * (y[0] - 0.5)) if beyond else 0.0
        return [y[1], -y[0] - load - 0.2 * y[1] + 0.5 * np.sin(1.3 * t)]

    def end(y: np.ndarray) -> np.ndarray:
        t, beyond = 0.0, bool(y[0] > 0.5)
        while t < period:

            def crossing(_: float, y: np.ndarray, __: bool) -> float:
                return float(y[0] - 0.5)

            crossing.terminal, crossing.direction = True, -1.0 if beyond else 1.0  # type: ignore[attr-defined]
            piece = solve_ivp(
                rates, (t, period), y, method="DOP853", rtol=1e-12, atol=1e-13, events=crossing, args=(beyond,)
            )
            t, y, beyond = piece.t[-1], piece.y[:, -1], not beyond
        return y

    start, size = np.array([found.orbit.q[0, 0], found.orbit.u[0, 0]]), 1e-4
    np.testing.assert_allclose(end(start), start, atol=1e-8)
    columns = [(end(start + size * one) - end(start - size * one)) / (2 * size) for one in np.eye(2)]
    expected = np.linalg.eigvals(np.column_stack(columns))
    np.testing.assert_allclose(np.sort_complex(found.multipliers), np.sort_complex(expected), atol=1e-6)


def test_a_motion_that_just_touches_a_condition_has_no_multipliers() -> None:
    model = gs.Model("touching")
    model.add(gs.Body("mass", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    amplitude = 0.5 / np.hypot(1 - 1.3**2, 0.2 * 1.3)
    law = f"-angle - 0.3*where(angle > {amplitude - 1e-7}, 1, 0) - 0.2*rate + 0.5*sin(1.3*t)"
    model.add(gs.TorsionSpring("k", "x", torque=law))
    phase = -np.arctan2(0.2 * 1.3, 1 - 1.3**2)
    start = {"x": amplitude * np.sin(phase), "x.rate": 1.3 * amplitude * np.cos(phase)}
    with pytest.raises(gs.StateError, match=r"'touching' meet other switches .* just touches a condition"):
        gs.floquet(model, at=start, period=2 * np.pi / 1.3)
