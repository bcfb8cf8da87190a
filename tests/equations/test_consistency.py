"""Consistency conditions (000 eqs 15 and 16): W^ac against relative motion and constraints."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from campaign import campaign
from closed_models import ClosedSystem, closed_system
from exact_models import example
from float_system import FloatSystem

import gyrostat as gs
from gyrostat.equations.consistency import Consistency
from gyrostat.equations.roberson_schwertassek import RobersonSchwertassek
from gyrostat.recipes import RECIPES, build_function
from gyrostat.scalar import Scalar
from gyrostat.written.equation_set import Equations

LOOPS = (
    *("four_bar", "crank_slider", "quick_return", "spatial_four_bar", "spatial_slider_crank"),
    *("universal_drive_line", "andrews_squeezer", "bricard"),
)
SEEDS = range(12)


@cache
def exact(name: str) -> tuple[Equations, Consistency]:
    equations = gs.formulate(example(name)).equations()
    return equations, Consistency(RobersonSchwertassek(equations.trace.motion))


@cache
def random_loop(seed: int) -> tuple[ClosedSystem, Consistency] | None:
    closed = closed_system(seed)
    if closed is None:
        return None
    return closed, Consistency(RobersonSchwertassek(FloatSystem(closed.system).motion(closed.q, closed.u)))


def by_name(consistency: Consistency) -> dict[str, list[Scalar]]:
    """Return the rows that W^ac gives, by the names of constraints."""
    return {
        f"{name}: {mode.label}": row
        for name, chord in consistency.chords.items()
        for mode, row in zip(chord.psi, consistency.constraint_matrix(name), strict=True)
    }


@pytest.mark.parametrize("name", LOOPS)
def test_relative_velocities_of_chords_follow_from_those_of_arcs(name: str) -> None:
    """Eq 16, as normal forms, also where the loop is not closed."""
    _, consistency = exact(name)
    for c, chord in consistency.chords.items():
        found = consistency.G(c)
        pairs = zip((*found.angular, *found.linear), (*chord.Omega, *chord.V), strict=True)
        assert all(a - b == 0 for a, b in pairs)


@pytest.mark.parametrize("name", LOOPS)
def test_projected_on_reactions_they_are_the_constraints(name: str) -> None:
    equations, consistency = exact(name)
    rows, constraints = by_name(consistency), equations.exact_constraints
    assert set(rows) == {row.name for row in constraints.rows} | set(constraints.trivial)
    for i, row in enumerate(constraints.rows):
        for j, entry in enumerate(rows[row.name]):
            assert entry - constraints.entries.get((i, j), 0) == 0
    assert all(entry == 0 for name in constraints.trivial for entry in rows[name])


@pytest.mark.parametrize("name", LOOPS)
def test_only_arcs_on_the_circuit_count(name: str) -> None:
    """T S_C is not zero on the way from one end of the chord to the other, and nowhere else."""
    _, consistency = exact(name)
    topology = gs.formulate(example(name)).topology
    for c in consistency.chords:
        on_loop = {step.name for step in topology.tree.loop(c)} - {c}
        assert {a for a, chord in consistency.TS_C if chord == c} == on_loop


@campaign(SEEDS, few=(9,))
def test_random_loops(seed: int) -> None:
    """Any joints, any sense of arcs and chords, spatial: eq 16, and A of the traced engine."""
    found = random_loop(seed)
    if found is None:
        pytest.skip("the constraints leave no motion")
    closed, consistency = found
    for c, chord in consistency.chords.items():
        carried = consistency.G(c)
        np.testing.assert_allclose(
            np.array([*carried.angular, *carried.linear], float), np.array([*chord.Omega, *chord.V], float), atol=1e-12
        )
    system = closed.system
    function: Any = build_function("constraints", RECIPES["constraints"], system.coordinates)
    A = np.array(function(0, closed.q, closed.u, [], [], [])[2].full())
    rows = by_name(consistency)
    expected = np.array([rows[row.name] for row in system.constraints], float)
    np.testing.assert_allclose(expected, A, atol=1e-12 * max(1.0, np.abs(A).max()))
