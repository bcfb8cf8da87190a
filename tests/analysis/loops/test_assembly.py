"""Assembly: fixed values, least changes, branches, and loops that cannot be closed."""

import itertools

import numpy as np
import pytest
from campaign import campaign
from loop_models import four_bar, four_bars

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


def hanging_box():
    """Return a box on two strings of 1.2 m with a free joint."""
    model = gs.Model("box on strings", gravity=(0, 0, -9.81))
    model.add(gs.Body("box", gs.box(1, (1, 0.1, 0.1)), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Free("f", "ground", "box", initial={"z": -1}))
    model.add(gs.Distance("s1", ("ground", (-0.5, 0, 0)), "box.a", length=1.2))
    model.add(gs.Distance("s2", ("ground", (0.5, 0, 0)), "box.b", length=1.2))
    return model


@pytest.mark.parametrize(
    "given",
    [{"f.x": 0.1}, {"f.z": -1.1}, {"f.x": 0.1, "f.y": 0.05}, {"f.e0": 0.8, "f.e1": 0.0, "f.e2": 0.0, "f.e3": 0.6}],
)
def test_only_the_given_coordinates_of_a_free_joint_are_kept(given):
    found = gs.assemble(hanging_box(), given)
    assert found.open < 1e-11
    assert {name: found.state[name] for name in given} == pytest.approx(given, abs=1e-12)
    run = gs.simulate(hanging_box(), times=[0, 0.01], initial=given)
    assert {name: run[name].values[0] for name in given} == pytest.approx(given, abs=1e-12)


def test_a_value_beyond_the_reach_of_a_free_joint_is_refused():
    message = (
        r"value given for 'f.z' contradicts the constraints: with it .* by 0\.\d+ m\. Leave it out, or pass it as guess"
    )
    with pytest.raises(gs.StateError, match=message):
        gs.assemble(hanging_box(), {"f.z": -1.3})


def distant_pins(offset):
    """Return a bar of 1 m on two pins whose distance along x is 1.4 m, or which are 0.4 m apart along their axes."""
    model = gs.Model("pins", gravity=(0, -9.81, 0))
    model.add(gs.Body("bar", gs.rod(1, 1, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Revolute("p1", "ground", "bar.a"))
    model.add(gs.Revolute("p2", ("ground", offset), "bar.b"))
    return model


@pytest.mark.parametrize("coordinates", ["joint", "absolute", "branch"])
@pytest.mark.parametrize(
    "call",
    [
        lambda system: gs.check(system.model, system.coordinates.choice),
        lambda system: system.forward_dynamics(*system.initial_values()),
        lambda system: system.reactions(*system.initial_values()),
        lambda system: system.multipliers(*system.initial_values()),
        gs.equilibrium,
        lambda system: gs.simulate(system, duration=1),
    ],
    ids=["check", "accelerations", "reactions", "multipliers", "equilibrium", "simulation"],
)
def test_pins_too_far_apart_are_refused_with_the_gap(coordinates, call):
    """In absolute coordinates the gap is shared by both pins."""
    system = gs.formulate(distant_pins((1.4, 0, 0)), coordinates)
    with pytest.raises(gs.GyrostatError, match=r"cannot be closed from here: 'p\d' stays open by at least 0\.[24] m"):
        call(system)


def test_pins_apart_along_their_axis_are_refused():
    system = gs.formulate(distant_pins((1.0, 0, 0.4)))
    with pytest.raises(gs.StateError, match=r"'p2' cannot be met: no free motion changes .* is off by 0\.4 m"):
        system.forward_dynamics([0.0], [0.0])


def test_an_open_state_of_a_mechanism_that_can_be_closed_has_accelerations(system):
    assert np.isfinite(system.forward_dynamics([0.3, 0.2, 0.1], [0.0, 0.0, 0.0])).all()


def open_length(value=None):
    """Return a four-bar whose coupler has the length L, which the model may leave open."""
    model = gs.Model("four-bar", gravity=(0, -9.81, 0), parameters={"L": value})
    for name, length in (("crank", 0.4), ("coupler", "L"), ("rocker", 0.8)):
        half = "L/2" if length == "L" else length / 2
        ends = {"a": ("-L/2" if length == "L" else -half, 0, 0), "b": (half, 0, 0)}
        model.add(gs.Body(name, gs.rod(1, length, along="x"), points=ends))
    model.add(gs.Revolute("h1", "ground", "crank.a", initial=0.7))
    model.add(gs.Revolute("h2", "crank.b", "coupler.a", initial="0.1*L"))
    model.add(gs.Revolute("h3", "coupler.b", "rocker.b", initial=0.5))
    model.add(gs.Revolute("h4", ("ground", (1, 0, 0)), "rocker.a"))
    return model


ANALYSES = {
    "assembly": lambda system, given: gs.assemble(system, {"h1": 0.7}, parameters=given).state,
    "printed": lambda system, given: str(gs.assemble(system, {"h1": 0.7}, parameters=given)),
    "simulation": lambda system, given: gs.simulate(system, duration=0.1, step=0.05, parameters=given)["h1"].values,
    "equilibrium": lambda system, given: gs.equilibrium(system, parameters=given)["h1"],
}


@campaign(
    [*itertools.product(["joint", "absolute", "branch"], ANALYSES)],
    name="coordinates, analysis",
    few=[("joint", "printed"), ("joint", "simulation"), ("absolute", "assembly"), ("absolute", "simulation"),
         ("branch", "equilibrium")],
)  # fmt: skip
def test_a_length_without_value_can_be_supplied(coordinates, analysis):
    """The spatial form is chosen for both, since a mechanism without all dimensions is not taken as planar."""
    call = ANALYSES[analysis]
    planar = None if coordinates == "joint" else False
    found = call(gs.formulate(open_length(), coordinates, planar=planar), {"L": 1.0})
    expected = call(gs.formulate(open_length(1.0), coordinates, planar=planar), None)
    assert found == expected if isinstance(found, str) else found == pytest.approx(expected, abs=1e-9)
    for without in (call, lambda system, given: system.initial_coordinates):
        with pytest.raises(gs.StateError, match=r"Parameter 'L' has no value\. Give one: parameters="):
            without(gs.formulate(open_length(), coordinates, planar=planar), None)


def geared_five_bar(value=None):
    """Return a five-bar whose cranks are geared; the joint that closes its loop has a counted angle."""
    model = gs.Model("five-bar", gravity=(0, -9.81, 0), parameters={"L": value})
    for name in ("a", "b", "c", "d"):
        model.add(gs.Body(name, gs.rod(1, "L", along="y"), points={"low": (0, "-L/2", 0), "high": (0, "L/2", 0)}))
    model.add(gs.Revolute("h1", "ground", "a.low", initial=0.3))
    model.add(gs.Revolute("h2", "a.high", "b.low", initial=-1))
    model.add(gs.Revolute("h3", "b.high", "c.high", initial=1))
    model.add(gs.Revolute("h4", "c.low", "d.high", initial=-0.2))
    model.add(gs.Revolute("h5", ("ground", ("L", 0, 0)), "d.low"))
    model.add(gs.Gear("gear", "h1", "h5", ratio=-1))
    return model


def test_gears_on_a_loop_with_a_length_without_value():
    """Whole turns of a chord are counted about parallel axes, whatever the lengths."""
    assert gs.formulate(geared_five_bar()).topology.chords == ("h5",)
    found, expected = (
        gs.simulate(geared_five_bar(own), duration=0.2, step=0.1, parameters=given)["h5"].values
        for own, given in ((None, {"L": 1.0}), (1.0, None))
    )
    np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize("angle", [1.5707963, 1.5708, 1.2, -1.2])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_one_crank_angle_assembles_a_row_of_parallelograms(count, angle):
    """Also where they are flat to 1e-8, and Newton's method cannot tell the branch: all cranks stay parallel."""
    system = gs.formulate(four_bars(count))
    found = gs.assemble(system, {"c0": angle, "c0.rate": 1.0})
    cranks = [found.state[f"c{i}"] for i in range(count + 1)]
    assert cranks == pytest.approx([angle] * (count + 1), abs=2e-6)
    assert [found.state[f"c{i}.rate"] for i in range(count + 1)] == pytest.approx([1.0] * (count + 1), abs=1e-6)


def test_a_value_of_a_loop_closing_joint_is_not_ignored_where_the_loops_are_closed_without_it():
    """The position of the model's own values closes the loops, and Newton's method leaves it as it is."""
    system = gs.formulate(gs.Model.load("examples/universal_drive_line.yaml"))
    with pytest.raises(gs.StateError, match=r"'cross_2.angle1' contradicts the constraints: .* stays open by 0\.0"):
        gs.assemble(system, {"cross_2.angle1": 0.2})
