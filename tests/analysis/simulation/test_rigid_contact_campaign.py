"""Random drops of bodies with several rigid contacts: nothing overlaps, energy is never gained, its account closes."""

from __future__ import annotations

import numpy as np
import pytest
import rigid_contact_models as models
from campaign import campaign

import gyrostat as gs


@pytest.fixture(scope="module")
def plank() -> gs.System:
    return gs.formulate(models.plank("mu", "e"))


@pytest.fixture(scope="module")
def box() -> gs.System:
    return gs.formulate(models.tumbling_box())


def require_sound(run: gs.Trajectory, gaps: tuple[str, ...]) -> None:
    assert run.status.success, run.status.message
    assert min(run[f"{name}.gap"].values.min() for name in gaps) > -1e-9
    energy = run.energy()
    assert np.diff(energy.total.values).max() < 1e-7
    assert abs(energy.balance.values).max() < 1e-6
    assert not any("The energy" in note for note in run.status.notes)


def coefficients(random: np.random.Generator) -> dict[str, float]:
    """Return coefficients of friction and restitution, without rebound in half of the cases."""
    return {"mu": random.uniform(0, 1), "e": random.choice([0.0, random.uniform(0, 1)])}


@campaign(60, few=[3, 40])
def test_planks_in_the_plane(seed: int, plank: gs.System) -> None:
    random = np.random.default_rng(seed)
    start = {"p.angle": random.uniform(-3, 3), "p.x.rate": random.normal(), "p.angle.rate": 5 * random.normal()}
    run = models.simulate_quietly(plank, duration=3, step=0.02, initial=start, parameters=coefficients(random))
    require_sound(run, ("a", "b"))


@campaign(60, few=[6, 19])
def test_boxes_in_space(seed: int, box: gs.System) -> None:
    random = np.random.default_rng(seed)
    e = random.normal(size=4)
    turn = dict(zip(("p.e0", "p.e1", "p.e2", "p.e3"), e / np.linalg.norm(e), strict=True))
    speeds = {name: random.normal() * (3 if name[2] == "w" else 1) for name in box.speed_names}
    start = {**turn, **speeds}
    run = models.simulate_quietly(box, duration=1.5, step=0.02, initial=start, parameters=coefficients(random))
    require_sound(run, ("c",))
