"""Assembly: values that are kept, least changes, branches, and what cannot be closed."""

import numpy as np
import pytest
from loop_models import four_bar

import gyrostat as gs

CRANK_ROCKER = {"crank": 0.4, "coupler": 1.0, "rocker": 0.8, "base": 1.0}


@pytest.fixture(scope="module")
def system():
    return gs.formulate(four_bar(**CRANK_ROCKER))


def closed(system, state):
    """Return how far the pin between coupler and rocker is open, from bodies' poses alone."""
    poses = system.poses({name: state[name] for name in system.coordinate_names})
    tip = poses["coupler"].position + poses["coupler"].rotation @ [0.5, 0, 0]
    pin = poses["rocker"].position + poses["rocker"].rotation @ [0.4, 0, 0]
    return float(np.linalg.norm(tip - pin))


@pytest.mark.parametrize("angle", np.linspace(-3, 3, 7))
def test_a_given_crank_angle_is_kept_and_the_rest_follows(system, angle):
    found = gs.assemble(system, {"h1": angle, "h1.rate": 2.0})
    assert found.state["h1"] == pytest.approx(angle, abs=1e-12)
    assert found.state["h1.rate"] == pytest.approx(2.0, abs=1e-12)
    assert closed(system, found.state) < 1e-11
    assert found.open < 1e-11
    speeds = system.program("constraints")
    row = np.concatenate(([0.0], found.q, found.u))
    assert np.abs(speeds.loop(row[None, :])[0, speeds.output_slice("speeds")]).max() < 1e-11


def test_a_guess_chooses_the_branch(system):
    up = gs.assemble(system, {"h1": 1.0}, guess={"h2": -0.5})
    down = gs.assemble(system, {"h1": 1.0}, guess={"h2": -2.5})
    assert abs(up.state["h2"] - down.state["h2"]) > 0.5
    assert closed(system, up.state) < 1e-11
    assert closed(system, down.state) < 1e-11


def test_values_of_a_joint_that_closes_the_loop_are_kept(system):
    (chord,) = system.topology.chords
    wanted = gs.assemble(system, {"h1": 1.0, "h1.rate": 1.5})
    run = gs.simulate(system, times=[0.0], initial=wanted.state)
    angle, rate = float(run[chord].values[0]), float(run[f"{chord}.rate"].values[0])
    found = gs.assemble(system, {chord: angle, f"{chord}.rate": rate}, guess=_coordinates(system, wanted.state))
    assert found.state["h1"] == pytest.approx(1.0, abs=1e-9)
    assert found.state["h1.rate"] == pytest.approx(1.5, abs=1e-8)


def _coordinates(system, state):
    return {name: state[name] + 0.05 for name in system.coordinate_names}


def test_nothing_moves_that_is_right_already(system):
    right = gs.assemble(system, {"h1": 0.7})
    again = gs.assemble(system, guess=right.state)
    assert again.moved == {}
    assert "nothing moved" in str(again)


def test_values_given_to_some_digits_are_meant(system):
    right = gs.assemble(system, {"h1": 0.7})
    rounded = {name: round(right.state[name], 6) for name in system.coordinate_names}
    found = gs.assemble(system, rounded)
    assert closed(system, found.state) < 1e-11
    assert max(abs(found.state[name] - rounded[name]) for name in rounded) < 1e-5


def test_contradictory_values_are_explained(system):
    with pytest.raises(gs.StateError, match=r"values given for 'h1', 'h2' contradict each other: .* stays open by"):
        gs.assemble(system, {"h1": 1.0, "h2": 2.0})
    with pytest.raises(gs.StateError, match=r"speeds given for 'h1.rate', 'h2.rate' contradict the constraints"):
        gs.assemble(system, {"h1": 1.0, "h1.rate": 1.0, "h2.rate": 7.0})
    with pytest.raises(gs.StateError, match="'h1' is fixed and guessed"):
        gs.assemble(system, {"h1": 1.0}, guess={"h1": 2.0})
    with pytest.raises(gs.StateError, match="no coordinate or speed 'h9'"):
        gs.assemble(system, {"h9": 1.0})


def test_loops_that_cannot_close_are_explained():
    model = four_bar(crank=0.2, coupler=0.3, rocker=0.2, base=1.0)
    with pytest.raises(
        gs.StateError, match=r"loops of 'four-bar' cannot be closed .* stays open by at least 0.* Check"
    ):
        gs.assemble(model)
    with pytest.raises(gs.ModelError, match="cannot be closed"):
        gs.check(model)


def test_the_check_counts_freedoms_by_rank(system):
    report = gs.check(system.model)
    assert "The mechanism has 1 degree of freedom." in report.notes


def test_a_singular_position_is_noticed():
    flat = gs.assemble(four_bar(), {"h1": 0.0, "h2": 0.0})
    assert any("singular" in note for note in flat.notes)
    assert not any("singular" in note for note in gs.assemble(four_bar(), {"h1": 1.0}, guess={"h2": -1.0}).notes)


def test_trees_need_no_assembly():
    model = gs.Model("pendulum")
    model.add(gs.Body("bar", gs.rod(1, 1), points={"end": (0.5, 0, 0)}))
    model.add(gs.Revolute("a", "ground", "bar.end"))
    found = gs.assemble(model, {"a": 0.3})
    assert found.state == {"a": 0.3, "a.rate": 0.0}
    assert found.moved == {}
