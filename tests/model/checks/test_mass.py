"""Mass properties that a body can have, and enough of them for every coordinate."""

import numpy as np
import pytest

import gyrostat as gs
from gyrostat import shapes

WELD = gs.Weld("j", "ground", "b")
WHEEL = gs.Rotor("w", "z", 0.5, spin=1)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (gs.Body("b", mass=-2), "body 'b', mass: its mass is -2. A mass cannot be negative."),
        (gs.Body("b", mass="m - 3"), "body 'b', mass: its mass is -2."),
        (gs.Body("b", gs.sphere("-m", 1)), "body 'b', properties.sphere.mass: -m = -1 is negative."),
        (gs.Body("b", gs.sphere("m", "m - 1")), "body 'b', properties.sphere.radius: m - 1 = 0 is not positive."),
        (
            gs.Body("b", gs.tube(1, "m", "2*m", 1)),
            "body 'b', properties.tube.inner_radius: 2*m = 2 exceeds outer_radius",
        ),
        (
            gs.Body("b", gs.composite([gs.Part(gs.sphere("-m", 1))])),
            "body 'b', properties.composite.parts[0].solid.sphere.mass: -m = -1 is negative.",
        ),
        (gs.Body("b", mass=1, shape=shapes.Sphere("-m")), "body 'b', shape[0].sphere.radius: -m = -1 is not positive."),
        (
            gs.Body("b", mass=1, inertia=(-1, 1, 1)),
            "body 'b', inertia: its inertia has a negative principal moment (principal moments -1, 1, 1). Check signs",
        ),
        (
            gs.Body("b", mass=1, inertia=((1, 2, 0), (2, 1, 0), (0, 0, 1))),
            "body 'b', inertia: its inertia has a negative",
        ),
        (
            gs.Body("b", mass=1, inertia=(1, 2, 3.1)),
            "body 'b', inertia: its inertia violates the triangle inequality (principal moments 1, 2, 3.1). "
            "No principal moment exceeds the sum of the other two; is the inertia about the mass centre?",
        ),
        (gs.Body("b", mass=1, inertia=(0, 0, "m")), "body 'b', inertia: its inertia violates the triangle inequality"),
        (gs.Body("b", mass=0, inertia=(1, 1, 1)), "body 'b', inertia: it has inertia but no mass. Give it a mass."),
        (
            gs.Body("b", mass=1e200, inertia=(1, 1, 1)),
            "body 'b', inertia: its mass properties exceed the floating-point range. Rescale them.",
        ),
        (
            gs.Body("b", gs.box(1, (1e200, 1, 1))),
            "body 'b', properties: its mass properties exceed the floating-point range",
        ),
        (
            gs.Body("b", mass=1, rotors=[WHEEL]),
            "body 'b', rotors: it has rotors but no inertia. Its inertia includes its rotors, locked.",
        ),
        (
            gs.Body("b", mass=1, inertia=(1, 1, 0.4), rotors=[WHEEL]),
            "body 'b', rotors.w.inertia: rotor 'w' has axial inertia 0.5, the body about the same axis 0.4. The body's",
        ),
        (
            gs.Body("b", mass=1, inertia=(1, 1, 1), rotors=[gs.Rotor("w", (1, 1, 0), "-m", spin=1)]),
            "body 'b', rotors.w.inertia: rotor 'w' has axial inertia -1, the body about the same axis 1.",
        ),
        (
            gs.Body("b", mass=1, inertia=(1, 1, 1), rotors=[gs.Rotor("w", "z", "m - 1", free=True)]),
            "body 'b', rotors.w.inertia: rotor 'w' turns freely, but has no inertia. Give it an axial inertia, or its",
        ),
    ],
)
def test_bodies_that_cannot_be(faults, body, message):
    [found] = faults(body, WELD, parameters={"m": 1})
    assert found.startswith(message)


@pytest.mark.parametrize("moments", [(1.0, 2.0, 3.0), (1e-6, 2e-6, 3e-6), (0.0, 1e-6, 1e-6)])
def test_a_turned_inertia_is_accepted(faults, moments):
    """Rounding makes R J Rᵀ unsymmetric and breaks the triangle inequality of a plate by 1e-16 of its size."""
    for angle in np.linspace(0.01, 3, 50):
        (c, s), (d, t) = ((np.cos(a), np.sin(a)) for a in (angle, 2 * angle))
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, d, -t], [0, t, d]])
        inertia = turn @ np.diag(moments) @ turn.T
        body = gs.Body("b", mass=1, inertia=inertia)
        assert not faults(body, WELD)
        kept = np.array([[entry.number for entry in row] for row in body.inertia])
        assert (kept == kept.T).all()
        np.testing.assert_allclose(kept, inertia, rtol=0, atol=1e-15 * max(moments))


@pytest.mark.parametrize(
    "body",
    [
        gs.Body("b", gs.slender_rod(1, 2, along="x")),
        gs.Body("b", mass=1, inertia=(0, 1 / 3, 1 / 3)),
        gs.Body("b", mass=1, inertia=(0.1, 0.2, 0.1 + 0.2)),
        gs.Body("b", gs.disc(1, 0.3)),
        gs.Body("b", mass=1, inertia=(0, 0, 1e-22)),
        gs.Body("b", gs.composite([gs.Part(gs.point_mass(1), at=(0.1, 0.2, 0.3))])),
        gs.Body("b", gs.point_mass(1)),
        gs.Body("b", mass=0),
        gs.Body("b", gs.rod(0, 1)),
        gs.Body("b", mass=1, inertia=(1, 1, 0.5), rotors=[WHEEL]),
        gs.Body("b", mass=1, inertia=(1, 1, 1), rotors=[gs.Rotor("w", "z", 0, spin=1)]),
        gs.Body("b", mass=1, rotors=[gs.Rotor("w", "z", momentum=1)]),
        gs.Body("b", mass=1e-18, inertia=(1e-36, 1e-36, 1e-36)),
        gs.Body("b", mass="unknown", inertia=("unknown", 1, -5)),
    ],
)
def test_bodies_that_can_be(faults, body):
    """A thin rod and a thin disc satisfy the triangle inequality as an equation, up to rounding."""
    assert faults(body, WELD, parameters={"unknown": None}) == []


def test_a_turned_thin_rod_is_accepted(faults):
    for angle in range(0, 180, 7):
        part = gs.Part(gs.slender_rod(3.7, 0.9), at=(0.1, 0, 2), turn=[("x", f"{angle}*deg"), ("y", "17*deg")])
        assert faults(gs.Body("b", gs.composite([part])), WELD) == []


def test_shapes_of_the_ground_have_limits_too(faults):
    ground = gs.Body("ground", shape=shapes.Box(("w", 1, 1)))
    assert faults(ground, parameters={"w": -1}) == [
        "body 'ground', shape[0].box.size[0]: w = -1 is negative. Give a value of zero or more."
    ]


# --- coordinates without inertia ------------------------------------------------------------------------------------

ROD = gs.slender_rod(1, 2, along="x")
SMALL = gs.sphere(1e-15, 1e-6)


@pytest.mark.parametrize(
    ("body", "joint", "idle"),
    [
        (gs.Body("b", mass=0), gs.Revolute("j", "ground", "b"), "'j.rate'"),
        (gs.Body("b", mass=0), gs.Prismatic("j", "ground", "b"), "'j.rate'"),
        (gs.Body("b", mass="m - m"), gs.Cylindrical("j", "ground", "b"), "'j.angle.rate', 'j.displacement.rate'"),
        (gs.Body("b", mass=1), gs.Revolute("j", "ground", "b"), "'j.rate'"),
        (gs.Body("b", mass=1, com=(0, 0, 3)), gs.Revolute("j", "ground", "b"), "'j.rate'"),
        (gs.Body("b", mass=1), gs.Spherical("j", "ground", "b"), "'j.w1', 'j.w2', 'j.w3'"),
        (gs.Body("b", mass=1, com=(1, 0, 0)), gs.Spherical("j", "ground", "b"), "'j.w1'"),
        (
            gs.Body("b", mass=1, com=(1, 1, 0)),
            gs.Spherical("j", "ground", "b"),
            "a combination of the speeds of joint 'j'",
        ),
        (gs.Body("b", mass=1), gs.Free("j", "ground", "b"), "'j.w1', 'j.w2', 'j.w3'"),
        (gs.Body("b", ROD), gs.Free("j", "ground", "b"), "'j.w1'"),
        (gs.Body("b", ROD), gs.Revolute("j", "ground", "b", "x"), "'j.rate'"),
        (gs.Body("b", ROD), gs.Revolute("j", "b", "ground", "x"), "'j.rate'"),
        (gs.Body("b", ROD), gs.Free("j", "ground", ("b", (0, 1, 0))), "a combination of the speeds of joint 'j'"),
        (gs.Body("b", ROD), gs.Cylindrical("j", "ground", "b", "x"), "'j.angle.rate'"),
        (gs.Body("b", mass=0), gs.Universal("j", "ground", "b", driven={"angle1": "t"}), "'j.angle2.rate'"),
        (
            gs.Body("b", ROD, frames={"f": gs.Frame(turn=[("y", "90*deg")])}),
            gs.Revolute("j", "ground", "b.f", "z"),
            "'j.rate'",
        ),
    ],
)
def test_coordinates_without_inertia(faults, body, joint, idle):
    assert faults(body, joint, parameters={"m": 1}) == [
        f"joint 'j': {idle} would have no inertia: body 'b' cannot resist it. "
        "Give the body mass or inertia, use another joint, or drive the coordinate."
    ]


@pytest.mark.parametrize(
    ("body", "joint"),
    [
        (gs.Body("b", mass=0), gs.Weld("j", "ground", "b")),
        (gs.Body("b", mass=0), gs.Revolute("j", "ground", "b", driven="t")),
        (gs.Body("b", mass=1), gs.Prismatic("j", "ground", "b")),
        (gs.Body("b", mass=1), gs.Revolute("j", "ground", ("b", (1, 0, 0)))),
        (gs.Body("b", mass=1, com=(1, 0, 0)), gs.Revolute("j", "ground", "b")),
        (gs.Body("b", ROD), gs.Revolute("j", "ground", "b", "z")),
        (gs.Body("b", ROD), gs.Revolute("j", "ground", ("b", (0, 1, 0)), "x")),
        (gs.Body("b", gs.rod(1, 2, along="x", radius=1e-5)), gs.Revolute("j", "ground", "b", "x")),
        (gs.Body("b", gs.sphere(1, 1e-4)), gs.Spherical("j", "ground", ("b", (1, 1, 0)))),
        (gs.Body("b", SMALL), gs.Free("j", "ground", "b")),
        (gs.Body("b", SMALL), gs.Planar("j", "ground", ("b", (1e-6, 0, 0)))),
        (gs.Body("b", gs.sphere(1e12, 1e6)), gs.Free("j", "ground", "b")),
        (gs.Body("b", mass="unknown"), gs.Revolute("j", "ground", "b")),
        (gs.Body("b", mass=1, com=("unknown", 0, 0)), gs.Revolute("j", "ground", "b")),
    ],
)
def test_coordinates_with_enough_inertia(faults, body, joint):
    assert faults(body, joint, parameters={"unknown": None}) == []


def massless(name):
    return gs.Body(name, mass=0)


def test_massless_bodies_inside_a_chain_are_fine(faults):
    end = gs.Body("end", gs.sphere(1, 1))
    joints = [
        gs.Revolute("a1", "ground", "b1", "x"),
        gs.Revolute("a2", "b1", "b2", "y"),
        gs.Revolute("a3", "b2", "end", "z"),
    ]
    assert faults(massless("b1"), massless("b2"), end, *joints) == []


def test_massless_ends_are_taken_off_until_something_moves(faults):
    bodies = [massless("b1"), massless("b2"), massless("b3")]
    rigid = [gs.Weld("w", "b2", "b3"), gs.Revolute("d", "b1", "b2", driven="t")]
    found = faults(*bodies, *rigid, gs.Revolute("a1", "ground", "b1"))
    assert [text.partition(":")[0] for text in found] == ["joint 'a1'"]
    assert "body 'b1' cannot resist it" in found[0]
    assert faults(*bodies, *rigid, gs.Weld("a1", "ground", "b1")) == []


def test_several_massless_ends_are_all_named(faults):
    hub = gs.Body("hub", gs.sphere(1, 1))
    found = faults(
        hub,
        gs.Free("f", "ground", "hub"),
        *(massless(f"b{i}") for i in range(3)),
        *(gs.Revolute(f"j{i}", "hub", f"b{i}") for i in range(3)),
    )
    assert sorted(text.partition(":")[0] for text in found) == ["joint 'j0'", "joint 'j1'", "joint 'j2'"]


def test_nothing_is_said_about_massless_bodies_in_loops(faults):
    loop = [gs.Revolute("a1", "ground", "b1"), gs.Revolute("a2", "b1", "b2"), gs.Revolute("a3", "b2", "ground")]
    assert faults(massless("b1"), massless("b2"), *loop) == []


def test_an_impossible_mass_is_one_fault(faults):
    assert len(faults(gs.Body("b", mass=-1), gs.Revolute("j", "ground", ("b", (1, 0, 0))))) == 1
    assert (
        len(faults(gs.Body("b", mass=1, inertia=((1, 2, 0), (2, 1, 0), (0, 0, 1))), gs.Free("j", "ground", "b"))) == 1
    )


def test_overflow_in_arms_is_survived(faults):
    assert faults(gs.Body("b", gs.sphere(1, 1)), gs.Free("j", "ground", ("b", (1e300, 0, 0)))) == []


def test_faults_of_inertias_are_those_of_their_principal_moments() -> None:
    """Bodies whose second moments of mass have all signs and sizes, about axes turned at random."""
    rng = np.random.default_rng(0)
    model, wrong = gs.Model("bodies"), set[str]()
    for i in range(300):
        R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        second = R @ np.diag(rng.normal(0.4, 0.5, size=3) * 10.0 ** rng.uniform(-6, 0, size=3)) @ R.T
        inertia = np.trace(second) * np.eye(3) - (second + second.T) / 2
        a, b, c = np.linalg.eigvalsh(inertia)
        model.add(gs.Body(f"b{i}", mass=1, inertia=inertia * 10.0 ** rng.uniform(-3, 3)))
        model.add(gs.Weld(f"j{i}", "ground", f"b{i}"))
        wrong |= {f"body 'b{i}'"} if a < 0 or c > a + b else set()
    with pytest.raises(gs.ModelError) as raised:
        model.check()
    assert {fault.item for fault in raised.value.faults} == wrong
    assert 100 < len(wrong) < 250
