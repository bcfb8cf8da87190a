"""Linear models in discrete time: the exact zero-order hold, sampled laws, their stability, and exports."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest
from block_models import block_on_a_slide, held_four_bar
from campaign import campaign

import gyrostat as gs

HOLD = gs.ZeroOrderHold()
LAW = "-4*a - 2*a.rate - c.sum + aim"
SUM = "c.sum + 0.2*sin(rod.velocity.x)"


def law(t: float, signals: Mapping[str, float], memory: dict[str, float]) -> float:
    """The law of LAW and SUM as a Python function."""
    value = -4 * signals["a"] - 2 * signals["a.rate"] - memory["sum"] + signals["aim"]
    memory["sum"] += 0.2 * np.sin(signals["rod.velocity.x"])
    return value


def pendulum(law: str | Callable[..., float] = LAW) -> gs.System:
    """Return a pendulum with two sampled blocks, whose periods 0.1 s and 0.15 s have 0.3 s in common."""
    model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    model.add(gs.Body("rod", gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0)}))
    model.add(gs.Revolute("a", "ground", "rod.top"))
    model.add(gs.Input("aim"))
    update = {"sum": SUM} if isinstance(law, str) else {}
    model.add(gs.Sampled("c", 0.1, law, memory={"sum": 0}, update=update))
    model.add(gs.Sampled("slow", 0.15, "0.5*slow + a - 0.1*c"))
    model.add(gs.TorsionSpring("drive", "a", torque="c + slow"))
    return gs.formulate(model)


def sampled_four_bar() -> gs.System:
    """Return a four-bar whose crank is held by a sampled law through a motor, with an algebraic voltage."""
    model = held_four_bar("four-bar")
    update = {"sum": "controller.sum + 2*(0.6 - c)"}
    model.add(gs.Sampled("controller", 0.02, "30*(0.6 - c) + controller.sum", memory={"sum": 0}, update=update))
    model.add(gs.State("v", equation="v + 0.02*v**3 + 0.1*motor.current - controller", initial=1))
    model.add(gs.DCMotor("motor", "c", 1.2, 0.01, 0.3, gear=4, voltage="v"))
    model.add(gs.TorsionSpring("bearing", "c", damping=0.05))
    return gs.formulate(model)


def differenced(linear: gs.SampledLinearModel, input: str | None = None, size: float = 1e-4) -> np.ndarray:
    """Return the change of the states over one period of `simulate` by central differences: A, and a column of B."""
    names, point = linear.states, linear.point
    chosen = gs.Rodas5P(rtol=1e-11, atol=1e-13) if linear.system.coordinates.algebraic else gs.DOP853(1e-12, 1e-14)
    count = len(names) + (input is not None)

    def end(change: np.ndarray) -> np.ndarray:
        start = {name: point.state[name] + part for name, part in zip(names, change, strict=False)}
        acting = {} if input is None else {input: change[-1]}
        run = gs.simulate(linear.system, times=[0, linear.period], initial=start, inputs=acting, integrator=chosen)
        return np.array([float(run[name][-1]) for name in names])

    return np.array([(end(one) - end(-one)) / (2 * size) for one in size * np.eye(count)]).T


def test_a_mass_with_held_force_is_the_textbook_case() -> None:
    plant = gs.linearize(
        block_on_a_slide(gs.Actuator("push", "x"), mass=2.0), inputs=["push"], outputs=["x"], hold=gs.ZeroOrderHold(0.1)
    )
    np.testing.assert_allclose(plant.A, [[1, 0.1], [0, 1]], atol=1e-15)
    np.testing.assert_allclose(plant.B, [[0.0025], [0.05]], rtol=1e-14)
    np.testing.assert_array_equal(plant.C, [[1, 0]])
    assert (plant.period, plant.inputs, plant.outputs) == (0.1, ("push",), ("x",))
    assert plant.A.dims == ("next", "state")


@pytest.mark.parametrize("given", [LAW, law], ids=["formula", "function"])
def test_one_period_of_a_simulation(given: str | Callable[..., float]) -> None:
    linear = gs.linearize(pendulum(given), {}, inputs=["aim"], outputs=["rod.acc.x", "c"], hold=HOLD)
    assert linear.period == pytest.approx(0.3)
    assert linear.states == ("a", "a.rate", "c", "c.sum", "slow")
    found = differenced(linear, "aim")
    np.testing.assert_allclose(linear.A, found[:, :-1], atol=1e-8)
    np.testing.assert_allclose(linear.B, found[:, -1:], atol=1e-8)
    np.testing.assert_allclose(linear.C.values[1], [-4, -2, 0, -1, 0], atol=1e-9)  # just after the sample
    np.testing.assert_allclose(linear.D.values, [[1.5 * (1 - 0.1)], [1]], atol=1e-9)
    assert linear.outputs == ("rod.acc.x", "c")


def test_a_loop_with_an_algebraic_state() -> None:
    system = sampled_four_bar()
    point = gs.equilibrium(system, {"c": 0.6, "controller": 5})
    assert point["c"] == pytest.approx(0.6)
    linear = gs.linearize(system, point, hold=HOLD)
    np.testing.assert_allclose(linear.A, differenced(linear), atol=2e-6)
    assert point.stability.stable == linear.stability.stable
    assert linear.stability.stable


def random_sampled(seed: int) -> gs.System:
    """Return a chain at rest in zero, with a motor, blocks and two or three sampled blocks of different periods."""
    rng = np.random.default_rng(seed)
    model, parent, names = gs.Model(f"sampled {seed}", gravity=(0, -9.81, 0)), "ground", []

    def signal() -> str:
        return " + ".join(f"{rng.uniform(-1, 1):.3f}*{name}" for name in rng.choice(names, 3))

    for i in range(int(rng.integers(1, 4))):
        points = {"p": (0, 0.3, 0), "d": (0, -0.3, 0)}
        model.add(gs.Body(f"rod{i}", gs.rod(rng.uniform(0.5, 2), 0.6, along="y"), points=points))
        model.add(gs.Revolute(f"q{i}", parent, f"rod{i}.p"))
        model.add(gs.JointSpring(f"s{i}", f"q{i}", rng.uniform(1, 10), rng.uniform(0.1, 0.5)))
        names += [f"q{i}", f"q{i}.rate"]
        parent = f"rod{i}.d"
    model.add(gs.TransferFunctionBlock("filter", signal(), (1, 2), (1, 3, 9)))
    names.append("filter")
    blocks = [f"c{i}" for i in range(int(rng.integers(2, 4)))]
    names += blocks
    for name, period in zip(blocks, rng.permutation([0.02, 0.03, 0.06]), strict=False):
        update = {"sum": f"0.9*{name}.sum + {signal()}"}
        model.add(gs.Sampled(name, period, f"{signal()} + {name}.sum", memory={"sum": 0}, update=update))
    model.add(gs.DCMotor("motor", "q0", 1, 0.05, 0.2, gear=3, voltage=" + ".join(blocks)))
    return gs.formulate(model)


@campaign(20, few=[3])
def test_random_sampled_systems_against_one_period_of_a_simulation(seed: int) -> None:
    linear = gs.linearize(random_sampled(seed), {}, hold=HOLD)
    assert linear.period == pytest.approx(0.06)
    np.testing.assert_allclose(linear.A, differenced(linear), atol=1e-7)


@pytest.mark.parametrize(("gain", "verdict"), [(1.9, "stable"), (2.1, "unstable")])
def test_stability_ends_where_the_eigenvalue_leaves_the_unit_circle(gain: float, verdict: str) -> None:
    """ẏ = −K y(kT) is y(k + 1) = (1 − K T) y(k)."""
    model = block_on_a_slide(gs.State("y", "u"), gs.Sampled("u", 1.0, "-K*y"), gs.JointSpring("s", "x", 1, 1), K=gain)
    linear = gs.linearize(model, hold=HOLD)
    assert float(np.abs(linear.eigenvalues - (1 - gain)).min()) < 1e-12
    assert linear.stability.verdict.value == verdict
    assert gs.equilibrium(model).stability.verdict.value == verdict
    assert verdict in str(linear)
    assert "multipliers" in linear._repr_html_() or "multiplier" in str(linear)


def test_exponents_of_slow_motions_are_eigenvalues_of_the_flow() -> None:
    model = block_on_a_slide(gs.JointSpring("s", "x", 4, 0.6))
    expected = gs.linearize(model).modes().eigenvalues
    found = gs.linearize(model, hold=gs.ZeroOrderHold(0.05)).exponents
    np.testing.assert_allclose(np.sort_complex(found), np.sort_complex(expected), rtol=1e-12)


def test_python_control_and_scipy_get_a_system_in_discrete_time() -> None:
    control = pytest.importorskip("control", reason="python-control is not installed: pip install gyrostat[control]")
    linear = gs.linearize(pendulum(), {}, inputs=["aim"], outputs=["a", "rod.velocity.x"], hold=HOLD)
    plant, other = linear.to_control(), linear.to_scipy()
    assert plant.dt == other.dt == linear.period
    assert plant.state_labels == ["a", "a_rate", "c", "c_sum", "slow"]
    np.testing.assert_allclose(np.sort_complex(plant.poles()), np.sort_complex(linear.eigenvalues), atol=1e-12)
    times = linear.period * np.arange(30)
    found = control.step_response(plant, times)
    state, expected = np.zeros(5), []
    for _ in times:
        expected.append(linear.form.C @ state + linear.form.D[:, 0])
        state = linear.form.A @ state + linear.form.B[:, 0]
    np.testing.assert_allclose(found.outputs[:, 0].T, expected, atol=1e-12)
    np.testing.assert_allclose(other.output(np.ones(30), times)[1], expected, atol=1e-12)


def test_delays_are_approximated_beside_samples() -> None:
    """A delay of half a period, ẏ = u(t − T/2), is known exactly: y(k+1) = y(k) + T/2 (u(k−1) + u(k))."""
    model = block_on_a_slide(
        gs.State("y", "late"), gs.Delay("late", "u", 0.05), gs.Sampled("u", 0.1, "-3*y"), gs.JointSpring("s", "x", 1, 1)
    )
    exact = np.linalg.eigvals([[1 - 0.15, 0.05], [-3, 0]])
    found = {order: gs.linearize(model, delay=gs.Pade(order), hold=HOLD).eigenvalues for order in (2, 4, 8)}
    errors = [max(np.abs(values - one).min() for one in exact) for values in found.values()]
    assert errors[0] > 4 * errors[1] > 16 * errors[2], errors
    assert errors[2] < 1e-5


def test_refusals() -> None:
    plain = block_on_a_slide(gs.JointSpring("s", "x", 1))
    with pytest.raises(gs.StateError, match=r"no sampled blocks, so that the period .* Give it: gs\.ZeroOrderHold\(0"):
        gs.linearize(plain, hold=HOLD)
    with pytest.raises(gs.StateError, match=r"have 0\.3 s in common\. Leave the period out: gs\.ZeroOrderHold\(\)\."):
        gs.linearize(pendulum(), hold=gs.ZeroOrderHold(0.1))
    with pytest.raises(gs.StateError, match=r"period of a zero-order hold is -1\. Give a positive time"):
        gs.ZeroOrderHold(-1)
    with pytest.raises(gs.StateError, match=r"sampled 'u' is 0 at the operating point, and becomes 2 at the next sam"):
        gs.linearize(block_on_a_slide(gs.Sampled("u", 0.1, "2 - x")), hold=HOLD)
    with pytest.raises(gs.StateError, match=r"periods of sampled blocks have no short common multiple: 'u' 1 s, 'v' 1"):
        gs.linearize(block_on_a_slide(gs.Sampled("u", 1, "x"), gs.Sampled("v", "sqrt(2)", "x")), hold=HOLD)
    with pytest.raises(gs.StateError, match=r"The period of sampled 'u' is -1 s\. Give a positive time\."):
        gs.linearize(block_on_a_slide(gs.Sampled("u", "T", "x"), T=1.0), parameters={"T": -1}, hold=HOLD)
    driven = gs.Model("driven")
    driven.add(gs.Body("block", gs.point_mass(1)))
    driven.add(gs.Body("load", gs.point_mass(1)))
    driven.add(gs.Prismatic("x", "ground", "block", axis="x", driven="0*t"))
    driven.add(gs.Prismatic("y", "block", "load", axis="x"))
    with pytest.raises(gs.StateError, match=r"'x' is the displacement of a driver, which cannot jump .*\['x\.acc'\]"):
        gs.linearize(driven, inputs=["x"], hold=gs.ZeroOrderHold(0.1))
    with pytest.raises(
        gs.StateError, match=r"linear model in continuous time\. Use that .* hold=gs\.ZeroOrderHold\(\)"
    ):
        gs.linearize(pendulum())
    with pytest.raises(gs.StateError, match=r"no inputs and outputs, and keep all parameters"):
        gs.linearize(plain, hold=HOLD, symbolic=True)


def test_functions_without_derivative_are_refused() -> None:
    kink = block_on_a_slide(gs.Sampled("u", 0.1, lambda t, signals, memory: abs(signals["x"])))
    with pytest.raises(gs.StateError, match=r"sampled 'u' has a kink or a jump in 'x' at the operating point"):
        gs.linearize(kink, hold=HOLD)
    fails = block_on_a_slide(gs.Sampled("u", 0.1, lambda t, signals, memory: signals["y"]))
    with pytest.raises(gs.StateError, match=r"At the operating point the law of sampled 'u' failed: StateError: "):
        gs.linearize(fails, hold=HOLD)
