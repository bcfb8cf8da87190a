"""The order in which a graph's instructions run, cut in chunks that are compiled as separate functions.

Compilers take more than linear time on long straight-line code, so it is cut in pieces of bounded length. Values that
are used in a later chunk than their own live in workspace slots; a slot is free again after its value's last chunk.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.program.graph import Graph
from gyrostat.program.operation import CODES
from gyrostat.program.output_stores import Copy, OutputStores

# Measured on forward dynamics of 7 to 200 degrees of freedom: longer chunks compile slower for each operation, shorter
# ones move more values through memory.
CHUNK = 1000

# LLVM compares the loads and stores of a function pairwise; functions with many live values or many outputs would take
# ten times as long to compile. So a chunk also ends after this many.
TRAFFIC = 200

_SINE, _COSINE = CODES["sin"], CODES["cos"]

# How many sines and cosines may move to the front: their results wait in the workspace until they are used.
_EARLY_LIMIT = 512

# How many of them one chunk forms: two stores for each, and a load.
_EARLY_PER_CHUNK = 96


@dataclass(frozen=True)
class Schedule:
    """Chunks of instruction numbers, workspace slots by value number, and the number of slots.

    `early` are, for each of the first chunks, the values whose sine and cosine are formed before its instructions, in
    SIMD lanes. `copies` are, for each chunk, the outputs that it copies from memory, at most TRAFFIC, and `outputs` the
    places of values that are written where they are formed.
    """

    chunks: tuple[tuple[int, ...], ...]
    early: tuple[tuple[int, ...], ...]
    copies: tuple[tuple[Copy, ...], ...]
    outputs: dict[int, list[int]]
    slots: dict[int, int]
    slot_count: int


def schedule(graph: Graph, *, chunk: int = CHUNK, early: bool = False) -> Schedule:
    """Return an order in which operands come before their use and the sine and cosine of a value come together."""
    base = graph.input_size
    codes, left = graph.codes.tolist(), graph.left.tolist()
    trigonometric = [k for k, code in enumerate(codes) if code in (_SINE, _COSINE)]
    # Angles of joints are inputs: with all of them at hand at the start, one SIMD evaluation serves several.
    early_values = list(dict.fromkeys(left[k] for k in trigonometric if 0 <= left[k] < base))[:_EARLY_LIMIT]
    if not early or len(early_values) < 2:
        early_values = []
    first = set(early_values)
    partners: dict[int, list[int]] = {}
    for k in trigonometric:
        partners.setdefault(left[k], []).append(k)
    groups = [early_values[start : start + _EARLY_PER_CHUNK] for start in range(0, len(early_values), _EARLY_PER_CHUNK)]
    chunks: list[list[int]] = [[k for value in group for k in partners[value]] for group in groups] or [[]]
    stores = OutputStores.of(graph)
    traffic = _Traffic(graph, stores, chunk)
    for k, code in enumerate(codes):
        if code in (_SINE, _COSINE):
            together = [] if left[k] in first else partners.pop(left[k], [])
            if not together:
                continue  # already placed together with its partner
        else:
            together = [k]
        if len(chunks[-1]) >= chunk or traffic.count >= TRAFFIC:
            chunks.append([])
            traffic.start_chunk()
        chunks[-1] += together
        traffic.add(together)
    copies = _parts(stores.given)
    copies += [()] * (len(chunks) - len(copies)) + _parts(stores.late)
    frozen = tuple(tuple(part) for part in (*chunks, *([] for _ in range(len(copies) - len(chunks)))))
    slots, count = _assign_slots(graph, frozen, copies)
    return Schedule(frozen, tuple(tuple(group) for group in groups), tuple(copies), stores.direct, slots, count)


def _parts(copies: tuple[Copy, ...]) -> list[tuple[Copy, ...]]:
    """Return copies in parts of no more than TRAFFIC."""
    return [copies[start : start + TRAFFIC] for start in range(0, len(copies), TRAFFIC)]


def _assign_slots(
    graph: Graph, chunks: tuple[tuple[int, ...], ...], copies: list[tuple[Copy, ...]]
) -> tuple[dict[int, int], int]:
    """Assign a slot to every value that a later chunk reads; a slot is reused after its value's last use."""
    base = graph.input_size
    left, right = graph.left.tolist(), graph.right.tolist()
    last = [0] * (base + len(left))
    for number, members in enumerate(chunks):
        for k in members:
            if left[k] >= base:
                last[left[k]] = number
            if right[k] >= base:
                last[right[k]] = number
        for value, _ in copies[number]:
            if value >= base:
                last[value] = number
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


class _Traffic:
    """Estimates the loads and stores of the chunk that is being filled."""

    def __init__(self, graph: Graph, stores: OutputStores, chunk: int) -> None:
        self._base = graph.input_size
        self._left, self._right = graph.left.tolist(), graph.right.tolist()
        size = self._base + len(self._left)
        stored = np.zeros(size, np.int64)
        stored[list(stores.direct)] = [len(places) for places in stores.direct.values()]
        # A value used more than a chunk's length after it was formed certainly goes through the workspace.
        last = np.zeros(size, np.int64)
        order = np.arange(len(self._left))
        for operands in (graph.left, graph.right):
            inner = operands >= 0
            np.maximum.at(last, operands[inner], order[inner])
        stored[self._base :] += last[self._base :] - order > chunk
        self._stores = stored.tolist()
        self._seen: set[int] = set()
        self.count = 0

    def start_chunk(self) -> None:
        """Reset the counts for a new chunk."""
        self._seen = set()
        self.count = 0

    def add(self, members: list[int]) -> None:
        """Count the loads and stores of instructions."""
        for k in members:
            for value in (self._left[k], self._right[k]):
                if value not in self._seen:
                    self._seen.add(value)
                    self.count += 1
            result = self._base + k
            self._seen.add(result)
            self.count += self._stores[result]
