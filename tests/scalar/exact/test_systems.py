"""The formulas of mechanics on the exact engine: published equations, and agreement with the traced engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import casadi
import numpy as np
import pytest
from exact_systems import ExactSystem, arm, exact_system, pendulum

import gyrostat as gs
from gyrostat.recipes import RECIPES, build_function
from gyrostat.scalar.exact import LinearForms, SympyWriter, evaluate, numeric_function, regrouped, time_derivative

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_double_pendulum_of_the_paper() -> None:
    """000 eqs 108 and 109, typed from the paper: M ü = right-hand side, here −bias without the motor."""
    system = exact_system(gs.Model.load(EXAMPLES / "double_pendulum.yaml"), [["a1", "a2"]])
    ring, engine = system.ring, system.motion.scalars
    m1, m2, l1, l2, g, t1, t2, u1, u2 = (
        ring.symbol(name) for name in ("m1", "m2", "l1", "l2", "g", "a1", "a2", "a1.rate", "a2.rate")
    )

    def sin(x: Any) -> Any:
        return engine.call("sin", (x,))

    def cos(x: Any) -> Any:
        return engine.call("cos", (x,))

    M = system.mass_matrix()
    assert M[0, 0].key() == ((m1 / 3 + m2) * l1**2 + m2 * l1 * l2 * cos(t2) + m2 * l2**2 / 3).key()
    assert M[1, 0].key() == (m2 * l1 * l2 / 2 * cos(t2) + m2 * l2**2 / 3).key()
    assert M[1, 1].key() == (m2 * l2**2 / 3).key()
    first, second = (-x for x in system.bias())
    eq_108 = (
        m2 * l1 * l2 / 2 * (u1 + u2) ** 2 * sin(t2)
        - (m1 / 2 + m2) * g * l1 * sin(t1)
        - m2 * l1 * l2 / 2 * u1**2 * sin(t2)
        - m2 * g * l2 / 2 * sin(t1 + t2)
    )
    eq_109 = -m2 * l1 * l2 / 2 * u1**2 * sin(t2) - m2 * g * l2 / 2 * sin(t1 + t2)
    assert (first - ring.symbol("motor")).key() == eq_108.key()
    assert second.key() == eq_109.key()


def test_double_pendulum_reads_like_the_paper() -> None:
    import sympy

    system = exact_system(pendulum(2), [["a1", "a2"]])
    ring = system.ring
    rates = LinearForms(ring, {"w1": {"a1.rate": 1}, "w2": {"a1.rate": 1, "a2.rate": 1}})
    m1, m2, l1, l2, g, t1, t2, u1, u2 = sympy.symbols("m1 m2 l1 l2 g theta1 theta2 u1 u2")
    names = {"m1": m1, "m2": m2, "l1": l1, "l2": l2, "g": g, "a1": t1, "a2": t2, "w1": u1, "w2": u1 + u2}
    written = SympyWriter(ring, names).textbook(rates(-system.bias()[0]), {"m1", "m2"})
    paper = (
        m2 * l1 * l2 / 2 * (u1 + u2) ** 2 * sympy.sin(t2)
        - (m1 / 2 + m2) * g * l1 * sympy.sin(t1)
        - m2 * l1 * l2 / 2 * u1**2 * sympy.sin(t2)
        - m2 * g * l2 / 2 * sympy.sin(t1 + t2)
    )
    assert written == paper


def spherical_pendulum() -> gs.Model:
    model = gs.Model("ball", gravity=(0, 0, "-g"), parameters={"m": 2.0, "g": 9.81, "l": 0.7, "J": 0.3})
    model.add(gs.Body("bob", mass="m", inertia=("J", "J+m*l**2/7", "J/2"), com=(0, "l/5", "-l")))
    model.add(gs.Spherical("ball", "ground", "bob"))
    return model


def mixed_tree() -> gs.Model:
    """A cart on springs, a tilted hinge, a driven arm, a slide and a rotor."""
    parameters = {"m": 2.0, "l": 0.7, "k": 30.0, "d": 0.4, "J": 0.2, "tilt": 0.4, "w": 3.0, "g": 9.81, "s0": 0.3}
    model = gs.Model("mixed", gravity=("g/5", "-g", 0), parameters=parameters)
    model.add(gs.Body("cart", mass="3*m", inertia=("J", "J", "2*J"), points={"top": (0, "l/3", 0)}))
    turned = gs.Frame(at=(0, "l", 0), turn=[("x", "tilt"), ("z", "30*deg")])
    rotor = gs.Rotor("wheel", axis=(0, 1, 1), inertia="J/3", spin="w*t")
    free = gs.Rotor("disc", axis="x", inertia="J/5", free=True)
    model.add(
        gs.Body(
            "arm", mass="m", inertia=("J", "J/2", "J"), com=(0, "l/2", 0), frames={"tip": turned}, rotors=[rotor, free]
        )
    )
    model.add(gs.Body("hand", mass="m/2", inertia=("J/3", "J/4", "J/5"), com=("l/9", 0, 0)))
    model.add(gs.Body("slide", mass="m/3", inertia=("J/3", "J/3", "J/3")))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.Revolute("a", "cart.top", "arm", axis="z"))
    model.add(gs.Revolute("b", "arm.tip", "hand", axis="x", driven="0.2*sin(w*t) + t**2/9"))
    model.add(gs.Prismatic("s", "arm.tip", "slide", axis=(1, 0, 2)))
    model.add(gs.TorsionSpring("coil", "a", stiffness="k", damping="d", angle=0.1))
    model.add(gs.SpringDamper("spring", "ground", "cart.top", stiffness="k", damping="d", length="s0"))
    return model


CASES: list[tuple[Any, list[list[str]]]] = [
    (lambda: pendulum(5), [[f"a{i}" for i in range(1, 6)]]),
    (lambda: pendulum(3), [["a1"], ["a2"], ["a3"]]),
    (lambda: arm("zyyxz"), [["a1"], ["a2", "a3"], ["a4"], ["a5"]]),
    (lambda: gs.Model.load(EXAMPLES / "double_pendulum.yaml"), [["a1", "a2"]]),
    (lambda: gs.Model.load(EXAMPLES / "slider_pendulum.yaml"), []),
    (lambda: gs.Model.load(EXAMPLES / "spinning_top.yaml"), []),
    (lambda: gs.Model.load(EXAMPLES / "gyrostat_satellite.yaml"), []),
    (lambda: gs.Model.load(EXAMPLES / "vehicle_on_springs.yaml"), []),
    (spherical_pendulum, []),
    (mixed_tree, []),
]


def random_values(system: ExactSystem, model: gs.Model, seed: int) -> dict[str, float]:
    random = np.random.default_rng(seed)
    values: dict[str, float] = {"t": 0.37, **model.parameters.values_of()}
    for name in (*system.names["inputs"], *system.names["q"], *system.names["u"]):
        values[name] = float(random.uniform(0.1, 0.9))
    for name in system.names["q"]:
        if name.endswith(".e0"):
            rest = [values[f"{name[:-1]}{i}"] * 0.5 for i in (1, 2, 3)]
            values |= {f"{name[:-1]}{i}": x for i, x in zip((1, 2, 3), rest, strict=True)}
            values[name] = float(np.sqrt(1 - sum(x * x for x in rest)))
    return values


@pytest.mark.parametrize(("build", "groups"), CASES)
def test_exact_and_traced_engines_agree(build: Any, groups: list[list[str]]) -> None:
    model = build()
    coordinates = gs.formulate(model).coordinates
    exact = exact_system(model, groups)
    names = exact.names
    M, bias, energy = exact.mass_matrix(), exact.bias(), exact.energy()
    traced_mass = build_function("mass", RECIPES["mass_matrix"], coordinates)
    traced_loads = build_function("loads", RECIPES["inverse_dynamics"], coordinates)
    traced_energy = build_function("energy", RECIPES["energy"], coordinates)
    for seed in (1, 2):
        values = random_values(exact, coordinates.topology.model, seed)
        arguments = [values["t"], *([values[n] for n in names[key]] for key in ("q", "u")), []]
        arguments += [[values[n] for n in names[key]] for key in ("parameters", "inputs")]
        matrix = np.array(casadi.DM(traced_mass(*arguments)))
        scale = np.abs(matrix).max()
        for (i, j), entry in M.items():
            assert evaluate(entry, values) == pytest.approx(matrix[i, j], rel=1e-12, abs=1e-12 * scale)
        loads = np.array(casadi.DM(traced_loads(*arguments, [0.0] * len(names["u"])))).ravel()
        for x, expected in zip(bias, loads, strict=True):
            assert evaluate(x, values) == pytest.approx(expected, rel=1e-11, abs=1e-11 * np.abs(loads).max())
        found = traced_energy(*arguments)
        assert evaluate(energy.kinetic, values) == pytest.approx(float(found[0]), rel=1e-12)
        assert evaluate(energy.gravity, values) == pytest.approx(float(found[1]), rel=1e-12, abs=1e-12)
        for x, expected in zip(energy.stored.values(), np.array(casadi.DM(found[2])).ravel(), strict=True):
            assert evaluate(x, values) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("build", [lambda: pendulum(3), lambda: arm("zyx")])
def test_power_balance_holds_as_an_identity(build: Any) -> None:
    """Ṫ + V̇ = uᵀ(M u̇ + bias) for every u̇: zero as a normal form."""
    system = exact_system(build(), [])
    ring, q, u = system.ring, system.names["q"], system.names["u"]
    energy, M, bias = system.energy(), system.mass_matrix(), system.bias()
    acceleration = {name: ring.symbol(f"{name}.rate") for name in u}
    rates = {x: ring.symbol(y) for x, y in zip(q, u, strict=True)} | acceleration
    power: Any = 0
    for i, name in enumerate(u):
        row = bias[i]
        for j, other in enumerate(u):
            row = row + M.get((max(i, j), min(i, j)), 0) * acceleration[other]
        power = power + ring.symbol(name) * row
    assert type(time_derivative(energy.kinetic + energy.gravity, rates) - power) is int


def test_what_would_explode_is_refused() -> None:
    from gyrostat.errors import GyrostatError

    model = gs.Model.load(EXAMPLES / "seven_joint_arm.yaml")
    with pytest.raises(GyrostatError, match=r"more than 20000 products of coefficients.*recursive form"):
        exact_system(model, effort=20_000).mass_matrix()
    assert exact_system(pendulum(5), effort=20_000).mass_matrix()


def test_ten_links_and_a_six_joint_arm_stay_short() -> None:
    """The number of terms is what makes long chains possible; it does not depend on the machine."""
    ten = exact_system(pendulum(10), [[f"a{i}" for i in range(1, 11)]])
    assert sum(x.n_terms() for x in ten.mass_matrix().values()) == 3289
    assert sum(x.n_terms() for x in ten.bias()) == 10945
    six = exact_system(arm("zyyzyz"), [["a1"], ["a2", "a3"], ["a4"], ["a5"], ["a6"]])
    M, bias = six.mass_matrix(), six.bias()
    assert sum(x.n_terms() for x in bias) == 2723
    speeds = set(six.names["u"])
    values = [*M.values(), *bias]
    found = regrouped(values, set(six.names["parameters"]), speeds, SympyWriter(six.ring))
    assert len(found.constants) < 120
    function = numeric_function(values, [*six.names["parameters"], *six.names["q"], *six.names["u"]])
    assert len(function(*[0.5] * (len(six.names["parameters"]) + 12))) == len(values)
