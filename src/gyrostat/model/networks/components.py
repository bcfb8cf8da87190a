"""Strongly connected components of a directed graph, and matchings between equations and unknowns."""

from __future__ import annotations

from collections.abc import Sequence


def strong_components(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the strongly connected components, each after all components that it leads to (Tarjan).

    >>> strong_components([[1], [0, 2], []])
    [[2], [1, 0]]
    """
    count = len(successors)
    index, low = [-1] * count, [0] * count
    on_stack = [False] * count
    stack: list[int] = []
    found: list[list[int]] = []
    number = 0
    for root in range(count):
        if index[root] >= 0:
            continue
        work = [(root, 0)]
        while work:
            vertex, place = work.pop()
            if place == 0:
                index[vertex] = low[vertex] = number
                number += 1
                stack.append(vertex)
                on_stack[vertex] = True
            following = successors[vertex]
            while place < len(following):
                other = following[place]
                place += 1
                if index[other] < 0:
                    work.append((vertex, place))
                    work.append((other, 0))
                    break
                if on_stack[other]:
                    low[vertex] = min(low[vertex], index[other])
            else:
                _close(vertex, index, low, stack, on_stack, found)
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[vertex])
    return found


def _close(
    vertex: int, index: list[int], low: list[int], stack: list[int], on_stack: list[bool], found: list[list[int]]
) -> None:
    """Take a finished component from the stack, if the vertex is its first."""
    if low[vertex] != index[vertex]:
        return
    component = []
    while True:
        member = stack.pop()
        on_stack[member] = False
        component.append(member)
        if member == vertex:
            break
    found.append(component)


def match(contains: Sequence[Sequence[int]], count: int) -> tuple[list[int], list[int]]:
    """Assign each equation an unknown that it contains; return the unknowns, and equations that cannot be satisfied.

    The second list is empty if there is an unknown for each equation; otherwise it has equations that contain fewer
    unknowns than they are.

    >>> match([[0], [0, 1]], 2)
    ([0, 1], [])
    >>> match([[0], [0]], 1)[1]
    [1, 0]
    """
    equation_of = [-1] * count
    unknown_of = [-1] * len(contains)
    for equation, own in enumerate(contains):
        free = next((unknown for unknown in own if equation_of[unknown] < 0), None)
        if free is not None:
            equation_of[free], unknown_of[equation] = equation, free
    for equation in range(len(contains)):
        if unknown_of[equation] < 0:
            reached = _augment(equation, contains, equation_of, unknown_of)
            if reached:
                return unknown_of, reached
    return unknown_of, []


def _augment(start: int, contains: Sequence[Sequence[int]], equation_of: list[int], unknown_of: list[int]) -> list[int]:
    """Find an unknown for an equation by moving others; return the equations reached if there is none."""
    came: dict[int, int] = {}
    pending = [start]
    reached = [start]
    while pending:
        equation = pending.pop(0)
        for unknown in contains[equation]:
            if unknown in came:
                continue
            came[unknown] = equation
            other = equation_of[unknown]
            if other >= 0:
                pending.append(other)
                reached.append(other)
                continue
            while True:
                giver = came[unknown]
                before = unknown_of[giver]
                equation_of[unknown], unknown_of[giver] = giver, unknown
                if giver == start:
                    return []
                unknown = before
    return reached
