"""Messages on ropes over pulleys: what a model, a start and a motion have that their formulas do not describe."""

import math

import pytest

import gyrostat as gs

HANGING = {"x": 0.1, "y": -2.0}


def hoist(*, at=HANGING, length=3.31, pulley=None, rope=None, path=None):
    """Return a load on a rope over a pulley at the origin, whose other end is on the ground."""
    model = gs.Model("hoist", gravity=(0, -9.81, 0), parameters={"p": 1.0, "r": 0.1})
    model.add(gs.Body("load", gs.point_mass(2.0)))
    model.add(gs.Planar("j", "ground", "load", initial=at, driven={"angle": "0"}))
    given = {"frame": "ground", "radius": "r", "side": "right", **(pulley or {})}
    path = path or [("ground", (-0.1, -1, 0)), gs.Pulley("top", **given), "load"]
    model.add(gs.Reeving("rope", path, length=length, **(rope or {"EA": 1e5})))
    return model


def with_winch(model, joint=None, **winch):
    """Return a model with a drum and a winch of the rope."""
    model.add(gs.Body("drum", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("d", ("ground", (-1, 0, 0)), "drum", **(joint or {})))
    model.add(gs.Winch("winch", "rope", "d" if "speed" not in winch else None, **winch))
    return model


HEAVY = {"EA": 1e5, "density": 1.0}


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            lambda: hoist(pulley={"frame": ("ground", gs.Frame((0, 0, 0), [("x", 0.2)]))}),
            r"Rope 'rope' meets pulley 'top' at a fleet angle of 11\.5° at t = 0 s; grooves hold ropes up to about 4°",
        ),
        (
            lambda: hoist(at={"x": 0.0, "y": 0.0}, path=[("ground", (-10, 0, 0)), "load"], length=9.95, rope=HEAVY),
            r"Span 1 of rope 'rope' would sag by about 0\.\d* m at t = [0-9.]* s, with a weight across it of 97",
        ),
        (
            lambda: hoist(length=3.5, rope=HEAVY),
            r"Rope 'rope' has mass and is slack by 0\.1\d* m at t = 0\.01 s; its mass moves as if it were straight",
        ),
        (
            lambda: with_winch(hoist(length=2.7), {"driven": "6.28 + t"}, radius=0.1, turns=1),
            r"The drum of winch 'winch' is empty at t = 0\.01 s: d is 6\.29 rad, and all 0\.6283 m are paid out at",
        ),
        (
            lambda: hoist(pulley={"side": "left"}, length=3.34),
            r"Rope 'rope' crosses itself at pulley 'top', with a wrap angle of 197\.1°: should the sheave be on its",
        ),
        (
            lambda: hoist(length=2.0),
            r"Rope 'rope' is too short for its path initially: 2 m for 3\.31416 m, with a tension of 6\.571e\+04 N",
        ),
    ],
)
def test_a_run_says_what_its_ropes_do_not_describe(model, message):
    with pytest.warns(gs.GyrostatWarning, match=message):
        gs.simulate(model(), duration=0.02, step=0.01, integrator=gs.Rodas5P())


def test_a_check_names_both_lengths_of_a_rope_that_does_not_stretch():
    notes = str(gs.check(hoist(length=2.0, rope={"inextensible": True})))
    assert "rope 'rope' is too short for its path initially: 2 m for 3.31416 m." in notes


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (lambda: hoist(pulley={"radius": "p - 1"}), r"force 'rope', path\[1\]\.radius: p - 1 = 0 is not positive"),
        (lambda: hoist(rope={"EA": 1e5, "density": "-p"}), r"force 'rope', density: -p = -1 is negative"),
        (
            lambda: with_winch(hoist(rope=HEAVY), speed=1),
            r"'winch', speed: rope 'rope' has mass, whose inertia acts on a drum\. Give joint=… and radius=…",
        ),
        (
            lambda: with_winch(hoist(rope=HEAVY), radius=0.1),
            r"'winch', turns: it is missing, and rope 'rope' has mass, which counts on the drum as well\. Give turns=…",
        ),
        (
            lambda: _two_winches(),
            r"'other', at: winch 'winch' is at the first end of rope 'rope' too, which has mass\. A rope with density",
        ),
    ],
)
def test_a_model_says_what_its_ropes_cannot_have(model, message):
    with pytest.raises(gs.ModelError, match=message):
        gs.formulate(model())


def _two_winches():
    model = with_winch(hoist(rope=HEAVY), radius=0.1, turns=5)
    model.add(gs.Winch("other", "rope", "d", radius=0.1, turns=5))
    return model


def test_a_start_says_where_a_drum_or_a_sheave_cannot_be():
    empty = with_winch(hoist(), {"driven": "7 + t"}, radius=0.1, turns=1)
    with pytest.raises(gs.StateError, match=r"'winch' is empty: d is 7 rad, at which 0\.7 m would be paid out, and it"):
        gs.simulate(empty, duration=0.1)
    with pytest.raises(gs.StateError, match=r"Pulley 'top' of rope 'rope' has a radius of 0 m\. Give a value above"):
        gs.simulate(hoist(), duration=0.1, parameters={"r": 0.0})


def test_methods_of_bodies_refuse_ropes_with_mass():
    system = gs.formulate(hoist(rope=HEAVY))
    methods = (
        system.roberson_schwertassek,
        system.velocity_transformation,
        system.absolute_method,
        system.graph_method,
        lambda: system.cutset("j"),
        lambda: gs.compare_methods(system),
    )
    for method in methods:
        with pytest.raises(gs.TopologyError, match=r"'rope' has mass of its own; .* for masses of bodies only"):
            method()


def test_a_driven_drum_counts_from_its_angle_at_the_start():
    """A rope of 3.31 m of which 10 rad are paid out is long enough; without them it would be too short."""
    model = with_winch(hoist(length=2.31416), {"driven": "10"}, radius=0.1)
    assert "too short" not in str(gs.check(model))
    assert math.isclose(gs.simulate(model, duration=0.01, step=0.01)["winch.payout"].values[0], 1.0)


def drum_on_command() -> gs.Model:
    """Return a hoist whose drum follows the input `out`, the length of rope, which is 3.31 m by its law."""
    model = hoist(length=3.31)
    model.add(gs.Input("out", unit="m", law=3.31))
    return with_winch(model, {"driven": "(out - 3.31)/0.5"}, radius=0.5, turns=20)


def test_drums_follow_the_inputs_of_a_run():
    # the note was on the model's own law, or on zero: 2.5 m of rope in the place of 3.31 m
    slack = gs.simulate(drum_on_command(), duration=0.01, inputs={"out": "3.32 + 0.01*t"}, integrator=gs.Rodas5P())
    assert slack.status.notes == ()
    with pytest.warns(gs.GyrostatWarning, match=r"too short for its path initially: 2.5 m for 3\.3\d* m"):
        gs.simulate(drum_on_command(), duration=1e-4, inputs={"out": "2.5"}, integrator=gs.Rodas5P())


def test_check_examines_a_drum_by_the_law_of_its_input():
    model = drum_on_command()
    assert not any("too short" in note for note in gs.check(model).notes)
    model.replace(gs.Input("out", unit="m", law=2.5))
    assert any("too short" in note for note in gs.check(model).notes)


def test_the_start_of_every_run_is_examined():
    """What is known of a position does not hold for another one, or for other parameters."""
    system, short = gs.formulate(hoist(length=2.0)), "too short for its path initially: 2 m for 3.31416 m"
    for _ in range(2):
        with pytest.warns(gs.GyrostatWarning, match=short):
            gs.simulate(system, 0.001, step=0.001, progress=False)
    with pytest.raises(gs.StateError, match=r"penetrates the sheave|does not touch pulley"):
        gs.simulate(system, 0.001, initial={"j.x": 0.05, "j.y": 0.0}, progress=False)
    with pytest.warns(gs.GyrostatWarning, match=r"too short for its path initially: 2 m for 3\.158"):
        gs.simulate(system, 0.001, step=0.001, parameters={"r": 0.05}, progress=False)
