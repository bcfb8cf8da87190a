"""Rotations between hinge frames as rows of turns about coordinate axes: vectors and tensors turn with fewer products.

A constant rotation is R = T_a T_b T_c, turns about three coordinate axes (Euler). Where the hinge behind it turns about
c, the last one joins its turn; often only one or none is left before it. For tensors three turns are still fewer
products than a rotation without zeros.
"""

from __future__ import annotations

from math import hypot

from gyrostat.scalar.algebra import is_number
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import IDENTITY, Matrix, PlaneTurn

_SLACK = 1e-15
"""Tolerance within which rounding errors of zeros and ones are removed."""


def hinge_turns(
    R_PJ: Matrix, turn: PlaneTurn | None, known: tuple[PlaneTurn, PlaneTurn, PlaneTurn] | None = None
) -> tuple[PlaneTurn, ...] | None:
    """Return R_PJ, or its `known` turns, followed by a hinge's turn as turns, from P to H; None where not numbers."""
    if known is not None:
        first, second, last = known
        if turn is None or turn.axis != last.axis:
            return None
        return (first, second, _joined(last, turn))
    if turn is None:
        return None
    if R_PJ is IDENTITY:
        return (turn,)
    if not all(is_number(x) for row in R_PJ for x in row):
        return None
    *before, last = min(_decompositions(R_PJ, turn.axis), key=_cost)
    return (*(each for each in before if not _idle(each)), turn if _idle(last) else _joined(last, turn))


def uniform_turns(R: Matrix) -> tuple[PlaneTurn, PlaneTurn, PlaneTurn]:
    """Return a constant rotation as turns about z, x and z."""
    return _decomposed(R, 2, 0, 2)


@repeated
def _joined(constant: PlaneTurn, hinge: PlaneTurn) -> PlaneTurn:
    """Return a constant turn and that of a hinge about the same axis as one."""
    return constant.followed_by(hinge)


def _decompositions(R: Matrix, c: int) -> list[tuple[PlaneTurn, PlaneTurn, PlaneTurn]]:
    """Return R as turns about a, b and c, for all a and b that differ from their neighbours.

    Of a rotation without zeros, which no such choice makes shorter, the first is enough.
    """
    if all(_SLACK < abs(x) < 1 - _SLACK for row in R for x in row):
        return [_decomposed(R, 0, 1 if c != 1 else 2, c)]
    return [_decomposed(R, a, b, c) for a in range(3) for b in range(3) if b not in (a, c)]


def _decomposed(R: Matrix, a: int, b: int, c: int) -> tuple[PlaneTurn, PlaneTurn, PlaneTurn]:
    """Return R = T_a T_b T_c.

    T_b leaves axis c at right angles to b. So T_a is the turn that takes the component along b out of R's column c.
    """
    i, j = (a + 1) % 3, (a + 2) % 3
    x, y = R[i][c], R[j][c]
    first = _turn(a, x, y) if b == j else _turn(a, y, -x)
    left = _turned_back(first, R)
    # T_b takes axis c to that column; where c follows b cyclically it is the first axis of the plane, else the second.
    i, j = (b + 1) % 3, (b + 2) % 3
    x, y = left[i][c], left[j][c]
    second = _turn(b, x, y) if c == i else _turn(b, y, -x)
    left = _turned_back(second, left)
    i, j = (c + 1) % 3, (c + 2) % 3
    return first, second, _turn(c, left[i][i], left[j][i])


def _turned_back(turn: PlaneTurn, R: Matrix) -> Matrix:
    """Return the rotation, of numbers, before a turn that follows it."""
    c, s = turn.cosine, turn.sine
    i, j = (turn.axis + 1) % 3, (turn.axis + 2) % 3
    (a, b, d), (x, y, z) = R[i], R[j]
    rows = list(R)
    rows[i] = (c * a + s * x, c * b + s * y, c * d + s * z)
    rows[j] = (c * x - s * a, c * y - s * b, c * z - s * d)
    return (rows[0], rows[1], rows[2])


def _turn(axis: int, x: float, y: float) -> PlaneTurn:
    """Return the turn about an axis that takes the plane's first direction to that of (x, y)."""
    length = hypot(x, y)
    if length < _SLACK:
        return PlaneTurn(axis, 1, 0)
    return PlaneTurn(axis, _whole(x / length), _whole(y / length))


def _whole(x: float) -> float | int:
    return round(x) if abs(x - round(x)) < _SLACK else x


def _idle(turn: PlaneTurn) -> bool:
    return bool(turn.cosine == 1 and turn.sine == 0)


def _cost(turns: tuple[PlaneTurn, ...]) -> tuple[int, int]:
    """Return the number of turns that are not multiples of 90°, and the number of turns that are not zero."""
    return sum(type(turn.cosine) is float for turn in turns), sum(not _idle(turn) for turn in turns)
