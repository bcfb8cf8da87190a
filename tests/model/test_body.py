"""Bodies: mass properties in one way, named places, what is drawn."""

import pytest

import gyrostat as gs
from gyrostat import shapes
from gyrostat.errors import ModelError
from gyrostat.model.formula import Formula
from gyrostat.model.place import Place

ROTOR = gs.Rotor("wheel", "z", 0.1, spin=5)


def test_mass_properties_of_a_solid_are_moved_to_the_mass_centre(floats):
    value = floats(m=2.0, l=3.0)
    bar = gs.Body("bar", gs.rod("m", "l", along="y"), com=(0, "l/2", 1))
    properties = bar.mass_properties(value)
    assert properties.mass == 2.0
    assert properties.com == (0.0, 1.5, 1.0)
    assert properties.inertia == gs.rod("m", "l", along="y").mass_properties(value).inertia


def test_mass_and_inertia_are_about_the_mass_centre(floats):
    body = gs.Body("b", mass="m", inertia=((2, 0.1, 0), (0.1, 3, 0), (0, 0, 4)), com=(1, 0, 0))
    properties = body.mass_properties(floats(m=5.0))
    assert (properties.mass, properties.com) == (5.0, (1.0, 0.0, 0.0))
    assert properties.inertia == ((2.0, 0.1, 0.0), (0.1, 3.0, 0.0), (0.0, 0.0, 4.0))


def test_a_mass_alone_is_a_point(floats):
    properties = gs.Body("b", mass=3).mass_properties(floats())
    assert properties.mass == 3
    assert properties.inertia == ((0, 0, 0),) * 3
    assert gs.Body("ground").mass_properties(floats()).mass == 0


def test_three_moments_are_a_diagonal_matrix():
    assert gs.Body("b", mass=1, inertia=(1, 2, 3)) == gs.Body("b", mass=1, inertia=((1, 0, 0), (0, 2, 0), (0, 0, 3)))


def test_points_keep_their_formulas_and_order():
    body = gs.Body("b", mass=1, points={"tip": (0, "l/2", 0), "a": (1, 2, 3)})
    assert list(body.points) == ["tip", "a"]
    assert body.points["tip"][1] == Formula.of("l/2")


def test_what_is_drawn():
    ball = gs.sphere(1, 0.5)
    assert gs.Body("b", ball).drawn() == ball.shapes()
    box = shapes.Box((1, 2, 3))
    (moved,) = gs.Body("b", ball, com=(0, "l", 1)).drawn()
    assert moved == gs.shapes.Group(ball.shapes(), at=(0, "l", 1))
    assert gs.Body("b", ball, shape=box).drawn() == (box,)
    assert gs.Body("b", ball, shape=[box, box]).drawn() == (box, box)
    assert gs.Body("b", ball, shape={"box": {"size": [1, 2, 3]}}).drawn() == (box,)
    assert gs.Body("b", ball, shape=()).drawn() == ()
    assert gs.Body("b", mass=1).drawn() == ()
    assert gs.Body("ground", shape=box).drawn() == (box,)


def test_bodies_are_values():
    def make():
        return gs.Body("b", gs.rod(1, 2), points={"p": (0, 0, 0)}, rotors=[ROTOR])

    assert make() == make()
    assert hash(make()) == hash(make())
    assert make() != gs.Body("b", gs.rod(1, 2), points={"p": (0, 0, 1)}, rotors=[ROTOR])
    with pytest.raises(AttributeError):
        make().mass = 3


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gs.Body("b"), r"body 'b': it has no mass properties\. Give a solid, as in gs\.rod\('m', 'l'\)"),
        (lambda: gs.Body("b", inertia=(1, 1, 1)), r"body 'b': it has no mass properties\."),
        (lambda: gs.Body("b", gs.rod(1, 1), mass=2), r"body 'b', mass: the rod already defines it\. Leave one"),
        (lambda: gs.Body("b", gs.rod(1, 1), inertia=(1, 1, 1)), r"body 'b', inertia: the rod already defines it\."),
        (lambda: gs.Body("b", 3), r"body 'b', properties: 3 is not a solid\. Write \{rod: \{…\}\}\."),
        (lambda: gs.Body("b", {"rdo": {}}), r"body 'b', properties\.rdo: there is no solid of this name\. Did"),
        (lambda: gs.Body("b", {"rod": {"mass": -1, "length": 1}}), r"body 'b', properties\.rod\.mass: -1 is negative"),
        (lambda: gs.Body("b", mass="1 +"), r"body 'b', mass: formula '1 \+' is not a formula"),
        (lambda: gs.Body("b", mass=1, com=3), r"body 'b', com: 3 is not a vector"),
        (lambda: gs.Body("b", mass=1, inertia=(1, 2)), r"body 'b', inertia: \(1, 2\) is not an inertia"),
        (lambda: gs.Body("b", mass=1, inertia=((1, 2, 0), (3, 1, 0), (0, 0, 1))),
         r"body 'b', inertia: entries \[0\]\[1\] = 2 and \[1\]\[0\] = 3 differ\. An inertia matrix is symmetric"),
        (lambda: gs.Body("b", mass=1, points={"omega": (0, 0, 0)}),
         r"body 'b', points\.omega: 'omega' is the name of an output of the same component\. Call it 'omega_1', for"),
        (lambda: gs.Body("b", mass=1, points={"a b": (0, 0, 0)}), r"body 'b', points\.a b: 'a b' cannot be a name"),
        (lambda: gs.Body("b", mass=1, points=[(0, 0, 0)]), r"body 'b', points: .* is not a mapping from names\."),
        (lambda: gs.Body("b", mass=1, points={"p": (0, 0)}), r"body 'b', points\.p: \(0, 0\) is not a vector"),
        (lambda: gs.Body("b", mass=1, frames={"velocity": gs.Frame()}), r"frames\.velocity: 'velocity' is the name of"),
        (lambda: gs.Body("b", mass=1, rotors=[gs.Rotor("alpha", "z", momentum=1)]),
         r"body 'b', rotors\.alpha: 'alpha' is the name of an output of the same component\."),
        (lambda: gs.Body("b", mass=1, frames={"f": {"turn": [("w", 1)]}}), r"f\.turn\[0\]\[0\]: 'w' is not an axis"),
        (lambda: gs.Body("b", mass=1, points={"p": (0, 0, 0)}, frames={"p": gs.Frame()}),
         r"body 'b': the name 'p' is used for two places or rotors\. Give each its own name\."),
        (lambda: gs.Body("b", mass=1, points={"wheel": (0, 0, 0)}, rotors=[ROTOR]),
         r"body 'b': the name 'wheel' is used for two places or rotors"),
        (lambda: gs.Body("b", mass=1, rotors=[ROTOR, ROTOR]), r"body 'b', rotors: the name 'wheel' is used twice"),
        (lambda: gs.Body("b", mass=1, rotors=[3]), r"body 'b', rotors\[0\]: 3 is not a Rotor\. Use Rotor\(…\)\."),
        (lambda: gs.Body("b", mass=1, shape=[3]), r"body 'b', shape\[0\]: 3 is not a shape\."),
        (lambda: gs.Body("b", mass=1, shape=3), r"body 'b', shape: 3 is not a list\."),
        (lambda: gs.Body("a-b", mass=1), r"body 'a-b': 'a-b' cannot be a name\. .* for example 'a_b'\."),
        (lambda: gs.Body("", mass=1), r"body '': the name is empty\."),
        (lambda: gs.Body(7, mass=1), r"body 7: the name 7 is not text\."),
        (lambda: gs.Body("x" * 101, mass=1), r"the name has 101 characters\. Use at most 100\."),
    ],
)  # fmt: skip
def test_bodies_that_are_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


@pytest.mark.parametrize(
    ("field", "content"),
    [
        ("properties", gs.rod(1, 1)),
        ("mass", 1),
        ("inertia", (1, 1, 1)),
        ("com", (0, 0, 0)),
        ("rotors", [ROTOR]),
    ],
)
def test_the_ground_has_no_mass_properties(field, content):
    with pytest.raises(
        ModelError, match=rf"body 'ground', {field}: the ground has no mass properties\. Leave this out"
    ):
        gs.Body("ground", **{field: content})


def test_all_faults_of_a_body_come_at_once():
    with pytest.raises(ModelError) as error:
        gs.Body("b", mass="x y", com=1, points={"p": 2}, frames={"f": {"at": 3}}, rotors=[4], shape=[5])
    assert [fault.path for fault in error.value.faults] == [
        ("mass",),
        ("com",),
        ("points", "p"),
        ("frames", "f", "at"),
        ("rotors", 0),
        ("shape", 0),
    ]


def test_the_plain_form_names_rotors_and_leaves_out_defaults():
    body = gs.Body("b", mass=1, rotors=[ROTOR], frames={"f": gs.Frame((1, 0, 0))}, shape=shapes.Sphere(1))
    plain = body.to_plain()
    assert plain == {
        "mass": 1,
        "frames": {"f": {"at": [1, 0, 0]}},
        "rotors": {"wheel": {"axis": "z", "inertia": 0.1, "spin": 5}},
        "shape": [{"sphere": {"radius": 1}}],
    }
    assert gs.Body.from_plain(plain, Place(""), name="b") == body


def test_many_points_take_little_time():
    """Names are counted once, not once for each name."""
    assert len(gs.Body("b", mass=1, points={f"p{i}": (0, 0, 0) for i in range(30_000)}).points) == 30_000
