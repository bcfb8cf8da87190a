"""Agreement with sympy.physics.mechanics, whose Kane and Lagrange methods share nothing with recursions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy
from float_system import float_system
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Lagrangian,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)

import gyrostat as gs

G = 9.81
Derived = Callable[[Any, Any], Any]
"""Mass matrix and forcing at (q, u), as one array of n × (n + 1)."""


def _numeric(method: Any, q: list[Any], rates: list[Any]) -> Derived:
    plain = sympy.symbols(f"q:{len(q)} u:{len(q)}")
    known = dict(zip([*rates, *q], [*plain[len(q) :], *plain[: len(q)]], strict=True))
    left = method.mass_matrix.subs(known)
    right = method.forcing.subs(known)
    function = sympy.lambdify([plain], left.row_join(right), cse=True)
    return lambda q, u: np.array(function([*q, *u]), dtype=float)


@cache
def _cart() -> tuple[Derived, gs.Model]:
    """A pendulum on a cart, by Lagrange."""
    x, theta = dynamicsymbols("x theta")
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    cart = origin.locatenew("cart", x * N.x)
    bob = cart.locatenew("bob", 0.8 * (sympy.sin(theta) * N.x - sympy.cos(theta) * N.y))
    for point in (cart, bob):
        point.set_vel(N, point.pos_from(origin).dt(N))
    parts = [Particle("cart", cart, 3.0), Particle("bob", bob, 1.2)]
    parts[1].potential_energy = 1.2 * G * bob.pos_from(origin).dot(N.y)
    method = LagrangesMethod(Lagrangian(N, *parts), [x, theta])
    method.form_lagranges_equations()
    model = gs.Model("cart", gravity=(0, -G, 0))
    model.add(gs.Body("cart", mass=3.0))
    model.add(gs.Body("bob", gs.point_mass(1.2), points={"hook": (0, 0.8, 0)}))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.Revolute("theta", "cart", "bob.hook"))
    return _numeric(method, [x, theta], [x.diff(), theta.diff()]), model


@cache
def _spherical_pendulum() -> tuple[Derived, gs.Model]:
    """A point mass on a rod that turns about x, then about y (a universal joint), by Lagrange."""
    a, b = dynamicsymbols("a b")
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    B = ReferenceFrame("B")
    B.orient(N, "Body", (a, b, 0), "XYZ")
    bob = origin.locatenew("bob", -0.9 * B.z)
    bob.set_vel(N, bob.pos_from(origin).dt(N))
    part = Particle("bob", bob, 1.3)
    part.potential_energy = 1.3 * G * bob.pos_from(origin).dot(N.z)
    method = LagrangesMethod(Lagrangian(N, part), [a, b])
    method.form_lagranges_equations()
    model = gs.Model("pendulum", gravity=(0, 0, -G))
    model.add(gs.Body("bob", gs.point_mass(1.3), points={"hook": (0, 0, 0.9)}))
    model.add(gs.Universal("hook", "ground", "bob.hook"))
    return _numeric(method, [a, b], [a.diff(), b.diff()]), model


def _bodies(
    axes: list[str], lengths: list[float], masses: list[float], moments: list[tuple[float, float, float]]
) -> tuple[Any, list[Any], list[Any], gs.Model]:
    """Return bodies in a row on hinges, each along x of its own frame, in both packages."""
    n = len(axes)
    q, u = dynamicsymbols(f"q:{n}"), dynamicsymbols(f"u:{n}")
    N, joint = ReferenceFrame("N"), Point("O")
    joint.set_vel(N, 0)
    frame, bodies, loads = N, [], []
    model = gs.Model("arm", gravity=(0, -G, 0))
    for i, (axis, length, mass, moment) in enumerate(zip(axes, lengths, masses, moments, strict=True)):
        outer = ReferenceFrame(f"B{i}")
        outer.orient(frame, "Axis", (q[i], getattr(frame, axis)))
        outer.set_ang_vel(frame, u[i] * getattr(frame, axis))
        centre = joint.locatenew(f"C{i}", 0.4 * length * outer.x + 0.1 * outer.y)
        tip = joint.locatenew(f"T{i}", length * outer.x)
        centre.v2pt_theory(joint, N, outer)
        tip.v2pt_theory(joint, N, outer)
        bodies.append(RigidBody(f"b{i}", centre, outer, mass, (inertia(outer, *moment), centre)))
        loads.append((centre, -mass * G * N.y))
        com, points = (0.4 * length, 0.1, 0), {"tip": (length, 0, 0)}
        model.add(gs.Body(f"b{i}", mass=mass, com=com, inertia=moment, points=points))
        model.add(gs.Revolute(f"j{i}", f"b{i - 1}.tip" if i else "ground", f"b{i}", axis=axis))
        frame, joint = outer, tip
    method = KanesMethod(N, q, u, kd_eqs=[a.diff() - b for a, b in zip(q, u, strict=True)])
    method.kanes_equations(bodies, loads)
    return method, list(q), list(u), model


@cache
def _planar_arm() -> tuple[Derived, gs.Model]:
    """Three links in a plane, by Kane."""
    moments = [(0.1, 0.2, 0.25), (0.1, 0.15, 0.2), (0.05, 0.07, 0.1)]
    method, q, u, model = _bodies(["z"] * 3, [0.7, 0.6, 0.4], [2.0, 1.5, 0.8], moments)
    return _numeric(method, q, u), model


@cache
def _spatial_arm() -> tuple[Derived, gs.Model]:
    """Two links about crossed axes, by Kane."""
    moments = [(0.1, 0.2, 0.25), (0.05, 0.15, 0.12)]
    method, q, u, model = _bodies(["z", "y"], [0.7, 0.6], [2.0, 1.5], moments)
    return _numeric(method, q, u), model


@pytest.mark.parametrize("build", [_cart, _spherical_pendulum, _planar_arm, _spatial_arm])
def test_equations_agree_with_sympy(build: Callable[[], tuple[Derived, gs.Model]]) -> None:
    derived, model = build()
    system = float_system(model)
    random = np.random.default_rng(5)
    for _ in range(10):
        q, u = random.uniform(-1.4, 1.4, system.n_u), random.uniform(-2, 2, system.n_u)
        both = derived(q, u)
        M, forcing = both[:, :-1], both[:, -1]
        np.testing.assert_allclose(system.mass_matrix(q), M, rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(system.forward_dynamics(q, u), np.linalg.solve(M, forcing), rtol=1e-10, atol=1e-11)
