"""Motions of bodies by impulses at rigid contacts, and the speeds at contacts by these motions."""

from __future__ import annotations

from gyrostat.analysis.kernels.moreau_tables import (
    ALONG_A,
    ALONG_B,
    ARM_A,
    ARM_B,
    AXES,
    SIDE_A,
    SIDE_B,
    MoreauStages,
)
from gyrostat.analysis.kernels.problem import Floats, Places
from gyrostat.program.translation import kernel


@kernel
def rate_along(memory: MoreauStages, c: int, axis: int) -> float:
    """Return the speed of a's point of a contact relative to b's, along one of its axes."""
    numbers, sides = memory.impulses.numbers[c], memory.impulses.sides[c]
    total = 0.0
    if sides[SIDE_A] >= 0:
        total += _point_speed(memory.twists[sides[SIDE_A]], numbers[ARM_A:], numbers[AXES + 3 * axis :])
    if sides[SIDE_B] >= 0:
        total -= _point_speed(memory.twists[sides[SIDE_B]], numbers[ARM_B:], numbers[AXES + 3 * axis :])
    return total


@kernel
def _point_speed(twist: Floats, arm: Floats, axis: Floats) -> float:
    """Return the speed of a point of a body along an axis."""
    return float(
        axis[0] * (twist[0] + twist[4] * arm[2] - twist[5] * arm[1])
        + axis[1] * (twist[1] + twist[5] * arm[0] - twist[3] * arm[2])
        + axis[2] * (twist[2] + twist[3] * arm[1] - twist[4] * arm[0])
    )


@kernel
def push(memory: MoreauStages, lone: Places, c: int, axis: int, impulse: float) -> None:
    """Change the motions of bodies by an impulse of a contact along one of its axes."""
    numbers, sides = memory.impulses.numbers[c], memory.impulses.sides[c]
    _push_side(
        memory, lone, sides[SIDE_A], numbers[ALONG_A:], numbers[ARM_A:], numbers[AXES + 3 * axis :], axis, impulse
    )
    _push_side(
        memory, lone, sides[SIDE_B], numbers[ALONG_B:], numbers[ARM_B:], numbers[AXES + 3 * axis :], axis, -impulse
    )


@kernel
def _push_side(
    memory: MoreauStages, lone: Places, body: int, along: Floats, arm: Floats, axis: Floats, k: int, impulse: float
) -> None:
    """Change the motion of the body on one side, and of those that are coupled with it."""
    if body < 0:
        return
    if lone[body] < 0:
        for r in range(6):
            memory.twists[body, r] += impulse * along[3 * r + k]
        return
    for other in range(lone.size):
        if lone[other] >= 0:
            for r in range(6):
                memory.twists[other, r] += impulse * coupled_motion(
                    memory, 6 * lone[body], 6 * lone[other] + r, arm, axis
                )


@kernel
def are_lone(memory: MoreauStages, lone: Places, c: int) -> bool:
    """Return whether a contact joins lone bodies only, or one and the ground."""
    a, b = memory.impulses.sides[c, SIDE_A], memory.impulses.sides[c, SIDE_B]
    return bool((a < 0 or lone[a] < 0) and (b < 0 or lone[b] < 0))


@kernel
def push_lone(memory: MoreauStages, c: int, impulses: Floats) -> None:
    """Change the motions of lone bodies by impulses of a contact along all of its axes."""
    numbers, sides = memory.impulses.numbers[c], memory.impulses.sides[c]
    first, second, third = impulses[0], impulses[1], impulses[2]
    if sides[SIDE_A] >= 0:
        twist, along = memory.twists[sides[SIDE_A]], numbers[ALONG_A:]
        for r in range(6):
            twist[r] += first * along[3 * r] + second * along[3 * r + 1] + third * along[3 * r + 2]
    if sides[SIDE_B] >= 0:
        twist, along = memory.twists[sides[SIDE_B]], numbers[ALONG_B:]
        for r in range(6):
            twist[r] -= first * along[3 * r] + second * along[3 * r + 1] + third * along[3 * r + 2]


@kernel
def coupled_motion(memory: MoreauStages, load: int, place: int, arm: Floats, axis: Floats) -> float:
    """Return a component of a coupled body's motion by a unit of impulse along an axis at a point of another one."""
    coupled = memory.coupled
    moment_x = arm[1] * axis[2] - arm[2] * axis[1]
    moment_y = arm[2] * axis[0] - arm[0] * axis[2]
    moment_z = arm[0] * axis[1] - arm[1] * axis[0]
    return float(
        coupled[load, place] * axis[0]
        + coupled[load + 1, place] * axis[1]
        + coupled[load + 2, place] * axis[2]
        + coupled[load + 3, place] * moment_x
        + coupled[load + 4, place] * moment_y
        + coupled[load + 5, place] * moment_z
    )
