"""Rooted trees: one condition of order for each (Butcher; Hairer, Nørsett, Wanner I, section II.2)."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TypeAlias

import numpy as np

Tree: TypeAlias = tuple["Tree", ...]
"""A tree is the sorted tuple of the trees that hang on its root."""


@lru_cache
def trees(order: int) -> tuple[Tree, ...]:
    """Return all rooted trees with so many nodes.

    >>> [len(trees(n)) for n in range(1, 9)]
    [1, 1, 2, 4, 9, 20, 48, 115]
    """
    return tuple(sorted(_forests(order - 1, order - 1)))


@lru_cache
def _forests(nodes: int, largest: int) -> tuple[Tree, ...]:
    """Return all sorted collections of trees with so many nodes in sum, none of them with more than `largest`."""
    if nodes == 0:
        return ((),)
    found = []
    for size in range(1, min(nodes, largest) + 1):
        for count in range(1, nodes // size + 1):
            for rest in _forests(nodes - count * size, size - 1):
                found += [tuple(sorted((*same, *rest))) for same in combinations_with_replacement(trees(size), count)]
    return tuple(found)


def size(tree: Tree) -> int:
    """Return the number of nodes."""
    return 1 + sum(map(size, tree))


def density(tree: Tree) -> int:
    """Return γ: the product of the sizes of all subtrees."""
    product = size(tree)
    for branch in tree:
        product *= density(branch)
    return product


def stage_weights(tree: Tree, a: np.ndarray) -> np.ndarray:
    """Return Φ_i of every stage: a method of weights b fulfils the tree's condition where b·Φ = 1/γ."""
    weights = np.ones(len(a))
    for branch in tree:
        weights = weights * (a @ stage_weights(branch, a))
    return weights


def rosenbrock_weights(tree: Tree, alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Return Φ_i of every stage of a Rosenbrock method (Hairer and Wanner II, section IV.7).

    Where one branch alone hangs on a node, the Jacobian takes part: β = α + Γ instead of α.
    """
    weights = np.ones(len(alpha))
    for branch in tree:
        weights = weights * ((beta if len(tree) == 1 else alpha) @ rosenbrock_weights(branch, alpha, beta))
    return weights
