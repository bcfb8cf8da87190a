"""Co-moving axes: axes in which the variations of a relative equilibrium have constant coefficients.

Joints with Euler parameters are varied in the axes of the child, positions x, y (and z) in the axes of the parent or
the world. Relative to the child's axes, a vehicle in a steady turn is always the same; but relative to a wheel or top
that spins, gravity and contact rotate, and relative to axes of the world, a turning mechanism rotates as a whole. Such
a motion is a relative equilibrium: a rotation of the whole system, or of its bodies of revolution, continues it.

The axes of each joint or body may be chosen to rotate with a constant angular velocity η relative to those of its
speeds: Γ = −η× on all vectors of the joint. With ẋ = F x for x = (δθ, δu, δz), the coefficients are constant in such
axes if dF/dt = F Γ − Γ F, and the speeds are if du/dt = −Γ u; these equations determine η.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gyrostat.analysis.variations.dynamics import Dynamics, continued_point
from gyrostat.analysis.variations.flow import Flow, flow_at
from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats
from gyrostat.system import System

_ANGLE = 0.02
"""The motion between the instants from which rates of coefficients are computed (rad)."""
_WEIGHTS = {1: 45 / 60, 2: -9 / 60, 3: 1 / 60}
"""Central differences of order six."""
_SPEED_WEIGHT = 1e3
"""Weight of the equations of speeds, which are exact, relative to those of coefficients, which are by differences."""
_ANGULAR_VELOCITY_TOLERANCE = 1e-8
"""Angular velocities that differ by less than this, relative to the motion, are the same."""


# --- generators -----------------------------------------------------------------------------------------------------


def rotation_generators(system: System) -> tuple[Floats, ...]:
    """Return Γ (n_u, n_u) for a unit angular velocity of the axes of each joint or body, about each of its axes.

    First come the axes of children with Euler parameters, then those of positions by x, y (and z).
    """
    return (*_of_children(system), *_of_positions(system))


def _child_vectors(system: System) -> list[tuple[tuple[int, int, int], ...]]:
    """Return for each joint with Euler parameters the places of the speeds that are vectors in the child's axes."""
    places = {name: i for i, name in enumerate(system.speed_names)}
    found = []
    for joint in system.coordinates.euler_parameters:
        vectors = [tuple(places.get(f"{joint}.{kind}{k}", -1) for k in (1, 2, 3)) for kind in ("w", "v")]
        kept = tuple((x, y, z) for x, y, z in vectors if min(x, y, z) >= 0)
        if kept:
            found.append(kept)
    return found


def _of_children(system: System) -> list[Floats]:
    n = system.coordinates.n_u
    found = []
    for vectors in _child_vectors(system):
        for axis in range(3):
            eta = np.eye(3)[axis]
            block = -np.array([[0, -eta[2], eta[1]], [eta[2], 0, -eta[0]], [-eta[1], eta[0], 0]])
            whole = np.zeros((n, n))
            for places in vectors:
                whole[np.ix_(places, places)] = block
            found.append(whole)
    return found


def _of_positions(system: System) -> list[Floats]:
    places = {name: i for i, name in enumerate(system.speed_names)}
    found = []
    for name in places:
        owner, _, last = name.removesuffix(".rate").rpartition(".")
        if last != "x" or not name.endswith(".rate"):
            continue
        vector = [places.get(f"{owner}.{axis}.rate") for axis in "xyz"]
        for first, second in ((0, 1), (1, 2), (2, 0)):
            i, j = vector[first], vector[second]
            if i is not None and j is not None:
                whole = np.zeros((len(places), len(places)))
                whole[i, j], whole[j, i] = 1.0, -1.0
                found.append(whole)
    return found


def _without_spin(system: System, u: Floats) -> Floats:
    """Return the rates of all generators for axes that do not rotate relative to the parents."""
    children = [u[list(vectors[0])] for vectors in _child_vectors(system)]
    return -np.concatenate([*children, np.zeros(len(_of_positions(system)))])


def combined(system: System, rates: Floats) -> Floats:
    """Return Γ, the sum of the generators with their rates."""
    n = system.coordinates.n_u
    pairs = zip(rates, rotation_generators(system), strict=True)
    return np.asarray(sum((rate * one for rate, one in pairs), np.zeros((n, n))))


# --- rotation of speeds ---------------------------------------------------------------------------------------------


def speed_rotation_rates(system: System, u: Floats, udot: Floats) -> Floats:
    """Return rates of all generators by which u̇ = −Γ u in the least squares, nearest to those of axes without spin."""
    columns = np.stack([-option @ u for option in rotation_generators(system)], axis=1)
    still = _without_spin(system, u)
    return np.asarray(still + np.linalg.lstsq(columns, udot - columns @ still, rcond=1e-9)[0])


def speed_rotation(system: System, u: Floats, udot: Floats) -> Floats | None:
    """Return Γ with u̇ = −Γ u in the least squares; None where speeds are constant."""
    if not udot.any() or not u.any() or not rotation_generators(system):
        return None
    return combined(system, speed_rotation_rates(system, u, udot))


# --- rotation of coefficients ---------------------------------------------------------------------------------------


def co_moving_rotation(flow: Flow) -> Floats | None:
    """Return Γ of axes in which neither coefficients nor speeds change, or None where those of the speeds do.

    Where they are not unique, as for a sleeping top, those that rotate least relative to the parents are taken.
    """
    point, udot = flow.variations.point, flow.variations.udot
    system, u = point.system, point.u
    options = rotation_generators(system)
    pace = Dynamics.at(point).pace(point.q, u)
    if not options or not u.any():
        return None
    now, rate = tangent_operator(flow), _operator_rate(flow, _ANGLE / pace)
    size = max(float(np.abs(now).max()), 1e-300) * pace
    doubled = [on_variations(flow, option) for option in options]
    effects = np.stack([(now @ option - option @ now).ravel() / size for option in doubled], axis=1)
    turning = np.stack([-option @ u for option in options], axis=1) * (_SPEED_WEIGHT / pace**2)
    equations = np.vstack((effects, turning))
    right = np.concatenate((rate.ravel() / size, udot * (_SPEED_WEIGHT / pace**2)))
    still = _without_spin(system, u)
    weights = still + np.linalg.lstsq(equations, right - equations @ still, rcond=1e-9 / _SPEED_WEIGHT)[0]
    for exact in (still, np.zeros_like(still)):  # differences have errors; these two values are not theirs
        weights = np.where(np.abs(weights - exact) <= _ANGULAR_VELOCITY_TOLERANCE * pace, exact, weights)
    return combined(system, weights) if weights.any() else None


def _operator_rate(flow: Flow, step: float) -> Floats:
    """Return the rate of the tangent operator along the motion.

    By differences: the exact rate needs second derivatives of the equations of motion, which no program has.
    """
    point = flow.variations.point
    rotation = speed_rotation(point.system, point.u, flow.variations.udot)
    size = len(variation_scales(flow))
    found = np.zeros((size, size))
    for k, weight in _WEIGHTS.items():
        for sign in (1, -1):
            there = continued_point(point, sign * k * step, rotation)
            found += sign * weight / step * tangent_operator(flow_at(there))
    return found


def in_axes(flow: Flow, rotation: Floats) -> Flow:
    """Return the varied motion in axes that rotate with Γ; at the instant they coincide with those of the speeds."""
    udot = flow.udot + rotation @ flow.u
    needs = flow.needs - flow.mass @ (flow.reduction.speed_pick @ rotation @ flow.u)
    return replace(flow, theta_rate=flow.theta_rate + rotation @ flow.theta, udot=udot, needs=needs, rotation=rotation)


def tangent_operator(flow: Flow) -> Floats:
    """Return F of ẋ = F x for x = (δθ, δu, δz), scaled, zero at right angles to allowed variations.

    It depends on the motion alone, not on the choice of a basis. Lengths are in sizes of the mechanism.
    """
    return np.asarray(flow.varied_rates / variation_scales(flow)[:, None] @ state_coefficients(flow))


def state_coefficients(flow: Flow) -> Floats:
    """Return the states as they follow from scaled (δθ, δu, δz): a row each, zero at right angles to the basis."""
    scales = variation_scales(flow)
    if not flow.variations.system.constrained:
        return flow.varied_states.T * scales
    basis = flow.varied_states / scales[:, None]
    return np.asarray(np.linalg.solve(basis.T @ basis, basis.T), dtype=float)


def on_variations(flow: Flow, rotation: Floats) -> Floats:
    """Return the rotation of axes as a matrix on (δθ, δu, δz); state variables are numbers, which no axes concern."""
    n = len(rotation)
    whole = np.zeros((len(variation_scales(flow)),) * 2)
    whole[:n, :n] = whole[n : 2 * n, n : 2 * n] = rotation
    return whole


def variation_scales(flow: Flow) -> Floats:
    """Return the sizes of changes of (δθ, δu, δz): the mechanism's size for lengths, 1 for all others."""
    return np.append(np.tile(Closer(flow.variations.system).scales, 2), np.ones(len(flow.variations.states.free)))
