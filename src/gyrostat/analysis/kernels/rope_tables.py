"""Tables of ropes of nodes, whose stages in implicit methods are solved by a banded factor of their own.

Nodes of all ropes stand one behind the other. A node that nothing but its rope touches is free: it has its three
coordinates and speeds in the state. The other nodes are ports: they, and the frames of pulleys, belong to bodies of the
rest of the system, which is a system of its own whose inputs are the loads of ropes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from gyrostat.analysis.kernels.methods import Jacobian
from gyrostat.analysis.kernels.packing import KernelName, constant
from gyrostat.analysis.kernels.problem import Floats, Places, Rotations

Width: TypeAlias = Callable[[], int]
"""A kernel that returns the number of entries on each side of the diagonal: loops are unrolled for it."""
FRAME = 12
"""Numbers of a pulley's motion in world axes: centre, axis, velocity of the centre, angular velocity."""
PORT = 6
"""Numbers of a port node's motion: position and velocity."""
ARGUMENTS = 13
"""Variables of the function of a contact: arm, its rate, axis, angular velocity of the pulley, bristle."""
RESULTS = 7
"""Results of the function of a contact: force on the node, moment on the pulley, rate of the bristle."""
STRAIGHTENING = 100.0
"""The rate at which bristles straighten off the pulley (1/s)."""
MOTION = 18
"""Numbers of a body's motion: position, rotation row by row, velocity, angular velocity."""
LANES = 4
"""Columns of a border are solved so many at a time."""


class RopeKernels(NamedTuple):
    """The kernels of ropes, which loops take as arguments."""

    present: Any
    """present(): whether there are ropes."""
    rates: Any
    """rates(function, tables, x, state, found): write ẏ at a row x with its state, which is the same memory or not."""
    power: Any
    """power(function, tables, x, state, room, found): write the power of all loads; `room` is that of rates."""
    differentiate: Any
    """differentiate(equations, h, by_time): store the derivatives of ẏ at the start of a step of length h, and write
    ∂ẏ/∂t; return whether all are finite."""
    factorise: Any
    """factorise(equations, step): store the factors of m/step − J; return whether it is regular."""
    solve: Any
    """solve(equations, right): replace a right side by the solution of the stage."""
    error: Any
    """error(equations, scaled): return the square of the norm of errors, given in units of the tolerance."""
    width: Any
    """width(): the number of entries on each side of the diagonal of the banded factor."""

    @staticmethod
    def of(file: str, width: str) -> RopeKernels:
        """Return the kernels of a file in this folder, with those of a width."""
        names = [KernelName(file, name) for name in RopeKernels._fields[:-1]]
        return constant(RopeKernels(*[*names, KernelName("rope_width", width)]))


class Ropes(NamedTuple):
    """Ropes of nodes: kernels and what they take."""

    kernels: Any
    tables: Any


class NodeTables(NamedTuple):
    """The nodes of all ropes, with the springs to the next ones; n is their number."""

    positions: Places
    """Where in the state the coordinates of free nodes are, −1 for ports."""
    speeds: Places
    """Where in the state their speeds are, −1 for ports."""
    ports: Places
    """The number of the port, −1 for free nodes."""
    masses: Floats
    """Of free nodes; 0 for ports, whose mass the rest of the system has."""
    linked: Places
    """1 where a spring leads to the next node, 0 at the end of a rope."""
    lengths: Floats
    stiffness: Floats
    damping: Floats
    bending: Floats
    """Stiffness of the bend at each node, 0 where there is none."""
    bending_damping: Floats
    gravity: Floats


class SheavePoints(NamedTuple):
    """Points that may touch pulleys."""

    nodes: Places
    pulleys: Places
    bristles: Places
    """Where in the state the bristle of the point is, −1 where the law has none."""
    laws: Places
    """The law of the point."""
    functions: Places
    """Shape (laws, 2): addresses of functions of values, and of values and derivatives."""
    coefficients: Floats
    """Shape (laws, c): numbers that the functions take behind the variables."""
    radii: Floats
    """Of each law: the radius beyond which nothing touches."""


class Carriers(NamedTuple):
    """Pulleys and port nodes on bodies of the rest of the system."""

    pulley_bodies: Places
    """Number of the body among those that carry, −1 for the ground."""
    pulley_places: Floats
    """Shape (pulleys, 6): centre and axis in the body."""
    pulley_loads: Places
    """Which load is the first of each pulley: three forces and three moments; −1 on the ground."""
    node_bodies: Places
    node_places: Floats
    """Shape (ports, 3): positions on the ground; bodies that are nodes have them at their origin."""
    node_loads: Places
    """Which load is the first of each port node: three forces; −1 on the ground."""


class Rest(NamedTuple):
    """The system without free nodes; without bodies its functions are 0."""

    rates: int
    power: int
    """Address of the program of the power of all loads."""
    motion: int
    """Address of the program of positions, rotations, velocities and angular velocities of the bodies that carry."""
    moving: Jacobian
    """Its derivatives by time and state, shape (1 + states, 18 bodies)."""
    by_loads: Jacobian
    """The derivatives of the rates by loads, shape (loads, states)."""
    x: Floats
    sources: Places
    """Where in the row of the whole system each entry of x is, −1 for loads."""
    states: Places
    """Where in the state of the whole system each state is."""
    first_load: int
    """Where in x the loads begin, the last inputs; modes of conditions may follow."""
    coordinates: int
    """The number of its coordinates."""
    masses: Floats
    """1 for states with a rate, 0 for algebraic ones."""
    rotations: Rotations
    jacobian: Jacobian
    bodies: int
    """The number of the bodies that carry ropes."""
    found: Floats
    """Room for rates."""
    moved: Floats
    """Room for the motion of bodies."""


class HeldFunctions(NamedTuple):
    """Sliding functions, which loads on the rest of the system hold at zero: n at most, s states of the rest."""

    counts: Places
    """One number: how many there are."""
    by_modes: Floats
    """Shape (n, s): D, derivatives of the rest's rates by modes."""
    normals: Floats
    """Shape (n, s + 1): derivatives of the functions by states, and by time."""
    turning: Floats
    """Shape (n, s + 1): their rates along the motion."""
    rows: Floats
    """Shape (n, s): the rows of a stage in the solution of the rest."""
    responses: Floats
    """Shape (n, s): solutions of the rest's stage for the loads of modes."""
    matrix: Floats
    """Shape (n, n), by columns: rows by responses."""
    left: Floats
    """Room of the same shape, for solving."""
    right: Floats

    @staticmethod
    def of(count: int, states: int) -> HeldFunctions:
        """Return room for so many functions and states."""
        by_state, square = (count, states), (count, count)
        return HeldFunctions(
            np.zeros(1, np.int64), np.zeros(by_state), np.zeros((count, states + 1)), np.zeros((count, states + 1)),
            np.zeros(by_state), np.zeros(by_state), np.zeros(square), np.zeros(square), np.zeros(count),
        )  # fmt: skip


class RopeMemory(NamedTuple):
    """Room for ropes: n nodes, p points, m loads, s states of the rest, s' = s rounded up to whole lanes."""

    places: Floats
    """Shape (n, 3)."""
    velocities: Floats
    forces: Floats
    frames: Floats
    """Shape (pulleys, FRAME)."""
    loads: Floats
    arguments: Floats
    results: Floats
    slopes: Floats
    """Shape (p, RESULTS · ARGUMENTS): derivatives at points that touch, by columns."""
    touching: Places
    """Points that touch, in order."""
    counts: Places
    """One number: how many points touch."""
    by_place: Floats
    """Shape (n, 5, 9): derivatives of the force on a node by places of the nodes about it."""
    by_velocity: Floats
    frames_by: Floats
    """Shape (pulleys, 1 + s, FRAME): derivatives of pulleys' motion, time first."""
    ports_by: Floats
    """Shape (ports, 1 + s, PORT)."""
    band: Floats
    """Shape (3 n + room, 2 w + 1)."""
    border: Floats
    """Shape (3 n + room, s')."""
    transfer: Floats
    """Shape (p, 18): loads on a pulley by the speeds of a node."""
    softness: Floats
    """Of all points: 1/(1/hγ − ∂ṡ/∂s)."""
    coupling: Floats
    """Shape (m, s)."""
    matrix: Floats
    """Shape (s, s), by columns."""
    pivots: Places
    speeds: Floats
    """Shape (3 n + room)."""
    motion: Floats
    """Shape (pulleys, FRAME): changes in a stage."""
    right: Floats
    step: Floats
    """One number: hγ of the present factors."""
    rope_of: Places
    """The number of each node's rope."""
    lanes: Places
    """Shape (ropes, 1 + s'/LANES): the number of lanes in which the border of a rope has entries, and these lanes."""
    held: HeldFunctions

    @staticmethod
    def of(
        ends: Places, points: int, carriers: Carriers, loads: int, states: int, width: int, numbers: int, modes: int
    ) -> RopeMemory:
        """Return room for so many points, loads, states and modes; functions of points take so many numbers.

        `ends` are 0 for the last nodes of ropes.
        """
        nodes, ropes = ends.size, int((ends == 0).sum())
        pulleys, ports = carriers.pulley_bodies.size, carriers.node_bodies.size
        rows, padded = 3 * nodes + 2 * width, -(-states // LANES) * LANES
        return RopeMemory(
            np.zeros((nodes, 3)), np.zeros((nodes, 3)), np.zeros((nodes, 3)), np.zeros((pulleys, FRAME)),
            np.zeros(loads), np.zeros(ARGUMENTS + numbers), np.zeros(RESULTS * (1 + ARGUMENTS)),
            np.zeros((points, RESULTS * ARGUMENTS)), np.zeros(points, np.int64), np.zeros(1, np.int64),
            np.zeros((nodes, 5, 9)), np.zeros((nodes, 5, 9)), np.zeros((pulleys, 1 + states, FRAME)),
            np.zeros((ports, 1 + states, PORT)), np.zeros((rows, 2 * width + 1)),
            np.zeros((rows, padded)), np.zeros((points, 18)), np.zeros(points), np.zeros((loads, states)),
            np.zeros((states, states)), np.zeros(states, np.int64), np.zeros(rows), np.zeros((pulleys, FRAME)),
            np.zeros(states), np.zeros(1), np.zeros(nodes, np.int64),
            np.zeros((ropes, 1 + padded // LANES), np.int64), HeldFunctions.of(modes, states),
        )  # fmt: skip


class RopeTables(NamedTuple):
    """All that the kernels of ropes take."""

    nodes: NodeTables
    points: SheavePoints
    carriers: Carriers
    rest: Rest
    memory: RopeMemory
