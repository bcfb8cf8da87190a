"""Contacts in models: sides and their shapes, files, checks, readable equations."""

from __future__ import annotations

import pytest
from contact_models import adjustable_ball, floor

import gyrostat as gs
from gyrostat.errors import ModelError

LAW = gs.HuntCrossley(1e6, restitution=0.5)


def model_of(contact: gs.Contact, **surfaces: object) -> gs.Model:
    model = gs.Model("pair", gravity=(0, 0, -9.81), parameters={"k": -5})
    model.add(gs.Body("ground", surfaces=surfaces))
    model.add(gs.Body("ball", gs.sphere(1, 0.1), com=(0, 0, 0.2), points={"tip": (0, 0, 0.1)}))
    model.add(gs.Free("f", "ground", "ball"))
    model.add(contact)
    return model


PLANE = {"floor": gs.shapes.Plane()}


@pytest.mark.parametrize(
    ("contact", "surfaces", "message"),
    [
        (gs.Contact("c", "ball", "ground", LAW), {}, "b: body 'ground' has no shape to touch with."),
        (gs.Contact("c", "ball", "ground.flor", LAW), PLANE, "no point, frame or surface 'flor'. Did you mean 'floor'"),
        (
            gs.Contact("c", "ball", "ground", LAW),
            {**PLANE, "wall": gs.shapes.Plane(along="x")},
            "b: body 'ground' has several surfaces. Name one: ground.floor, ground.wall.",
        ),
        (gs.Contact("c", "ball.tip", ("ground", (0, 0, 0)), LAW), {}, "both sides are points, ball.tip and ground at"),
        (
            gs.Contact("c", "ball", "ground.egg", LAW),
            {"egg": gs.shapes.Ellipsoid((1, 1, 2))},
            "b: contacts do not know the shape Ellipsoid of body 'ground'. Known shapes: Sphere, Capsule",
        ),
        (
            gs.Contact("c", "ball", "ground.peak", LAW, shape_a=gs.shapes.Capsule(0.1, 1)),
            {"peak": gs.shapes.Cone(1, 2)},
            "the nearest points of Capsule and Cone have no closed form here. Use gs.Contacts('c', between=(['ball'], "
            "['ground']), …), which finds the points of these shapes. Known pairs: Sphere and Plane",
        ),
        (
            gs.Contact("c", "ball", "ground.parts", LAW, shape_a=gs.shapes.Box((1, 1, 1))),
            {"parts": gs.shapes.Group([gs.shapes.Plane(), gs.shapes.Sphere(1), gs.shapes.Box((1, 1, 1))])},
            "the nearest points of Box and Box have no closed form here. Use gs.Contacts('c', between=(['ball'], ",
        ),
        (
            gs.RigidContact("c", "ball", "ground.die", shape_a=gs.shapes.Cylinder(0.1, 1)),
            {"die": gs.shapes.Box((1, 1, 1))},
            "Use gs.Contacts('c', between=(['ball'], ['ground']), …) and integrator=gs.Moreau(step=…), which finds",
        ),
        (
            gs.Contact("c", "ball", "ground.hills", LAW, shape_a=gs.shapes.Capsule(0.1, 1)),
            {"hills": gs.shapes.Relief("0.1*sin(x)")},
            "the nearest points of Capsule and Relief have no closed form here. Known pairs: Sphere and Plane",
        ),
        (
            gs.Contact("c", "ball", "ground.floor", gs.HuntCrossley("k")),
            PLANE,
            "normal.HuntCrossley.stiffness: k = -5 is not positive.",
        ),
    ],
)
def test_contacts_that_cannot_be(contact: gs.Contact, surfaces: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError) as error:
        model_of(contact, **surfaces).check()
    assert message in str(error.value)


def test_friction_needs_a_normal_force() -> None:
    with pytest.raises(ModelError, match=r"normal: it has friction but no normal force\. Give normal=gs\.HuntCrossley"):
        gs.Contact("c", "ball", "ground.floor", friction=gs.Coulomb(0.3, 0.01))
    with pytest.raises(ModelError, match=r"both sides are on body 'ball'\. Name two different bodies\."):
        gs.Contact("c", "ball.tip", "ball", LAW)


def test_sides_have_the_shapes_of_their_bodies_in_the_frozen_model_alone(tmp_path) -> None:
    model = model_of(gs.Contact("c", "ball", "ground.floor", LAW, gs.Bristle(0.3, 0.4, 1e4, 100, 0.05)), **PLANE)
    system = gs.formulate(model)
    contact = system.model.forces["c"]
    assert contact.shape_a == gs.shapes.Sphere(0.1, at=(0, 0, 0.2))
    assert contact.shape_b == gs.shapes.Plane()
    assert system.state_names == ("c.approach", "c.bristle.x", "c.bristle.y")
    model.save(tmp_path / "pair.yaml")
    loaded = gs.Model.load(tmp_path / "pair.yaml")
    assert loaded.forces["c"] == model.forces["c"]
    assert gs.formulate(loaded).state_names == system.state_names
    system.model.save(tmp_path / "again.yaml")
    assert (tmp_path / "again.yaml").read_text() == (tmp_path / "pair.yaml").read_text()


def test_overlaps_are_reported_with_their_depth() -> None:
    model = gs.Model("pair", gravity=(0, 0, -9.81))
    model.add(floor())
    model.add(gs.Body("ball", gs.sphere(1, 0.1)))
    model.add(gs.Prismatic("h", "ground", "ball", axis="z", initial=0.08))
    model.add(gs.Contact("c", "ball", "ground.floor", LAW))
    notes = gs.check(model).notes
    assert "contact 'c': ball and ground overlap by 0.02 m initially; joint 'h' connects them." in notes
    model.replace(gs.Prismatic("h", "ground", "ball", axis="z", initial=0.1))
    assert not any("overlap" in note for note in gs.check(model).notes)


def test_readable_equations_keep_laws_as_named_functions() -> None:
    (forcing,) = adjustable_ball().equations().forcing
    assert "impact_damping(e)" in str(forcing)
    assert "Max(0, 1/10 - h)**(3/2)" in str(forcing)
