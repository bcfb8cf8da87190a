"""Locked conditions: which conditions of laws are recorded, and what modes do."""

from __future__ import annotations

import numpy as np
import pytest
from switching_models import slider

import gyrostat as gs
from gyrostat.analysis.simulation.state_switches import StateSwitches


def locked_load(law: str, x: float, v: float, modes: list[float]) -> float:
    """Return the acceleration of the unit mass with modes given."""
    program = slider(law).program("rates", locked=True)
    return float(program.loop(np.array([[0.0, x, v, *modes]]))[0, 1])


def count(law: str) -> int:
    found = StateSwitches.of(slider(law), {}, momenta=False)
    return 0 if found is None else len(found.owners)


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        ("where(angle > 0, 1, 0) + abs(angle) + max(angle, 0) - sign(-angle)", 1),
        ("where(angle < 0.3, 1, 2) + where(0.3 <= angle, 1, 2) + min(angle, 0.3)", 1),
        ("max(angle, rate, 0.5)", 2),
        ("where(t > 3, 1, 0)*angle", 0),
        ("where((t > 3) or (angle > 2), 1, 0)", 1),
        ("floor(angle) + ceil(angle)", 2),
        ("sqrt(1 + angle**2)", 0),
    ],
)
def test_equal_conditions_are_recorded_once(law: str, expected: int) -> None:
    assert count(law) == expected


def test_modes_take_the_place_of_conditions() -> None:
    assert locked_load("where(angle > 0, 2, 5)", -1.0, 0.0, [1.0]) == 2.0
    assert locked_load("where(angle > 0, 2, 5)", -1.0, 0.0, [0.25]) == pytest.approx(0.25 * 2 + 0.75 * 5)
    assert locked_load("sign(rate)", 0.0, -1.0, [0.75]) == pytest.approx(0.5)
    assert locked_load("abs(angle)", -2.0, 0.0, [1.0]) == -2.0
    assert locked_load("where(not (angle > 0), 2, 5)", -1.0, 0.0, [1.0]) == 5.0
    assert locked_load("floor(angle)", 3.7, 0.0, [2.0]) == 2.0


def test_branches_that_are_not_defined_do_no_harm() -> None:
    """Neither the rates nor the Jacobian become not-a-number by a branch that is not selected."""
    system = slider("where(angle < 0, 1e4*(-angle)**1.5*(1 + rate), 0) + where(angle < 0, sqrt(-angle), 0)")
    for x in (1.0, 0.0, 1e-17):
        row = np.array([[0.0, x, 0.3, 0.0 if x == 0.0 else 1.0]])
        for name in ("rates", "rates_jacobian"):
            assert np.isfinite(system.program(name, locked=True).loop(row)).all()


def test_laws_written_in_python_are_recorded() -> None:
    """A force element of a user, with conditions on the engine of its motion."""
    from collections.abc import Iterator
    from dataclasses import dataclass

    from gyrostat.model.forces import CoordinateLoad, ForceElement, Load, Motion
    from gyrostat.model.kinds import ReferenceKind
    from gyrostat.model.record import value

    @dataclass(frozen=True)
    class Stop(ForceElement):
        joint: str = value(ReferenceKind("coordinate"), doc="a coordinate")

        def loads(self, motion: Motion) -> Iterator[Load]:
            depth = motion.scalars.call("max", (motion.coordinate(self.joint) - 1, 0))
            yield CoordinateLoad(self.joint, -100 * depth)

    model = gs.Model("stop", gravity=(0, 0, 0))
    model.add(gs.Body("block", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x", initial={"displacement.rate": 2.0}))
    model.add(Stop("limit", "x"))
    run = gs.simulate(model, times=[0, 2])
    assert run.status.switches == 2
    assert run.u[-1, 0] == pytest.approx(-2.0, abs=1e-8)
    assert run.q[-1, 0] == pytest.approx(1 - 2 * (2 - 0.5 - np.pi / 10), abs=1e-8)
