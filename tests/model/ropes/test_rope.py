"""Ropes with mass all along: parts, names, written form, and models that cannot be."""

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.model.compounds import Rope
from gyrostat.model.place import Place

SHEAVE = gs.Pulley("sheave", "wheel", 0.2, "left")
LAW = gs.KelvinVoigt(1e4, 10)
GIVEN = {"segments": 3, "length": 2, "density": 0.5}


def rope(*path, **options):
    return Rope("rope", list(path), **{**GIVEN, **options})


def names(made, cls):
    return [part.name for part in made.parts() if isinstance(part, cls)]


def test_parts_of_nodes():
    made = rope("ground", SHEAVE, None, EA=1e6, EI=1, normal=LAW)
    assert names(made, gs.Body) == [f"rope.n{i}" for i in range(4)]
    assert names(made, gs.SpringDamper) == ["rope.e1", "rope.e2", "rope.e3"]
    assert names(made, gs.BendingSpring) == ["rope.b1", "rope.b2"]
    assert names(made, gs.SheaveContact) == ["rope.sheave.n1", "rope.sheave.n2", "rope.sheave.n3"]
    assert names(made, gs.Weld) == ["rope.m0"]


@pytest.mark.parametrize(("contact", "expected"), [("joints", ["p1", "p2", "p3"]), ("centres", ["s1", "s2", "s3"])])
def test_parts_of_links(contact, expected):
    made = rope("ground", SHEAVE, None, realisation="links", normal=LAW, contact=contact, EI=1, bending_damping=0.1)
    assert names(made, gs.Body) == ["rope.s1", "rope.s2", "rope.s3"]
    assert names(made, gs.Revolute) == ["rope.j0", "rope.j1", "rope.j2"]
    assert names(made, gs.SheaveContact) == [f"rope.sheave.{label}" for label in expected]
    springs = [part for part in made.parts() if isinstance(part, gs.JointSpring)]
    assert [spring.joint for spring in springs] == ["rope.j1", "rope.j2"]
    assert springs[0].stiffness.value() == pytest.approx(1.5)
    assert springs[0].damping.value() == pytest.approx(0.15)


def test_universal_links_have_springs_about_both_axes_and_end_in_a_ball():
    made = rope("ground", "load", realisation="links", joints="universal", EI=1)
    assert names(made, gs.JointSpring) == [
        *("rope.bend1.angle1", "rope.bend1.angle2", "rope.bend2.angle1", "rope.bend2.angle2")
    ]
    assert names(made, gs.Spherical) == ["rope.j3"]


@pytest.mark.parametrize("options", [{"EA": 1e6}, {"realisation": "links"}], ids=["nodes", "links"])
def test_the_mass_of_the_rope_is_that_of_its_parts(options):
    made = rope("ground", None, **options)
    masses = [part.properties.mass.value() for part in made.parts() if isinstance(part, gs.Body)]
    assert sum(masses) == pytest.approx(1.0)


def test_friction_is_that_of_the_pulley_or_of_the_rope():
    rough = gs.Pulley("sheave", "wheel", 0.2, "left", mu=0.3)
    by_pulley = next(one for one in rope("ground", rough, None, EA=1, normal=LAW).parts() if hasattr(one, "friction"))
    assert by_pulley.friction == gs.Coulomb(0.3, 0.01)
    law = gs.LimitedViscous(0.3, 100)
    by_rope = rope("ground", SHEAVE, None, EA=1, normal=LAW, friction=law)
    assert next(one for one in by_rope.parts() if hasattr(one, "friction")).friction == law
    with pytest.raises(ModelError, match=r"friction: pulley 'sheave' has mu=0\.3, and the rope has a friction law"):
        rope("ground", rough, None, EA=1, normal=LAW, friction=law)


@pytest.mark.parametrize("options", [{"EA": 1e6}, {"realisation": "links", "EI": 1.0}], ids=["nodes", "links"])
def test_graded_segments(options):
    made = rope("ground", SHEAVE, None, **options, normal=LAW, grading=[(1, 2), (3, 1)])
    masses = [part.properties.mass.value() for part in made.parts() if isinstance(part, gs.Body)]
    assert sum(masses) == pytest.approx(1.0)
    if "EA" in options:
        assert masses == pytest.approx([0.1, 0.2, 0.4, 0.3])
        springs = [part for part in made.parts() if isinstance(part, gs.SpringDamper)]
        assert [one.length.value() for one in springs] == pytest.approx([0.4, 0.4, 1.2])
        assert [one.stiffness.value() for one in springs] == pytest.approx([2.5e6, 2.5e6, 1e6 / 1.2])
        circles = [part.pulley.radius.value() for part in made.parts() if isinstance(part, gs.SheaveContact)]
        assert circles == pytest.approx([0.2 + length**2 / 4.8 for length in (0.4, 0.8, 1.2)])
    else:
        assert masses == pytest.approx([0.2, 0.2, 0.6])
        springs = [part for part in made.parts() if isinstance(part, gs.JointSpring)]
        assert [one.stiffness.value() for one in springs] == pytest.approx([1 / 0.4, 1 / 0.8])
    place = Place("again")
    assert Rope.from_plain(made.to_plain(), place, name="rope") == made
    assert place.faults == ()


def test_a_rope_is_laid_wound_on_its_drum_and_hangs_graded():
    model = gs.Model("drum", gravity=(0, -9.81, 0))
    drum = gs.Pulley("drum", "ground", 0.5, "right", turns=2)
    given = {"segments": 60, "length": 12, "density": 1, "EA": 1e5, "normal": LAW, "grading": [(1, 50), (2, 10)]}
    model.add(gs.Rope("rope", [("ground", (0, -0.51, 0)), drum, None], **given))
    laid = gs.lay_rope(model, "rope")
    x, y = ([laid[f"rope.m{i}.{axis}"] for i in range(1, 61)] for axis in "xy")
    angles = np.unwrap(np.arctan2(y, x))
    wound = np.hypot(x, y) < 0.52
    assert np.ptp(angles[wound]) == pytest.approx(2 * np.pi * 2.75, abs=0.8)  # from the lowest point to the right
    assert np.diff(y)[-5:] == pytest.approx(-24 / 70, rel=1e-6)


def test_nodes_touch_the_circle_on_which_a_polygon_is_as_long_as_the_arc():
    made = rope("ground", SHEAVE, None, EA=1e6, normal=LAW)
    contact = next(part for part in made.parts() if isinstance(part, gs.SheaveContact))
    assert contact.pulley.radius.value() == pytest.approx(0.2 * (1 + (2 / 3 / 0.2) ** 2 / 24))


def test_plain_form_round_trips_and_fits_the_schema(validator):
    made = rope("ground.hook", SHEAVE, None, EA=1e6, normal=LAW)
    plain = made.to_plain()
    assert plain["path"] == ["ground.hook", {"pulley": "sheave", "frame": "wheel", "radius": 0.2, "side": "left"}, None]
    place = Place("again")
    assert Rope.from_plain(plain, place, name="rope") == made
    assert place.faults == ()


@pytest.mark.parametrize(
    ("path", "options", "message"),
    [
        (["ground"], {"EA": 1}, r"path: \['ground'\] is not a path\. Write \[end, Pulley\(…\), …, end\]"),
        ([SHEAVE, "ground"], {"EA": 1}, r"path\[0\]: a path begins and ends at places\. Name a place, or None"),
        (["ground", "hook", None], {"EA": 1}, r"path\[1\]: hook is not a pulley\. Write Pulley\(name, frame"),
        (
            ["ground", gs.Pulley("sheave", "ground", 0.2, "left", grip=True), None],
            {"EA": 1, "normal": LAW},
            r"path: pulley 'sheave' has grip, which a rope with mass all along does not have\. Leave it out",
        ),
        (
            ["ground", None],
            {"EA": 1, "grading": [(1, 4)]},
            r"grading: it has 4 segments, and the rope 3\. Give the same",
        ),
        (
            ["ground", None],
            {"EA": 1, "EI": 1, "grading": [(1, 2), (2, 1)]},
            r"grading: a rope of nodes that resists bending has equal segments\. Leave out the grading or EI",
        ),
        (
            ["ground", None],
            {"EA": 1, "grading": [(0, 3)]},
            r"grading: \[\(0, 3\)\] is not a grading of segments\. Give pairs of a relative length above zero",
        ),
        (["ground", SHEAVE, None], {"EA": 1}, r"normal: a rope over pulleys needs a normal law\. Give normal="),
        (["ground", SHEAVE, SHEAVE, None], {"EA": 1, "normal": LAW}, r"path: two pulleys have the name 'sheave'"),
        (["ground", None], {"EA": 0}, r"EA: 0 is not positive"),
        (
            ["ground", None],
            {"damping": 1},
            r"damping: a rope without EA is inextensible: it has no damping of stretching\. Give EA=…, in N, as well",
        ),
        (
            ["ground", None],
            {"EA": 1, "radius": 0.6},
            r"radius: nodes touch as spheres of radius 0\.6 m, and those of neighbours, .* m apart, overlap\. Give",
        ),
        (["ground", None], {"EA": 1, "length": 0}, r"length: 0 is not positive"),
        (["ground", None], {"realisation": "chain"}, r"realisation: 'chain' is not one of the choices"),
        (
            ["ground", None],
            {"realisation": "links", "joints": "spherical"},
            r"radius: segments in spherical joints have no inertia about the rope\. Give radius=…",
        ),
        (
            ["ground", None],
            {"realisation": "links", "joints": "spherical", "radius": 0.1, "EI": 1},
            r"joints: spherical joints have no angles on which a bending stiffness could act\. Use joints='universal'",
        ),
        (
            ["ground", SHEAVE, None],
            {"EA": 1, "normal": gs.HuntCrossley(1e4, restitution=0.5)},
            r"normal: the law remembers the speed of approach.*Give the law a typical speed",
        ),
    ],
)
def test_ropes_that_cannot_be(path, options, message):
    with pytest.raises(ModelError, match=message):
        list(rope(*path, **options).parts())


def test_pulleys_that_cannot_be():
    with pytest.raises(ModelError, match=r"pulley 'p', radius: 0 is not positive"):
        gs.Pulley("p", "wheel", 0, "left")
    with pytest.raises(ModelError, match=r"side: 'above' is not one of the choices"):
        gs.Pulley("p", "wheel", 1, "above")


def test_rope_and_pulley_on_one_body_are_refused():
    with pytest.raises(ModelError, match=r"rope and pulley are both on body 'wheel'\. Name two different bodies"):
        gs.SheaveContact("c", "wheel.rim", SHEAVE, LAW)
    with pytest.raises(ModelError, match=r"pulley: wheel is not a pulley\. Write Pulley\(name, frame"):
        gs.SheaveContact("c", "rim", "wheel", LAW)


def test_a_bend_needs_three_points():
    with pytest.raises(ModelError, match=r"two of its points are the same\. Name three points along the rope"):
        gs.BendingSpring("b", "a", "a", "c", 1)
