"""What a peer offers to a comparison."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from timing import Candidate

from peers.tree import Floats, Tree


@dataclass(frozen=True)
class States:
    """States and loads: q, u, tau, each of shape (N, n)."""

    q: Floats
    u: Floats
    tau: Floats

    def first(self, count: int) -> States:
        """Return the first states."""
        return States(self.q[:count], self.u[:count], self.tau[:count])

    def outwards(self, tree: Tree) -> States:
        """Return the states in the order of the tree's links."""
        return States(tree.outwards(self.q), tree.outwards(self.u), tree.outwards(self.tau))


@dataclass(frozen=True)
class Task:
    """Something to time, and afterwards its results, in gyrostat's order, by name: "udot" has shape (N, n)."""

    candidate: Candidate
    results: Callable[[], dict[str, Floats]]


class Peer(ABC):
    """A package that computes the accelerations of a tree. Methods return None where it has no such thing."""

    name: ClassVar[str]
    distribution: ClassVar[str]
    """What pip calls it."""
    about_call: ClassVar[str] = ""
    """What a call from Python evaluates."""
    about_batch: ClassVar[str] = ""
    """What its native loop evaluates."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    @abstractmethod
    def call(self, states: States) -> Task | None:
        """Return the evaluation of the first state, called from Python."""

    @abstractmethod
    def batch(self, states: States) -> Task | None:
        """Return the evaluation of all states in the peer's own native loop, on one thread."""
