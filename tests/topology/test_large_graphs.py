"""Ten thousand bodies: memory grows with their number, and nothing recurses."""

import random
import tracemalloc

import numpy as np
import pytest

from gyrostat.graph.linear_graph import LinearGraph


def chain(n: int) -> LinearGraph:
    return LinearGraph([(f"e{i}", f"v{i}", f"v{i + 1}") for i in range(n)], "v0")


def star(n: int) -> LinearGraph:
    return LinearGraph([(f"e{i}", "v0", f"v{i + 1}") for i in range(n)], "v0")


def random_tree(n: int) -> LinearGraph:
    below = random.Random(7).randint
    return LinearGraph([(f"e{i}", f"v{below(0, i)}", f"v{i + 1}") for i in range(n)], "v0")


def peak_memory(make, n: int) -> int:
    tracemalloc.start()
    graph = make(n)
    tree = graph.spanning_tree()
    assert tree.depth
    assert graph.incidence.nonzeros == 2 * n
    assert tree.cutset.nonzeros == n
    assert len(tree.subtree("v0")) == n + 1
    assert str(graph.incidence)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("make", [chain, star, random_tree])
def test_memory_is_linear(make):
    peak_memory(make, 10)  # what is imported on first use does not count
    small, large = peak_memory(make, 5_000), peak_memory(make, 10_000)
    assert large < 2.6 * small
    assert large < 100e6  # a dense 10 000 × 10 000 matrix of bytes would take as much


def test_a_long_chain_does_not_recurse():
    n = 100_000
    tree = chain(n).spanning_tree()
    assert tree.depth[f"v{n}"] == n
    assert len(tree.chain(f"v{n}")) == n
    assert len(tree.subtree("v1")) == n


def test_a_long_loop_closes():
    n = 20_000
    graph = LinearGraph([(f"e{i}", f"v{i}", f"v{(i + 1) % n}") for i in range(n)], "v0")
    tree = graph.spanning_tree()
    assert len(tree.loop(tree.chords[0])) == n
    assert tree.circuit.nonzeros == n


def test_path_matrix_of_a_chain_of_two_thousand():
    tree = chain(2000).spanning_tree()
    assert np.array_equal(tree.path.to_array(), -np.triu(np.ones((2000, 2000), dtype=int)))
    assert np.array_equal(tree.body_path.to_array(), np.tril(np.ones((2000, 2000), dtype=int)))
