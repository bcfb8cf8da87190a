"""Momenta as expressions: derivatives of the kinetic energy, the traced engine, laws of motion, results by hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy
from campaign import chosen, marked
from document_pendulum import document_pendulum
from exact_models import TREES, crane, example, sliding_boom, small_tree, small_trees

import gyrostat as gs
from gyrostat.written.certificate import _on_sphere
from gyrostat.written.equation_set import Equations

m1, m2, l1, l2, g = sympy.symbols("m1 m2 l1 l2 g")
th1, th2, w1, w2 = sympy.symbols("theta_1 theta_2 thetadot_1 thetadot_2")
RANDOM = small_trees(range(14, 34))
MODELS = (*TREES, "crane", "sliding_boom", "document", *chosen(tuple(RANDOM)))


@cache
def system_of(name: str) -> gs.System:
    made = {"crane": crane, "sliding_boom": sliding_boom, "document": document_pendulum}
    if name in RANDOM:
        return gs.formulate(small_tree(*RANDOM[name]))
    return gs.formulate(made[name]() if name in made else example(name))


@cache
def equations_of(name: str) -> Equations:
    return system_of(name).equations(size_limit=None)


def zero(expression: Any) -> bool:
    return bool(gs.trig_normal_form(expression) == 0)


def rate(equations: Equations, expression: Any) -> Any:
    """Return the derivative in time."""
    total = sympy.diff(expression, sympy.Symbol("t"))
    for q, qdot in zip(equations.coordinates, equations.kinematics, strict=True):
        total += sympy.diff(expression, q) * qdot
    for u, udot in zip(equations.speeds, equations.accelerations, strict=True):
        total += sympy.diff(expression, u) * udot
    return total


@pytest.mark.parametrize("name", marked(MODELS, RANDOM))
def test_generalized_momenta_are_derivatives_of_the_kinetic_energy(name: str) -> None:
    equations = equations_of(name)
    momenta = equations.generalized_momenta
    assert momenta.shape == (len(equations.speeds), 1)
    for u, momentum in zip(equations.speeds, momenta, strict=True):
        assert zero(momentum - sympy.diff(equations.kinetic_energy, u))


def test_generalized_momenta_are_M_u_where_nothing_is_driven() -> None:
    equations = equations_of("document")
    product = equations.mass_matrix * sympy.Matrix(equations.speeds)
    assert all(zero(entry) for entry in equations.generalized_momenta - product)
    assert str(equations.generalized_momenta[1]) == (
        "l1*l2*m2*thetadot_1*cos(theta_2)/2 + l2**2*m2*(thetadot_1 + thetadot_2)/3"
    )


@pytest.mark.parametrize("name", marked(MODELS, RANDOM))
def test_momenta_of_the_whole_are_those_of_the_traced_engine(name: str) -> None:
    system, equations = system_of(name), equations_of(name)
    draw = np.random.default_rng(4)
    layout, parameters = system.coordinates, tuple(system.model.parameters)
    q, u = _on_sphere(layout, draw.uniform(-1, 1, layout.n_q)), draw.uniform(-1, 1, layout.n_u)
    values = draw.uniform(0.5, 2, len(parameters))
    names = (*layout.coordinate_names, *layout.speed_names, "t", *parameters)
    symbols = [equations.symbols.sympy[each] for each in names]
    written = (equations.linear_momentum(), equations.angular_momentum())
    linear, angular = sympy.lambdify(symbols, written, "numpy")(*q, *u, 0.3, *values)
    expected = system.momentum(q, u, t=0.3, parameters=dict(zip(parameters, values, strict=True)))
    assert np.ravel(linear) == pytest.approx(expected.linear, rel=1e-11, abs=1e-11)
    assert np.ravel(angular) == pytest.approx(expected.angular, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("name", ["document", "crane", "sliding_boom", "gyrostat_satellite"])
def test_bodies_add_up_to_the_whole(name: str) -> None:
    equations = equations_of(name)
    bodies = system_of(name).bodies
    linear, angular = sympy.zeros(3, 1), sympy.zeros(3, 1)
    for body in bodies:
        linear += equations.linear_momentum(body)
        angular += equations.angular_momentum(body, about=bodies[0])
    assert all(zero(entry) for entry in linear - equations.linear_momentum())
    assert all(zero(entry) for entry in angular - equations.angular_momentum(about=bodies[0]))


def test_momenta_by_hand() -> None:
    """The bars' frames stand at their mass centres."""
    equations = equations_of("document")
    for body, mass in (("bar1", m1), ("bar2", m2)):
        assert all(zero(e) for e in equations.linear_momentum(body) - mass * equations.velocity(body))
    own = equations.angular_momentum("bar2", about="bar2")
    assert own == sympy.Matrix([0, 0, m2 * l2**2 / 12 * (w1 + w2)])
    r, p = equations.position("bar2"), m2 * equations.velocity("bar2")
    assert all(zero(e) for e in equations.angular_momentum("bar2") - own - r.cross(p))
    to_tip = r - equations.position("bar1.tip")
    about_tip = equations.angular_momentum("bar2", about="bar1.tip")
    assert all(zero(e) for e in about_tip - own - to_tip.cross(p))


def test_a_rotor_counts() -> None:
    model = gs.Model("wheel", parameters={"J": 2, "s": 3})
    rotor = gs.Rotor("w", "z", 1, spin="s")
    model.add(gs.Body("box", mass=1, inertia=("J", "J", "J"), rotors=[rotor]))
    model.add(gs.Revolute("a", "ground", "box", axis="z", symbol="phi"))
    equations = gs.formulate(model).equations()
    assert str(equations.angular_momentum("box")[2]) == "J*phidot + s"
    assert str(equations.generalized_momenta[0]) == "J*phidot + s"


def test_rates_of_momentum_are_the_loads_from_outside() -> None:
    """About the fixed hinge: the joint's force and the weights change p, and only the weights turn the whole."""
    equations = equations_of("document")
    force, _ = equations.reaction("a1")
    outside = force + sympy.Matrix([0, -(m1 + m2) * g, 0])
    assert all(zero(e) for e in rate(equations, equations.linear_momentum()) - outside)
    turning = -m1 * g * equations.position("bar1")[0] - m2 * g * equations.position("bar2")[0]
    residual = equations.mass_matrix * sympy.Matrix(equations.accelerations) - equations.forcing
    assert zero(rate(equations, equations.angular_momentum()[2]) - turning - residual[0])


def test_messages() -> None:
    equations = equations_of("document")
    with pytest.raises(gs.StateError, match=r"There is no moving body 'bar3'. Did you mean 'bar\d' or 'bar\d'\?"):
        equations.linear_momentum("bar3")
    with pytest.raises(gs.StateError, match=r"There is no moving body 'ground'. Known: bar1, bar2."):
        equations.angular_momentum("ground")
    with pytest.raises(gs.StateError, match=r"Body 'ground' has no point or frame 'tip'. There are none."):
        equations.angular_momentum(about="ground.tip")
