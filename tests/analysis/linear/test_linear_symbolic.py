"""Linear equations in closed form."""

from math import pi

import numpy as np
import pytest
import sympy
from linear_models import hanging_four_bar, slider_pendulum
from random_trees import Draw

import gyrostat as gs


def chain(links: int) -> gs.Model:
    values = {
        **{f"m{i}": 1.0 + 0.1 * i for i in range(links)},
        **{f"l{i}": 0.5 + 0.1 * i for i in range(links)},
        "g": 9.81,
    }
    model = gs.Model("chain", gravity=(0, "-g", 0), parameters=values)
    last = "ground"
    for i in range(links):
        model.add(gs.Body(f"b{i}", gs.point_mass(f"m{i}"), points={"top": (0, f"l{i}", 0)}))
        model.add(gs.Revolute(f"a{i}", last, f"b{i}.top"))
        last = f"b{i}"
    return model


def numbers(matrix: sympy.Matrix, values: dict[str, float]) -> np.ndarray:
    return np.array(matrix.subs(values).evalf().tolist(), dtype=float)


@pytest.mark.parametrize("links", [2, 4])
def test_closed_form_equals_the_numeric_model(links: int) -> None:
    model = chain(links)
    at = {"a0": "pi"} if links == 2 else {}
    exact, lin = gs.linearize(model, at, symbolic=True), gs.linearize(model, at)
    values = model.values()
    for found, expected in ((exact.mass, lin.mass), (exact.damping, lin.damping), (exact.stiffness, lin.stiffness)):
        assert numbers(found, values) == pytest.approx(expected.values, abs=1e-12)


def test_double_pendulum_in_symbols() -> None:
    m0, m1, l0, l1, g, s = sympy.symbols("m0 m1 l0 l1 g s")
    exact = gs.linearize(chain(2), symbolic=True)
    assert exact.coordinates == ("a0", "a1")
    assert sympy.expand(exact.stiffness[0, 0] - (m0 + m1) * g * l0 - m1 * g * l1) == 0
    assert sympy.expand(exact.stiffness[1, 0] - m1 * g * l1) == 0
    assert exact.stiffness == exact.stiffness.T
    polynomial = exact.characteristic_polynomial()
    assert polynomial.degree() == 4
    assert sympy.expand(polynomial.eval(0) - m0 * m1 * l0 * l1 * g**2 - m1**2 * l0 * l1 * g**2) == 0
    assert sympy.simplify(exact.A.charpoly(s).as_expr() * exact.mass.det() - polynomial.as_expr()) == 0
    assert r"K = \left[\begin{matrix}" in exact.latex()
    assert "stiffness: [[" in str(exact)


def test_damping_and_springs() -> None:
    exact = gs.linearize(slider_pendulum(), symbolic=True)
    assert [str(entry) for entry in exact.damping] == ["c", "0", "0", "0"]
    assert [str(entry) for entry in exact.stiffness] == ["k", "0", "0", "g*l*m3/2"]


def test_steady_motion_in_symbols() -> None:
    values = {"m": 10, "l": 0.5, "g": 9.81, "theta_0": 0.5}
    model = gs.Model("rotating pendulum", gravity=(0, 0, "-g"), parameters=values)
    model.add(gs.Body("hub", mass=0))
    model.add(gs.Body("bob", gs.point_mass("m"), points={"top": (0, 0, "l")}))
    model.add(gs.Revolute("phi", "ground", "hub", axis="z"))
    model.add(gs.Revolute("theta", "hub", "bob.top", axis="y"))
    at = {"theta": "theta_0", "phi.rate": "sqrt(g/(l*cos(theta_0)))"}
    exact, lin = gs.linearize(model, at, symbolic=True), gs.linearize(model, at)
    assert numbers(exact.stiffness, values) == pytest.approx(lin.stiffness.values, abs=1e-10)
    assert numbers(exact.damping, values) == pytest.approx(lin.damping.values, abs=1e-10)


def test_half_hexagon_in_closed_form() -> None:
    """ω² = 10 √3 g/(9 L), of which the multipliers have 2/5."""
    model = gs.Model("half hexagon", gravity=(0, "-g", 0), parameters={"m": 1, "L": 1, "g": 9.81})
    for name in ("a", "b", "c"):
        ends = {"l": ("-L/2", 0, 0), "r": ("L/2", 0, 0)}
        model.add(gs.Body(name, gs.slender_rod("m", "L", along="x"), points=ends))
    model.add(gs.Revolute("h1", "ground", "a.l"))
    model.add(gs.Revolute("h2", "a.r", "b.l"))
    model.add(gs.Revolute("h3", "b.r", "c.l"))
    model.add(gs.Revolute("h4", ("ground", ("2*L", 0, 0)), "c.r"))
    at = {"h1": "-pi/3", "h2": "pi/3", "h3": "pi/3"}
    exact = gs.linearize(model, at, symbolic=True)
    g, L = sympy.symbols("g L")
    ratio = sympy.simplify(exact.stiffness[0, 0] / exact.mass[0, 0] - 10 * sympy.sqrt(3) * g / (9 * L))
    assert exact.coordinates == ("h1",)
    assert ratio == 0
    numeric = gs.linearize(hanging_four_bar(2.0)).modes()[0]
    assert 2 * pi * numeric.frequency == pytest.approx((10 * 3**0.5 * 9.81 / 9) ** 0.5)
    with pytest.raises(gs.StateError, match=r"'h4' is open at the given position.*exact values"):
        gs.linearize(model, {"h1": "-1.047", "h2": "pi/3", "h3": "pi/3"}, symbolic=True, coordinates=["h1"])


def test_refusals() -> None:
    with pytest.raises(gs.StateError, match=r"no equilibrium or steady motion of 'chain': .* is left in 'a0'"):
        gs.linearize(chain(2), {"a0": "0.3"}, symbolic=True)
    with pytest.raises(gs.StateError, match="no coordinate, speed or input 'b'"):
        gs.linearize(chain(2), {"b": 0}, symbolic=True)
    with pytest.raises(gs.StateError, match="uses 'x', which is no parameter"):
        gs.linearize(chain(2), {"a0": "x"}, symbolic=True)
    with pytest.raises(gs.StateError, match="no inputs and outputs"):
        gs.linearize(chain(2), inputs=["b0.force.x"], symbolic=True)  # type: ignore[call-overload]
    with pytest.raises(gs.StateError, match="exact values of coordinates"):
        gs.linearize(chain(2), coordinates=gs.Basis.ORTHONORMAL, symbolic=True)
    with pytest.raises(gs.StateError, match=r"has Euler parameters.*angles='zxz'"):
        gs.linearize(Draw(0).tree(1, kinds=("free",)).model(), symbolic=True)
    model = gs.Model("sleigh")
    model.add(gs.Body("sleigh", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Planar("p", "ground", "sleigh"))
    model.add(gs.KnifeEdge("edge", "sleigh"))
    with pytest.raises(gs.StateError, match="restricts speeds alone"):
        gs.linearize(model, symbolic=True)
