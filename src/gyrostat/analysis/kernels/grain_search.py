"""Neighbours of grains: a list of cells for other grains, and grids of the walls' elements.

Lists hold all that may touch until grains and walls have moved by the skin. Neighbours are in rising order, so that
sums over contacts do not depend on when a list was formed.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.grain_tables import (
    CROWDED,
    CROWDED_WALLS,
    DONE,
    MEMORY,
    NEAR_WALLS,
    PAIRS,
    TANGENT,
    VALID,
    GrainLists,
    GrainMotion,
    GrainTables,
    GrainWalls,
)
from gyrostat.analysis.kernels.grain_walls import wall_distance
from gyrostat.analysis.kernels.pair_search import sort_part
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.program.translation import kernel, rare_kernel


@kernel
def lists_are_valid(tables: GrainTables) -> bool:
    """Return whether no grain and no wall has moved so far that a contact may be missing."""
    lists, x = tables.lists, tables.grains.x
    if lists.numbers[VALID] == 0:
        return False
    farthest = 0.0
    for i in range(x.shape[0]):
        dx, dy, dz = x[i, 0] - lists.origin[i, 0], x[i, 1] - lists.origin[i, 1], x[i, 2] - lists.origin[i, 2]
        farthest = max(farthest, dx * dx + dy * dy + dz * dz)
    farthest = farthest**0.5
    if not 2.0 * farthest <= lists.skin:
        return False
    shifted = 0.0
    for b in range(tables.walls.frames.shape[0]):
        shifted = max(shifted, _shift(tables.walls, b))
    return bool(farthest + shifted <= lists.skin)


@kernel
def _shift(walls: GrainWalls, b: int) -> float:
    """Return the largest displacement of a body's box since the lists were formed; it is that of a corner."""
    now, then, box = walls.frames[b], walls.built[b], walls.boxes[b]
    largest = 0.0
    for corner in range(8):
        squared = 0.0
        for r in range(3):
            moved, signs = now[r] - then[r], corner
            for c in range(3):
                place = box[c] if signs % 2 == 0 else box[3 + c]
                signs = signs // 2
                moved += (now[3 + 3 * r + c] - then[3 + 3 * r + c]) * place
            squared += moved * moved
        largest = max(largest, squared)
    return float(largest**0.5)


@rare_kernel
def form_lists(tables: GrainTables) -> int:
    """Form the lists of neighbours and of walls anew, with what contacts remember."""
    lists, x = tables.lists, tables.grains.x
    if lists.numbers[VALID] < 2:  # lists that had no room are formed again, from the memory kept already
        _copy_contacts(tables)
    lists.numbers[VALID] = 2
    if not _find_neighbours(tables):
        return CROWDED
    _recall(tables)
    if not _find_walls(tables):
        return CROWDED_WALLS
    for i in range(x.shape[0]):
        for k in range(3):
            lists.origin[i, k] = x[i, k]
    walls = tables.walls
    for b in range(walls.frames.shape[0]):
        for k in range(walls.frames.shape[1]):
            walls.built[b, k] = walls.frames[b, k]
    lists.numbers[VALID] = 1
    return DONE


@kernel
def _copy_contacts(tables: GrainTables) -> None:
    """Copy the contacts that remember something to the old list."""
    lists, count = tables.lists, 0
    for i in range(tables.grains.radii.size):
        lists.old_start[i] = count
        for k in range(lists.start[i], lists.start[i + 1]):
            if lists.memory[k, TANGENT] > 0.0:
                lists.old_near[count] = lists.near[k]
                for m in range(MEMORY):
                    lists.old_memory[count, m] = lists.memory[k, m]
                count += 1
    lists.old_start[tables.grains.radii.size] = count


@kernel
def _recall(tables: GrainTables) -> None:
    """Give contacts of the new list what they remember; both lists rise."""
    lists = tables.lists
    for i in range(tables.grains.radii.size):
        old = lists.old_start[i]
        for k in range(lists.start[i], lists.start[i + 1]):
            j = lists.near[k]
            while old < lists.old_start[i + 1] and lists.old_near[old] < j:
                old += 1
            known = old < lists.old_start[i + 1] and lists.old_near[old] == j
            for m in range(MEMORY):
                lists.memory[k, m] = lists.old_memory[old, m] if known else 0.0


@kernel
def _cell_of(place: float, low: float, width: float, count: int) -> int:
    """Return the number of a cell along an axis."""
    return min(max(int((place - low) / width), 0), count - 1)


@kernel
def _find_neighbours(tables: GrainTables) -> bool:
    """List the neighbours of all grains; return whether there was room."""
    grains, lists = tables.grains, tables.lists
    cells = lists.cells
    _lay_cells(grains.x, grains.radii, lists)
    nx, ny, nz, low, width = lists.counts[0], lists.counts[1], lists.counts[2], cells, cells[3]
    for c in range(nx * ny * nz):
        lists.head[c] = -1
    for i in range(grains.radii.size):
        x = grains.x[i]
        a, b = _cell_of(x[0], low[0], width, nx), _cell_of(x[1], low[1], width, ny)
        c = (a * ny + b) * nz + _cell_of(x[2], low[2], width, nz)
        lists.following[i] = lists.head[c]
        lists.head[c] = i
    count = 0
    for i in range(grains.radii.size):
        x = grains.x[i]
        lists.start[i] = count
        a, b = _cell_of(x[0], low[0], width, nx), _cell_of(x[1], low[1], width, ny)
        c = _cell_of(x[2], low[2], width, nz)
        for p in range(max(a - 1, 0), min(a + 2, nx)):
            for q in range(max(b - 1, 0), min(b + 2, ny)):
                for r in range(max(c - 1, 0), min(c + 2, nz)):
                    count = _enter_cell(grains, lists, i, lists.head[(p * ny + q) * nz + r], count)
        if count <= lists.near.size:
            sort_part(lists.near, lists.start[i], count)
    lists.start[grains.radii.size] = count
    lists.numbers[PAIRS] = count
    return bool(count <= lists.near.size)


@kernel
def _lay_cells(x: Floats, radii: Floats, lists: GrainLists) -> None:
    """Lay cells over the grains: their lower corner, edge and numbers, not more than there is room for."""
    cells, largest, count = lists.cells, 0.0, 0.0
    for i in range(radii.size):
        largest = max(largest, radii[i])
    cells[3] = (2.0 * largest + lists.skin) / 1.25
    for k in range(3):
        cells[k], cells[4 + k] = x[0, k], x[0, k]
        for i in range(radii.size):
            cells[k], cells[4 + k] = min(cells[k], x[i, k]), max(cells[4 + k], x[i, k])
    while count == 0.0 or count > float(lists.head.size):
        cells[3], count = cells[3] * 1.25, 1.0
        for k in range(3):
            count *= (cells[4 + k] - cells[k]) / cells[3] + 1.0
    for k in range(3):
        lists.counts[k] = int((cells[4 + k] - cells[k]) / cells[3]) + 1


@kernel
def _enter_cell(grains: GrainMotion, lists: GrainLists, i: int, first: int, count: int) -> int:
    """Enter the neighbours of a grain in a cell, whose numbers fall; return how many entries there are."""
    x, radii, j = grains.x, grains.radii, first
    while j > i:
        dx, dy, dz = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
        reach = radii[i] + radii[j] + lists.skin
        if dx * dx + dy * dy + dz * dz < reach * reach:
            if count < lists.near.size:
                lists.near[count] = j
            count += 1
        j = lists.following[j]
    return count


@kernel
def _find_walls(tables: GrainTables) -> bool:
    """List the elements of walls near each grain, in rising order; return whether there was room."""
    grains, lists, walls = tables.grains, tables.lists, tables.walls
    count, room = 0, lists.near_walls.size
    for i in range(grains.radii.size):
        lists.wall_start[i] = count
        reach = grains.radii[i] + lists.skin
        for p in range(walls.planes.size):
            e = walls.planes[p]
            if wall_distance(walls, grains.x[i], e) < reach:
                if count < room:
                    lists.near_walls[count] = e
                count += 1
        for b in range(walls.frames.shape[0]):
            cell = _wall_cell(walls, b, grains.x[i])
            if cell < 0:
                continue
            for k in range(walls.cell_start[cell], walls.cell_start[cell + 1]):
                e = walls.cell_items[k]
                if wall_distance(walls, grains.x[i], e) < reach:
                    if count < room:
                        lists.near_walls[count] = e
                    count += 1
        if count <= room:
            sort_part(lists.near_walls, lists.wall_start[i], count)
    lists.wall_start[grains.radii.size] = count
    lists.numbers[NEAR_WALLS] = count
    return bool(count <= room)


@kernel
def _wall_cell(walls: GrainWalls, b: int, x: Floats) -> int:
    """Return the cell of a body's grid that a place lies in; −1 where it lies in none."""
    frame, cell = walls.frames[b], 0
    for c in range(3):
        place = 0.0
        for r in range(3):
            place += (x[r] - frame[r]) * frame[3 + 3 * r + c]
        at = (place - walls.grids[b, c]) / walls.grids[b, 3]
        if not (at >= 0.0 and at < float(walls.sizes[b, c])):
            return -1
        cell = cell * walls.sizes[b, c] + int(at)
    return int(cell + walls.sizes[b, 3])
