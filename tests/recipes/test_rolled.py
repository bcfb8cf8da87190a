"""Rolled programs: the same numbers as the formulas on CasADi's virtual machine and as straight native code."""

from __future__ import annotations

import gc
import pickle
import threading

import numpy as np
import pytest
from campaign import campaign
from float_system import virtual_outputs
from random_models import random_model
from random_trees import relative_error
from rolled_trees import EXAMPLES, TREES, chain, row_of
from state_models import dc_motor, servo, stick_slip

import gyrostat as gs
from gyrostat.coordinates.row import PORTS
from gyrostat.program import Program
from gyrostat.program.rolled.driver import ENTRIES, POOL
from gyrostat.recipes.rolled import RolledTree, _library
from gyrostat.recipes.table import RECIPES
from gyrostat.scalar.repeated import recording, repeated
from gyrostat.scalar.tape import Tape

NAMES = [name for name, recipe in RECIPES.items() if recipe.any_engine and recipe.outputs.module != "constraints"]


def rolled(system: gs.System, name: str) -> Program:
    return RolledTree(system.coordinates).program(name, RECIPES[name])


def check(system: gs.System, name: str, seed: int = 1) -> None:
    row, program = row_of(system, seed), rolled(system, name)
    given = {port: row[system.row._place(port)] for port in PORTS}
    expected = np.concatenate([x.ravel() for x in virtual_outputs(system, name, given).values()])
    assert relative_error(program.loop(row[None])[0], expected) < 1e-11


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("example", TREES)
def test_examples(example: str, name: str) -> None:
    check(gs.formulate(gs.Model.load(EXAMPLES / f"{example}.yaml")), name)


@pytest.mark.parametrize("system", [dc_motor, servo, stick_slip])
def test_components_with_states(system: object) -> None:
    check(system(), "rates")  # type: ignore[operator]


@campaign(100, few=[19, 78])
@pytest.mark.parametrize("bodies", [4, 12])
def test_random_trees(seed: int, bodies: int) -> None:
    """All joints, rotors, force elements and drivers; trees of few kinds of links and of many."""
    system = gs.formulate(random_model(seed, bodies))
    check(system, "rates", seed)
    check(system, NAMES[seed % len(NAMES)], seed)


def test_parameters_that_change_are_seen() -> None:
    system = gs.formulate(chain())
    program = rolled(system, "rates")
    short, long = row_of(system), row_of(system)
    long[system.row.parameters] = 0.7
    both = np.array([short, long, short, long])
    found = program.loop(both)
    assert np.array_equal(found[:2], found[2:])
    assert relative_error(found, system.program("rates").loop(both)) < 1e-12
    assert np.abs(found[0] - found[1]).max() > 1


def test_threads_evaluate_at_once() -> None:
    system = gs.formulate(chain())
    program = rolled(system, "rates")
    rows = np.array([row_of(system, seed) for seed in range(64)] * 30)
    expected = program.loop(rows)
    found = [np.zeros_like(expected) for _ in range(POOL + 4)]
    workers = [threading.Thread(target=program.loop, args=(rows, result)) for result in found]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(np.array_equal(result, expected) for result in found)
    assert np.array_equal(program.batch(rows, threads=3), expected)


def test_more_programs_than_entry_points() -> None:
    system = gs.formulate(chain(2))
    row = row_of(system)[None]
    kept = [rolled(system, "rates") for _ in range(ENTRIES + 3)]
    expected = kept[0].loop(row)
    assert all(np.array_equal(program.loop(row), expected) for program in kept)
    del kept[1:]
    gc.collect()
    assert np.array_equal(rolled(system, "rates").loop(row), expected)


def test_a_run_of_a_tree_of_many_links_is_rolled() -> None:
    system = gs.formulate(chain())
    run = gs.simulate(system, times=[0, 1])
    assert system.ready_program("rates").operations != system.program("rates").operations
    assert list(system._compiled.rolled) == ["rates", "energy"]
    small = gs.formulate(chain(3))
    assert small.ready_program("rates") is small.program("rates")
    restored = pickle.loads(pickle.dumps(system))
    again = gs.simulate(restored, times=[0, 1])
    assert np.array_equal(run.q, again.q)
    assert not pickle.loads(pickle.dumps(system))._compiled.rolled


def test_arguments_of_repeated_functions_are_scalars_and_records_of_them() -> None:
    pair = repeated(lambda x, y: x + y)
    with (
        recording(Tape(_library())),
        pytest.raises(TypeError, match=r"argument of type list\. Give scalars, or records"),
    ):
        pair([1.0], 2.0)
