"""Derivatives of rolled programs: those of CasADi's own differentiation, on trees of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from campaign import campaign
from float_system import virtual_outputs
from random_models import random_model
from random_trees import relative_error
from rolled_trees import EXAMPLES, TREES, chain, row_of

import gyrostat as gs
from gyrostat.coordinates.row import PORTS
from gyrostat.program import Program
from gyrostat.recipes.rolled import RolledTree
from gyrostat.recipes.rolled_derivatives import DERIVATIVES
from gyrostat.recipes.table import RECIPES

NAMES = tuple(DERIVATIVES)


def derivatives(system: gs.System, name: str) -> Program:
    return RolledTree(system.coordinates).derivatives(name, RECIPES[name])


def check(system: gs.System, name: str, seed: int = 1) -> None:
    row = row_of(system, seed)
    given = {port: row[system.row._place(port)] for port in PORTS}
    found, expected = derivatives(system, name).evaluate(given), virtual_outputs(system, name, given)
    assert found.keys() == expected.keys()
    for output, values in expected.items():
        assert found[output].size == values.size
        assert not values.size or relative_error(found[output].reshape(values.shape), values) < 1e-10, output


def cloud(bodies: int) -> gs.Model:
    """Return bodies on springs of their own: nothing couples them."""
    model = gs.Model("cloud", gravity=(0, 0, -9.81))
    for n in range(bodies):
        model.add(gs.Body(f"b{n}", mass=1.0 + n, inertia=(1, 2, 2.5)))
        model.add(gs.Revolute(f"turn{n}", ("ground", (n, 0, 0)), (f"b{n}", (0, 0, 1)), axis="x"))
        model.add(gs.TorsionSpring(f"spring{n}", f"turn{n}", stiffness=10.0, damping=1.0))
    return model


@pytest.mark.parametrize("example", TREES)
def test_examples(example: str) -> None:
    system = gs.formulate(gs.Model.load(EXAMPLES / f"{example}.yaml"))
    for name in NAMES:
        check(system, name)


@campaign(100, few=[78])
@pytest.mark.parametrize("bodies", [4, 12])
def test_random_trees(seed: int, bodies: int) -> None:
    """All joints, rotors, force elements and drivers."""
    system = gs.formulate(random_model(seed, bodies))
    check(system, NAMES[seed % len(NAMES)], seed)


def test_more_directions_than_lanes() -> None:
    """Several groups of directions share addresses; each keeps its own results."""
    check(gs.formulate(chain(9)), "forward_dynamics_derivatives")


def test_numeric_methods_of_long_chains_are_rolled() -> None:
    system = gs.formulate(chain(24))
    q, u = np.linspace(-1, 1, 24), np.linspace(2, -1, 24)
    found = system.forward_dynamics_derivatives(q, u)
    assert list(system._compiled.rolled) == ["forward_dynamics_derivatives"]
    h = 1e-6
    for n in (0, 7, 8, 23):
        step = h * np.eye(24)[n]
        forward, backward = (system.forward_dynamics(q + sign * step, u) for sign in (1, -1))
        assert relative_error((forward - backward) / (2 * h), found["q"][:, n]) < 1e-6


def test_bodies_that_nothing_couples_have_a_sparse_jacobian() -> None:
    system = gs.formulate(cloud(12))
    (port,) = derivatives(system, "rates_jacobian").outputs
    assert (port.rows, port.columns, port.size) == (24, 24, 36)
    check(system, "rates_jacobian")


def test_nothing_is_evaluated_where_time_does_not_matter() -> None:
    program = derivatives(gs.formulate(chain()), "rates_in_time")
    assert program.operations == 0
    assert not program.loop(np.ones((1, program.input_size))).any()


def test_stiff_runs_of_long_chains_are_rolled() -> None:
    system = gs.formulate(chain(24))
    run = gs.simulate(system, times=[0, 0.5], integrator=gs.Rodas5P(rtol=1e-8, atol=1e-8))
    assert set(system._compiled.rolled) >= {"rates", "rates_jacobian", "rates_in_time"}
    assert not any("rates" in text for text in system._compiled._known)
    explicit = gs.simulate(system, times=[0, 0.5], integrator=gs.DOP853(rtol=1e-11, atol=1e-11))
    assert np.abs(run.q[-1] - explicit.q[-1]).max() < 1e-6
