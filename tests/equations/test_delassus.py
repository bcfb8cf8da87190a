"""Constraints solved along the tree: the same answers as the sparse factor, in fewer operations for long chains."""

import numpy as np
import pytest
from campaign import campaign
from closed_models import closed_system
from loop_models import closed_chain, four_bars

import gyrostat as gs
from gyrostat.equations import constraint_solver
from gyrostat.recipes import RECIPES, SOFTNESS, begin_trace, build_function

NAMES = ("rates", "multipliers", "projected_coordinates", "projected_speeds")


def outputs(system, q, u, softness):
    """Return what the programs of constraints give at a state, by CasADi alone."""
    found = []
    for name in NAMES:
        function = build_function(name, RECIPES[name], system.coordinates, softness=softness)
        sizes = {"t": 0.3, "q": q, "u": u, "z": [], "parameters": system.parameter_values(), "inputs": []}
        found += [np.array(value).ravel() for value in function.call([sizes[key] for key in function.name_in()])]
    return found


def by(monkeypatch, recursion, *arguments):
    monkeypatch.setattr(constraint_solver, "recursion_is_shorter", lambda *_: recursion)
    return outputs(*arguments)


@campaign(20)
def test_both_ways_agree_on_random_loops(seed, monkeypatch):
    closed = closed_system(seed)
    if closed is None:
        pytest.skip("the constraints leave no motion")
    system, redundant = closed.system, closed.system.rank.redundant
    state = (system, closed.q, closed.u, SOFTNESS if redundant else 0.0)
    if np.linalg.cond(system.mass_matrix(closed.q)) > 1e6:
        pytest.skip("ill-conditioned")
    pairs = list(zip(by(monkeypatch, False, *state), by(monkeypatch, True, *state), strict=True))
    tolerance = 1e-7 if redundant else 1e-9
    for sparse, recursive in pairs:
        size = max(1.0, np.abs(sparse).max(initial=0.0))
        np.testing.assert_allclose(recursive, sparse, rtol=0, atol=tolerance * size)


def test_free_rotors_are_eliminated_like_modes(monkeypatch):
    model = closed_chain(4)
    wheel = gs.Rotor("wheel", axis=(0, 0, 1), inertia=0.002, free=True)
    spun = gs.Model("spun chain", gravity=(0, -9.81, 0))
    for body in model.bodies.values():
        extra = {"rotors": [wheel]} if body.name == "link1" else {}
        spun.add(gs.Body(body.name, gs.slender_rod(0.5, 0.5, along="x"), points=body.points, **extra))
    for joint in model.joints.values():
        spun.add(joint)
    system = gs.formulate(spun)
    state = (system, system.initial_coordinates, np.arange(1.0, 6.0), 0.0)
    for sparse, recursive in zip(by(monkeypatch, False, *state), by(monkeypatch, True, *state), strict=True):
        np.testing.assert_allclose(recursive, sparse, rtol=1e-9, atol=1e-9)


def test_a_closed_chain_costs_in_step_with_its_length():
    counts = (10, 20, 40, 80)
    operations = []
    for count in counts:
        coordinates = gs.formulate(closed_chain(count)).coordinates
        operations.append(build_function("rates", RECIPES["rates"], coordinates).n_instructions())
    slope = np.polyfit(np.log(counts), np.log(operations), 1)[0]
    assert slope < 1.15


@pytest.mark.parametrize("count", [1, 4, 16])
def test_loops_in_a_row_keep_the_sparse_factor(count):
    trace = begin_trace(gs.formulate(four_bars(count)).coordinates)
    from gyrostat.recipes.constraints import constraints_of

    found = constraints_of(trace)
    assert not constraint_solver.recursion_is_shorter(trace.motion, found.entries, len(found.rows))
