"""Ten thousand bodies: everything up to the topology takes time and memory in proportion to their number."""

import random
import time
import tracemalloc
from functools import cache

import pytest

import gyrostat as gs
from gyrostat.topology import element_graph

CHAIN, STAR, TREE = "chain", "star", "random tree"


def large_model(shape, n):
    """A model of n bars, hinges and some motors and springs."""
    rng = random.Random(7)
    model = gs.Model(shape, gravity=(0, 0, "-g"), parameters={"g": 9.81, "l": 1})
    points = {"top": (0, "l/2", 0), "tip": (0, "-l/2", 0)}
    for i in range(n):
        below = {CHAIN: i - 1, STAR: -1, TREE: rng.randrange(-1, i) if i else -1}[shape]
        model.add(gs.Body(f"b{i}", gs.rod(1, "l", along="y", radius=0.01), points=points))
        model.add(gs.Revolute(f"j{i}", "ground" if below < 0 else f"b{below}.tip", f"b{i}.top"))
        if i % 10 == 0:
            model.add(gs.Actuator(f"m{i}", f"j{i}"))
            model.add(gs.SpringDamper(f"s{i}", "ground", f"b{i}.tip", stiffness=1, length="l"))
    return model


def examine(model, n):
    model.check()
    topology = gs.Topology.of(model)
    assert len(topology.arcs) == n
    assert topology.incidence.nonzeros == 2 * n
    assert str(topology)
    assert len(element_graph(model).graph.vertices) == 1 + n + n + n - sum(_unused_tips(model))


def _unused_tips(model):
    used = {str(end) for joint in model.joints.values() for end in (joint.parent, joint.child)}
    used |= {str(force.b) for force in model.forces.values() if isinstance(force, gs.SpringDamper)}
    return [f"{name}.{point}" not in used for name in model.bodies for point in ("top", "tip")]


@cache
def chain_of(n):
    return large_model(CHAIN, n)


def test_ten_thousand_bodies():
    examine(chain_of(10_000), 10_000)


@pytest.mark.parametrize("shape", [STAR, TREE])
def test_thousands_of_bodies(shape):
    examine(large_model(shape, 3000), 3000)


@pytest.mark.parametrize(("suffix", "n"), [("json", 3000), ("yaml", 1000)])
def test_thousands_of_bodies_in_a_file(suffix, n, tmp_path):
    model = chain_of(n)
    path = tmp_path / f"large.{suffix}"
    model.save(path)
    assert gs.Model.load(path) == model


def peak_memory(work):
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("shape", [CHAIN, STAR, TREE])
def test_memory_is_linear(shape, tmp_path):
    def work(n):
        model = large_model(shape, n)
        examine(model, n)
        model.save(tmp_path / "large.json")
        gs.Model.load(tmp_path / "large.json")

    work(10)  # what is imported on first use does not count
    small, large = (peak_memory(lambda n=n: work(n)) for n in (150, 300))
    assert large < 2.6 * small


def test_a_model_is_not_searched_again_for_each_component(monkeypatch, tmp_path):
    """How often all components are gone through does not depend on their number."""
    searched = []
    search = gs.Model._family
    monkeypatch.setattr(gs.Model, "_family", lambda self, cls: searched.append(cls) or search(self, cls))

    def searches(n):
        searched.clear()
        model = large_model(TREE, n)
        model.check()
        topology = gs.Topology.of(model)
        assert topology.explain()
        assert topology.elements
        model.save(tmp_path / "m.json")
        assert gs.Model.load(tmp_path / "m.json") == model
        return len(searched)

    assert searches(20) == searches(100)


def test_time_is_linear():
    """Eight times the bodies take far less than sixty-four times the time; the best of several runs counts."""

    def seconds(n):
        model = large_model(TREE, n)
        best = float("inf")
        for _ in range(2):
            start = time.process_time()
            examine(model, n)
            best = min(best, time.process_time() - start)
        return best

    seconds(50)
    assert seconds(1600) < 20 * seconds(200)
