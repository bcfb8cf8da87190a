"""Exact equations of loops and constraints: published ones, engines and forms compared, loads, symbols, text."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy
from constraint_cases import MADE, constrained
from exact_models import example

import gyrostat as gs
from gyrostat.closing.closing import Closer
from gyrostat.model.constraints import ConstraintRow
from gyrostat.written.equation_set import Equations
from gyrostat.written.equation_writer import Form
from gyrostat.written.multipliers import Multipliers

FORMS = [form.value for form in Form]
SMALL = ("four_bar", "crank_slider", "quick_return", "spatial_four_bar", "spatial_slider_crank")
LARGE = ("universal_drive_line", "andrews_squeezer", "bricard")
sin, cos = sympy.sin, sympy.cos


def zero(expression: Any) -> bool:
    return bool(gs.trig_normal_form(expression) == 0)


# --- models -------------------------------------------------------------------------------------------------------


def slider_crank() -> gs.Model:
    """McPhee's slider-crank (001): crank h8, rod h10 measured at the slider, slide s11; the crank pin h9 closes."""
    model = gs.Model("slider-crank", gravity=(0, "-g", 0), parameters={"L45": 1, "L67": 2, "m": 1, "g": 9.81})
    model.add(
        gs.Body("crank", gs.slender_rod("m", "L45", along="x"), points={"a": ("-L45/2", 0, 0), "b": ("L45/2", 0, 0)})
    )
    model.add(
        gs.Body("rod", gs.slender_rod("m", "L67", along="x"), points={"a": ("-L67/2", 0, 0), "b": ("L67/2", 0, 0)})
    )
    model.add(gs.Body("slider", mass="m", inertia=(1, 1, 1)))
    model.add(gs.Revolute("h8", "ground", "crank.a", symbol="beta_8"))
    model.add(gs.Revolute("h10", "slider", "rod.a", symbol="beta_10"))
    model.add(gs.Prismatic("s11", "ground", "slider", axis="x", symbol="s_11"))
    model.add(gs.Revolute("h9", "crank.b", "rod.b"))
    return model


def pendulum_in_absolute_coordinates() -> gs.Model:
    """McPhee's pendulum (001) with coordinates of its body; the pin is a constraint, at r above the mass centre."""
    model = gs.Model("pendulum", gravity=(0, "-W/m", 0), parameters={"m": 2, "I": 0.3, "r": 0.5, "W": 20})
    model.add(gs.Body("bob", mass="m", inertia=("I", "I", "I"), points={"pin": (0, "r", 0)}))
    model.add(gs.Planar("place", "ground", "bob", symbol={"x": "x_m", "y": "y_m", "angle": "theta_m"}))
    model.add(gs.Revolute("pin", "ground", "bob.pin"))
    return model


def sleigh() -> gs.Model:
    """Chaplygin's sleigh: a blade at the origin of a body whose mass centre is ahead of it."""
    model = gs.Model("sleigh", parameters={"m": 1, "J": 1, "a": 0.3})
    model.add(gs.Body("sleigh", mass="m", inertia=("J", "J", "J"), com=("a", 0, 0)))
    model.add(gs.Planar("table", "ground", "sleigh", symbol={"x": "x", "y": "y", "angle": "theta"}))
    model.add(gs.KnifeEdge("blade", "sleigh"))
    return model


def tied_rods() -> gs.Model:
    """Two hanging rods, tied to each other, geared by an equation; a rack moves with one of them."""
    model = gs.Model("tied rods", gravity=(0, "-g", 0), parameters={"m": 1, "l": 1, "g": 9.81, "d": 0.5, "n": 3})
    for name in ("a", "b"):
        model.add(gs.Body(name, gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0), "tip": (0, "-l/2", 0)}))
    model.add(gs.Body("rack", mass="m", inertia=(1, 1, 1)))
    model.add(gs.Revolute("h1", "ground", "a.top", symbol="theta_1"))
    model.add(gs.Revolute("h2", ("ground", ("d", 0, 0)), "b.top", symbol="theta_2"))
    model.add(gs.Prismatic("slide", "ground", "rack", axis="x"))
    model.add(gs.Distance("tie", "a.tip", "b.tip", length="d"))
    model.add(gs.Gear("gear", "h2", "slide", ratio="n"))
    return model


def awkward_chords(kind: str) -> gs.Model:
    """A loop that closes with a joint whose coordinates are used: driven, with a motor, with a spring."""
    model = gs.Model(kind, gravity=(0, 0, "-g"), parameters={"m": 1, "l": 1, "g": 9.81, "k": 3})
    for name in ("a", "b", "c"):
        model.add(gs.Body(name, mass="m", inertia=(1, 2, 3), points={"tip": ("l", 0, 0)}))
    model.add(gs.Revolute("h1", "ground", "a", axis="z", symbol="alpha"))
    model.add(gs.Universal("h2", "a.tip", "b", symbol={"angle1": "beta", "angle2": "gamma"}))
    model.add(gs.Revolute("h3", "ground", "c", axis="y", symbol="delta"))
    if kind == "driven":
        model.add(gs.Cylindrical("last", "b.tip", "c.tip", axis="z", driven={"angle": "k*t", "displacement": "t"}))
    elif kind == "motor":
        model.add(gs.Revolute("last", "b.tip", "c.tip", axis="z"))
        model.add(gs.Actuator("motor", "last"))
        model.add(gs.TorsionSpring("spring", "last", "k", "k"))
    else:
        made = {
            "prismatic": gs.Prismatic("last", "b.tip", "c.tip", axis=(1, 2, 2)),
            "slanting": gs.Revolute("last", "b.tip", "c.tip", axis=(3, -2, 1)),
            "cylindrical": gs.Cylindrical("last", "b.tip", "c.tip", axis="x"),
            "screw": gs.Screw("last", "b.tip", "c.tip", axis="x", pitch="k"),
            "universal": gs.Universal("last", "b.tip", "c.tip"),
            "planar": gs.Planar("last", "b.tip", "c.tip"),
            "spherical": gs.Spherical("last", "b.tip", "c.tip"),
            "angles": gs.Spherical("last", "b.tip", "c.tip", angles="zxz"),
            "weld": gs.Weld("last", "b.tip", "c.tip"),
        }
        model.add(made[kind])
    return model


CHORDS = (
    *(
        "prismatic",
        "slanting",
        "cylindrical",
        "screw",
        "universal",
        "planar",
        "spherical",
        "angles",
        "weld",
        "driven",
        "motor",
    ),
)


@cache
def system_of(name: str) -> gs.System:
    made = {
        "slider_crank": (slider_crank, ["h9"]),
        "pendulum": (pendulum_in_absolute_coordinates, ["pin"]),
        "sleigh": (sleigh, []),
        "tied_rods": (tied_rods, []),
    }
    if name in made:
        build, cut = made[name]
        return gs.formulate(build(), cut=cut)
    if name in CHORDS:
        return gs.formulate(awkward_chords(name), cut=["last"])
    return gs.formulate(example(name))


@cache
def equations_of(name: str, form: str = "textbook") -> Equations:
    return system_of(name).equations(form)


# --- published ----------------------------------------------------------------------------------------------------


def test_mcphees_slider_crank() -> None:
    """001 part 3, tree [h8, h10, s11]: n = 3, m = 2, and Φ as printed, in the axes of the ground."""
    equations = equations_of("slider_crank")
    b8, b10, s11, L45, L67 = sympy.symbols("beta_8 beta_10 s_11 L45 L67")
    assert equations.coordinates == (b8, b10, s11)
    assert equations.constraint_matrix.shape == (2, 3)
    printed = sympy.Matrix([L67 * cos(b10) + s11 - L45 * cos(b8), L67 * sin(b10) - L45 * sin(b8)])
    turned = sympy.Matrix([[cos(b10), -sin(b10)], [sin(b10), cos(b10)]]) * equations.constraints
    assert all(zero(x) for x in turned - printed)


def test_mcphees_slider_crank_as_it_moves() -> None:
    """A and γ are those of Φ_q where Φ is zero: seen from the ground, and with the rod's turning taken out."""
    equations = equations_of("slider_crank")
    b8, b10, s11, L45, L67 = sympy.symbols("beta_8 beta_10 s_11 L45 L67")
    printed = sympy.Matrix([L67 * cos(b10) + s11 - L45 * cos(b8), L67 * sin(b10) - L45 * sin(b8)])
    closed = {s11: L45 * cos(b8) - L67 * cos(b10), L45: L67 * sin(b10) / sin(b8)}
    turn = sympy.Matrix([[cos(b10), -sin(b10)], [sin(b10), cos(b10)]])
    jacobian = printed.jacobian(equations.coordinates)
    difference = (turn * equations.constraint_matrix - jacobian).subs(s11, closed[s11]).subs(L45, closed[L45])
    assert all(sympy.simplify(x) == 0 for x in difference)


def test_mcphees_pendulum() -> None:
    """001 part 4: with its pin as a constraint, elimination leaves (I + m r²) θ̈ = −W r sin θ."""
    equations = equations_of("pendulum")
    x, y, theta, m, inertia, r, W = sympy.symbols("x_m y_m theta_m m I r W")
    assert equations.mass_matrix == sympy.diag(m, m, inertia)
    printed = sympy.Matrix([x - r * sin(theta), y + r * cos(theta)])
    turned = sympy.Matrix([[cos(theta), -sin(theta)], [sin(theta), cos(theta)]]) * equations.constraints
    assert all(zero(entry) for entry in turned - printed)
    rate = equations.speeds[2]
    held = {x: r * sin(theta), y: -r * cos(theta)}
    held |= {equations.speeds[0]: r * cos(theta) * rate, equations.speeds[1]: r * sin(theta) * rate}
    swing = equations.solved().subs(held)[2]
    assert sympy.simplify(swing + W * r * sin(theta) / (inertia + m * r**2)) == 0


def test_chaplygins_sleigh() -> None:
    assert str(equations_of("sleigh")).splitlines() == [
        "m*xddot - a*m*sin(theta)*thetaddot = a*m*thetadot**2*cos(theta) - lambda_blade*sin(theta)",
        "m*yddot + a*m*cos(theta)*thetaddot = a*m*thetadot**2*sin(theta) + lambda_blade*cos(theta)",
        "-a*m*sin(theta)*xddot + a*m*cos(theta)*yddot + (J + a**2*m)*thetaddot = 0",
        "0 = -xdot*sin(theta) + ydot*cos(theta)",
    ]


# --- engines and forms --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", [*SMALL, "sleigh", "tied_rods", "slider_crank"])
def test_forms_agree_with_the_traced_engine(name: str, form: str) -> None:
    """M, forcing, A, γ and residuals, also where the loop is not closed."""
    assert equations_of(name, form).verify().agrees


@pytest.mark.parametrize("name", [*LARGE, *CHORDS])
def test_engines_agree(name: str) -> None:
    certificate = equations_of(name, "expanded").verify(3)
    assert certificate.agrees, str(certificate)


@pytest.mark.parametrize(
    "name",
    [
        *("PointOnLine on ground", "PointOnPlane on ground", "Gear", "Gear on a driven joint", "Gear on a rotor"),
        *("RackPinion", "PointDriver of some", "Equation", "RollingSphere on ground", "KnifeEdge on ground"),
    ],
)
def test_engines_agree_on_constraint_components(name: str) -> None:
    """On a mechanism with a hinge, a slide, a wheel and a body that flies."""
    certificate = constrained(MADE[name]).system.equations("expanded").verify(2)
    assert certificate.agrees, str(certificate)


@pytest.mark.parametrize("name", SMALL)
def test_rows_that_hold_by_themselves_are_left_out(name: str) -> None:
    """The exact engine keeps the rows that the traced engine keeps."""
    names = tuple(row.name for row in system_of(name).constraints)
    assert equations_of(name).constraint_names == names
    if name in ("four_bar", "crank_slider", "quick_return"):
        assert {each.direction for each in equations_of(name).multiplier_table} == {"force x", "force y"}


def numbers(equations: Equations, system: gs.System, q: Any, u: Any, *parts: Any) -> list[Any]:
    """Return SymPy expressions as arrays, at the model's parameters, at t = 0 and without inputs."""
    known = dict(zip((*equations.coordinates, *equations.speeds), (*q, *u), strict=True))
    symbols = equations.symbols.sympy
    known |= {symbols[n]: v for n, v in zip(system.model.parameters, system.parameter_values(), strict=True)}
    known |= {symbols[n]: 0.0 for n in ("t", *system.inputs)}
    return [np.array(part.xreplace(known).evalf(), dtype=float) for part in parts]


@pytest.mark.parametrize("name", SMALL)
def test_at_a_closed_position_rows_are_rates_of_residuals(name: str) -> None:
    """There A = ∂Φ/∂q N⁻¹ for joints whose speeds are rates, and A u = b for speeds that obey."""
    system, equations = system_of(name), equations_of(name)
    closer = Closer(system)
    q, _ = closer.closed(system.initial_coordinates)
    u, _ = closer.admissible_speeds(q, np.linspace(-1, 1, system.coordinates.n_u))
    slopes = equations.constraints.jacobian(sympy.Matrix(equations.coordinates))
    A, b, found = numbers(equations, system, q, u, equations.constraint_matrix, equations.constraint_speeds, slopes)
    np.testing.assert_allclose(A, found, atol=1e-9)
    np.testing.assert_allclose(A @ u, b.ravel(), atol=1e-7 * max(1.0, np.abs(b).max(initial=0.0)))


@pytest.mark.parametrize("name", ["four_bar", "spatial_slider_crank", "quick_return", "tied_rods"])
def test_multipliers_and_reactions_are_those_of_the_system(name: str) -> None:
    """With the traced engine's multipliers, forcing + Aᵀ λ is M u̇, and loads in all joints are the same."""
    system, equations = system_of(name), equations_of(name)
    closer = Closer(system)
    q, _ = closer.closed(system.initial_coordinates)
    u, _ = closer.admissible_speeds(q, np.linspace(-0.3, 0.4, system.coordinates.n_u))
    udot = system.forward_dynamics(q, u)
    loads = system.multipliers(q, u)
    values = [float(loads[each.name]) for each in equations.multiplier_table]
    M, forcing, A, gamma = numbers(
        *(equations, system, q, u, equations.mass_matrix, equations.forcing),
        *(equations.constraint_matrix, equations.constraint_rates),
    )
    scale = max(1.0, float(np.abs(values).max()))
    np.testing.assert_allclose(M @ udot, forcing.ravel() + A.T @ values, atol=1e-9 * scale)
    np.testing.assert_allclose(A @ udot, gamma.ravel(), atol=1e-8 * max(1.0, np.abs(gamma).max()))
    known = dict(zip((*equations.accelerations, *equations.multipliers), (*udot, *values), strict=True))
    for joint, expected in system.reactions(q, u).items():
        force, moment = numbers(equations, system, q, u, *(part.xreplace(known) for part in equations.reaction(joint)))
        np.testing.assert_allclose(force.ravel(), expected.force, atol=1e-8 * scale)
        np.testing.assert_allclose(moment.ravel(), expected.moment, atol=1e-8 * scale)


def test_accelerations_that_obey() -> None:
    """Solved for u̇, the sleigh keeps its blade."""
    equations = equations_of("sleigh")
    obeyed = equations.constraint_matrix * equations.solved() - equations.constraint_rates
    assert all(sympy.simplify(x) == 0 for x in obeyed)


def test_the_recursive_form_carries_the_constraints() -> None:
    system = system_of("four_bar")
    equations = system.equations("recursive")
    assert equations.constrained
    assert equations.constraint_names == ("pin_rocker: force x", "pin_rocker: force y")
    exact = equations_of("four_bar")

    def whole(x: Any) -> Any:
        for symbol, value in reversed(equations.replacements):
            x = x.subs(symbol, value)
        return x

    for mine, other in (
        (equations.constraint_matrix, exact.constraint_matrix),
        (equations.constraint_rates, exact.constraint_rates),
        (equations.constraints, exact.constraints),
    ):
        assert all(zero(x) for x in mine.applyfunc(whole) - other)
    lines = str(equations).splitlines()
    assert [line.partition(" = ")[0] for line in lines[-4:]] == [
        "rates[0]",
        "rates[1]",
        "constraints[0]",
        "constraints[1]",
    ]
    assert r"A_{23} &= " in equations.latex()
    assert r"\Phi_{2} &= " in equations.latex()


def test_a_tree_has_no_blocks_of_constraints() -> None:
    equations = gs.formulate(example("double_pendulum")).equations("recursive")
    assert not equations.constrained
    assert equations.constraint_names == ()
    assert equations.constraint_matrix.shape == (0, 2)
    assert equations.constraints.shape == equations.constraint_rates.shape == (0, 1)


@pytest.mark.parametrize("name", ["four_bar", "sleigh"])
def test_stand_alone_python_solves_the_motion(name: str) -> None:
    system = system_of(name)
    closer = Closer(system)
    q, _ = closer.closed(system.initial_coordinates)
    u, _ = closer.admissible_speeds(q, np.linspace(-1, 1, system.coordinates.n_u))
    code: dict[str, Any] = {}
    exec(system.equations("recursive").python(), code)
    given = (0.0, q, u, system.parameter_values(), [0.0] * len(system.inputs))
    M, forcing, A, rates, kept = map(np.array, code["equations"](*given))
    np.testing.assert_allclose(kept, 0, atol=1e-9)
    rows = len(rates)
    whole = np.block([[M, -A.T], [A, np.zeros((rows, rows))]])
    solved = np.linalg.solve(whole, np.concatenate((forcing, rates)))
    udot = system.forward_dynamics(q, u)
    np.testing.assert_allclose(solved[: len(u)], udot, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(solved[len(u) :], list(system.multipliers(q, u).values()), rtol=1e-7, atol=1e-9)


def test_stand_alone_c_has_all_blocks() -> None:
    text = system_of("four_bar").equations("recursive").c()
    assert "double *M, double *forcing, double *A, double *rates, double *constraints)" in text
    assert all(f"    A[{i}] = " in text for i in range(6))
    assert "lambda, rows of A: pin_rocker: force x, pin_rocker: force y" in text


def test_a_large_loop_is_refused_with_advice() -> None:
    """Seven hinges in space and an eighth that closes: the limit of the tree holds."""
    model = gs.Model("chain", gravity=(0, 0, "-g"), parameters={"m": 1, "l": 1, "g": 9.81})
    before = "ground"
    for i, axis in enumerate("zyxzyxz"):
        model.add(gs.Body(f"b{i}", mass="m", inertia=(1, 2, 3), points={"tip": ("l", 0, 0)}))
        model.add(gs.Revolute(f"h{i}", before, f"b{i}", axis=axis))
        before = f"b{i}.tip"
    model.add(gs.Revolute("last", before, ("ground", ("l", 0, 0)), axis="y"))
    system = gs.formulate(model, cut=["last"])
    with pytest.raises(gs.SizeError, match=r"equations of 'chain' would have up to .* equations\('recursive'\)"):
        system.equations()
    assert system.equations("recursive").constrained


# --- symbols and text ---------------------------------------------------------------------------------------------


def row(owner: str, label: str) -> ConstraintRow:
    return ConstraintRow(owner, label)


@pytest.mark.parametrize(
    ("rows", "taken", "symbols"),
    [
        ([("pin", "force x"), ("pin", "force y")], (), ["lambda_pin_x", "lambda_pin_y"]),
        ([("pin", "force across 1"), ("pin", "moment across 1")], (), ["lambda_pin_1", "lambda_pin_moment_1"]),
        (
            [("roll", "force along the normal"), ("roll", "force along the track"), ("roll", "force across the track")],
            (),
            ["lambda_roll_normal", "lambda_roll_along_track", "lambda_roll_across_track"],
        ),
        ([("rod", "tension")], (), ["lambda_rod"]),
        ([("c", "driver of c.angle"), ("c", "driver of c.x")], (), ["lambda_c_driver_c_angle", "lambda_c_driver_c_x"]),
        (
            [("pin", "force x"), ("pin", "force y"), ("pin_x", "load")],
            (),
            ["lambda_pin_force_x", "lambda_pin_y", "lambda_pin_x"],
        ),
        ([("rod", "tension")], ("lambda_rod", "lambda_rod_2"), ["lambda_rod_3"]),
    ],
)
def test_symbols_of_multipliers(rows: list[tuple[str, str]], taken: tuple[str, ...], symbols: list[str]) -> None:
    assert [each.symbol for each in Multipliers.of([row(*each) for each in rows], taken)] == symbols


def test_the_table_of_multipliers() -> None:
    equations = equations_of("spatial_slider_crank")
    assert str(equations.multiplier_table).splitlines() == [
        "symbol         of    direction  unit",
        "lambda_ball_x  ball  force x    N",
        "lambda_ball_y  ball  force y    N",
        "lambda_ball_z  ball  force z    N",
    ]
    assert equations.multipliers == sympy.symbols("lambda_ball_x lambda_ball_y lambda_ball_z")
    assert len(equations.multiplier_table) == 3
    assert equations.multiplier_table[1].direction == "force y"
    assert r"<td>$\lambda_{\mathrm{ball},x}$</td><td>ball</td>" in equations.multiplier_table._repr_html_()


def test_latex_of_a_loop() -> None:
    lines = equations_of("crank_slider").latex().splitlines()
    assert len(lines) == 6
    assert r"+ \lambda_{\mathrm{pin\_crank},x} \cos{\left(\beta_{10} \right)} - \lambda_{" in lines[1]
    assert lines[3].startswith("0 &= ")
    assert r"\lambda_{\mathrm{pin\_crank},y}" in equations_of("crank_slider")._repr_latex_()


def test_a_regrouped_loop_says_what_its_constants_are() -> None:
    text = str(equations_of("four_bar", "regrouped"))
    assert "lambda_pin_rocker_x*(-a*sin(theta_2 - theta_4) - d*sin(theta_4))" in text
    assert "\n0 = -a*cos(theta_2 - theta_4) - b*cos(theta_2 + theta_3 - theta_4) + c + d*cos(theta_4)\n" in text
    assert "\nP1 = " in text


def test_progress_tells_of_constraints() -> None:
    seen: list[Any] = []
    equations = system_of("four_bar").equations(progress=seen.append)
    assert equations.constraints.shape == (2, 1)
    stages = dict.fromkeys(progress.stage for progress in seen)
    assert list(stages) == ["mass matrix", "forcing", "constraints", "writing"]


def test_a_joint_that_is_not_there() -> None:
    with pytest.raises(gs.StateError, match=r"There is no joint 'pin_rockr'. Did you mean 'pin_rocker'"):
        equations_of("four_bar").reaction("pin_rockr")


def test_the_walk_of_a_loop() -> None:
    """Roberson and Schwertassek's quantities of a loop print with the rest."""
    walk = system_of("crank_slider").roberson_schwertassek()
    b10, omega = sympy.symbols("betadot_10 omega")
    assert walk["G^(pin_crank)"][2] == b10 - omega
    assert walk["W^(bearing, pin_crank)"].shape == (6, 6)
    assert walk["W^(bearing, pin_crank)"][5, 5] == -1
    assert walk["ψ^(pin_crank)"].shape == (6, 5)
    assert walk["Λ^(pin_crank)"][:3] == [0, 0, 0]
    assert "Consistency conditions (eq 16)" in str(walk)
    assert r"\Lambda^{(\mathrm{pin}_{\mathrm{crank}})} = " in walk.latex()
    assert r"\lambda_{\mathrm{pin\_crank},x}" in walk.latex()
    W = sympy.Matrix.hstack(*(walk[f"W^({a}, pin_crank)"].T for a in ("bearing", "guide", "hinge_rod")))
    G = sympy.Matrix.vstack(*(walk[f"G^({a})"] for a in ("bearing", "guide", "hinge_rod")))
    assert all(zero(x) for x in W * G - walk["G^(pin_crank)"])
