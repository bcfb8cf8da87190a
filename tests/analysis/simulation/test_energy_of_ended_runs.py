"""The energy account of runs that ended before their time."""

import math

import numpy as np
import pytest

import gyrostat as gs

G = 9.81


def weight(model: gs.Model, name: str, mass: float, x: float, y: float) -> None:
    model.add(gs.Body(name, gs.point_mass(mass)))
    model.add(gs.Prismatic(f"{name}_y", ("ground", (x, 0, 0)), name, axis="y", initial=y))


def ball() -> gs.Model:
    """Return a ball that bounces off the ground."""
    model = gs.Model("ball", gravity=(0, 0, -G))
    model.add(gs.Body("ball", gs.sphere(1, 0.1)))
    model.add(gs.Prismatic("z", "ground", "ball", axis="z", initial=0.5))
    shapes = {"shape_a": gs.shapes.Sphere(0.1), "shape_b": gs.shapes.Plane()}
    model.add(gs.RigidContact("bounce", "ball", "ground", **shapes, restitution=0.5))
    return model


def picked_up() -> gs.Model:
    """Return a falling weight that picks up another one by a rope that snaps tight."""
    model = gs.Model("pick", gravity=(0, -G, 0))
    weight(model, "a", 2.0, 0.1, -0.5)
    weight(model, "b", 1.0, -0.1, -1.5)
    plane = gs.shapes.Plane(turn=[("x", "-90*deg")])
    model.add(gs.RigidContact("table", ("b", (0, 0, 0)), ("ground", (-0.1, -1.5, 0)), shape_b=plane))
    path = ["a", gs.Pulley("top", "ground", 0.1, "left"), "b"]
    model.add(gs.Reeving("rope", path, length=2.5 + math.pi * 0.1, inextensible=True))
    return model


@pytest.mark.parametrize("model", [ball(), picked_up()], ids=["impact", "rope"])
def test_runs_that_end_behind_an_impact_count_its_loss(model):
    """The budget ends the run right after the change, whose loss was missing in the last row."""
    system = gs.formulate(model)
    for steps in range(1, 10):
        with pytest.warns(gs.GyrostatWarning, match="budget"):
            run = gs.simulate(system, 1, step=0.1, integrator=gs.DOP853(), most_steps=steps)
        assert np.abs(run.energy()["balance"].values).max() < 1e-10
    assert run.energy()["impacts"].values[-1] > 1


def reeved() -> gs.Model:
    """Return two weights on a rope over a capstan, a force on one of which has a pole at 0.5 s."""
    model = gs.Model("reeved", gravity=(0, -G, 0), parameters={"pull": 0.0})
    weight(model, "a", 3.0, 0.1, -1.8)
    weight(model, "b", 2.0, -0.1, -1.8)
    pulley = gs.Pulley("top", "ground", 0.1, "left", mu=0.1)
    model.add(gs.Reeving("rope", ["a", pulley, "b"], length=3.6 + 0.1 * math.pi, EA=1e6, damping=1e3))
    model.add(gs.Force("load", "a", (0, "pull*log(0.5 - t)", 0)))
    return model


@pytest.mark.parametrize(
    ("options", "end"),
    [
        ({"events": [gs.Event("low", "a_y + 1.81", action=gs.Stop())]}, "stopped by an event"),
        ({"most_steps": 5}, "the budget is exhausted"),
        ({"parameters": {"pull": 1.0}}, "a value is not finite"),
    ],
)
@pytest.mark.filterwarnings("ignore:The simulation of 'reeved' ended")
def test_runs_with_ropes_have_an_account_up_to_their_end(options, end):
    run = gs.simulate(gs.formulate(reeved()), 1, step=0.01, integrator=gs.Rodas5P(1e-8, 1e-10), **options)
    assert run.status.outcome.value == end
    account = run.energy()
    assert account["time"].values[-1] == run.time[-1] == pytest.approx(run.status.time, abs=1e-6)
    assert np.abs(account["balance"].values).max() < 1e-6
