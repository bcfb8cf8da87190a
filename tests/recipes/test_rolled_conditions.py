"""Rolled programs with locked conditions: the same modes as straight code, and the same numbers for all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from campaign import campaign
from random_trees import Draw, relative_error
from rolled_trees import chain, row_of

import gyrostat as gs
from gyrostat.analysis.variations.variations import evaluated_ports
from gyrostat.program import Program
from gyrostat.recipes.rolled_programs import RolledPrograms, have_same_modes

LONG = 24
"""Links of a chain whose derivatives would take long to compile as a whole."""
LAWS = [
    "where(angle > 0, 1, 2)*angle + abs(rate)",
    "max(angle, rate, 0.5) + where(rate < angle, 1, 0) - min(-angle, 0)",
    "where((rate > 0.1) and not (angle > 0.2), rate, 0.3)",
    "floor(3*angle) + ceil(angle) + sign(-rate)",
    "max(angle - 0.1, 0)**1.5 + sqrt(max(0.2 - rate, 0))",
    "where(angle > 0.1, 1, 0) + where(0.1 - angle > 0, 2, 0) + where(t > 0.2, 1, 0)",
]
"""Laws of hinges; some of their conditions switch where others do."""


def with_laws(links: int, laws: Sequence[str] = LAWS) -> gs.System:
    """Return a chain with laws in some hinges, and with floors, at a number and at a parameter, under some links."""
    model = chain(links)
    for n, law in enumerate(laws[: links // 2]):
        model.add(gs.TorsionSpring(f"law{n}", f"a{2 * n}", torque=law))
    model.add(
        gs.Body(
            "ground", surfaces={"floor": gs.shapes.Plane(at=(0, 0, -2.0)), "shelf": gs.shapes.Plane(at=(0, 0, "-7*l"))}
        )
    )
    normal, friction = gs.HuntCrossley(1e4, exponent=1.5, chi=0.3), gs.Coulomb(0.4, speed=0.1)
    for n, surface in zip(range(1, links, links // 3), ("floor", "shelf", "floor"), strict=False):
        model.add(gs.Contact(f"foot{n}", f"b{n}.end", f"ground.{surface}", normal, friction=friction))
    return gs.formulate(model)


def both(system: gs.System, name: str) -> tuple[Program, Program]:
    """Return the rolled program with locked conditions, and straight code."""
    assert not system.derivatives_roll
    return RolledPrograms(system.coordinates, locked=True).program(name), system.program(name, locked=True)


def rows_with_modes(system: gs.System, size: int, seed: int) -> np.ndarray:
    """Return random rows whose modes are zeros, ones, and values between."""
    rows = np.array([np.append(row_of(system, seed + n), np.zeros(size - system.row.size)) for n in range(3)])
    modes = Draw(seed).random.uniform(0, 1, (3, size - system.row.size))
    modes[:2] = np.round(modes[:2])
    rows[:, system.row.size :] = modes
    return rows


@pytest.mark.parametrize("name", ["rates", "load_power", "energy"])
def test_values_at_any_modes_are_those_of_straight_code(name: str) -> None:
    system = with_laws(12)
    rolled, straight = both(system, name)
    rows = rows_with_modes(system, straight.input_size, 3)
    assert straight.input_size - system.row.size > 10
    assert relative_error(rolled.loop(rows), straight.loop(rows)) < 1e-11


def test_derivatives_at_any_modes_are_those_of_straight_code() -> None:
    system = with_laws(6)
    for name, output in (("rates_jacobian", "jacobian"), ("rates_in_time", "derivatives")):
        rolled, straight = both(system, name)
        for row in rows_with_modes(system, straight.input_size, 5):
            found, expected = (evaluated_ports(one, row)[output] for one in (rolled, straight))
            assert relative_error(found, expected) < 1e-9, name


@campaign(60, few=[2, 41])
def test_laws_in_any_order_have_the_same_modes(seed: int) -> None:
    laws = list(np.random.default_rng(seed).permutation(LAWS * 2)[:6])
    system = with_laws(12, laws)
    rolled, straight = RolledPrograms(system.coordinates, locked=True), system.program("switches", locked=True)
    assert have_same_modes(rolled.switch_values(), straight)


def test_other_switching_functions_are_noticed() -> None:
    """Programs whose modes stand for other conditions, or in another order, are not used."""
    first, last = (with_laws(12, laws) for laws in (LAWS[:2], LAWS[1::-1]))
    rolled = RolledPrograms(first.coordinates, locked=True).switch_values()
    assert have_same_modes(rolled, first.program("switches", locked=True))
    assert not have_same_modes(rolled, last.program("switches", locked=True))
    assert not have_same_modes(rolled, with_laws(12, LAWS[:1]).program("switches", locked=True))


def test_implicit_runs_of_long_trees_with_conditions_are_rolled() -> None:
    system = with_laws(LONG)
    run = gs.simulate(system, duration=0.02, integrator=gs.Rodas5P(1e-6, 1e-8))
    assert run.status.success
    assert {"rates", "rates_jacobian", "rates_in_time"} <= set(system._compiled.rolled.with_modes)
    assert not any("rates" in text for text in system._compiled._known)
    short = gs.simulate(system, duration=0.02, integrator=gs.DOP853(1e-9, 1e-11))
    assert np.abs(run["a0"].values - short["a0"].values).max() < 1e-6
