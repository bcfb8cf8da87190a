"""The order in which a graph's instructions run, cut in chunks that are compiled as separate functions.

Compilers take more than linear time on long straight-line code, so it is cut in pieces of bounded length. Values that
are used in a later chunk than their own live in workspace slots; a slot is free again after its value's last chunk.
"""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.program.graph import Graph
from gyrostat.program.operation import CODES

# Measured on forward dynamics of 7 to 200 degrees of freedom: longer chunks compile slower for each operation, shorter
# ones move more values through memory.
CHUNK = 1000

_SINE, _COSINE = CODES["sin"], CODES["cos"]

# How many sines and cosines may move to the front: their results wait in the workspace until they are used.
_MOST_EARLY = 512


@dataclass(frozen=True)
class Schedule:
    """Chunks of instruction numbers, workspace slots by value number, and the number of slots.

    `early` are the values whose sine and cosine are formed before the first chunk's instructions, in SIMD lanes.
    """

    chunks: tuple[tuple[int, ...], ...]
    early: tuple[int, ...]
    slots: dict[int, int]
    slot_count: int


def schedule(graph: Graph, *, chunk: int = CHUNK, early: bool = False) -> Schedule:
    """Return an order in which operands come before their use and the sine and cosine of a value come together."""
    base = graph.input_size
    codes, left = graph.codes.tolist(), graph.left.tolist()
    trigonometric = [k for k, code in enumerate(codes) if code in (_SINE, _COSINE)]
    # Angles of joints are inputs: with all of them at hand at the start, one SIMD evaluation serves several.
    early_values = list(dict.fromkeys(left[k] for k in trigonometric if 0 <= left[k] < base))[:_MOST_EARLY]
    if not early or len(early_values) < 2:
        early_values = []
    first = set(early_values)
    partners: dict[int, list[int]] = {}
    for k in trigonometric:
        partners.setdefault(left[k], []).append(k)
    front = [k for value in early_values for k in partners[value]]

    chunks: list[list[int]] = [front]
    for k, code in enumerate(codes):
        if code in (_SINE, _COSINE):
            together = [] if left[k] in first else partners.pop(left[k], [])
            if not together:
                continue  # it came with its partner
        else:
            together = [k]
        if len(chunks[-1]) >= chunk:
            chunks.append([])
        chunks[-1] += together
    frozen = tuple(tuple(part) for part in chunks)
    slots, count = _assign_slots(graph, frozen)
    return Schedule(frozen, tuple(early_values), slots, count)


def _assign_slots(graph: Graph, chunks: tuple[tuple[int, ...], ...]) -> tuple[dict[int, int], int]:
    """Give a slot to every value that a later chunk reads; slots are reused when their value is no longer needed."""
    base = graph.input_size
    left, right = graph.left.tolist(), graph.right.tolist()
    last = [0] * (base + len(left))
    for number, members in enumerate(chunks):
        for k in members:
            if left[k] >= base:
                last[left[k]] = number
            if right[k] >= base:
                last[right[k]] = number
    slots: dict[int, int] = {}
    free: list[int] = []
    ending: list[list[int]] = [[] for _ in chunks]
    count = 0
    for number, members in enumerate(chunks):
        for k in members:
            if last[base + k] > number:
                if free:
                    slot = free.pop()
                else:
                    slot, count = count, count + 1
                slots[base + k] = slot
                ending[last[base + k]].append(slot)
        # A slot read in this chunk may be written only in the next one: within a chunk the order is the compiler's.
        free += ending[number]
    return slots, count
