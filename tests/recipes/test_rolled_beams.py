"""Rolled programs of beams: the same numbers as functions that are traced as a whole, from functions known before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from beam_mechanisms import beam_tree, state_of
from beam_models import UNIT, beam_on
from campaign import SOAK

import gyrostat as gs
from gyrostat.program import compile_program
from gyrostat.recipes import compiled
from gyrostat.recipes.rolled_programs import RolledPrograms
from gyrostat.system import System

SEEDS = range(12) if SOAK else (2,)

pytestmark = pytest.mark.campaign(len(SEEDS))


def _values(system: System, seed: int) -> dict[str, Any]:
    q, u = state_of(system, seed)
    return {"t": 0.0, "q": q, "u": u, "z": [], "parameters": system.parameter_values(), "inputs": []}


def _rolled(system: System, name: str, values: dict[str, Any]) -> Any:
    program = RolledPrograms(system.coordinates).program(name)
    return next(iter(program.evaluate(values).values()))


def _traced(system: System, name: str, values: dict[str, Any]) -> Any:
    function = system.casadi_function(name)
    found = function.call([values[function.name_in(i)] for i in range(function.n_in())])
    return np.array(found[0].full())


@pytest.mark.parametrize("seed", SEEDS)
def test_rates_and_their_derivatives_are_those_of_straight_code(seed: int) -> None:
    system = gs.formulate(beam_tree(seed))
    values = _values(system, seed)
    rates = _traced(system, "rates", values)[:, 0]
    np.testing.assert_allclose(_rolled(system, "rates", values), rates, rtol=0, atol=1e-11 * np.abs(rates).max())
    jacobian = _traced(system, "rates_jacobian", values)
    found = _rolled(system, "rates_jacobian", values)
    np.testing.assert_allclose(found, jacobian, rtol=0, atol=1e-10 * np.abs(jacobian).max())


def test_beams_of_order_exact_roll_and_their_derivatives_too() -> None:
    exact = gs.formulate(beam_on(order="exact", terms={"v": 2}))
    assert exact.rolls
    assert exact.derivatives_roll
    short = gs.formulate(beam_on(terms={"v": 3}))
    assert not short.rolls
    assert not short.derivatives_roll
    long = gs.formulate(beam_on(terms={"v": 3, "w": 3}, Iy=1))
    assert not long.rolls
    assert long.derivatives_roll


def test_beams_with_other_dimensions_need_no_new_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    given = UNIT | {"order": "exact", "terms": {"v": 2}}
    systems = [gs.formulate(beam_on(**(given | {"length": length, "Iz": length / 3}))) for length in (1.3, 1.7)]
    values = [_values(system, 1) for system in systems]
    _rolled(systems[0], "rates", values[0])
    monkeypatch.setattr("gyrostat.program.rolled.library.Library._kind", None)
    assert np.isfinite(_rolled(systems[1], "rates", values[1])).all()
    other = gs.formulate(beam_on(**(given | {"terms": {"v": 3}})))
    with pytest.raises(TypeError, match="not callable"):
        _rolled(other, "rates", _values(other, 1))


def test_programs_that_a_step_seldom_takes_are_compiled_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    levels: list[int] = []

    def noted(key: str, build: Any, *, optimisation: int) -> Any:
        levels.append(optimisation)
        return compile_program(build(), optimisation=0, cache=False)

    monkeypatch.setattr(compiled, "load_or_compile", noted)
    for order in ("exact", 2):
        system = gs.formulate(beam_on(order=order, terms={"v": 1}))
        for name in ("rates", "rates_along"):
            system.program(name)
    assert levels == [2, 0, 2, 2]


def test_inertia_wrenches_of_sections_are_added_before_they_pass_inward() -> None:
    """Each section passes a column for each term inward: sections times terms, not pairs of sections times terms."""
    counts = [
        gs.formulate(beam_on(order="exact", terms={"v": n})).program("mass_matrix").operations for n in (2, 4)
    ]  # six and eight sections
    assert counts[1] < 3 * counts[0]
