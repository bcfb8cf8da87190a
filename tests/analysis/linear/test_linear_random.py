"""The linear model of random systems equals high-order differences of their nonlinear flow."""

import numpy as np
import pytest
from campaign import campaign
from closed_models import closed_system
from random_trees import Draw, Floats

import gyrostat as gs
from gyrostat.analysis.variations.flow import Flow
from gyrostat.closing.closing import Closer

STEP = 2e-3
WEIGHTS = {1: 8 / 12, 2: -1 / 12}
"""Central differences of order four: f' = Σ w (f(h k) − f(−h k))/h."""


def mapping(system: gs.System, q: Floats) -> Floats:
    """Return N(q), column by column."""
    return np.stack([system.coordinate_rates(q, unit) for unit in np.eye(system.coordinates.n_u)], axis=-1)


def displaced(flow: Flow, x: Floats) -> tuple[Floats, Floats]:
    """Return the state of the nonlinear system with deviations x of the independent variations."""
    point, closer = flow.variations.point, Closer(flow.variations.system)
    q = closer.moved(point.q, flow.theta @ x)
    u = point.u + flow.u @ x
    if flow.variations.system.constrained:
        q, left = closer.closed(q)
        assert np.abs(left).max() < 1e-9
        u, _ = closer.admissible_speeds(q, u)
    return q, u


def flow_by_differences(flow: Flow, direction: Floats) -> tuple[Floats, Floats]:
    """Return the rates of δθ and of δu along a direction, from differences of the nonlinear equations alone."""
    system, point = flow.variations.system, flow.variations.point
    qdot = np.zeros(len(point.q))
    udot = np.zeros(len(point.u))
    for k, weight in WEIGHTS.items():
        for sign in (1, -1):
            q, u = displaced(flow, sign * k * STEP * direction)
            qdot += sign * weight / STEP * system.coordinate_rates(q, u)
            udot += sign * weight / STEP * system.forward_dynamics(q, u)
    moving = system.coordinate_rates(point.q, point.u)
    turning = sum(
        sign * weight / STEP * mapping(system, point.q + sign * k * STEP * moving)
        for k, weight in WEIGHTS.items()
        for sign in (1, -1)
    )
    theta = flow.theta @ direction
    rate = np.linalg.lstsq(mapping(system, point.q), qdot - turning @ theta, rcond=None)[0]
    return rate, udot


def check(system: gs.System, q: Floats, u: Floats, seed: int) -> None:
    state = dict(zip((*system.coordinate_names, *system.speed_names), [*q, *u], strict=True))
    flow = gs.linearize(system, state, frozen=True).flow
    directions = np.random.default_rng(seed).normal(size=(3, flow.states))
    for direction in directions:
        direction /= max(1.0, np.abs(flow.theta @ direction).max(), np.abs(flow.u @ direction).max())
        rate, udot = flow_by_differences(flow, direction)
        for found, expected in ((flow.theta_rate @ direction, rate), (flow.udot @ direction, udot)):
            assert np.abs(found - expected).max() < 2e-7 * max(1.0, np.abs(expected).max())


@campaign(4)
def test_trees(seed: int) -> None:
    draw = Draw(seed)
    system = gs.formulate(draw.tree(3).model())
    if system.coordinates.n_u:
        check(system, *draw.state(system), seed)


@campaign((30, 39, 41))
def test_loops(seed: int) -> None:
    found = closed_system(seed)
    if found is None:
        pytest.skip("the constraints leave no motion")
    check(found.system, found.q, found.u, seed)


def rolling(seed: int) -> gs.System:
    """Return a body on a rolling disc and a knife edge, askew."""
    rng = np.random.default_rng(seed)
    model = gs.Model("rolling", gravity=(0, 0, -9.81))
    model.add(gs.Body("wheel", mass=1.0, inertia=(0.02, 0.04, 0.02)))
    model.add(
        gs.Body(
            "rider", gs.box(2.0, (0.2, 0.3, 0.5)), com=tuple(rng.uniform(-0.1, 0.1, 3)), points={"heel": (0.6, 0, 0)}
        )
    )
    model.add(gs.Free("free", "ground", "wheel", initial={"z": 0.3}))
    model.add(gs.Spherical("seat", ("wheel", (0.0, 0.1, 0.05)), "rider"))
    model.add(gs.RollingDisc("contact", "wheel", 0.3, axis="y"))
    return gs.formulate(model)


@pytest.mark.parametrize("seed", range(1))
def test_rolling(seed: int) -> None:
    system = rolling(seed)
    rng = np.random.default_rng(seed)
    closer = Closer(system)
    q, _ = closer.closed(closer.moved(system.initial_coordinates, rng.uniform(-0.4, 0.4, system.coordinates.n_u)))
    u, _ = closer.admissible_speeds(q, rng.uniform(-1, 1, system.coordinates.n_u))
    check(system, q, u, seed)
    flow = gs.linearize(
        system, dict(zip((*system.coordinate_names, *system.speed_names), [*q, *u], strict=True)), frozen=True
    ).flow
    assert (len(flow.reduction.positions), len(flow.reduction.speeds)) == (8, 6)
