"""Outputs of many rows, evaluated in blocks: the same as those of few rows, and only what was asked for is kept."""

from __future__ import annotations

import numpy as np
import pytest
from state_models import driven_four_bar, servo

import gyrostat as gs
from gyrostat.analysis.simulation import energy_balance, motion, recorded
from gyrostat.model.kinds import End


def _bouncing() -> gs.System:
    model = gs.Model("ball", gravity=(0, "-g", 0), parameters={"g": 9.81, "k": 40.0, "h": 0.5})
    model.add(gs.Body("ball", gs.rod(1.0, 0.2, along="y"), points={"tip": (0, "h", 0)}))
    model.add(gs.Prismatic("y", "ground", "ball", axis="y", initial=1.0))
    model.add(gs.SpringDamper("band", "ground", "ball.tip", stiffness="k", damping=0.4, length=0.3))
    return gs.formulate(model)


TIP = End("ball", "tip")
SYSTEMS = {
    "servo": servo,
    "four-bar with motor": lambda: driven_four_bar(algebraic=False),
    "bouncing ball": _bouncing,
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_blocks_change_no_bit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    system = SYSTEMS[name]()
    events = [gs.Event("floor", "y", direction="falling", action=gs.Restitution(0.7))] * (name == "bouncing ball")
    run = gs.simulate(system, duration=1.0, step=0.01, events=events)
    names = run.names
    whole = {one: run[one].values for one in names}
    energy = run.energy()
    monkeypatch.setattr(recorded, "_BLOCK", 7)
    monkeypatch.setattr(recorded, "_KEPT_ROWS_LIMIT", 0)
    monkeypatch.setattr(energy_balance, "_BLOCK", 11)
    again = gs.Trajectory.of(run.motion)
    for one in names:
        np.testing.assert_array_equal(again[one].values, whole[one], err_msg=one)
    for part, values in again.energy().data_vars.items():
        np.testing.assert_allclose(values.values, energy[part].values, rtol=0, atol=1e-13, err_msg=str(part))


def test_columns_of_many_rows_belong_to_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are neither copied nor kept, so that a change of them changes no other output."""
    run = gs.simulate(servo(), duration=1.0, step=0.01)
    expected = run["rod"].values
    monkeypatch.setattr(recorded, "_KEPT_ROWS_LIMIT", 50)
    again = gs.Trajectory.of(run.motion)
    changed = again["rod"]
    assert not again.recorded._found
    assert not again.recorded._columns
    changed.values[:] = -1.0
    np.testing.assert_array_equal(again["rod"].values, expected)


@pytest.mark.parametrize("inclusive", [False, True])
def test_counts_of_values_before_times(inclusive: bool) -> None:
    values, times = np.array([0.0, 1.0, 1.0, 2.0, 5.0]), np.array([-1.0, 0.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.0, 4.0])
    for first in range(len(times)):
        for last in range(first + 1, len(times) + 1):
            some = times[first:last]
            found = motion._counts(values, some, inclusive=inclusive)
            side = "right" if inclusive else "left"
            np.testing.assert_array_equal(found, np.searchsorted(values, some, side=side))


def test_a_value_that_is_not_finite_is_explained_in_any_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded, "_BLOCK", 4)
    monkeypatch.setattr(recorded, "_KEPT_ROWS_LIMIT", 0)
    system = servo()
    row = system.row.of(0.0, system.initial_state(), system.parameter_values())
    rows = np.tile(row, (11, 1))
    rows[9, system.row.q] = np.nan
    with pytest.raises(gs.StateError):
        recorded.Recorded(system, rows).omega("rod")


def test_places_with_parameters_that_change_and_that_do_not() -> None:
    system = _bouncing()
    run = gs.simulate(system, duration=0.5, step=0.1)
    rows = run.rows.copy()
    rows[3:, system.row.parameters.start + 2] = 0.8
    moved = (recorded.Recorded(system, rows).position(TIP) - run.recorded.position(TIP))[1]
    np.testing.assert_allclose(moved, np.where(np.arange(len(rows)) < 3, 0.0, 0.3), atol=1e-15)
