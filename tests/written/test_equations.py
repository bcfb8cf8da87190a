"""Exact equations of motion: document 000's text, identities between derivations, engines and forms, messages."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import sympy
from campaign import campaign, chosen, marked
from document_pendulum import document_pendulum
from exact_models import TREES, crane, example, sliding_boom, small_tree, small_trees
from exact_systems import arm, pendulum

import gyrostat as gs
from gyrostat.coordinates.layout import acceleration_name
from gyrostat.equations.roberson_schwertassek import RobersonSchwertassek
from gyrostat.written import derivation
from gyrostat.written.equation_set import Certificate, Equations
from gyrostat.written.equation_writer import Form, mass_parameters

m1, m2, l1, l2, g = sympy.symbols("m1 m2 l1 l2 g")
th1, th2, w1, w2 = sympy.symbols("theta_1 theta_2 thetadot_1 thetadot_2")
sin, cos = sympy.sin, sympy.cos
FORMS = [form.value for form in Form]
RANDOM = small_trees(range(14, 38))
MODELS = (*TREES, "crane", "sliding_boom", "document", *chosen(tuple(RANDOM)))


@cache
def model_of(name: str) -> gs.Model:
    if name in RANDOM:
        return small_tree(*RANDOM[name])
    made = {"crane": crane, "sliding_boom": sliding_boom, "document": document_pendulum}
    return made[name]() if name in made else example(name)


@cache
def equations_of(name: str, form: str = "textbook") -> Equations:
    return gs.formulate(model_of(name)).equations(form, size_limit=None)


def zero(expression: Any) -> bool:
    return bool(gs.trig_normal_form(expression) == 0)


# --- document 000 -------------------------------------------------------------------------------------------------

EQ_108 = (
    "(l1**2*(m1/3 + m2) + l1*l2*m2*cos(theta_2) + l2**2*m2/3)*thetaddot_1"
    " + (l1*l2*m2*cos(theta_2)/2 + l2**2*m2/3)*thetaddot_2"
    " = -g*l1*(m1/2 + m2)*sin(theta_1) - g*l2*m2*sin(theta_1 + theta_2)/2"
    " - l1*l2*m2*thetadot_1**2*sin(theta_2)/2 + l1*l2*m2*(thetadot_1 + thetadot_2)**2*sin(theta_2)/2"
)
EQ_109 = (
    "(l1*l2*m2*cos(theta_2)/2 + l2**2*m2/3)*thetaddot_1 + l2**2*m2/3*thetaddot_2"
    " = -g*l2*m2*sin(theta_1 + theta_2)/2 - l1*l2*m2*thetadot_1**2*sin(theta_2)/2"
)


@pytest.mark.parametrize("form", FORMS)
def test_the_documents_equations(form: str) -> None:
    """Eqs 108 and 109, typed in from the document."""
    equations = equations_of("document", form)
    M, forcing = (part.subs(equations.constants) for part in (equations.mass_matrix, equations.forcing))
    first = (m1 / 3 + m2) * l1**2 + m2 * l1 * l2 * cos(th2) + m2 * l2**2 / 3
    both = m2 * l1 * l2 / 2 * cos(th2) + m2 * l2**2 / 3
    assert all(zero(x) for x in M - sympy.Matrix([[first, both], [both, m2 * l2**2 / 3]]))
    lower = -m2 * l1 * l2 / 2 * w1**2 * sin(th2) - m2 * g * l2 / 2 * sin(th1 + th2)
    upper = m2 * l1 * l2 / 2 * (w1 + w2) ** 2 * sin(th2) - (m1 / 2 + m2) * g * l1 * sin(th1) + lower
    assert all(zero(x) for x in forcing - sympy.Matrix([upper, lower]))


def test_written_as_the_document_writes_it() -> None:
    assert str(equations_of("document")).splitlines() == [EQ_108, EQ_109]


def test_latex_reads_like_the_document() -> None:
    lines = equations_of("document").latex().splitlines()
    assert (lines[0], lines[-1], len(lines)) == (r"\begin{aligned}", r"\end{aligned}", 4)
    for piece in (
        r"\left(l_{1}^{2} \left(\frac{m_{1}}{3} + m_{2}\right) + l_{1} l_{2} m_{2} \cos{\left(\theta_{2} \right)}",
        r"\frac{l_{2}^{2} m_{2}}{3}\right) \ddot{\theta}_{1} + ",
        r"\ddot{\theta}_{2} &= - g l_{1} \left(\frac{m_{1}}{2} + m_{2}\right) \sin{\left(\theta_{1} \right)}",
        r"\left(\dot{\theta}_{1} + \dot{\theta}_{2}\right)^{2} \sin{\left(\theta_{2} \right)}",
        r"\sin{\left(\theta_{1} + \theta_{2} \right)}",
    ):
        assert piece in lines[1]
    assert r"\frac{l_{2}^{2} m_{2}}{3} \ddot{\theta}_{2} &= " in lines[2]
    shown = equations_of("document")._repr_latex_()
    assert shown.startswith(r"$\displaystyle \begin{aligned}")
    assert shown.endswith(r"\end{aligned}$")


def test_never_more_operations_than_the_document() -> None:
    """The typed text lists the coupling term of M twice, as the matrix does."""
    typed = sympy.sympify([side for line in (EQ_108, EQ_109) for side in line.split(" = ")])
    assert equations_of("document").operations <= sympy.count_ops(typed)
    assert equations_of("document").operations < equations_of("document", "expanded").operations


def test_solved() -> None:
    equations = equations_of("document")
    found = equations.mass_matrix * equations.solved() - equations.forcing
    assert all(sympy.simplify(entry) == 0 for entry in found)


# --- identities ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", marked([*MODELS, "vehicle_on_springs"], RANDOM))
def test_literal_and_recursive_derivations_are_identical(name: str) -> None:
    """The formulas of document 000 and the recursions, as elements of one ring."""
    equations = equations_of(name)
    literal = RobersonSchwertassek(equations.trace.motion)
    M, n = literal.mass_matrix(), equations.layout.n_u
    for i in range(n):
        for j in range(n):
            assert M[i][j] == equations.exact_mass_matrix.get((max(i, j), min(i, j)), 0), (i, j)
    assert literal.forcing() == equations.exact_forcing


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", marked(MODELS, RANDOM))
def test_exact_and_traced_engines_agree(name: str, form: str) -> None:
    certificate = equations_of(name, form).verify(points=3)
    assert certificate.error < 1e-12
    assert certificate.agrees


def test_the_vehicle_too() -> None:
    assert equations_of("vehicle_on_springs").verify(points=2).error < 1e-12


def test_random_trees_have_everything() -> None:
    models = [model_of(name) for name in RANDOM]
    joints = [(joint, model) for model in models for joint in model.joints.values()]
    rotors = [rotor for model in models for body in model.bodies.values() for rotor in body.rotors]
    assert len({type(joint) for joint, _ in joints}) == 9
    assert sum(joint.parent.body[0] == "b" and joint.child.body < joint.parent.body for joint, _ in joints) > 3
    assert sum(bool(joint.driven) for joint, _ in joints) > 3
    assert {rotor.free for rotor in rotors} == {True, False}
    assert sum("coil" in model.forces for model in models) > 15


# --- certificates -------------------------------------------------------------------------------------------------


def test_certificates() -> None:
    certificate = equations_of("document").verify(points=4)
    assert certificate.points == 4
    assert str(certificate).startswith("agree at 4 random points; largest relative difference ")
    assert str(Certificate(5, 2.5e-3)) == "DISAGREE at 5 random points; largest relative difference 2.5e-03"
    assert not Certificate(5, float("inf")).agrees


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (lambda right: [right[0] + 1, right[1]], 0.01),
        (lambda right: [right[0], -right[1]], 0.01),
        (lambda right: [right[0], right[1] * 1.000001], 1e-8),
    ],
)
def test_a_wrong_set_is_caught(monkeypatch: pytest.MonkeyPatch, wrong: Any, error: float) -> None:
    right = derivation.inverse_dynamics
    monkeypatch.setattr(derivation, "inverse_dynamics", lambda *arguments: wrong(right(*arguments)))
    certificate = gs.formulate(document_pendulum()).equations().verify()
    assert certificate.error > error
    assert str(certificate).startswith("DISAGREE")


def test_a_set_that_is_no_number_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    equations = gs.formulate(document_pendulum()).equations()
    monkeypatch.setitem(equations.__dict__, "forcing", sympy.Matrix([sympy.log(-1), sympy.nan]))
    assert equations.verify().error == float("inf")


def rooted(law: str) -> Equations:
    model = gs.Model("root", parameters={"m": 1.0, "c": 1.0})
    model.add(gs.Body("b", mass="m", inertia=(1, 1, 1)))
    model.add(gs.Prismatic("s", "ground", "b", axis="x"))
    model.add(gs.Force("push", "b", (law, 0, 0)))
    return gs.formulate(model).equations()


def test_states_outside_a_domain_are_drawn_again() -> None:
    assert rooted("sqrt(s) + log(c + s)").verify(points=10).agrees
    with pytest.raises(gs.StateError, match=r"'root' have finite values at only 0 of 40 random states. Check the form"):
        rooted("sqrt(-2 + s)").verify(points=2)


# --- energies, positions, loads -------------------------------------------------------------------------------------

UNDRIVEN = [name for name in MODELS if not any(joint.driven for joint in model_of(name).joints.values())]


def rotors_given(name: str) -> bool:
    return any(not rotor.free for body in model_of(name).bodies.values() for rotor in body.rotors)


@pytest.mark.parametrize("name", marked([name for name in UNDRIVEN if not rotors_given(name)], RANDOM))
def test_kinetic_energy_is_half_of_u_M_u(name: str) -> None:
    equations = equations_of(name)
    u = [equations.trace.ring.symbol(speed) for speed in equations.layout.speed_names]
    twice = 0
    for (i, j), entry in equations.exact_mass_matrix.items():
        twice = twice + entry * u[i] * u[j] * (1 if i == j else 2)
    from gyrostat.equations.energy import energy

    assert energy(equations.trace.motion).kinetic * 2 == twice


@pytest.mark.parametrize("name", ["document", "spinning_top", "sliding_boom"])
@pytest.mark.parametrize("form", FORMS)
def test_lagranges_equations_from_the_energies(name: str, form: str) -> None:
    """d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q = 0, by SymPy's own derivatives of the energies as they are written."""
    equations = equations_of(name, form)
    assert equations.kinematics == sympy.ImmutableMatrix(equations.speeds)
    left = equations.mass_matrix * sympy.Matrix(equations.accelerations)
    residual, T, V = left - equations.forcing, equations.kinetic_energy, equations.potential_energy
    real = {symbol: sympy.Symbol(str(symbol), real=True) for symbol in equations.symbols.sympy.values()}
    residual, T, V = (x.subs(equations.constants).subs(real) for x in (residual, T, V))
    q, u, a = ([real[x] for x in row] for row in (equations.coordinates, equations.speeds, equations.accelerations))
    for i in range(len(q)):
        momentum = sympy.diff(T, u[i])
        rate = sum(sympy.diff(momentum, q[k]) * u[k] + sympy.diff(momentum, u[k]) * a[k] for k in range(len(q)))
        difference = rate - sympy.diff(T, q[i]) + sympy.diff(V, q[i]) - residual[i]
        point = {s: sympy.Rational(7 + 3 * k, 11 + k) for k, s in enumerate(sorted(difference.free_symbols, key=str))}
        assert abs(difference.subs(point).doit().evalf(40)) < 1e-30


def test_lagranges_equations_exactly() -> None:
    equations = equations_of("document")
    q, u, a = equations.coordinates, equations.speeds, equations.accelerations
    residual = equations.mass_matrix * sympy.Matrix(a) - equations.forcing
    for i in range(2):
        momentum = sympy.diff(equations.kinetic_energy, u[i])
        rate = sum(sympy.diff(momentum, q[k]) * u[k] + sympy.diff(momentum, u[k]) * a[k] for k in range(2))
        lagrangian = equations.kinetic_energy - equations.potential_energy
        assert zero(rate - sympy.diff(lagrangian, q[i]) - residual[i])


def test_energies_by_hand() -> None:
    equations = equations_of("document")
    height = -(m1 / 2 + m2) * g * l1 * cos(th1) - m2 * g * l2 / 2 * cos(th1 + th2)
    assert zero(equations.potential_energy - height)
    boom = equations_of("sliding_boom")
    assert boom.potential_energy.has(sympy.Symbol("k"), sympy.Symbol("g"))


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("document", "bar2.tip"),
        ("document", "bar1"),
        ("spinning_top", "top.head"),
        ("sliding_boom", "bucket.tip"),
        ("crane", "load"),
        ("crane", "load.hook"),
    ],
)
def test_velocity_is_the_rate_of_position(name: str, place: str) -> None:
    equations = equations_of(name)
    position, velocity = equations.position(place), equations.velocity(place)
    rate = sympy.diff(position, sympy.Symbol("t"))
    for q, qdot in zip(equations.coordinates, equations.kinematics, strict=True):
        rate += sympy.diff(position, q) * qdot
    assert all(zero(entry) for entry in rate - velocity)
    assert position.shape == velocity.shape == (3, 1)


def test_positions_and_velocities_by_hand() -> None:
    equations = equations_of("document")
    tip = equations.position("bar2.tip")
    assert str(tip[0]) == "l1*sin(theta_1) + l2*sin(theta_1 + theta_2)"
    assert str(equations.velocity("bar2.tip")[0]) == (
        "l1*thetadot_1*cos(theta_1) + l2*(thetadot_1 + thetadot_2)*cos(theta_1 + theta_2)"
    )
    assert equations.angular_velocity("bar2") == sympy.Matrix([0, 0, w1 + w2])
    assert equations.position("ground") == sympy.zeros(3, 1)


def test_reaction_of_a_hanging_bar_at_rest() -> None:
    equations = gs.formulate(pendulum(1)).equations()
    force, moment = equations.reaction("a1")
    still = dict.fromkeys((*equations.coordinates, *equations.speeds, *equations.accelerations), 0)
    assert force.subs(still) == sympy.Matrix([0, g * m1, 0])
    assert moment.subs(still) == sympy.zeros(3, 1)


def test_reaction_along_a_free_axis_is_the_equation_of_motion() -> None:
    """Without an actuator nothing acts about the hinge: the moment there is M u̇ − forcing."""
    equations = equations_of("document")
    residual = equations.mass_matrix * sympy.Matrix(equations.accelerations) - equations.forcing
    for i, joint in enumerate(("a1", "a2")):
        assert zero(equations.reaction(joint)[1][2] - residual[i])
    lower, _ = equations.reaction("a2")
    velocity, rate = equations.velocity("bar2"), sympy.zeros(3, 1)
    for q, u, a in zip(equations.coordinates, equations.speeds, equations.accelerations, strict=True):
        rate += sympy.diff(velocity, q) * u + sympy.diff(velocity, u) * a
    assert all(zero(x) for x in lower - m2 * rate - sympy.Matrix([0, m2 * g, 0]))


# --- forms --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["document", "slider_pendulum", "spinning_top", "crane", "sliding_boom"])
def test_constants_put_back_give_the_expanded_form(name: str) -> None:
    regrouped, expanded = equations_of(name, "regrouped"), equations_of(name, "expanded")
    assert regrouped.constants
    parameters = {sympy.Symbol(p) for p in model_of(name).parameters}
    assert all(meaning.free_symbols <= parameters for meaning in regrouped.constants.values())
    assert expanded.constants == equations_of(name).constants == {}
    pairs = zip([*regrouped.mass_matrix, *regrouped.forcing], [*expanded.mass_matrix, *expanded.forcing], strict=True)
    for short, long in pairs:
        difference = sympy.expand(short.subs(regrouped.constants)) - sympy.expand(long)
        assert sympy.expand(difference) == 0


def test_constants_are_shown() -> None:
    equations = equations_of("document", "regrouped")
    shown = str(equations).splitlines()
    assert shown[1] == (
        "(P2*cos(theta_2)/2 + P3/3)*thetaddot_1 + P3/3*thetaddot_2"
        " = -P2*thetadot_1**2*sin(theta_2)/2 - P5*sin(theta_1 + theta_2)/2"
    )
    assert shown[2:4] == ["P1 = l1**2*m1 + 3*l1**2*m2 + l2**2*m2", "P2 = l1*l2*m2"]
    assert r"P_{2} &= l_{1} l_{2} m_{2}" in equations.latex()


def test_constants_do_not_take_the_users_names() -> None:
    renamed = gs.formulate(document_pendulum(l1="P1", m2="P3")).equations("regrouped")
    names = {str(symbol) for symbol in renamed.constants}
    assert names.isdisjoint({"P1", "P3"})
    assert len(names) == len(equations_of("document", "regrouped").constants)
    assert renamed.verify().error < 1e-12
    back = {sympy.Symbol("P1"): l1, sympy.Symbol("P3"): m2}
    found = renamed.mass_matrix.subs(renamed.constants).subs(back)
    assert all(zero(x) for x in found - equations_of("document").mass_matrix)


def test_constants_do_not_take_names_of_coordinates() -> None:
    model = gs.Model("p", gravity=(0, "-g", 0), parameters={"m": 1, "l": 1, "g": 9.81})
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    model.add(gs.Revolute("a1", "ground", "bar.top", symbol="P1"))
    equations = gs.formulate(model).equations("regrouped")
    assert sympy.Symbol("P1") in equations.forcing.free_symbols
    assert "P1" not in {str(symbol) for symbol in equations.constants}
    assert equations.verify().error < 1e-12


def test_absolute_rates_behind_a_slide() -> None:
    """A hinge, a telescope, a hinge about the same axis: the last body turns at the sum of the two rates."""
    shown = str(equations_of("sliding_boom"))
    assert "(phidot + thetadot)**2" in shown
    assert "(phidot + thetadot)**2" not in str(equations_of("sliding_boom", "expanded"))


def test_masses_stand_inside() -> None:
    assert mass_parameters(document_pendulum()) == {"m1", "m2"}
    assert mass_parameters(example("gyrostat_satellite")) == {"m", "A", "C"}


def test_other_expressions_of_a_regrouped_set_are_in_textbook_form() -> None:
    regrouped, textbook = equations_of("document", "regrouped"), equations_of("document")
    assert regrouped.kinetic_energy == textbook.kinetic_energy
    assert not regrouped.kinetic_energy.free_symbols & set(regrouped.constants)


def test_kinematics_of_euler_parameters() -> None:
    equations = equations_of("gyrostat_satellite")
    e = sympy.symbols("e_0 e_1 e_2 e_3")
    w = sympy.symbols("w1_orbit w2_orbit w3_orbit")
    rates = equations.kinematics[equations.coordinates.index(e[0]) :, 0]
    assert sympy.expand(rates[0] + (e[1] * w[0] + e[2] * w[1] + e[3] * w[2]) / 2) == 0
    assert sympy.expand(sum(x * rate for x, rate in zip(e, rates, strict=True))) == 0


def test_a_system_without_speeds() -> None:
    model = gs.Model("driven", parameters={"m": 1})
    model.add(gs.Body("b", mass="m", inertia=(1, 1, 1)))
    model.add(gs.Revolute("a", "ground", "b", driven="t"))
    for form in FORMS:
        equations = gs.formulate(model).equations(form)
        assert equations.mass_matrix.shape == (0, 0)
        assert str(equations) == ""
        assert equations.verify().error == 0.0
        assert equations.constraints.shape == (0, 1)
    assert gs.formulate(model).equations().position("b") == sympy.zeros(3, 1)


def test_coefficients_of_one_and_zero() -> None:
    model = gs.Model("unit", parameters={"k": 1})
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Prismatic("s", "ground", "b", axis="x", symbol="x"))
    model.add(gs.TorsionSpring("spring", "s", "k", 0))
    assert str(gs.formulate(model).equations()) == "xddot = -k*x"
    assert r"\ddot{x} &= - k x" in gs.formulate(model).equations().latex()


def test_symbols_of_a_set() -> None:
    equations = equations_of("spinning_top")
    assert [str(q) for q in equations.coordinates] == ["phi", "theta", "psi"]
    assert [str(u) for u in equations.speeds] == ["phidot", "thetadot", "psidot"]
    assert [str(a) for a in equations.accelerations] == ["phiddot", "thetaddot", "psiddot"]
    names = [acceleration_name(name) for name in equations.layout.speed_names]
    assert [equations.symbols.sympy[name] for name in names] == list(equations.accelerations)


# --- messages -----------------------------------------------------------------------------------------------------


def test_messages() -> None:
    equations = equations_of("document")
    with pytest.raises(gs.StateError, match=r"There is no body 'bar3'. Did you mean 'bar\d' or 'bar\d'\?"):
        equations.position("bar3")
    with pytest.raises(gs.StateError, match=r"Body 'bar1' has no point or frame 'tap'. Did you mean 't[oi]p' or"):
        equations.velocity("bar1.tap")
    with pytest.raises(gs.StateError, match=r"There is no body 'x'. Known: bar1, bar2, ground."):
        equations.angular_velocity("x")
    with pytest.raises(gs.StateError, match=r"There is no joint 'a3'. Known: a1, a2."):
        equations.reaction("a3")


def test_an_unknown_form() -> None:
    with pytest.raises(
        gs.StateError, match=r"no form 'short' of equations. Known: 'expanded', 'textbook', 'regrouped', 'recursive'."
    ):
        gs.formulate(document_pendulum()).equations("short")


def test_a_set_that_nobody_would_read() -> None:
    system = gs.formulate(arm("zyxzyxz"))
    with pytest.raises(gs.SizeError) as error:
        system.equations()
    message = str(error.value)
    assert "the equations of 'arm zyxzyxz' would have up to 78,125 products of sines and cosines" in message
    assert "Use the compact form, equations('recursive'), or size_limit=None." in message
    compact = system.equations("recursive")
    assert compact.mass_matrix.shape == (7, 7)
    assert str(compact) == str(system.recursive_equations())
    assert dict(compact.replacements) == compact.constants
    with pytest.raises(gs.StateError, match="up to 13 products"):
        gs.formulate(document_pendulum()).equations(size_limit=12)
    assert gs.formulate(document_pendulum()).equations(size_limit=13).form is Form.TEXTBOOK
    assert system.equations(size_limit=None).form is Form.TEXTBOOK


def test_an_expression_that_grows_without_end() -> None:
    system = gs.formulate(example("twist_beam_axle"))
    message = (
        r"'twist-beam axle', forcing: multiplied out, .* Euler parameters has [0-9,]+ terms, more than 5,000, too many "
        r"to read. Use the compact form, equations\('recursive'\), quantities in numbers, or size_limit=None."
    )
    with pytest.raises(gs.SizeError, match=message):
        system.equations().latex()
    assert len(str(system.equations("recursive"))) < 10_000
    spring = gs.formulate(example("spring_pendulum"))
    with pytest.raises(gs.SizeError, match=r"'spring pendulum', .* has [0-9]+ terms, more than 10,"):
        spring.equations(size_limit=60).latex()
    assert spring.equations(size_limit=None).latex() == spring.equations().latex()


def test_expanded_euler_parameters_are_refused() -> None:
    """A free joint written from the body to the ground has its modes turned, which behind it explodes."""
    model = gs.Model("backwards", gravity=(0, 0, "-g"), parameters={"g": 9.81, "m": 1, "J": 1, "l": 1})
    model.add(gs.Body("b1", mass="m", inertia=("J", "2*J", "2*J"), com=("l", 0, 0)))
    model.add(gs.Body("b2", mass="m", inertia=("J", "2*J", "2*J"), com=("l", 0, 0)))
    model.add(gs.Free("j1", "b1", "ground"))
    model.add(gs.Spherical("j2", "b1", "b2", angles="zxz"))
    with pytest.raises(gs.SizeError, match="up to 105,000 products of sines, cosines and Euler parameters, too many"):
        gs.formulate(model).equations()
    assert gs.formulate(model).equations("recursive").mass_matrix.shape == (9, 9)


@campaign(tuple(RANDOM), "name")
def test_small_trees_of_every_joint_are_not_refused(name: str) -> None:
    assert gs.formulate(model_of(name)).equations().form is Form.TEXTBOOK


# --- progress -----------------------------------------------------------------------------------------------------


def test_progress_of_a_small_set() -> None:
    seen: list[Any] = []
    equations = gs.formulate(document_pendulum()).equations(progress=seen.append)
    assert seen == []
    assert equations.mass_matrix.shape == (2, 2)
    stages = [progress.stage for progress in seen]
    assert list(dict.fromkeys(stages)) == ["mass matrix", "forcing", "writing"]
    assert [str(progress) for progress in seen if progress.stage == "writing"] == [
        f"writing: {i} of 5" for i in range(5)
    ]
    again = len(seen)
    assert equations.forcing.shape == (2, 1)
    assert len(seen) == again


@pytest.mark.parametrize("form", FORMS)
def test_progress_of_long_work_goes_on(form: str) -> None:
    seen: list[Any] = []
    equations = gs.formulate(arm("zyyzy")).equations(form, progress=seen.append)
    assert equations.mass_matrix.shape == equations_of_arm(form).mass_matrix.shape
    assert equations.forcing == equations_of_arm(form).forcing
    formed = [progress.done for progress in seen if progress.stage == "forcing"]
    assert len(formed) > 2
    assert formed == sorted(formed)
    assert str(seen[0]).startswith("mass matrix: ")
    assert str(seen[0]).endswith(" products of coefficients")


@cache
def equations_of_arm(form: str) -> Equations:
    return gs.formulate(arm("zyyzy")).equations(form)


def test_a_clash_of_symbols_names_both() -> None:
    model = document_pendulum(g="theta_1")
    with pytest.raises(gs.ModelError, match=r"symbol 'theta_1': it would denote 'theta_1' and for 'a1'"):
        str(gs.formulate(model).equations())
