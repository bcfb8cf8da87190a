"""Rolled programs of systems with constraints: the numbers of the traced formulas, in all coordinates."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from campaign import campaign
from closed_models import closed_system
from float_system import virtual_outputs
from loop_models import closed_chain, four_bars
from random_trees import Floats, relative_error
from rolled_trees import EXAMPLES
from scipy.integrate import solve_ivp

import gyrostat as gs
from gyrostat.coordinates.row import PORTS
from gyrostat.equations.saddle_point import factorise_saddle_point
from gyrostat.kinematics.constraints import has_constraints
from gyrostat.program import compile_program
from gyrostat.program.rolled.engine import RolledEngine
from gyrostat.program.rolled.table import InstructionTable, needed
from gyrostat.program.rolled.workspace import Workspace
from gyrostat.recipes import build_function
from gyrostat.recipes.constraints import named_rows
from gyrostat.recipes.rolled import RolledTree, _library
from gyrostat.recipes.table import RECIPES, SOFTNESS
from gyrostat.scalar.repeated import recording
from gyrostat.scalar.tape import Tape

LOOPS = (
    *("andrews_squeezer", "bricard", "crank_slider", "four_bar", "gear_train", "quick_return", "rolling_disc"),
    *("spatial_four_bar", "spatial_slider_crank", "universal_drive_line", "whipple_bicycle"),
)
COORDINATES = ("joint", "branch", "absolute")
NAMES = ("constraints", "constraint_rates", "guarded_rates", "projected_coordinates", "projected_speeds", "rates")


def row_near(system: gs.System, seed: int = 1) -> Floats:
    """Return a random row of arguments near the model's initial position, at its parameters."""
    rng = np.random.default_rng(seed)
    row = 0.2 * rng.normal(size=system.row.size)
    row[system.row.q] += system.initial_state()[0]
    row[system.row.parameters] = system.parameter_values()
    return row


def check(system: gs.System, names: tuple[str, ...] = NAMES, seed: int = 1) -> None:
    row, tree = row_near(system, seed), RolledTree(system.coordinates)
    given = {port: row[system.row._place(port)] for port in PORTS}
    assert tree.constraint_rows == named_rows(system.coordinates)
    for name in names:
        found, expected = tree.program(name, RECIPES[name]).evaluate(given), virtual_outputs(system, name, given)
        for port, values in expected.items():
            # Accelerations of random states next to singular ones lose digits with the condition.
            assert relative_error(found[port].reshape(values.shape), values) < 1e-8 or not values.size, (name, port)


@campaign(
    [*product(LOOPS, COORDINATES)],
    name="example, coordinates",
    few=[*((example, COORDINATES[i % 3]) for i, example in enumerate(LOOPS)), *product(["four_bar"], COORDINATES[1:])],
)
def test_examples(example: str, coordinates: str) -> None:
    system = gs.formulate(gs.Model.load(EXAMPLES / f"{example}.yaml"), coordinates=coordinates)
    if has_constraints(system.coordinates):
        check(system, NAMES[:2] if system.rank.redundant else NAMES[:3])


@campaign(100, few=[7, 12])
def test_random_closed_systems(seed: int) -> None:
    """All joints as chords, on random trees with rotors, force elements and drivers."""
    found = closed_system(seed)
    if found is not None:
        check(found.system, NAMES[:2] if found.system.rank.redundant else NAMES, seed)


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_redundant_constraints_have_the_same_compliance(coordinates: str) -> None:
    system = gs.formulate(four_bars(3), coordinates=coordinates)
    row = row_near(system)
    rolled = RolledTree(system.coordinates, SOFTNESS).program("rates", RECIPES["rates"])
    straight = compile_program(build_function("rates", RECIPES["rates"], system.coordinates, None, SOFTNESS))
    found, expected = (program.loop(row[None])[0] for program in (rolled, straight))
    assert relative_error(found, expected) < 1e-7


def test_a_run_of_many_loops_is_rolled() -> None:
    """Cranks of parallelograms in a row turn alike: ((N+1)/3 + N) θ̈ = ((N+1)/2 + N) g sin θ."""
    n, g = 13, 9.81
    system = gs.formulate(four_bars(n))
    run = gs.simulate(system, 0.5, step=0.5, initial={"c0.rate": 1.0}, integrator=gs.DOP853(rtol=1e-10, atol=1e-10))
    assert {"constraints", "guarded_rates", "projected_speeds"} <= set(system._rigid.rolled)
    factor = ((n + 1) / 2 + n) * g / ((n + 1) / 3 + n)
    exact = solve_ivp(lambda _, y: (y[1], factor * np.sin(y[0])), (0, 0.5), (0, 1), rtol=1e-12, atol=1e-12).y[0, -1]
    cranks = [run.q[-1, system.coordinate_names.index(f"c{i}")] for i in range(n + 1)]
    np.testing.assert_allclose(cranks, exact, rtol=1e-8)


def test_loops_of_few_bodies_are_straight_code() -> None:
    assert not gs.formulate(four_bars(2)).rolls
    assert gs.formulate(closed_chain(30)).rolls


def test_elimination_on_a_tape() -> None:
    rng, n, count = np.random.default_rng(1), 30, 12
    lower = np.tril(rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.1))
    M, A = lower @ lower.T + np.eye(n), rng.normal(size=(count, n)) * (rng.random((count, n)) < 0.3)
    mass = [(i, j) for i in range(n) for j in range(i + 1) if M[i, j]]
    rows = [(i, j) for i in range(count) for j in range(n) if A[i, j]]
    library = _library()
    tape = Tape(library)
    inputs = tape.inputs(len(mass) + len(rows) + n + count)
    right = inputs[len(mass) + len(rows) :]
    with recording(tape):
        factor = factorise_saddle_point(
            dict(zip(mass, inputs, strict=False)), dict(zip(rows, inputs[len(mass) :], strict=False)), n, count
        )
        moved, multipliers = factor.solve(right[:n], right[n:])
    assert len(tape.instructions) == 2
    places = [tape.place(x) for x in (*moved, *multipliers, *factor.pivots)]
    workspace = Workspace(library, tape, inputs, range(0))
    table = InstructionTable(workspace, needed(tape, places))
    table.gather([workspace.address(place) for place in places])
    engine = RolledEngine(library, table)
    given, found = rng.normal(size=n + count), np.zeros(n + 2 * count)
    row = np.array([*(M[key] for key in mass), *(A[key] for key in rows), *given])
    engine.evaluate(row.ctypes.data, found.ctypes.data)
    whole = np.block([[M, A.T], [A, np.zeros((count, count))]])
    np.testing.assert_allclose(found[: n + count], np.linalg.solve(whole, given), rtol=1e-11, atol=1e-11)
    assert (found[n + count :] < 0).all()
