"""The tour through a tree: outward and back, limb by limb."""

from __future__ import annotations

import gyrostat as gs
from gyrostat.kinematics.tree_motion import build_tree
from gyrostat.model.evaluator import Evaluator
from gyrostat.scalar.floats import FloatScalars


def test_a_limb_is_finished_before_the_next_begins() -> None:
    model = gs.Model("star")
    for limb in "ab":
        for i in range(3):
            inboard = f"{limb}{i - 1}" if i else "ground"
            model.add(gs.Body(f"{limb}{i}", mass=1, inertia=(1, 1, 1)))
            model.add(gs.Revolute(f"j{limb}{i}", inboard, f"{limb}{i}"))
    tree = build_tree(gs.formulate(model).coordinates, Evaluator(FloatScalars(), {}.__getitem__))
    passed = [f"{'-' if leaving else '+'}{tree.links[i].body}" for i, leaving in tree.tour()]
    limbs = [[f"+{limb}0", f"+{limb}1", f"+{limb}2", f"-{limb}2", f"-{limb}1", f"-{limb}0"] for limb in "ab"]
    assert passed == [*limbs[0], *limbs[1]]
