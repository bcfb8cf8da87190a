"""Slots of the state in which points of contact keep what they remember: which point has which slot.

Slots belong to the state, so that steps can be rejected and repeated. They are taken and given back between steps only.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.pair_tables import IDS, MEMORY, SLOT, PairTables, Slots
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.solid_tables import NO_PATCH
from gyrostat.program.translation import kernel, rare_kernel

_NO_SLOT = -1


@kernel
def is_patch(pairs: PairTables, i: int, j: int) -> bool:
    """Return whether the points of contact of two shapes are found by a kernel."""
    kinds = pairs.shapes.kinds
    return bool(pairs.groups.patches[pairs.shapes.groups[i], kinds[i], kinds[j]] != NO_PATCH)


@kernel
def key_of(pairs: PairTables, i: int, j: int, point: int) -> float:
    """Return the key of a point of contact of two shapes; those that a kernel finds have numbers of their features."""
    number = pairs.patch.ids[point] if is_patch(pairs, i, j) else point
    return float(1 + number) + pair_key(pairs, i, j)


@kernel
def pair_key(pairs: PairTables, i: int, j: int) -> float:
    """Return a number below the keys of all points of a pair, and not below those of the pairs before it."""
    return float(IDS) * float(j + i * pairs.shapes.radii.size)


@kernel
def held_key(pairs: PairTables, i: int, j: int, point: int) -> float:
    """Return the key by which a point is held open or acts: points that a kernel finds act together."""
    return pair_key(pairs, i, j) + 1.0 if is_patch(pairs, i, j) else key_of(pairs, i, j, point)


@kernel
def refresh_slots(slots: Slots, x: Floats) -> None:
    """Order the slots that are taken in the state in x, if they are others than before."""
    changed = False
    for s in range(slots.places.size):
        if x[slots.places[s]] != slots.keys[s]:
            slots.keys[s] = x[slots.places[s]]
            changed = True
    if changed:
        _arrange(slots)


@rare_kernel
def _arrange(slots: Slots) -> None:
    """Order the slots that are taken by group and key."""
    used = 0
    for g in range(slots.first.size - 1):
        first = used
        for s in range(slots.first[g], slots.first[g + 1]):
            if slots.keys[s] > 0.0:
                place = used
                while place > first and slots.keys[slots.order[place - 1]] > slots.keys[s]:
                    slots.order[place] = slots.order[place - 1]
                    place -= 1
                slots.order[place] = s
                used += 1
    slots.used[0] = used


@kernel
def slot_of(slots: Slots, group: int, key: float) -> int:
    """Return the slot of a point of contact, −1 where it has none."""
    low, high = 0, slots.used[0]
    while low < high:
        middle = (low + high) // 2
        s = slots.order[middle]
        if s < slots.first[group] or (s < slots.first[group + 1] and slots.keys[s] < key):
            low = middle + 1
        else:
            high = middle
    if low < slots.used[0] and slots.keys[slots.order[low]] == key and slots.order[low] < slots.first[group + 1]:
        return int(slots.order[low])
    return _NO_SLOT


@kernel
def mean_memory(slots: Slots, group: int, key: float, x: Floats, memory: Floats) -> int:
    """Write the mean of what the points of a pair remember, and return their number; `key` is that of the pair."""
    low, high = 0, slots.used[0]
    while low < high:
        middle = (low + high) // 2
        s = slots.order[middle]
        if s < slots.first[group] or (s < slots.first[group + 1] and slots.keys[s] <= key):
            low = middle + 1
        else:
            high = middle
    count = 0
    for k in range(MEMORY):
        memory[k] = 0.0
    while low < slots.used[0] and slots.order[low] < slots.first[group + 1]:
        s = slots.order[low]
        if slots.keys[s] > key + float(IDS):
            break
        for k in range(MEMORY):
            memory[k] += x[slots.places[s] + 1 + k]
        count += 1
        low += 1
    for k in range(MEMORY):
        memory[k] = memory[k] / float(max(count, 1))
    return count


@kernel
def free_slot(slots: Slots, group: int, x: Floats) -> int:
    """Return a slot of a group that is free in x, −1 where there is none."""
    for s in range(slots.first[group], slots.first[group + 1]):
        if x[slots.places[s]] == 0.0:
            return s
    return _NO_SLOT


@kernel
def clear_slot(slots: Slots, s: int, x: Floats) -> None:
    """Give back a slot."""
    for k in range(SLOT):
        x[slots.places[s] + k] = 0.0
