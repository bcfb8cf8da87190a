"""Operation counts: they do not depend on the machine, so that a formula that grew longer is seen at once.

A count that grew by more than 2 % fails; one that fell asks for the file to be updated, so that gains are kept:

    python -m tests.recipes.test_operation_counts
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import gyrostat as gs
from benchmarks.models import seven_joint_arm, thirty_joint_tree, universal_chain
from gyrostat.program.graph import read_graph
from gyrostat.recipes import RECIPES, build_function

ROOT = Path(__file__).parent.parent.parent
RECORD = ROOT / "tests" / "data" / "operation_counts.json"
PROGRAMS = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "rates")
ALLOWED = 1.02
UPDATE = "python -m tests.recipes.test_operation_counts"


def _trees() -> dict[str, Callable[[], gs.Model]]:
    """Return the examples without loops and constraints, and the models that speed is measured on."""
    found: dict[str, Callable[[], gs.Model]] = {}
    for path in sorted((ROOT / "examples").glob("*.yaml")):
        model = gs.Model.load(path)
        if not gs.Topology.of(model).chords and not model.constraints:
            found[f"example {path.stem}"] = lambda path=path: gs.Model.load(path)
    return found | {
        "benchmark seven_joint_arm": seven_joint_arm,
        "benchmark thirty_joint_tree": thirty_joint_tree,
        "benchmark universal_chain(20)": lambda: universal_chain(20),
    }


@cache
def _counts(name: str) -> dict[str, int]:
    coordinates = gs.formulate(_trees()[name]()).coordinates
    counted = {program: read_graph(build_function(program, RECIPES[program], coordinates)) for program in PROGRAMS}
    return {program: sum(graph.operation_counts().values()) for program, graph in counted.items()}


def _recorded() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def test_every_tree_is_recorded() -> None:
    assert sorted(_recorded()) == sorted(_trees()), f"Record them: {UPDATE}."


@pytest.mark.parametrize("name", sorted(_trees()))
def test_counts_do_not_grow(name: str) -> None:
    recorded = _recorded().get(name, {})
    for program, count in _counts(name).items():
        known = recorded.get(program, 0)
        assert count <= ALLOWED * known, f"{name}, {program}: {count} operations, {known} before."
        assert count >= known / ALLOWED, (
            f"{name}, {program}: {count} operations, {known} before. Keep the gain: {UPDATE}."
        )


def test_long_chains_cost_in_proportion_to_their_length() -> None:
    def operations(links: int) -> int:
        coordinates = gs.formulate(universal_chain(links)).coordinates
        graph = read_graph(build_function("forward_dynamics", RECIPES["forward_dynamics"], coordinates))
        return sum(graph.operation_counts().values())

    # lengths of links that are not whole numbers, whose products would fold
    short, middle, long = (operations(links) for links in (12, 24, 36))
    assert long - middle == pytest.approx(middle - short, rel=0.01)


def record() -> None:
    """Write the counts of today."""
    counts = {name: _counts(name) for name in sorted(_trees())}
    RECORD.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
