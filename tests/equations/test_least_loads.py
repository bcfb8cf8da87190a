"""The minimum-norm loads of a motion, against NumPy's solution for free bodies with joints as constraints."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from campaign import campaign
from choices import Instant
from closed_models import closed_system

import gyrostat as gs

EXAMPLES = Path(__file__).parents[2] / "examples"
SEEDS = (5, 8, 10, 12, 14, 17, 18, 19, 20, 21, 23, 25)
"""Random closed mechanisms in which constraints are redundant."""


def smallest(instant):
    """Return what NumPy makes of the loads: the smallest that have the same effect on the bodies."""
    system = instant.system
    weights = np.array([system.model_size if row.unit == "N·m" else 1.0 for row in system.constraints])
    rows = instant.rows * weights[:, None]
    return weights * np.linalg.lstsq(rows.T, rows.T @ (instant.multipliers / weights), rcond=1e-9)[0]


def in_absolute_coordinates(system, q, u):
    free = gs.formulate(system.model, "absolute", planar=False)
    instant = Instant(system, q, u, 0.0, {}).seen_in(free)
    assert not instant.determinate
    return instant


@pytest.mark.parametrize("name", ["bricard", "four_bar", "crank_slider"])
def test_loads_of_free_bodies_with_constraints(name):
    system = gs.formulate(gs.Model.load(EXAMPLES / f"{name}.yaml"))
    start = gs.assemble(system)
    instant = in_absolute_coordinates(system, start.q, start.u)
    expected = smallest(instant)
    assert np.abs(expected).max() > 0.0
    np.testing.assert_allclose(instant.multipliers, expected, atol=1e-8 * np.abs(expected).max())


@campaign(SEEDS)
def test_loads_of_random_redundant_loops(seed):
    closed = closed_system(seed)
    assert closed is not None
    instant = in_absolute_coordinates(closed.system, closed.q, closed.u)
    expected = smallest(instant)
    np.testing.assert_allclose(instant.multipliers, expected, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("kind", ["spring", "driver"])
def test_what_acts_on_coordinates_is_no_load_of_the_constraints(kind):
    """Loads of springs on coordinates, and of drivers, whether a tree has the coordinate or a constraint holds it."""
    source = gs.Model.load(EXAMPLES / "bricard.yaml")
    model = gs.Model("bricard", gravity=source.gravity, parameters={n: p.value for n, p in source.parameters.items()})
    driven = {"a1": replace(source.joints["a1"], driven={"": "0.1*t"}, initial={})} if kind == "driver" else {}
    for part in (*source.bodies.values(), *source.joints.values()):
        model.add(driven.get(part.name, part))
    if kind == "spring":
        model.add(gs.TorsionSpring("closer", "a2", 50.0, damping=3.0))
    system = gs.formulate(model)
    start = gs.assemble(system, {} if kind == "driver" else {"a1": 0.4, "a1.rate": 1.0})
    instant = Instant(system, start.q, start.u, 0.0, {})
    other = instant.seen_in(gs.formulate(model, "absolute"))
    assert not instant.determinate
    assert not other.determinate
    found, expected = instant.reactions, other.reactions
    size = max(np.abs(load).max() for load in expected.values())
    for name, load in expected.items():
        np.testing.assert_allclose(found[name], load, atol=1e-6 * size)
