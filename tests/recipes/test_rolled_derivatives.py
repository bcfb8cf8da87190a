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
from gyrostat.analysis.variations.variations import evaluated_ports
from gyrostat.coordinates.row import PORTS
from gyrostat.program import Program
from gyrostat.recipes.rolled_derivatives import DERIVATIVES
from gyrostat.recipes.rolled_programs import RolledPrograms
from gyrostat.recipes.table import RECIPES

NAMES = tuple(name for name in DERIVATIVES if name in RECIPES)


def derivatives(system: gs.System, name: str) -> Program:
    return RolledPrograms(system.coordinates).program(name)


def check(system: gs.System, name: str, seed: int = 1) -> None:
    row = row_of(system, seed)
    given = {port: row[system.row._place(port)] for port in PORTS}
    found, expected = derivatives(system, name).evaluate(given), virtual_outputs(system, name, given)
    assert found.keys() == expected.keys()
    for output, values in expected.items():
        assert found[output].size == values.size
        assert not values.size or relative_error(found[output].reshape(values.shape), values) < 1e-10, output


def check_variations(system: gs.System, seed: int = 1) -> None:
    """Compare the terms of a linear model with CasADi's, at one state."""
    row = row_of(system, seed)
    given = {port: row[system.row._place(port)] for port in PORTS}
    found = evaluated_ports(derivatives(system, "tree_variations"), row)
    terms = virtual_outputs(system, "linear_terms", given)
    mapping, udot = terms["mapping"], np.linalg.solve(terms["mass"], -terms["bias"])
    by = virtual_outputs(system, "linear_derivatives", {**given, "udot": udot})
    pairs = {
        "mass": (found["mass"], terms["mass"]),
        "mapping": (found["mapping"], mapping),
        "carried": (found["rates_by_q"] @ mapping - found["mapping_rate"], terms["carried"]),
        "udot": (found["udot"], udot),
        "load by position": (found["load_by_q"] @ mapping, by["load_by_position"]),
        "load by speed": (found["load_by_u"], by["load_by_speed"]),
    }
    for name, (one, other) in pairs.items():
        assert one.shape == other.shape
        assert np.abs(one - other).max(initial=0.0) <= 1e-10 * max(1.0, np.abs(other).max(initial=0.0)), name


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
    check_variations(system)


@campaign(100, few=[78])
@pytest.mark.parametrize("bodies", [4, 12])
def test_random_trees(seed: int, bodies: int) -> None:
    """All joints, rotors, force elements and drivers."""
    system = gs.formulate(random_model(seed, bodies))
    if seed % (len(NAMES) + 1) == len(NAMES):
        check_variations(system, seed)
    else:
        check(system, NAMES[seed % (len(NAMES) + 1)], seed)


def test_variations_of_free_bodies() -> None:
    """Directions of Euler parameters move with the body, so that the mapping N has a rate."""
    model = random_model(1, 4)
    model.add(gs.Body("flying", mass=1.3, inertia=(1, 2, 2.5)))
    model.add(gs.Free("flight", "ground", "flying"))
    system = gs.formulate(model)
    check_variations(system)
    rate = evaluated_ports(derivatives(system, "tree_variations"), row_of(system))["mapping_rate"]
    assert np.abs(rate).max() > 0.1


@pytest.mark.parametrize("links", [12, 24])
def test_analyses_at_rest_of_chains_compile_nothing(links: int) -> None:
    """Equilibrium, linear model and modes of a chain take one rolled program; the frequencies are those of M and K."""
    system = gs.formulate(chain(links))
    modes = gs.linearize(system, gs.equilibrium(system)).modes()
    assert "tree_variations" in system._compiled.rolled
    assert not any("linear" in text or "jacobian" in text for text in system._compiled._known)
    hanging, still, h = np.zeros(links), np.zeros(links), 1e-6
    pushed = [
        [system.inverse_dynamics(hanging + sign * h * step, still, still) for sign in (1, -1)] for step in np.eye(links)
    ]
    stiffness = np.array([(forward - backward) / (2 * h) for forward, backward in pushed]).T
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(system.mass_matrix(hanging), stiffness)).real)
    found = np.sort([mode.eigenvalue.imag for mode in modes])
    assert np.abs(found**2 - squares).max() < 1e-6 * squares.max()


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
