"""The walk through the absolute coordinate method: an independent way to accelerations, in Euler parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from campaign import campaign
from closed_models import closed_system
from coordinate_models import slider_crank
from document_pendulum import document_pendulum
from random_trees import Draw, relative_error

import gyrostat as gs
from gyrostat.system.arguments import At


def check(system: gs.System, q: Any, u: Any) -> None:
    """Compare q̈ with the accelerations of the native program in absolute coordinates; check all identities."""
    walk = system.absolute_method(q, u)
    absolute = system._with_euler_parameters()
    at = system._mapped(At(q, u), absolute)
    udot = absolute.forward_dynamics(at.q, at.u)
    rates = absolute.coordinate_rates(at.q, at.u)
    found = []
    for i, name in enumerate(name[3:-1] for name in walk.names if name.startswith("q^(")):
        G, e = walk[f"G^({name})"], walk[f"q^({name})"][3:]
        np.testing.assert_allclose(G @ G.T, 4 * np.eye(3), atol=1e-12)
        np.testing.assert_allclose(G @ e, 0, atol=1e-12)
        np.testing.assert_allclose(G.T @ at.u[6 * i + 3 : 6 * i + 6] / 4, rates[7 * i + 3 : 7 * i + 7], atol=1e-12)
        moved = walk["q̈"][7 * i : 7 * i + 7]
        found += [*moved[:3], *(G @ moved[3:])]
    assert relative_error(np.array(found), udot) < 1e-7
    C_q = walk["C_q"]
    assert np.abs(C_q @ rates).max() < 1e-8 * (1 + np.abs(rates).max())
    reactions = system.reactions(q, u)
    determinate = np.linalg.matrix_rank(C_q, tol=1e-9) == len(C_q) and not system.model.forces
    for name, joint in system.topology.joints.items():
        if determinate and joint.child.body != "ground" and f"Λ^({name})" in walk.names:
            child = system.body_motion(q, u)[joint.child.body]
            at_joint = system.model.placement(joint.child, system.model.evaluator())
            assert at_joint is not None
            lever = child.rotation @ np.array(at_joint[1], dtype=float)
            force, moment = reactions[name].force, reactions[name].moment + np.cross(lever, reactions[name].force)
            size = 1e-6 * (1 + np.abs(walk["λ"]).max())
            np.testing.assert_allclose(walk[f"Λ^({name})"], [*force, *moment], atol=size)
    np.testing.assert_allclose(walk["[M C_qᵀ; C_q 0]"][: len(walk["M"]), len(walk["M"]) :], C_q.T)


@campaign(30, few=[9])
def test_accelerations_of_random_loops(seed: int) -> None:
    closed = closed_system(seed)
    if closed is not None:
        check(closed.system, closed.q, closed.u)


@campaign(30)
def test_accelerations_of_random_trees(seed: int) -> None:
    system = gs.formulate(Draw(seed).tree(2 + seed % 3).model())
    q, u = Draw(seed).state(system)
    if len(u):
        check(system, q, u)


def test_forces_and_rotors_with_given_spin() -> None:
    """A mass centre beside the frame's origin, a wheel that spins up, springs between points and in a joint."""
    wheel = gs.Rotor("wheel", axis=(1, 1, 0), inertia=0.05, spin="30 + 4*t")
    model = gs.Model("spatial pendulum", gravity=(0, 0, -9.81))
    model.add(gs.Body("arm", mass=2, inertia=(0.2, 0.3, 0.4), com=(0.1, 0.2, -0.3), rotors=[wheel]))
    model.add(gs.Body("bob", mass=1, inertia=(0.1, 0.1, 0.2), com=(0, 0, -0.5)))
    model.add(gs.Universal("cross", "ground", "arm"))
    model.add(gs.Revolute("knee", ("arm", (0, 0, -1)), "bob", axis="y"))
    model.add(gs.TorsionSpring("spring", "knee", stiffness=3, damping=0.2))
    model.add(gs.SpringDamper("rope", ("ground", (1, 1, 0)), ("bob", (0, 0.2, -1)), 40, damping=1, length=0.3))
    check(gs.formulate(model), np.array([0.4, 0.9, -0.5]), np.array([1.0, -2.0, 0.7]))


@pytest.mark.parametrize("make", [document_pendulum, slider_crank])
def test_symbols_agree_with_numbers(make: Any) -> None:
    """The same quantities from the exact engine, at the state of the numbers."""
    system = gs.formulate(make())
    rng = np.random.default_rng(3)
    q, u = rng.normal(size=system.coordinates.n_q), rng.normal(size=system.coordinates.n_u)
    exact, numbers = system.absolute_method(), system.absolute_method(q, u)
    absolute = system._with_euler_parameters()
    at = system._mapped(At(q, u), absolute)
    equations = absolute.equations()
    names = (*equations.coordinates, *equations.speeds)
    known = dict(zip(names, (*at.q, *at.u), strict=True))
    known |= {sympy.Symbol(name): value for name, value in absolute.model.values().items()}
    for name in exact.names:
        if isinstance(exact[name], str) or name.startswith("Λ"):
            continue
        found = np.array(sympy.lambdify(list(known), exact[name], "numpy")(*known.values()), dtype=float)
        np.testing.assert_allclose(found.reshape(numbers[name].shape), numbers[name], atol=1e-10, err_msg=name)
    assert set(numbers.names) - set(exact.names) == {"q̈", "λ", "independent", "dependent"}


def test_coordinates_are_partitioned() -> None:
    walk = gs.formulate(document_pendulum()).absolute_method({"a1": 0.3, "a2": 0.4})
    assert len(walk["independent"].split(", ")) == 2
    assert len(walk["dependent"].split(", ")) == 12
    assert walk["sparsity"].count("\n") == 26


def test_free_rotors_are_refused() -> None:
    model = gs.Model("gyrostat")
    model.add(gs.Body("box", mass=1, inertia=(1, 1, 1), rotors=[gs.Rotor("wheel", axis="x", inertia=0.1, free=True)]))
    model.add(gs.Free("f", "ground", "box"))
    with pytest.raises(
        gs.TopologyError, match=r"Rotor 'box\.wheel' turns freely; .* Use system\.roberson_schwertassek"
    ):
        gs.formulate(model).absolute_method()
