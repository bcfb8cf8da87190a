"""Arrays of the kernels of grains: their states, neighbours, laws, and the walls that they touch."""

from __future__ import annotations

from typing import NamedTuple

from gyrostat.analysis.kernels.problem import Floats, Places

MEMORY = 8
"""Memory of a contact: tangential and rolling deflection, speed of approach, tangential stiffness."""
APPROACH, TANGENT = 6, 7
"""Places in that memory; the tangential stiffness is zero while the contact is open."""

KIND, STIFFNESS, EXPONENT, DAMPING, FADE, CHI, DELTA, REST_SPEED, HERTZ = range(9)
"""Normal law: 0 for a spring and a damper, 1 for k dⁿ (1 + χ ḋ); k is multiplied by √R where HERTZ is 1."""
MU, RATIO, TANGENT_DAMPING, ROLLING, ROLLING_DAMPING = range(9, 14)
"""Friction: coefficient, ratio of stiffnesses, damping ratio, coefficient of rolling, its damping ratio."""
LAW = 14

NORMAL, VELOCITY, OMEGA, DEPTH, RADIUS, MASS, SPIN, FORCE, MOMENT, LOAD = 0, 3, 6, 9, 10, 11, 12, 15, 18, 21
STORED, LOST = 22, 23
TOUCH = 24
"""A contact while it is evaluated. Given: normal from grain to partner, velocity and angular velocity relative to the
partner, depth, reduced radius and mass, angular velocity of the memory's axes. Found: force and moment on the grain,
normal load, stored energy, energy lost in the step."""

COUNT, DEEPEST, SUM_FORCE, ELASTIC, DISSIPATED, SUPPLIED, STIFFEST = range(7)
"""Sums over contacts: number, largest depth by radius, sum of normal forces, stored energy; energy lost and received
from walls so far; largest rate ω² of a contact, stiffness by mass."""
SUMS = 7

FRAME = 18
"""The motion of a wall's body: origin, rotation R_WB row by row, velocity, angular velocity, in world axes."""
SLOTS = 6
"""Contacts with walls that one grain may have."""
POINT, SEGMENT, TRIANGLE, PLANE = range(4)
"""Kinds of elements of walls; a plane is a point and a normal."""
ELEMENT = 10
"""Numbers of an element: three points, and a rounding."""
FOUND = 8
"""Numbers of a contact with a wall that was found: element, distance, normal, point; in world axes."""

STEPS, PAIRS, NEAR_WALLS, VALID = range(4)
"""Numbers of lists: steps made since a list was formed, entries of both lists, whether they are valid."""
DONE, CROWDED, CROWDED_WALLS = range(3)
"""Why `advance` ended: all steps made; a list has no room."""


class GrainMotion(NamedTuple):
    """The grains: fixed numbers, and motion."""

    radii: Floats
    masses: Floats
    inertias: Floats
    x: Floats
    v: Floats
    w: Floats
    """Angular velocities."""
    force: Floats
    """Shape (n, 6): force and moment of all contacts at the present positions."""
    gravity: Floats


class GrainLists(NamedTuple):
    """Neighbours: of grain i those at near[start[i]:start[i + 1]], all with higher numbers, in rising order."""

    start: Places
    near: Places
    memory: Floats
    old_start: Places
    old_near: Places
    old_memory: Floats
    head: Places
    following: Places
    cells: Floats
    """Lower corner of the cells, their edge, upper corner."""
    counts: Places
    """Numbers of cells along the axes."""
    origin: Floats
    """Positions when the lists were formed."""
    wall_start: Places
    near_walls: Places
    numbers: Places
    skin: float


class GrainWalls(NamedTuple):
    """Elements of all walls, in axes of their bodies, and grids of cells that hold the elements near each cell."""

    frames: Floats
    built: Floats
    """Frames when the lists were formed."""
    boxes: Floats
    """Shape (bodies, 6): lower and upper corner of the finite elements of a body."""
    kinds: Places
    bodies: Places
    elements: Floats
    planes: Places
    """The elements that are planes."""
    grids: Floats
    """Shape (bodies, 4): lower corner of the grid and edge of a cell."""
    sizes: Places
    """Shape (bodies, 4): numbers of cells along the axes, and where the cells of a body begin."""
    cell_start: Places
    cell_items: Places
    keys: Places
    """Shape (n, SLOTS): the element that each slot of a grain touches, counted from 1; 0 where it is free."""
    memory: Floats
    """Shape (n, SLOTS, MEMORY + 3): what each contact remembers, and its normal."""
    found: Floats
    kept: Floats
    loads: Floats
    """Shape (bodies, 6): present force of the grains on each body, and its moment about the origin of the world."""
    impulses: Floats
    """Their integrals over time since the last exchange."""


class GrainTables(NamedTuple):
    """All that the kernels of grains need."""

    grains: GrainMotion
    lists: GrainLists
    walls: GrainWalls
    laws: Floats
    """Shape (2, LAW): the laws between grains, and with walls."""
    touch: Floats
    sums: Floats
