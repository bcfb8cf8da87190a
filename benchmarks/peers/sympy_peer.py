"""The systems of `equation_models` by Kane's method in sympy.physics.mechanics, as its documentation derives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from equation_models import ARM_AXES
from sympy.physics import mechanics


@dataclass(frozen=True)
class KaneEquations:
    """M u̇ = forcing as `KanesMethod` gives them, with the dynamic symbols q and u."""

    mass_matrix: Any
    forcing: Any
    q: tuple[Any, ...]
    u: tuple[Any, ...]
    method: Any = None
    """The `KanesMethod` itself."""


def pendulum(links: int) -> KaneEquations:
    """Return the equations of the plane pendulum of uniform rods; each angle is counted from the link before."""
    q, u = _dynamic_symbols(links)
    g, m, length = sympy.Symbol("g"), _symbols("m", links), _symbols("l", links)
    N = mechanics.ReferenceFrame("N")
    inboard, hinge = N, mechanics.Point("O")
    hinge.set_vel(N, 0)
    bodies, loads = [], []
    for i in range(links):
        frame = inboard.orientnew(f"A{i + 1}", "Axis", [q[i], N.z])
        frame.set_ang_vel(inboard, u[i] * N.z)
        centre = hinge.locatenew(f"C{i + 1}", -length[i] / 2 * frame.y)
        centre.v2pt_theory(hinge, N, frame)
        across = m[i] * length[i] ** 2 / 12
        inertia = mechanics.inertia(frame, across, 0, across)
        bodies.append(mechanics.RigidBody(f"body{i + 1}", centre, frame, m[i], (inertia, centre)))
        loads.append((centre, -m[i] * g * N.y))
        outboard = hinge.locatenew(f"H{i + 1}", -length[i] * frame.y)
        outboard.v2pt_theory(hinge, N, frame)
        inboard, hinge = frame, outboard
    return _kane(N, q, u, bodies, loads)


def point_pendulum(links: int) -> KaneEquations:
    """Return the equations of the plane pendulum of point masses."""
    q, u = _dynamic_symbols(links)
    g, m, length = sympy.Symbol("g"), _symbols("m", links), _symbols("l", links)
    N = mechanics.ReferenceFrame("N")
    inboard, hinge = N, mechanics.Point("O")
    hinge.set_vel(N, 0)
    particles, loads = [], []
    for i in range(links):
        frame = inboard.orientnew(f"A{i + 1}", "Axis", [q[i], N.z])
        frame.set_ang_vel(inboard, u[i] * N.z)
        point = hinge.locatenew(f"P{i + 1}", -length[i] * frame.y)
        point.v2pt_theory(hinge, N, frame)
        particles.append(mechanics.Particle(f"particle{i + 1}", point, m[i]))
        loads.append((point, -m[i] * g * N.y))
        inboard, hinge = frame, point
    return _kane(N, q, u, particles, loads)


def arm() -> KaneEquations:
    """Return the equations of the six-joint arm."""
    links = len(ARM_AXES)
    q, u = _dynamic_symbols(links)
    g, m, c, length = sympy.Symbol("g"), _symbols("m", links), _symbols("c", links), _symbols("l", links)
    inertias = [_symbols(name, links) for name in ("Ix", "Iy", "Iz")]
    N = mechanics.ReferenceFrame("N")
    inboard, hinge = N, mechanics.Point("O")
    hinge.set_vel(N, 0)
    bodies, loads = [], []
    for i, letter in enumerate(ARM_AXES):
        axis = getattr(inboard, letter)
        frame = inboard.orientnew(f"A{i + 1}", "Axis", [q[i], axis])
        frame.set_ang_vel(inboard, u[i] * axis)
        centre = hinge.locatenew(f"C{i + 1}", c[i] * frame.z)
        centre.v2pt_theory(hinge, N, frame)
        inertia = mechanics.inertia(frame, *(values[i] for values in inertias))
        bodies.append(mechanics.RigidBody(f"body{i + 1}", centre, frame, m[i], (inertia, centre)))
        loads.append((centre, -m[i] * g * N.z))
        outboard = hinge.locatenew(f"H{i + 1}", length[i] * frame.z)
        outboard.v2pt_theory(hinge, N, frame)
        inboard, hinge = frame, outboard
    return _kane(N, q, u, bodies, loads)


def _kane(N: Any, q: list[Any], u: list[Any], bodies: list[Any], loads: list[Any]) -> KaneEquations:
    rates = [speed - coordinate.diff(mechanics.dynamicsymbols._t) for coordinate, speed in zip(q, u, strict=True)]
    kane = mechanics.KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=rates)
    kane.kanes_equations(bodies, loads)
    return KaneEquations(kane.mass_matrix, kane.forcing, tuple(q), tuple(u), kane)


def _dynamic_symbols(count: int) -> tuple[list[Any], list[Any]]:
    numbers = range(1, count + 1)
    return [mechanics.dynamicsymbols(f"q{i}") for i in numbers], [mechanics.dynamicsymbols(f"u{i}") for i in numbers]


def _symbols(letter: str, count: int) -> list[Any]:
    return [sympy.Symbol(f"{letter}{i}") for i in range(1, count + 1)]


def linearized_point_pendulum(links: int) -> Any:
    """Return a function that linearizes the pendulum of point masses about rest; its equations are formed already.

    It gives M and A of M ẋ = A x, without solving for ẋ, which would take much longer.
    """
    found = point_pendulum(links)
    rest = dict.fromkeys((*found.q, *found.u), 0)
    return lambda: found.method.linearize(op_point=rest, A_and_B=False)[:2]
