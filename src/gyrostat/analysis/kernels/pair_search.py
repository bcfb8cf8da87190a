"""Broad phase: the pairs of shapes whose bounding spheres are near each other, by sweep and prune.

The list holds all pairs that may touch as long as no shape has moved farther than its reach. Neighbours of a shape are
in rising order, so that sums over pairs that touch do not depend on when the list was made.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.pair_tables import COUNT, CROWDED, VALID, PairTables, ShapeTables
from gyrostat.analysis.kernels.problem import Floats, Places
from gyrostat.program.translation import kernel, rare_kernel


@kernel
def may_touch(shapes: ShapeTables, i: int, j: int) -> bool:
    """Return whether two shapes belong to one group, to different bodies and sides, and are not excluded; i < j."""
    if shapes.groups[i] != shapes.groups[j] or shapes.bodies[i] == shapes.bodies[j]:
        return False
    if shapes.sides[i] > 0 and shapes.sides[i] == shapes.sides[j]:
        return False
    return shapes.excluded.shape[0] == 0 or not _is_excluded(shapes.excluded, i, j)


@kernel
def _is_excluded(excluded: Floats, i: int, j: int) -> bool:
    """Return whether a pair is in an ordered list."""
    low, high = 0, excluded.shape[0]
    while low < high:
        middle = (low + high) // 2
        if excluded[middle, 0] < i or (excluded[middle, 0] == i and excluded[middle, 1] < j):
            low = middle + 1
        else:
            high = middle
    return bool(low < excluded.shape[0] and excluded[low, 0] == i and excluded[low, 1] == j)


@kernel
def is_valid(pairs: PairTables) -> bool:
    """Return whether no shape has moved farther than its reach since the list was made."""
    broad, frames = pairs.broad, pairs.frames
    if broad.numbers[VALID] == 0:
        return False
    for i in range(pairs.shapes.finite):
        for k in range(3):
            if not abs(frames[i, k] - broad.centres[i, k]) <= broad.reach[i]:
                return False
    return True


@rare_kernel
def list_neighbours(pairs: PairTables) -> None:
    """List the pairs of finite shapes that may touch while each moves by at most its reach."""
    broad, frames, finite = pairs.broad, pairs.frames, pairs.shapes.finite
    for i in range(finite):
        for k in range(3):
            broad.centres[i, k] = frames[i, k]
    axis = _widest(broad.centres, finite)
    _sort(pairs, axis)
    broad.numbers[COUNT], broad.numbers[CROWDED] = 0, 0
    _write_rows(pairs, axis)
    rows = broad.rows
    for a in range(finite):
        x, y, z, near = rows[a, 1], rows[a, 2], rows[a, 3], rows[a, 4]
        top = rows[a, 5]
        for b in range(a + 1, finite):
            if rows[b, 0] > top:
                break
            dx, dy, dz, least = rows[b, 1] - x, rows[b, 2] - y, rows[b, 3] - z, rows[b, 4] + near
            if dx * dx + dy * dy + dz * dz <= least * least:
                i, j = broad.order[a], broad.order[b]
                _enter(pairs, min(i, j), max(i, j))
    _arrange(pairs)
    broad.numbers[VALID] = 1


@kernel
def _write_rows(pairs: PairTables, axis: int) -> None:
    """Write what the sweep reads of the shapes, in their order."""
    broad = pairs.broad
    for a in range(pairs.shapes.finite):
        i = broad.order[a]
        size = _size(pairs, i)
        broad.rows[a, 0], broad.rows[a, 5] = broad.centres[i, axis] - size, broad.centres[i, axis] + size
        for k in range(3):
            broad.rows[a, 1 + k] = broad.centres[i, k]
        # each coordinate may change by the reach, a centre by √3 times that
        broad.rows[a, 4] = pairs.shapes.radii[i] + 1.7320508075688774 * broad.reach[i]


@kernel
def _size(pairs: PairTables, i: int) -> float:
    """Return the bounding radius of a shape with its reach."""
    return float(pairs.shapes.radii[i] + pairs.broad.reach[i])


@kernel
def _widest(centres: Floats, count: int) -> int:
    """Return the axis along which centres vary most."""
    axis, most = 0, -1.0
    for k in range(3):
        total, squares = 0.0, 0.0
        for i in range(count):
            change = centres[i, k] - centres[0, k]
            total += change
            squares += change * change
        spread = squares - total * total / max(count, 1)
        if spread > most:
            axis, most = k, spread
    return axis


@kernel
def _sort(pairs: PairTables, axis: int) -> None:
    """Order the shapes by their lower bounds: Shell's sort, quick where it is nearly right."""
    order, centres, width = pairs.broad.order, pairs.broad.centres, pairs.shapes.finite // 2
    while width > 0:
        for a in range(width, pairs.shapes.finite):
            moved = order[a]
            bound = centres[moved, axis] - _size(pairs, moved)
            b = a - width
            while b >= 0 and centres[order[b], axis] - _size(pairs, order[b]) > bound:
                order[b + width] = order[b]
                b -= width
            order[b + width] = moved
        width = 1 if width == 2 else int(width * 5 / 11)


@kernel
def _enter(pairs: PairTables, i: int, j: int) -> None:
    """Append a pair to the list if its shapes may touch."""
    broad = pairs.broad
    if not may_touch(pairs.shapes, i, j):
        return
    count = broad.numbers[COUNT]
    if count >= broad.lists.shape[1]:
        broad.numbers[CROWDED] = 1
        return
    broad.lists[0, count], broad.lists[1, count] = i, j
    broad.numbers[COUNT] = count + 1


@kernel
def _arrange(pairs: PairTables) -> None:
    """Arrange the list by the lower shape of each pair, with its neighbours in rising order."""
    broad, count = pairs.broad, pairs.broad.numbers[COUNT]
    start, neighbours = broad.start, broad.neighbours
    for i in range(start.size):
        start[i] = 0
    for p in range(count):
        start[broad.lists[0, p] + 1] += 1
    for i in range(1, start.size):
        start[i] += start[i - 1]
    for p in range(count):  # the beginnings move to the ends, and back
        i = broad.lists[0, p]
        neighbours[start[i]] = broad.lists[1, p]
        start[i] += 1
    for i in range(start.size - 1, 0, -1):
        start[i] = start[i - 1]
    start[0] = 0
    for i in range(start.size - 1):
        sort_part(neighbours, start[i], start[i + 1])


@kernel
def sort_part(numbers: Places, first: int, last: int) -> None:
    """Sort a short part of a list."""
    for a in range(first + 1, last):
        moved, b = numbers[a], a - 1
        while b >= first and numbers[b] > moved:
            numbers[b + 1] = numbers[b]
            b -= 1
        numbers[b + 1] = moved
