"""Refusals of constraints whose directions are undefined at the start, or that no motion satisfies."""

import pytest

import gyrostat as gs
from gyrostat.errors import ModelError, StateError, TopologyError


def slide(*constraints: gs.Constraint) -> gs.Model:
    """Return a mass on a slide along x."""
    model = gs.Model("slide", gravity=(0, -9.81, 0))
    model.add(gs.Body("b", gs.rod(1, 1, along="y"), points={"end": (0, 0.5, 0)}))
    model.add(gs.Prismatic("x", "ground", "b", axis="x"))
    for constraint in constraints:
        model.add(constraint)
    return model


@pytest.mark.parametrize(
    ("constraint", "reason"),
    [
        (gs.Distance("c", "ground", "b", 1), "its ends coincide, so that it has no direction; begin where they are"),
        (gs.Cable("c", ["ground", "b", "b.end"], 2), "two of its points coincide, so that it has no direction there"),
        (gs.PointOnCurve("c", "b", "ground", ["x**2"]), "it divides by zero, where its directions are not determined"),
        (gs.Equation("c", "log(x) - 1"), "math domain error|its formulas give no finite number|divi|positive"),
    ],
)
def test_a_constraint_without_a_direction_is_named(constraint, reason):
    with pytest.raises(StateError, match=rf"Constraint 'c' has no finite value at this state: .*(?:{reason})"):
        gs.simulate(slide(constraint), duration=1, step=1)


@pytest.mark.parametrize("constraint", [gs.RollingDisc("c", "b", 0.5), gs.KnifeEdge("c", "b", "z")])
def test_a_constraint_that_never_has_a_direction_is_named(constraint):
    with pytest.raises(TopologyError, match=r"Constraint 'c' divides by zero in every position: the joints"):
        gs.simulate(slide(constraint), duration=1, step=1)


@pytest.mark.parametrize(
    ("constraint", "reason"),
    [
        (gs.RollingDisc("c", "b", 0.5), "the disc lies flat, so that no point of its rim is lowest; begin with it"),
        (
            gs.KnifeEdge("c", "b", "z"),
            "the blade is parallel to the normal, so that it has no lateral direction;",
        ),
    ],
)
def test_a_free_body_in_the_wrong_attitude_is_told(constraint, reason):
    model = gs.Model("flight", gravity=(0, 0, -9.81))
    model.add(gs.Body("b", gs.disc(1, 0.5)))
    model.add(gs.Free("f", "ground", "b"))
    model.add(constraint)
    with pytest.raises(StateError, match=rf"Constraint 'c' has no finite value at this state: {reason}"):
        gs.simulate(model, duration=1, step=1)


def test_a_flat_disc_can_be_begun_elsewhere():
    model = gs.Model("disc", gravity=(0, 0, -9.81))
    model.add(gs.Body("disc", gs.disc(1, 0.3)))
    model.add(gs.Free("f", "ground", "disc"))
    model.add(gs.RollingDisc("roll", "disc", 0.3))
    system = gs.formulate(model)
    assert system.rank.general == 3
    upright = {"f.z": 0.3, "f.e0": 0.5**0.5, "f.e1": 0.5**0.5}
    assert gs.simulate(system, duration=0.1, step=0.1, initial=upright)["f.z"].values == pytest.approx([0.3, 0.3])


def test_what_no_motion_can_meet_is_told():
    model = slide(gs.PointOnPlane("ledge", "b.end", "ground", "y"))
    message = (
        r"'ledge' cannot be met: no free motion changes its 'force along the normal', which is off by 0\.5 m, changing "
        r"by 0 a second\. Check its dimensions, and whether joints and drivers allow it\."
    )
    with pytest.raises(StateError, match=message):
        gs.simulate(model, duration=1, step=1)
    with pytest.raises(ModelError, match=r"model 'slide': 'ledge' cannot be met"):
        gs.check(model)


def test_a_constraint_between_driven_motions_is_told():
    model = gs.Model("driven")
    model.add(gs.Body("b", mass=1))
    model.add(gs.Prismatic("x", "ground", "b", axis="x", driven="0.2*t"))
    model.add(gs.PointDriver("d", "b", {"x": "0.3*t"}))
    with pytest.raises(StateError, match=r"'d' cannot be met: .* off by 0 m, changing by 0\.1 a second\."):
        gs.simulate(model, duration=1, step=1)


def test_constraints_that_contradict_each_other_stay_open():
    model = slide(gs.Distance("one", ("ground", (-2, 0, 0)), "b", 1), gs.Distance("two", ("ground", (2, 0, 0)), "b", 1))
    with pytest.raises(StateError, match=r"cannot be closed from here: '(one|two)' stays open by at least 1 m\."):
        gs.simulate(model, duration=1, step=1)


def test_angles_that_lose_whole_turns_are_refused():
    model = gs.Model("four-bar")
    for name in ("crank", "coupler", "rocker"):
        model.add(gs.Body(name, gs.rod(1, 1, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Revolute("h1", "ground", "crank.a"))
    model.add(gs.Spherical("h2", "crank.b", "coupler.a"))
    model.add(gs.Revolute("h3", "coupler.b", "rocker.b"))
    model.add(gs.Revolute("h4", ("ground", (1, 0, 0)), "rocker.a"))
    model.add(gs.Gear("g", "h1", "h3", 2))
    message = (
        r"Constraint 'g' uses the angle 'h3' of a joint that closes a loop, of which whole turns are not counted\."
    )
    with pytest.raises(TopologyError, match=message):
        gs.formulate(model, cut=["h3"])
    assert gs.formulate(model, cut=["h2"]).constrained


def test_angles_about_parallel_axes_count_whole_turns_in_loops_too():
    model = gs.Model("wheels")
    for name in ("sun", "arm"):
        model.add(gs.Body(name, gs.rod(1, 1, along="x")))
    model.add(gs.Revolute("h1", "ground", "sun"))
    model.add(gs.Revolute("h2", "sun", "arm"))
    model.add(gs.Revolute("h3", "ground", "arm"))
    model.add(gs.Gear("g", "h1", "h3", 2))
    assert gs.formulate(model, cut=["h3"]).constrained
