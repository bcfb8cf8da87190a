"""Threads that formulate and compile different models at the same time agree with one thread."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import casadi
import numpy as np
import pytest

import gyrostat as gs
from gyrostat.program import Program, compile_program
from gyrostat.recipes import RECIPES, build_function
from gyrostat.scalar import traced

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
NAMES = ("double_pendulum", "spinning_top", "spring_pendulum", "four_bar")
PROGRAMS = ("rates", "forward_dynamics_derivatives", "canonical_rates")


@pytest.fixture
def slow_reciprocals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other threads run while one has switched CasADi's simplifications off."""
    honest = traced._binary

    def slow(*arguments: Any) -> Any:
        if not casadi.GlobalOptions.getSimplificationOnTheFly():
            time.sleep(1e-3)
        return honest(*arguments)

    monkeypatch.setattr(traced, "_binary", slow)


def formulated(name: str) -> dict[str, Program]:
    coordinates = gs.formulate(gs.Model.load(EXAMPLES / f"{name}.yaml")).coordinates
    return {
        program: compile_program(
            build_function(program, RECIPES[program], coordinates, in_order=True), optimisation=0, cache=False
        )
        for program in PROGRAMS
    }


def test_threads_agree_with_one(slow_reciprocals: None) -> None:
    expected = {name: formulated(name) for name in NAMES}
    found: dict[str, dict[str, Program]] = {}

    def work(names: tuple[str, ...]) -> None:
        found.update({name: formulated(name) for name in names})

    threads = [threading.Thread(target=work, args=(names,)) for names in (NAMES[:2], NAMES[2:])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert casadi.GlobalOptions.getSimplificationOnTheFly()
    generator = np.random.default_rng(1)
    for name, programs in expected.items():
        for program, alone in programs.items():
            together = found[name][program]
            assert together.operations == alone.operations, (name, program)
            rows = generator.uniform(0.5, 1.5, (3, sum(port.size for port in alone.inputs)))
            np.testing.assert_array_equal(together.loop(rows), alone.loop(rows))
