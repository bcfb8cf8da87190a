"""Events on accelerations, constraint loads and reactions, and inputs that read them where that is well-posed."""

from __future__ import annotations

import numpy as np
import pytest

import gyrostat as gs


def _pendulum(*, rod: bool) -> gs.Model:
    """Return a point mass on a rope of 1 m: held by a constraint, or by a hinge; it swings over the horizontal."""
    model = gs.Model("rope", gravity=(0, -9.81, 0))
    model.add(gs.Body("ball", mass=1, inertia=(0.1, 0.1, 0.1), points={"top": (0, 1, 0)}))
    if rod:
        model.add(gs.Planar("p", "ground", "ball", initial={"y": -1, "x.rate": 6}))
        model.add(gs.Distance("rope", "ground", "ball", 1.0))
    else:
        model.add(gs.Revolute("a1", "ground", "ball.top", initial={"angle.rate": 6}))
        model.add(gs.Actuator("motor", "a1"))
    return model


def test_loss_of_tension_is_an_event() -> None:
    """The tension m (v²/l + g cos a) vanishes where cos a = (2 g l − v₀²)/(3 g l)."""
    run = gs.simulate(_pendulum(rod=True), 2, step=0.01, events=[gs.Event("slack", "rope.force", "falling", gs.Stop())])
    assert [one.event for one in run.events] == ["slack"]
    assert run["rope.force"].values[-1] == pytest.approx(0, abs=1e-8)
    assert -run["ball.y"].values[-1] == pytest.approx((2 * 9.81 - 36) / (3 * 9.81), rel=1e-8)


@pytest.mark.parametrize(("when", "output"), [("a1.reaction.force.y", "y"), ("a1.acc + 5", "acc")])
def test_events_on_reactions_and_accelerations(when: str, output: str) -> None:
    run = gs.simulate(_pendulum(rod=False), 0.5, step=0.01, events=[gs.Event("cross", when)])
    assert run.events
    at = run.at(sorted({one.time for one in run.events}))
    values = at["a1.reaction.force"].sel(axis="y") if output == "y" else at["a1.acc"] + 5
    np.testing.assert_allclose(values, 0, atol=1e-8)


def test_a_load_has_no_direction_of_impact() -> None:
    bounce = gs.Event("slack", "rope.force", "falling", gs.Restitution(0.5))
    with pytest.raises(gs.StateError, match=r"of 'slack' depends on 'rope\.force', so that it has no direction of"):
        gs.simulate(_pendulum(rod=True), 1, events=[bounce])


def test_an_input_may_not_read_the_acceleration_that_it_changes() -> None:
    message = r"The formula -a1\.acc of input 'motor' depends on its own value \('motor' → 'motor'\), by 'a1\.acc'"
    with pytest.raises(gs.StateError, match=message):
        gs.simulate(_pendulum(rod=False), 1, inputs={"motor": "-a1.acc"})


def test_an_input_may_read_accelerations_that_it_does_not_change() -> None:
    model = _pendulum(rod=False)
    model.add(gs.Body("other", mass=1, inertia=(1, 1, 1), com=(0, -1, 0)))
    model.add(gs.Revolute("a2", "ground", "other", initial={"angle": 0.4}))
    model.add(gs.Body("driven", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("a3", "ground", "driven", driven="t**2"))
    texts = {"formula": "a2.acc + a3.acc", "function": lambda t, state: state["a2.acc"] + state["a3.acc"]}
    runs = [gs.simulate(model, 0.3, step=0.05, inputs={"motor": text}) for text in texts.values()]
    np.testing.assert_allclose(runs[0]["motor"], runs[0]["a2.acc"] + 2, rtol=1e-12)
    np.testing.assert_allclose(runs[0].q, runs[1].q, rtol=1e-9, atol=1e-9)
