"""Tables and memory of time stepping with rigid contacts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gyrostat.analysis.kernels.pair_tables import FRAME, PairTables
from gyrostat.analysis.kernels.problem import Floats, Places

TOUCH = 7
"""Results of a point of contact: gap, normal, which presses shape a away from b, and place, in world axes."""
SIDE_A, SIDE_B, SIDES = range(3)
"""Bodies of a contact, −1 for the ground."""
ARM_A, ARM_B, AXES, GAP, TARGET, MOBILITY, FRICTION, ALONG_A, ALONG_B = 0, 3, 6, 15, 16, 17, 19, 20, 38
"""Numbers of a contact: arms from the origins of both bodies, normal and two tangents row by row, gap, least rate of
the gap after the step, mobilities along the normal and the tangents, coefficient of friction, and for both sides the
change of the body's velocity and angular velocity by an impulse along each axis, shape (6, 3)."""
OLD_RATE, END, TOUCH_TIME, SHARE_LEFT, CROSS, NUMBERS = 56, 57, 58, 59, 60, 62
"""Rate of the gap at the start of the step, least gap at its end, the time into the step at which it closes, the part
of the step during which the change of speeds by the impulse moves the bodies (a half for a load that acts all the time,
all that is left after an impact), and the changes of both sliding speeds by a normal impulse between lone bodies."""
LINEAR, ANGULAR, TWIST = 0, 3, 6
"""A motion: velocity of a body's origin, angular velocity."""
PRESSES, SLIDES, ALONG_1, ALONG_2, SHARE, DERIVATIVES = range(6)
"""Slopes of the conditions of a contact: whether it presses, whether it slides, the direction of friction in the
plane of contact, and the limit of friction in terms of the impulse that would stop the sliding."""
NEWTON = 128
"""The largest number of contacts that press for which Newton's method is tried."""


class RigidTables(NamedTuple):
    """Pairs of shapes whose contacts are rigid."""

    pairs: PairTables
    """Functions of pairs write gap, normal and place of each point."""
    restitution: Floats
    """Coefficient of restitution of each group."""
    friction: Floats
    """Coefficient of friction of each group."""
    lone: Places
    """For each body its number among the coupled ones, −1 where it moves freely: a motion of its own by six speeds."""
    loads: Places
    """Where in x a load on each body is, −1 where it has no shape."""
    carried: Places
    """For each rotation of the state, where the velocity in axes of the same body begins, −1 where there is none."""
    mobility: Floats
    """Shape (bodies, 6, 6): motion of a lone body in its axes by units of load."""
    owners: Places
    """For each speed the lone body that it moves, −1 where it moves coupled ones."""
    first_coupled: int
    """The first coupled body, −1 without one."""
    coordinates: int
    """The number of coordinates."""
    speeds: int
    """The number of speeds."""
    slight: float
    """Overlaps up to this are left (m)."""


class Impulses(NamedTuple):
    """Contacts of a step, m at most, in the order of their keys."""

    number: Places
    """One number: how many there are."""
    sides: Places
    """Shape (m, 2)."""
    numbers: Floats
    """Shape (m, NUMBERS)."""
    keys: Floats
    impulses: Floats
    """Shape (m, 3): along the normal and both tangents (N s)."""
    idle: Places
    """1 for a contact without impulse that opens faster than it must, as found in the last sweep that visited it."""
    listed: Places
    """The contacts that the next sweep visits."""
    changes: Floats
    """Shape (m, 3): changes of impulses in a sweep."""
    search: Floats
    """Shape (m, 3): direction of the conjugate gradients."""
    kept: Floats
    """Shape (m, 3): impulses that are kept while others are sought."""
    last_count: Places
    last_keys: Floats
    last: Floats
    """Shape (m, 3): impulses of the step before, in world axes."""

    @staticmethod
    def of(m: int) -> Impulses:
        """Return room for so many contacts."""
        return Impulses(
            np.zeros(1, np.int64), np.zeros((m, SIDES), np.int64), np.zeros((m, NUMBERS)), np.zeros(m),
            np.zeros((m, 3)), np.zeros(m, np.int64), np.zeros(m, np.int64), np.zeros((m, 3)), np.zeros((m, 3)),
            np.zeros((m, 3)), np.zeros(1, np.int64), np.zeros(m), np.zeros((m, 3)),
        )  # fmt: skip


class NewtonRoom(NamedTuple):
    """Room for steps of Newton's method for the impulses of m contacts at most."""

    active: Places
    """The contacts that press, or would without the impulses of others: the unknowns are three for each."""
    matrix: Floats
    """Shape (3 m, 3 m), by columns."""
    pivots: Places
    change: Floats
    """Shape (3 m,): misfits of the conditions, then the change of the impulses."""
    derivatives: Floats
    """Shape (m, DERIVATIVES): how the conditions of a contact depend on its impulse and speed."""
    twists: Floats
    """Shape (bodies, 6): motions that are kept while responses are computed."""

    @staticmethod
    def of(m: int, bodies: int) -> NewtonRoom:
        """Return room for so many contacts of so many bodies."""
        n = 3 * m
        return NewtonRoom(
            np.zeros(m, np.int64), np.zeros((n, n)), np.zeros(n, np.int64), np.zeros(n), np.zeros((m, DERIVATIVES)),
            np.zeros((bodies, TWIST)),
        )  # fmt: skip


class MoreauNumbers(NamedTuple):
    """Settings of the method."""

    tolerance: float
    """Changes of velocities in a sweep, in terms of those that contacts need, at which sweeps end."""
    most: int
    """The largest number of sweeps."""


class MoreauStages(NamedTuple):
    """Memory of a step."""

    new: Floats
    polynomial: Floats
    """Shape (1, size of the state)."""
    rates: Floats
    half: Floats
    """Way to the middle of the step, in local coordinates."""
    turned: Floats
    """The start, with velocities in axes of the body at the middle."""
    middle: Floats
    """Coordinates after half a step with the speeds of its start, and the speeds that follow from the loads there."""
    way: Floats
    extra: Floats
    """Speeds by which the displacement differs from that by the speeds after the step."""
    origins: Floats
    """Shape (bodies, 3): places of the bodies' origins at the middle of the step."""
    frames: Floats
    """Shape (2, FRAME): frames of a pair of shapes at the middle of the step."""
    twists: Floats
    """Shape (bodies, 6)."""
    old: Floats
    """Shape (bodies, 6): at the start of the step."""
    after: Floats
    """Shape (bodies, 6): at the end of the step."""
    clusters: Places
    """For each body another one of its cluster: bodies that are joined by impulses; the first coupled one stands for
    all of them."""
    crowded: Places
    """1 for bodies that move by the speeds at the end of the step alone."""
    driven: Floats
    """Shape (bodies, 6): at zero speeds."""
    coupled: Floats
    """Shape (6 c, 6 c): motions of the coupled bodies by units of load on them, row by row of loads."""
    impulses: Impulses
    newton: NewtonRoom
    left: Floats
    """One number: the change of velocities in the last sweep of a step, in terms of those that contacts need; zero
    where it is within the tolerance."""

    @staticmethod
    def of(size: int, rows: int, bodies: int, coupled: int, contacts: int) -> MoreauStages:
        """Return memory for a state of a size with so many constraints, bodies and contacts."""
        motion = bodies, TWIST
        return MoreauStages(
            np.zeros(size), np.zeros((1, size)), np.zeros(size + rows), np.zeros(size), np.zeros(size), np.zeros(size),
            np.zeros(size), np.zeros(size), np.zeros((bodies, 3)), np.zeros((2, FRAME)),
            np.zeros(motion), np.zeros(motion), np.zeros(motion), np.zeros(bodies, np.int64),
            np.zeros(bodies, np.int64), np.zeros(motion), np.zeros((6 * coupled, 6 * coupled)),
            Impulses.of(contacts), NewtonRoom.of(min(contacts, NEWTON), bodies), np.zeros(1),
        )  # fmt: skip
