"""The contract of constraints: rates of residuals are speeds, loads follow by virtual power, engines agree."""

import numpy as np
import pytest
from constraint_cases import MADE, T, case_of, matrix, residuals
from float_system import FloatSystem, virtual_outputs
from random_trees import Floats

import gyrostat as gs
from gyrostat.equations.loads import applied_loads
from gyrostat.equations.newton_euler import inverse_dynamics
from gyrostat.kinematics.constraint_loads import constraint_loads
from gyrostat.kinematics.constraints import component_rows
from gyrostat.model.constraints import CONSTRAINTS, Constraint
from gyrostat.model.forces import PointLoad

STEP = 1e-5
each = pytest.mark.parametrize("made", MADE)


def test_every_constraint_has_a_case():
    assert {type(constraint) for constraint in MADE.values()} == set(CONSTRAINTS)


@each
@pytest.mark.parametrize("seed", [1, 2])
def test_speeds_are_rates_of_residuals(made, seed):
    constraint = MADE[made]
    system, q, u = case_of(made, seed)
    rates = system.coordinate_rates(q, u, t=T)
    ahead, behind = (residuals(system, constraint, q + h * rates, T + h) for h in (STEP, -STEP))
    for row, slope in zip(
        component_rows(system.motion(q, u, T), constraint), (ahead - behind) / (2 * STEP), strict=True
    ):
        if row.residual is not None:
            assert row.speed == pytest.approx(slope, abs=1e-7)


@each
def test_speeds_are_affine(made):
    constraint = MADE[made]
    system, q, u = case_of(made)

    def speeds(u: Floats) -> Floats:
        return np.array([row.speed for row in component_rows(system.motion(q, u, T), constraint)], dtype=float)

    assert speeds(2 * u) - speeds(u) == pytest.approx(matrix(system, constraint, q) @ u, abs=1e-12)


def generalised(system: FloatSystem, constraint: Constraint, q: Floats, u: Floats, multipliers: Floats) -> Floats:
    """Return what the loads of a constraint on bodies and coordinates come to on the speeds, through the tree."""
    motion = system.motion(q, u, T)
    names = [row.name for row in component_rows(motion, constraint)]
    loads = constraint_loads(motion, constraint, dict(zip(names, multipliers.tolist(), strict=True)))
    still = np.zeros(system.n_u).tolist()
    without = inverse_dynamics(motion, still, applied_loads(motion))
    return np.array(without) - np.array(inverse_dynamics(motion, still, applied_loads(motion, extra=loads)))


@each
@pytest.mark.parametrize("seed", [1, 2])
def test_loads_do_the_work_of_the_rows(made, seed):
    constraint = MADE[made]
    system, q, u = case_of(made, seed)
    A = matrix(system, constraint, q)
    multipliers = np.random.default_rng(seed).normal(size=len(A))
    found = generalised(system, constraint, q, u, multipliers)
    assert found == pytest.approx(A.T @ multipliers, abs=1e-11)
    assert np.abs(found).max() > 1e-3


@each
def test_loads_balance_unless_the_ground_bears_them(made):
    constraint = MADE[made]
    system, q, u = case_of(made)
    motion = system.motion(q, u, T)
    values = {row.name: 1.7 for row in component_rows(motion, constraint)}
    loads = [load for load in constraint_loads(motion, constraint, values) if isinstance(load, PointLoad)]
    if len(loads) != 2 or made in ("Cable", "Equation"):
        return
    force = sum(np.array(load.force, dtype=float) for load in loads)
    places = [np.array(motion.end(load.end).position, dtype=float) for load in loads]
    moments = [np.array(load.moment, dtype=float) for load in loads]
    moment = sum(m + np.cross(r, load.force) for m, r, load in zip(moments, places, loads, strict=True))
    assert force == pytest.approx(np.zeros(3), abs=1e-12)
    assert moment == pytest.approx(np.zeros(3), abs=1e-12)


@each
def test_the_traced_engine_agrees_and_free_motions_of_joints_bear_nothing(made):
    constraint = MADE[made]
    system, q, u = case_of(made)
    state = {"t": T, "q": q, "u": u, "parameters": [12.0]}
    found = virtual_outputs(system.system, "constraints", state)
    rows = component_rows(system.motion(q, u, T), constraint)
    assert [row.name for row in system.system.constraints] == [row.name for row in rows]
    assert found["speeds"][:, 0] == pytest.approx(np.array([row.speed for row in rows]), abs=1e-12)
    assert found["matrix"] == pytest.approx(matrix(system, constraint, q), abs=1e-12)
    udot = virtual_outputs(system.system, "forward_dynamics", state)["udot"]
    reactions = virtual_outputs(system.system, "reactions", {**state, "udot": udot})
    bodies = system.system.bodies
    forces, moments = reactions["forces"].reshape(-1, 3), reactions["moments"].reshape(-1, 3)
    motion = system.motion(q, u, T)
    if "a_hinge" not in (getattr(constraint, "coordinate", None), *_coordinates(constraint)):
        assert moments[bodies.index("arm")] @ np.array([1, 2, 2]) / 3 == pytest.approx(0, abs=1e-9)
    if "slide" not in _coordinates(constraint):
        along = np.array(motion.end(gs.model.kinds.End("a")).rotation, dtype=float)[:, 1]
        assert forces[bodies.index("a")] @ along == pytest.approx(0, abs=1e-9)
    assert forces[bodies.index("b")] == pytest.approx(np.zeros(3), abs=1e-9)
    assert moments[bodies.index("b")] == pytest.approx(np.zeros(3), abs=1e-9)


def _coordinates(constraint: Constraint) -> set[str]:
    return {getattr(constraint, name, "") for name in ("a", "b", "pinion", "rack")} | (
        {"a_hinge", "slide"} if isinstance(constraint, gs.Equation) else set()
    )
