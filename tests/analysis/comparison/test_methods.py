"""The same accelerations by every method: random trees and loops, and what the comparison refuses."""

from __future__ import annotations

import numpy as np
import pytest
from campaign import campaign
from closed_models import closed_system
from coordinate_models import slider_crank
from document_pendulum import document_pendulum
from random_trees import Draw

import gyrostat as gs

OPEN = ("articulated bodies", "composite bodies", "velocity transformation", "Roberson–Schwertassek")
OTHERS = ("absolute coordinates", "branch coordinates", "cutsets", "Euler parameters")


def test_an_open_chain() -> None:
    found = gs.compare_methods(document_pendulum(), at={"a1": 0.4, "a2": 0.9, "a1.rate": 1.0, "a2.rate": -2.0})
    assert [row.method for row in found.rows] == [*OPEN, *OTHERS]
    assert found.largest_difference < 1e-12
    assert found["absolute coordinates"].equations == 10  # 6 speeds of plane bodies, 4 multipliers
    assert found["Euler parameters"].equations == 26  # 14 coordinates, 10 multipliers, 2 norms
    lines = str(found).splitlines()
    assert lines[0] == "Accelerations of 'double pendulum' by each method"
    assert lines[1].split() == [
        "method",
        "coordinates",
        "equations",
        "operations",
        "derive",
        "evaluate",
        "condition",
        "difference",
    ]
    assert "<td>velocity transformation</td>" in found._repr_html_()


def test_a_closed_loop() -> None:
    found = gs.compare_methods(gs.formulate(slider_crank(), "branch"), at={"h8": 0.7, "h8.rate": 2.0})
    assert [row.method for row in found.rows] == [*OPEN[1:], "embedding", *OTHERS]
    assert found.largest_difference < 1e-9
    assert found["embedding"].equations == 1


@campaign(30, few=[9])
def test_random_loops(seed: int) -> None:
    closed = closed_system(seed)
    if closed is None:
        return
    names = (*closed.system.coordinate_names, *closed.system.speed_names)
    found = gs.compare_methods(closed.system, at=dict(zip(names, (*closed.q, *closed.u), strict=True)))
    assert found.largest_difference < 1e-6


@campaign(30)
def test_random_trees(seed: int) -> None:
    draw = Draw(seed)
    system = gs.formulate(draw.tree(2 + seed % 3).model())
    q, u = draw.state(system)
    if not len(u):
        return
    names = (*system.coordinate_names, *system.speed_names)
    found = gs.compare_methods(system, at=dict(zip(names, np.concatenate((q, u)), strict=True)))
    assert found.largest_difference < 1e-8


def test_motion_that_is_given_has_no_accelerations_to_find() -> None:
    model = gs.Model("driven")
    model.add(gs.Body("bar", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("a", "ground", "bar", driven="t"))
    with pytest.raises(gs.TopologyError, match="All coordinates of 'driven' are driven"):
        gs.compare_methods(model)
