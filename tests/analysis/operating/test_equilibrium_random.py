"""Random mechanisms on springs: equilibria are balanced, and disturbed motions agree with the verdict on stability."""

import numpy as np
import pytest
from campaign import campaign
from operating_models import loop_on_springs, tree_on_springs

import gyrostat as gs
from gyrostat.closing.closing import Closer

pytestmark = pytest.mark.filterwarnings("ignore:Stability limited the step")
TREES = {6: 2, 11: 2, 16: 3}
LOOPS = (8,)


def demand_rest(system, found):
    assert not found.u.any()
    np.testing.assert_allclose(system.forward_dynamics(found.q, found.u), 0, atol=1e-7)
    run = gs.simulate(system, duration=0.5, initial=found.state, step=0.5)
    if found.stability.verdict is gs.Verdict.STABLE:
        np.testing.assert_allclose(run.q[-1], found.q, atol=1e-7)


def demand_verdict(system, found):
    """Push the mechanism a little; damped motion goes back to a least energy, and away from another."""
    rng = np.random.default_rng(0)
    speeds = 1e-3 * rng.normal(size=len(found.u))
    if system.constrained:
        speeds, _ = Closer(system).admissible_speeds(found.q, speeds)
    start = {**found.coordinates, **dict(zip(system.speed_names, speeds.tolist(), strict=True))}
    run = gs.simulate(system, duration=30, initial=start, step=1.0, integrator=gs.DOP853(rtol=1e-8, atol=1e-10))
    total = run.energy()["total"].values
    potential = float(system.energy(found.q, found.u).potential)
    if found.stability.verdict is gs.Verdict.STABLE:
        assert np.abs(run.u[-1]).max() < 0.1
        assert potential - 1e-9 <= total[-1] <= total[0]
    elif found.stability.verdict is gs.Verdict.UNSTABLE:
        assert total[-1] < potential - 1e-6


@campaign(tuple(TREES))
def test_trees(seed):
    system = tree_on_springs(seed, TREES[seed])
    found = gs.equilibrium(system)
    assert found.stability.verdict is gs.Verdict.STABLE
    demand_rest(system, found)
    everywhere = gs.equilibrium(system, guess=found.coordinates, search=6)
    assert everywhere.q == pytest.approx(found.q, abs=1e-9)
    unstable = [point for point in everywhere.all if point.stability.verdict is gs.Verdict.UNSTABLE]
    for point in (found, *unstable[:1]):
        demand_verdict(system, point)


@pytest.mark.parametrize("seed", LOOPS)
def test_loops(seed):
    system, closed = loop_on_springs(seed)
    found = gs.equilibrium(system, guess=closed)
    demand_rest(system, found)
    demand_verdict(system, found)
    rows = system.program("constraints")
    state = rows.loop(found.row[None, :])[0]
    np.testing.assert_allclose(state[rows.output_slice("residuals")], 0, atol=1e-9)
